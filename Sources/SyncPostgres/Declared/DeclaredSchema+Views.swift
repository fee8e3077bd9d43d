import Hashing
import LibPQ
import SyncCore

/// The views and the function `grant_rights` of a source.
extension DeclaredSchema {
  /// A column of a view.
  private struct ViewColumn {
    let name: String
    /// The value in SQL, with the column's name if the value has another.
    let expression: String
    /// The type of the value. `nil` for a column of a table, whose type changes only together with the table.
    let type: String?

    init(_ name: String, _ expression: String, type: String? = nil) {
      self.name = name
      self.expression = expression
      self.type = type
    }
  }

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
  ///   Otherwise, the view is dropped first, also if a column gets another type.
  private static func install(
    _ view: String, _ columns: [ViewColumn], keepsColumns: Bool, from: String, comment: String,
    _ connection: borrowing PGConnection
  ) throws {
    var existing = try connection.query(
      """
      SELECT attname, coalesce(atttypid = to_regtype(nullif(type, '')), true) FROM pg_attribute
      LEFT JOIN unnest($2::text[], $3::text[]) AS new (name, type) ON name = attname
      WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped
      ORDER BY attnum
      """,
      [.text(view), .texts(columns.map(\.name)), .texts(columns.map { $0.type ?? "" })]
    ).map { row in (name: try row.text(0) ?? "", hasType: try row.bool(1) ?? true) }

    let isOther = existing.contains { old in !old.hasType || !columns.contains { $0.name == old.name } }
    if isOther, !keepsColumns {
      try run("DROP VIEW \(view);", connection)
      existing = []
    }
    let oldColumns = existing.map { old in
      columns.first { $0.name == old.name } ?? ViewColumn(old.name, "d.\(old.name.quoted)")
    }
    let newColumns = columns.filter { column in !existing.contains { $0.name == column.name } }
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
  ) -> [ViewColumn] {
    func columns(_ columns: [DeclaredTable.Column], of raw: String) -> [ViewColumn] {
      columns.map { column in
        ViewColumn(column.name, "\(column.expression(of: raw)) AS \(column.name.quoted)", type: column.type.name)
      }
    }
    let included = columns(parent.included, of: "p.raw") + columns(parent.includedCounters, of: "c.raw")
    // A column of the parent can have the name key, but not syncctl_key.
    let key = "_\(parent.resource)_syncctl_key"
    let places = [
      ViewColumn(key, "l.list AS \(key.quoted)"), ViewColumn("position", "l.position"),
      ViewColumn("unread", "l.unread"),
    ]
    // A child whose key contains its parent's key has columns with these names.
    let names =
      ["syncctl_key"] + table.columns.map(\.name).filter { name in !included.contains { $0.name == name } }
      + ["raw", "first_seen_at", "changed_at", "vanished_at"]
    return places + included + names.map { ViewColumn($0, "d.\($0.quoted)") }
  }

  private static func fullViewColumns(of table: DeclaredTable) -> [ViewColumn] {
    let names =
      ["syncctl_key"] + table.columns.map(\.name)
      + ["raw", "content_hash", "first_seen_at", "changed_at", "vanished_at"]
    return names.map { ViewColumn($0, "d.\($0.quoted)") }
      + table.counters.map { ViewColumn($0.name, "c.\($0.name.quoted)") }
      + [ViewColumn("counters_changed_at", "c.changed_at AS counters_changed_at")]
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
