import LibPQ
import SyncCore

struct DocumentVerification: Sendable {
  let mapping: any DocumentMapping
  private let documents: SQL
  let columns: SQL
  private let table: String
  private let countersTable: String?
  let derived: [DerivedTable]

  init(_ mapping: any DocumentMapping, _ connection: borrowing PGConnection) throws {
    self.mapping = mapping
    documents = try SourceSQL.text("verify_documents", mapping.sql)
    columns = try Self.columns(of: mapping, connection)
    table = SourceSQL.part("table", mapping.sql) ?? ""
    countersTable = SourceSQL.part("counters table", mapping.sql)
    derived = try DerivedTable.of(mapping, connection)
  }

  private static func columns(of mapping: any DocumentMapping, _ connection: borrowing PGConnection) throws -> SQL {
    let named = try SourceSQL.text("verify_names", mapping.sql)
    func columns(of part: String) throws -> Set<String> {
      guard let table = SourceSQL.part(part, mapping.sql) else { return [] }
      return Set(try connection.query(SQL(trusted: "SELECT * FROM \(table) LIMIT 0")).columnNames)
    }

    var stored = try columns(of: "table")
    if SourceSQL.part("counters table", mapping.sql) != SourceSQL.part("table", mapping.sql) {
      // A declared column that became a counter can still be in the table of the documents.
      try stored.subtract(columns(of: "counters table"))
    }

    let identity = SourceSQL.part("identity", mapping.sql) ?? ""
    let others = Set(identity.split(separator: ", ").map(String.init) + ["raw"])
    let names = try connection.query(named, [.texts(mapping.sql.scope)]).columnNames
      .filter { stored.contains($0) && !others.contains($0) }.map(\.quoted)

    let parts = [
      "stored columns": names.map { "(\"Stored\").\($0)" }.joined(separator: ", "),
      "derived columns": names.joined(separator: ", "),
      "compared columns": names.map { name in
        "('\(name.dropFirst().dropLast())', to_jsonb((\"Stored\").\(name)), to_jsonb(\(name)))"
      }.joined(separator: ", "),
    ]
    return try SourceSQL.text("verify_columns", mapping.sql, choosing: parts)
  }

  func bounds(_ connection: borrowing PGConnection) throws -> [Int64] {
    guard SourceSQL.part("order", mapping.sql) == nil else { return [] }
    return try connection.query(
      SourceSQL.text("document_bounds", mapping.sql),
      [.texts(mapping.sql.scope), .int(Int64(Limits.documentsPerVerification))]
    ).map { try $0.int(0) ?? 0 }
  }

  struct Slice: Sendable {
    var last: Int64?
    var documents = 0
    var bytes = 0
    var differences: [MirrorDifference] = []
  }

  func slice(after: Int64?, upTo: Int64?, limit: Int, _ connection: borrowing PGConnection) throws -> Slice {
    let rows = try connection.query(
      documents,
      [.texts(mapping.sql.scope), .int(after), .int(Int64(limit)), .int(upTo)]
    ).map { row -> Stored in
      (try row.int(0) ?? 0, try row.bytea(1) ?? [], try row.int(2), row.bytes(3) ?? [])
    }

    var slice = Slice(last: rows.count < limit ? nil : rows.last?.key, documents: rows.count)
    let all = rows.indices.map { faults(of: rows[$0], isRepeated: $0 > 0 && rows[$0 - 1].key == rows[$0].key) }
    let names = try keys(of: zip(rows, all).filter { !$1.isEmpty }.map(\.0.key), connection)

    var trusted: [Int64] = []
    var untrusted: [Int64] = []
    for (row, faults) in zip(rows, all) {
      slice.bytes += row.document.count
      for fault in faults {
        slice.differences.append(
          MirrorDifference(
            table: fault.remedy == .recount ? countersTable ?? table : table, key: names[row.key] ?? "{}",
            column: fault.column, stored: fault.stored, expected: fault.expected, remedy: fault.remedy, item: row.key))
      }
      if faults.contains(where: { $0.remedy == .fetch }) { untrusted.append(row.key) } else { trusted.append(row.key) }
    }

    slice.differences += try columnDifferences(of: trusted, connection)
    for table in derived {
      slice.differences += try table.differences(
        keys: trusted, scope: mapping.sql.scope, bounds: (after, slice.last ?? upTo), skipping: untrusted,
        counters: countersTable, connection)
    }

    return slice
  }

  private typealias Stored = (key: Int64, contentHash: [UInt8], counterHash: Int64?, document: [UInt8])

  private struct Fault {
    var column: String?
    var stored: String?
    var expected: String?
    let remedy: MirrorDifference.Remedy
  }

  private func faults(of row: Stored, isRepeated: Bool) -> [Fault] {
    if isRepeated { return [Fault(stored: String(decoding: row.document, as: UTF8.self), remedy: .none)] }
    let stored = row.contentHash.json
    switch mapping.read(row.document, key: row.key) {
    case .item(let item) where item.key != row.key:
      return [Fault(column: "raw", stored: "\"the document of \(item.key)\"", remedy: .fetch)]
    case .item(let item) where item.contentHash != row.contentHash:
      let isEarlier = row.contentHash.last.map { $0 > 0 && Int($0) < mapping.version } ?? false
      return [
        Fault(
          column: "content_hash", stored: stored, expected: item.contentHash.json,
          remedy: isEarlier && item.proves(contentHash: row.contentHash) ? .derive : .fetch)
      ]
    case .item(let item):
      guard countersTable != nil, let counterHash = row.counterHash, counterHash != item.counterHash else { return [] }
      return [
        Fault(
          column: "counter_hash", stored: "\(counterHash)", expected: "\(item.counterHash)",
          // Counters without a table are part of the document.
          remedy: countersTable == table ? .fetch : .recount)
      ]
    case .rejected, .listed:
      return [Fault(column: "content_hash", stored: stored, remedy: .fetch)]
    }
  }

  private func keys(of items: [Int64], _ connection: borrowing PGConnection) throws -> [Int64: String] {
    guard !items.isEmpty else { return [:] }
    let rows = try connection.query(
      SourceSQL.text("document_keys", mapping.sql), [.ints(items), .texts(mapping.sql.scope)]
    ).map { row in (try row.int(0) ?? 0, try row.text(1) ?? "{}") }
    return Dictionary(rows, uniquingKeysWith: { first, _ in first })
  }

  private func columnDifferences(of keys: [Int64], _ connection: borrowing PGConnection) throws -> [MirrorDifference] {
    try connection.query(columns, [.ints(keys), .texts(mapping.sql.scope)]).map { row in
      MirrorDifference(
        table: table, key: try row.text(1) ?? "{}", column: try row.text(2), stored: try row.text(3) ?? "null",
        expected: try row.text(4) ?? "null", remedy: .derive, item: try row.int(0))
    }
  }
}
