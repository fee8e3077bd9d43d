import Hashing
import LibPQ
import SyncCore

/// The views and the function `grant_rights` of a source.
extension DeclaredSchema {
  /// Creates the view of the items with their counters, and the view of their places in the lists of parent items.
  static func installItemViews(of table: DeclaredTable, _ connection: borrowing PGConnection) throws {
    if !table.counters.isEmpty {
      try install(
        table.fullName, fullViewColumns(of: table), keepsColumns: true,
        from: "\(table.name) d LEFT JOIN \(table.countersName) c USING (syncctl_key)",
        comment: "The items with their current counters.", connection)
    }
    if let parent = table.lists?.parent {
      try install(
        table.placesName, placesViewColumns(of: table, parent), keepsColumns: false,
        from: "\(table.listName) l JOIN \(table.name) d USING (syncctl_key) "
          + "JOIN \(parent.table) p ON p.syncctl_key = l.list"
          + (parent.includedCounters.isEmpty
            ? "" : " LEFT JOIN \(parent.countersTable) c ON c.syncctl_key = p.syncctl_key"),
        comment: "The items with each of their places: the parent, its included members, and the position.", connection)
    }
  }

  /// Creates a view, or replaces it. Columns of an existing view keep their order, because PostgreSQL can only append
  /// columns.
  /// - Parameter keepsColumns: Whether existing columns that `columns` lacks are columns of the table `d` and stay.
  ///   Otherwise, the view is dropped first.
  private static func install(
    _ view: String, _ columns: [(name: String, expression: String)], keepsColumns: Bool, from: String,
    comment: String, _ connection: borrowing PGConnection
  ) throws {
    var existing = try connection.query(
      """
      SELECT attname FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped
      ORDER BY attnum
      """,
      [.text(view)]
    ).map { try $0.text(0) ?? "" }

    let isOther = existing.contains { name in !columns.contains { $0.name == name } }
    if isOther, !keepsColumns {
      try run("DROP VIEW \(view);", connection)
      existing = []
    }
    let oldColumns = existing.map { name in columns.first { $0.name == name } ?? (name, "d.\(name.quoted)") }
    let newColumns = columns.filter { !existing.contains($0.name) }
    try run(
      """
      CREATE OR REPLACE VIEW \(view) AS
      SELECT \((oldColumns + newColumns).map { $0.expression }.joined(separator: ", "))
      FROM \(from);
      COMMENT ON VIEW \(view) IS \(comment.literal);
      """, connection)
  }

  private static func placesViewColumns(
    of table: DeclaredTable, _ parent: DeclaredTable.Lists.Parent
  ) -> [(name: String, expression: String)] {
    func columns(_ columns: [DeclaredTable.Column], of raw: String) -> [(name: String, expression: String)] {
      columns.map { ($0.name, "\($0.expression(of: raw)) AS \($0.name.quoted)") }
    }
    let included = columns(parent.included, of: "p.raw") + columns(parent.includedCounters, of: "c.raw")
    // A column of the parent can have the name key, but not syncctl_key.
    let key = "_\(parent.resource)_syncctl_key"
    let places = [(key, "l.list AS \(key.quoted)"), ("position", "l.position"), ("unread", "l.unread")]
    // A child whose key contains its parent's key has columns with these names.
    let names =
      ["syncctl_key"] + table.columns.map(\.name).filter { name in !included.contains { $0.name == name } }
      + ["raw", "first_seen_at", "changed_at", "vanished_at"]
    return places + included + names.map { ($0, "d.\($0.quoted)") }
  }

  private static func fullViewColumns(of table: DeclaredTable) -> [(name: String, expression: String)] {
    let names =
      ["syncctl_key"] + table.columns.map(\.name)
      + ["raw", "content_hash", "first_seen_at", "changed_at", "vanished_at"]
    var columns = names.map { (name: $0, expression: "d.\($0.quoted)") }
    columns += table.counters.map { ($0.name, "c.\($0.name.quoted)") }
    columns.append(("counters_changed_at", "c.changed_at AS counters_changed_at"))
    return columns
  }

  /// Creates the views of favorites and the function that grants rights, and records them.
  /// - Parameter tables: All tables of the source.
  static func installViews(
    of source: SourceID, _ tables: [DeclaredTable], _ connection: borrowing PGConnection
  ) throws {
    let (items, history) = favorites(tables)
    try run(
      """
      CREATE OR REPLACE VIEW \(source).favorite_item AS
      \(items);
      COMMENT ON VIEW \(source).favorite_item IS 'This source''s items that can be favorites.';
      CREATE OR REPLACE VIEW \(source).favorite_history AS
      \(history);
      COMMENT ON VIEW \(source).favorite_history IS 'The recorded changes of this source''s items.';
      \(DeclaredTable.rights(of: tables))
      """, connection)
    try recordViews(of: source, tables, connection)

    try FunctionSet.current.installUnions(connection)
    if try hasRoles(connection) { try run("SELECT \(source).grant_rights();", connection) }
  }

  private static func recordViews(
    of source: SourceID, _ tables: [DeclaredTable], _ connection: borrowing PGConnection
  ) throws {
    let relations =
      tables.flatMap { table in [table.name, table.countersName, table.fullName, table.listName, table.placesName] }
      + ["\(source).favorite_item", "\(source).favorite_history", "\(source).grant_rights()"]
    _ = try connection.query(
      """
      INSERT INTO sync.function_set (folder, number, checksum, comments)
      SELECT $1, $2, $3, jsonb_object_agg(name, '') FROM unnest($4::text[]) AS name
      ON CONFLICT (folder) DO UPDATE SET number = excluded.number, checksum = excluded.checksum,
        comments = sync.function_set.comments || excluded.comments, applied_at = excluded.applied_at
      """,
      [
        .text("sources/\(source)"), .int(Int64(FunctionSet.current.number)),
        .bytes(viewsChecksum(of: source, tables)), .texts(relations),
      ])
  }

  private static func favorites(_ tables: [DeclaredTable]) -> (items: String, history: String) {
    (
      tables.map(\.favoriteItems).joined(separator: "\nUNION ALL\n"),
      tables.map(\.favoriteHistory).joined(separator: "\nUNION ALL\n")
    )
  }

  private static func viewsChecksum(of source: SourceID, _ tables: [DeclaredTable]) -> [UInt8] {
    let (items, history) = favorites(tables)
    let places = tables.compactMap { table in
      table.lists?.parent.map { placesViewColumns(of: table, $0).map(\.expression).joined() }
    }
    return SHA256.hash(data: Array((items + history + DeclaredTable.rights(of: tables) + places.joined()).utf8))
  }

  /// Whether the views and the function of a source are those of another declaration or of an older program.
  /// - Parameters:
  ///   - tables: All tables of the source.
  ///   - recorded: All recorded resources of the source.
  static func hasOldViews(
    _ tables: [DeclaredTable], recorded: [Recorded], _ connection: borrowing PGConnection
  ) throws -> Bool {
    guard !recorded.isEmpty else { return false }
    let source = tables[0].source
    let current = FunctionSet.current
    guard let installed = try FunctionSet.installed(connection)["sources/\(source)"] else { return true }
    return installed.number < current.number
      || installed.number == current.number && installed.checksum != viewsChecksum(of: source, tables)
  }

  static func viewsChange(of source: SourceID) -> Change {
    Change(table: source.rawValue, text: "views brought up to date")
  }
}
