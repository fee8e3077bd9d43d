import LibPQ
import SyncCore

/// A table that the source's function `made_NAME` derives from documents.
struct DerivedTable: Sendable {
  let name: String
  let verify: SQL

  static func of(_ mapping: any DocumentMapping, _ connection: borrowing PGConnection) throws -> [DerivedTable] {
    guard let list = SourceSQL.part("derived tables", mapping.sql),
      let kind = SourceSQL.part("identity", mapping.sql)?.split(separator: ",").first,
      let schema = mapping.sql.folder.split(separator: "/").first
    else { return [] }
    let tables = try connection.query(
      SQL(trusted: "SELECT relation, id_column FROM " + list.replacing("/* scope */", with: "$1::text[]")),
      [.texts(mapping.sql.scope)]
    ).map { row in (name: try row.text(0) ?? "", id: try row.text(1) ?? "") }
    return try tables.map { table in
      try DerivedTable(table.name, id: table.id, kind: String(kind), schema: String(schema), mapping.sql, connection)
    }
  }

  private init(
    _ table: String, id: String, kind: String, schema: String, _ sql: StreamSQL, _ connection: borrowing PGConnection
  ) throws {
    name = "\(schema).\(table)"
    let made = "\(schema).made_\(table)"
    let columns = try connection.query(SQL(trusted: "SELECT * FROM \(made)(NULL, '{}') LIMIT 0")).columnNames
    let (stored, key) = try Self.columns(of: name, connection)
    let row = columns.map(\.quoted).joined(separator: ", ")
    let keyMembers = (key.isEmpty ? columns : key).map { "'\($0)', r.\($0.quoted)" }
    let parts = [
      "row": row, "made": made, "derived table": name, "id": id.quoted,
      "of kind": stored.contains(kind) ? "t.\(kind.quoted) = $2" : "true",
      "row key": "jsonb_build_object(\(keyMembers.joined(separator: ", ")))",
    ]
    verify = try SourceSQL.text("verify_derived", sql, choosing: parts)
  }

  private static func columns(
    of table: String, _ connection: borrowing PGConnection
  ) throws -> (all: [String], key: [String]) {
    let rows = try connection.query(
      """
      SELECT a.attname, array_position(i.indkey::smallint[], a.attnum) FROM pg_attribute a
      LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
      WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped
      ORDER BY a.attnum
      """, [.text(table)]
    ).map { row in (name: try row.text(0) ?? "", keyPosition: try row.int(1)) }
    let key = rows.compactMap { row in row.keyPosition.map { (row.name, $0) } }.sorted { $0.1 < $1.1 }
    return (rows.map(\.name), key.map(\.0))
  }

  func differences(
    keys: [Int64], scope: [String], bounds: (after: Int64?, upTo: Int64?), skipping skipped: [Int64],
    counters: String?, _ connection: borrowing PGConnection
  ) throws -> [MirrorDifference] {
    let documents = Set(keys)
    return try connection.query(
      verify, [.ints(keys), .text(scope.first ?? ""), .int(bounds.after), .int(bounds.upTo), .ints(skipped)]
    ).map { row in
      let id = try row.int(0) ?? 0
      let remedy: MirrorDifference.Remedy =
        if !documents.contains(id) { .remove } else if name == counters { .recount } else { .derive }
      return MirrorDifference(
        table: name, key: try row.text(1) ?? "{}", column: try row.text(2), stored: try row.text(3),
        expected: try row.text(4), remedy: remedy, item: id)
    }
  }
}

extension String {
  var quoted: String { "\"\(replacing("\"", with: "\"\""))\"" }
}
