import LibPQ
package import SyncCore

/// Derives columns and hashes again after a mapping changed. Each hash contains the mapping's version, so the next run
/// after an interruption finds the documents that are left.
package struct Rederivation: Sendable {
  private let database: Database
  private let mappings: [any DocumentMapping]
  private let batch: Int

  package init(_ database: Database, _ mappings: [any DocumentMapping], batch: Int = Limits.documentsPerDerivation) {
    self.database = database
    self.mappings = mappings
    self.batch = batch
  }

  package struct Waiting: Sendable, Equatable {
    package let name: String
    package let version: Int
    package let documents: Int
  }

  package struct Outcome: Sendable, Equatable {
    package let name: String
    package let version: Int
    package var derived = 0
    /// Refused documents stay unchanged.
    package var refused = 0
    package var firstRefused: RejectedItem?
  }

  package func waiting() async throws -> [Waiting] {
    try await database.read { [mappings] connection in
      try mappings.compactMap { mapping in
        let count = try connection.query(
          SourceSQL.text("count_stale", mapping.sql), [.texts(mapping.sql.scope), .int(Int64(mapping.version))]
        ).int(row: 0, column: 0)
        guard let count, count > 0 else { return nil }
        return Waiting(name: mapping.name, version: mapping.version, documents: Int(count))
      }
    }
  }

  package func derive(onBatch: (Outcome) throws -> Void = { _ in }) async throws -> [Outcome] {
    let waiting = Set(try await waiting().map(\.name))
    var outcomes: [Outcome] = []
    for mapping in mappings where waiting.contains(mapping.name) {
      var outcome = Outcome(name: mapping.name, version: mapping.version)
      var last: Int64? = .min
      while let key = last {
        let step = try await derive(mapping, after: key)
        last = step.last
        outcome.derived += step.batch.derived
        outcome.refused += step.batch.refused.count
        outcome.firstRefused = outcome.firstRefused ?? step.batch.refused.first
        if step.last != nil { try onBatch(outcome) }
      }
      outcomes.append(outcome)
    }
    return outcomes
  }

  private func derive(
    _ mapping: any DocumentMapping, after key: Int64
  ) async throws -> (last: Int64?, batch: DerivedBatch) {
    let stale = try SourceSQL.text("stale", mapping.sql)
    return try await database.write { [batch] connection in
      let documents = try connection.query(
        stale, [.texts(mapping.sql.scope), .int(Int64(mapping.version)), .int(key), .int(Int64(batch))]
      ).map { row in (key: try row.int(0) ?? 0, text: try row.text(1) ?? "") }
      return (documents.last?.key, try DerivedBatch.derive(documents, by: mapping, connection))
    }
  }
}

struct DerivedBatch: Sendable {
  var derived = 0
  var refused: [RejectedItem] = []

  static func derive(
    _ documents: [(key: Int64, text: String)], by mapping: any DocumentMapping, _ connection: borrowing PGConnection
  ) throws -> DerivedBatch {
    var batch = DerivedBatch()
    var items: [PageItem] = []
    for document in documents {
      switch mapping.read(Array(document.text.utf8), key: document.key) {
      case .item(let item) where item.key == document.key: items.append(item)
      case .item(let item):
        batch.refused.append(
          RejectedItem(
            key: document.key, reason: "other_id", detail: "the document's id is \(item.key)",
            excerpt: Excerpt.of(item.document)))
      case .rejected(let item):
        batch.refused.append(
          RejectedItem(key: document.key, reason: item.reason, detail: item.detail, excerpt: item.excerpt))
      case .listed:
        // A document is never read as a row of a list.
        break
      }
    }
    let (written, refused) = try PageWriter.store(ItemList(items), PageWriter.documentFields, connection) {
      items, connection in
      try PageWriter.write(items, mapping.sql, derivesAnew: true, connection)
    }
    let refusedKeys = Set(refused.compactMap(\.key))
    let lost = try PageWriter.compare(
      ItemList(items.filter { !refusedKeys.contains($0.key) }), mapping.sql, connection)
    if let dropped = lost.values.first(where: \.isDocument) {
      throw try DroppedRows.error(dropped.table, connection)
    }
    if written.count < items.count - refusedKeys.count {
      throw try DroppedRows.error(SourceSQL.part("table", mapping.sql) ?? "", connection)
    }
    batch.derived = written.count
    batch.refused += refused
    return batch
  }
}
