import LibPQ
package import SyncCore

/// Derives columns and hashes again from stored documents whose mapping changed. A `DocumentMapping` reads a document
/// into columns. Each hash contains the mapping's version, so a document with an earlier version is stale, and the next
/// call after an interruption finds the documents that are left.
package struct Rederivation: Sendable {
  private let database: Database
  private let mappings: [any DocumentMapping]
  private let batch: Int

  /// `derive` handles the mappings in this order. `batch` is the number of documents per transaction.
  package init(_ database: Database, _ mappings: [any DocumentMapping], batch: Int = Limits.documentsPerDerivation) {
    self.database = database
    self.mappings = mappings
    self.batch = batch
  }

  /// The number of documents whose columns come from an earlier version of a mapping. `version` is the current version.
  package struct Waiting: Sendable, Equatable {
    package let name: String
    package let version: Int
    package let documents: Int
  }

  /// The numbers of documents of one mapping that were derived again, refused, or found damaged.
  package struct Tally: Sendable, Equatable {
    package let name: String
    package let version: Int
    package var derived = 0
    /// Refused documents stay unchanged.
    package var refused = 0
    package var firstRefused: RejectedItem?
    /// Documents that do not match their hash. Their columns stay unchanged, and the next run fetches the documents,
    /// except vanished documents.
    package var damaged = 0
    package var firstDamaged: Int64?
  }

  /// Returns the mappings with at least one stale document, in the order of `mappings`.
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

  /// Derives all stale documents again, each batch in its own transaction. Returns a tally for each mapping with stale
  /// documents.
  /// - Parameter onBatch: called after a batch with the mapping's tally so far. If `onBatch` throws, the derivation
  ///   ends. The committed batches stay.
  package func derive(onBatch: (Tally) throws -> Void = { _ in }) async throws -> [Tally] {
    let waiting = Set(try await waiting().map(\.name))
    var outcomes: [Tally] = []
    for mapping in mappings where waiting.contains(mapping.name) {
      var outcome = Tally(name: mapping.name, version: mapping.version)
      var last: Int64? = .min
      while let key = last {
        let step = try await derive(mapping, after: key)
        try await note(step.batch.damaged, of: mapping)
        last = step.last
        outcome.derived += step.batch.derived
        outcome.refused += step.batch.refused.count
        outcome.firstRefused = outcome.firstRefused ?? step.batch.refused.first
        outcome.damaged += step.batch.damaged.count
        outcome.firstDamaged = outcome.firstDamaged ?? step.batch.damaged.first
        if step.last != nil { try onBatch(outcome) }
      }
      outcomes.append(outcome)
    }
    return outcomes
  }

  /// Makes the next runs fetch these documents again. A stream whose upstream still has the stored build is not
  /// requested, so all builds are forgotten first: after a crash in between, the documents are still stale and found
  /// again. Two transactions, because runs lock the streams before the documents.
  private func note(_ damaged: [Int64], of mapping: any DocumentMapping) async throws {
    guard !damaged.isEmpty else { return }
    let statement = try SourceSQL.text("note_documents", mapping.sql)
    try await database.write { connection in
      _ = try connection.query("UPDATE sync.stream_state SET build = NULL WHERE build IS NOT NULL")
    }
    try await database.write { connection in
      try connection.query(
        statement, [.ints(damaged), .texts(mapping.sql.scope), .int(Int64(mapping.version))]
      ).refuseDropped()
    }
  }

  private func derive(
    _ mapping: any DocumentMapping, after key: Int64
  ) async throws -> (last: Int64?, batch: DerivedBatch) {
    let stale = try SourceSQL.text("stale", mapping.sql)
    return try await database.write { [batch] connection in
      let documents = try connection.query(
        stale, [.texts(mapping.sql.scope), .int(Int64(mapping.version)), .int(key), .int(Int64(batch))]
      ).map(StoredDocument.init)
      return (documents.last?.key, try DerivedBatch.derive(documents, by: mapping, connection))
    }
  }
}

/// A row of the statements `stale` and `documents`.
struct StoredDocument: Sendable {
  let key: Int64
  let text: String
  let contentHash: [UInt8]

  init(_ row: borrowing PGRow) throws {
    key = try row.int(0) ?? 0
    text = try row.text(1) ?? ""
    contentHash = try row.bytea(2) ?? []
  }
}

struct DerivedBatch: Sendable {
  var derived = 0
  var refused: [RejectedItem] = []
  /// Documents that do not match their hash. Nothing is derived from them, because a new hash would hide the damage.
  var damaged: [Int64] = []

  static func derive(
    _ documents: [StoredDocument], by mapping: any DocumentMapping, _ connection: borrowing PGConnection
  ) throws -> DerivedBatch {
    var batch = DerivedBatch()
    var items: [PageItem] = []
    for document in documents {
      switch mapping.read(Array(document.text.utf8), key: document.key) {
      case .item(let item) where item.key == document.key:
        if item.proves(contentHash: document.contentHash) {
          items.append(item)
        } else {
          batch.damaged.append(document.key)
        }
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
      throw SyncError.droppedRows(of: dropped.table, count: lost.count)
    }
    let expected = items.count - refusedKeys.count
    if written.count < expected {
      throw SyncError.droppedRows(
        of: SourceSQL.part("table", mapping.sql) ?? "", count: expected - written.count)
    }
    batch.derived = written.count
    batch.refused += refused
    return batch
  }
}
