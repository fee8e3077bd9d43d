import Foundation
import Hashing
import LibPQ
package import SyncCore

/// The schemas, tables and views of declared sources. `migrate` creates and changes them.
package struct DeclaredSchema: Sendable {
  private let tables: [DeclaredTable]

  package init(_ tables: [DeclaredTable]) { self.tables = tables }

  /// The schemas that this database has of declared sources.
  static func schemas(_ connection: borrowing PGConnection) throws -> [String] {
    guard try isPrepared(connection) else { return [] }
    return try connection.query("SELECT DISTINCT source FROM sync.declared_resource ORDER BY 1").map {
      try $0.text(0) ?? ""
    }
  }

  private static func isPrepared(_ connection: borrowing PGConnection) throws -> Bool {
    try connection.isTrue(
      "SELECT to_regclass('sync.declared_resource') IS NOT NULL AND to_regclass('sync.fingerprint_key') IS NOT NULL")
  }

  /// What the database knows of a resource.
  package struct Recorded: Sendable {
    package let resource: String
    let key: [String]
    let selector: String
    let columns: [String: RecordedColumn]
    let counters: [String]
    let hasList: Bool
    /// The relations that exist. A user can have dropped one.
    let relations: Relations
    /// Whether a walk of the whole list was published, with this declaration and origin.
    package let hasFull: Bool
    /// The age of that publication in seconds.
    package let fullAge: Int64?
    /// The largest value of the incremental cursor up to which each change is stored, as JSON text. `nil` before the
    /// first walk, or if the items have no such value.
    package let cursor: String?
  }

  struct Relations: Sendable {
    var identity = DeclaredIdentity.current
    var hasCounters = true
    var hasList = true
    var hasView = true
  }

  struct RecordedColumn: Codable, Equatable {
    let path: [String]
    /// The type with its format.
    let type: String

    init(_ column: DeclaredTable.Column) {
      path = column.path
      type = column.type.description
    }
  }

  /// Returns the recorded resources of a source.
  /// - Parameter walked: For each resource, its stream when the whole list is walked.
  /// - Throws: `SyncError` if a row of `sync.declared_resource` was edited so that it cannot be read.
  package static func recorded(
    of source: SourceID, walked: [StreamDescription] = [], in database: Database
  ) async throws -> [Recorded] {
    try await database.read { connection in try recorded(of: source, walked: walked, connection) }
  }

  private static func recorded(
    of source: SourceID, walked: [StreamDescription], _ connection: borrowing PGConnection
  ) throws -> [Recorded] {
    guard try isPrepared(connection) else { return [] }
    let relations = try relations(of: source, connection)
    // Commands of readers ask for no walks, and cannot read the key.
    let fingerprint = walked.isEmpty ? nil : try Fingerprint(connection)
    return try connection.query(
      QuerySQL.text("declared_state"),
      [
        .text(source.rawValue), .texts(walked.map(\.id.name)),
        .texts(walked.map { fingerprint?.text(of: $0.parameters) ?? "" }), .texts(walked.map(\.origin)),
      ]
    ).map { row in
      let resource = try row.text(0) ?? ""
      do {
        let columns = try JSONDecoder().decode([String: RecordedColumn].self, from: Data(row.bytes(3) ?? []))
        return Recorded(
          resource: resource, key: try Self.list(row.bytes(1)), selector: try row.text(2) ?? "",
          columns: columns, counters: try Self.list(row.bytes(4)), hasList: try row.bool(5) ?? false,
          relations: relations[resource] ?? Relations(), hasFull: try row.bool(6) ?? false, fullAge: try row.int(7),
          cursor: try row.text(8))
      } catch is DecodingError {
        throw SyncError(
          .database, "the row of \(source).\(resource) in sync.declared_resource cannot be read, so it was edited",
          hint: "restore the row from a backup, or drop the table \(source).\(resource): migrate creates it again",
          disposition: .stopRun)
      }
    }
  }

  private static func relations(
    of source: SourceID, _ connection: borrowing PGConnection
  ) throws -> [String: Relations] {
    let rows = try connection.query(QuerySQL.text("declared_relations"), [.text(source.rawValue)]).map { row in
      let relations = Relations(
        identity: Int(try row.int(1) ?? 0), hasCounters: try row.bool(2) ?? false, hasList: try row.bool(3) ?? false,
        hasView: try row.bool(4) ?? false)
      return (try row.text(0) ?? "", relations)
    }
    return Dictionary(rows, uniquingKeysWith: { first, _ in first })
  }

  private static func list(_ json: [UInt8]?) throws -> [String] {
    try JSONDecoder().decode([String].self, from: Data(json ?? []))
  }

  /// - Throws: `SyncError` `.configuration` if `migrate` must create or change tables first.
  package static func expect(_ table: DeclaredTable, among recorded: [Recorded]) throws(SyncError) {
    let hint = "syncctl migrate creates and changes the tables of declared sources"
    guard let known = recorded.first(where: { $0.resource == table.resource }) else {
      throw SyncError(.configuration, "\(table.source): the table \(table.name) does not exist yet", hint: hint)
    }
    try table.refuseOtherKey(known)
    guard !table.mustBeRekeyed(known) else {
      throw SyncError(
        .configuration,
        "\(table.name): an older syncctl computed its keys, which depend on how the service spells them",
        hint: "syncctl migrate computes them again, without a request")
    }
    if let lost = table.lost(of: known).first {
      throw SyncError(.configuration, "\(lost) was dropped", hint: "syncctl migrate creates it again")
    }
    guard table.added(to: known).isEmpty, table.changed(in: known).isEmpty,
      !table.hasOtherCounters(than: known), table.newCounters(to: known).isEmpty, known.hasList || !table.hasList
    else {
      throw SyncError(
        .configuration, "\(table.source): the declaration of \(table.resource) has changed since the last migrate",
        hint: hint)
    }
  }

  /// A change of a declared table in a migration, or a difference that the migration left.
  package struct Change: Sendable, Equatable {
    package let table: String
    package let text: String
    /// Whether something was changed. Otherwise, `text` says what was left.
    package var isDone = true
  }

  /// Returns what was created, changed or left. Everything happens in one transaction.
  /// - Parameters:
  ///   - dropsColumns: Whether columns that are no longer declared, or that have another type, are dropped.
  ///   - mergesKeys: Whether the older of two rows is deleted if their keys differ only in their spelling.
  package func migrate(
    in database: Database, dropsColumns: Bool, mergesKeys: Bool = false
  ) async throws -> [Change] {
    let bounds = TransactionBounds(statement: Limits.migrationStatementTimeout)
    return try await database.write(bounds: bounds) { connection in
      _ = try connection.query("SELECT pg_advisory_xact_lock(7378697629483820646)")
      var changes = try Self.forgetDropped(connection)
      for tables in tables.gathered(by: \.source) {
        changes += try Self.migrate(tables, dropsColumns: dropsColumns, mergesKeys: mergesKeys, connection)
      }
      return changes
    }
  }

  /// Returns what `migrate` would do, without a lock.
  package func pending(in database: Database, dropsColumns: Bool) async throws -> [Change] {
    try await database.read { connection in
      try tables.gathered(by: \.source).flatMap { tables in
        let recorded = try Self.recorded(of: tables[0].source, walked: [], connection)
        if recorded.isEmpty { try Self.refuseForeignSchema(tables[0].source, connection) }
        let changes = try tables.flatMap { table in
          try Self.changes(of: table, recorded, dropsColumns: dropsColumns).changes
        }
        let isOlder = try !changes.contains(where: \.isDone) && Self.hasOtherViews(tables, recorded, connection)
        return changes + (isOlder ? [Self.viewsChange(of: tables[0].source)] : [])
      }
    }
  }

  /// If somebody has dropped a declared table, deletes what is stored about it, so that the next run walks everything.
  private static func forgetDropped(_ connection: borrowing PGConnection) throws -> [Change] {
    let changes = try connection.query(QuerySQL.text("declared_dropped")).map { row in
      if let rest = try row.text(1) { try run(rest, connection) }
      return Change(table: try row.text(0) ?? "", text: "was dropped; what was stored about its walks is deleted")
    }
    guard !changes.isEmpty else { return [] }
    // PostgreSQL has dropped these views together with the table.
    try FunctionSet.current.installUnions(connection)
    if try hasRoles(connection) {
      try run(
        "GRANT SELECT ON app.favorite_item, app.favorite_history TO syncctl_worker, syncctl_user, syncctl_reader;",
        connection)
    }
    return changes
  }

  private static func migrate(
    _ tables: [DeclaredTable], dropsColumns: Bool, mergesKeys: Bool, _ connection: borrowing PGConnection
  ) throws -> [Change] {
    let source = tables[0].source
    let recorded = try recorded(of: source, walked: [], connection)
    var changes: [Change] = []
    if recorded.isEmpty {
      try refuseForeignSchema(source, connection)
      try run("CREATE SCHEMA IF NOT EXISTS \(source);", connection)
    }
    for table in tables {
      let known = recorded.first { $0.resource == table.resource }
      let plan = try Self.changes(of: table, recorded, dropsColumns: dropsColumns)
      // The table first: a run that is under way locks rows of the table before it checks its lease.
      if plan.forgetsWalk { try run("LOCK TABLE \(table.name) IN ACCESS EXCLUSIVE MODE;", connection) }
      if let known, table.mustBeRekeyed(known) {
        try DeclaredIdentity(table: table).migrate(mergesKeys: mergesKeys, connection)
      }
      if !plan.script.isEmpty { try run(plan.script, connection) }
      if plan.forgetsWalk {
        _ = try connection.query(
          QuerySQL.text("forget_walk"), [.text(source.rawValue), .text(table.resource)])
      }
      changes += plan.changes
    }
    if try !changes.contains(where: \.isDone) && hasOtherViews(tables, recorded, connection) {
      changes.append(viewsChange(of: source))
    }
    guard changes.contains(where: \.isDone) else { return changes }
    for table in tables { try install(table, recorded, dropsColumns: dropsColumns, connection) }
    try installViews(of: source, tables, connection)
    return changes
  }

  private static func refuseForeignSchema(_ source: SourceID, _ connection: borrowing PGConnection) throws {
    let isForeign: SQL = "SELECT to_regnamespace($1) IS NOT NULL AND to_regprocedure($1 || '.grant_rights()') IS NULL"
    guard try !connection.isTrue(isForeign, [.text(source.rawValue)]) else {
      throw SyncError(
        .configuration, "database \(connection.address) has a schema \(source), which syncctl did not make",
        hint: "give the source another name, or rename the schema: ALTER SCHEMA \(source) RENAME TO …")
    }
  }

  private static func run(_ script: String, _ connection: borrowing PGConnection) throws {
    do throws(PostgresError) { try connection.script(SQL(trusted: script)) } catch {
      if error.sqlState == .tooManyColumns {
        throw SyncError(
          .configuration, "a declared table has more columns than PostgreSQL permits (1,600, dropped columns included)",
          hint: "declare fewer columns, or drop the table: syncctl migrate creates it again", disposition: .stopRun)
      }
      guard error.sqlState == .dependentObjectsStillExist else { throw error }
      throw SyncError(
        .configuration,
        "objects that syncctl did not make depend on a declared table or column: "
          + Excerpt.of(error.server?.detail ?? error.message, scalars: 400),
        hint: "drop these, run syncctl migrate, and create them again", disposition: .stopRun)
    }
  }

  private struct Plan {
    var script = ""
    var changes: [Change] = []
    /// Whether the pages that an unfinished walk has stored lose their meaning.
    var forgetsWalk = false
  }

  private static func changes(
    of table: DeclaredTable, _ recorded: [Recorded], dropsColumns: Bool
  ) throws(SyncError) -> Plan {
    guard let known = recorded.first(where: { $0.resource == table.resource }) else {
      return Plan(script: table.creation, changes: [Change(table: table.name, text: "created")])
    }
    try table.refuseOtherKey(known)
    var forgetsWalk = false
    var (script, changes): (String, [Change]) = ("", [])
    let (added, other) = (table.added(to: known), table.changed(in: known))
    let declared = (table.columns + table.counters).map { table.recordName(of: $0) }
    let gone = known.columns.keys.filter { !declared.contains($0) }.sorted()
    let removed = gone.filter { !$0.hasPrefix(DeclaredTable.counterPrefix) }
    let removedCounters = gone.filter { $0.hasPrefix(DeclaredTable.counterPrefix) }
    if !other.isEmpty, !dropsColumns {
      throw SyncError(
        .configuration,
        "\(table.name): the column \(other[0].name) has another path or type in the table than in the declaration",
        hint: "syncctl migrate --drop-columns drops it and derives it again from raw")
    }
    if dropsColumns, !(removed + removedCounters + other.map(\.name)).isEmpty {
      // These views can contain the columns. `migrate` creates them again.
      script += "DROP VIEW IF EXISTS \(table.fullName);\n" + DeclaredTable.emptyFavorites(of: table.source)
      for name in removed { script += "ALTER TABLE \(table.name) DROP COLUMN \(name.quoted);\n" }
      for name in removedCounters {
        let column = name.dropFirst(DeclaredTable.counterPrefix.count)
        script += "ALTER TABLE \(table.countersName) DROP COLUMN \(String(column).quoted);\n"
      }
      for column in other { script += "ALTER TABLE \(table.home(of: column)) DROP COLUMN \(column.name.quoted);\n" }
      changes += removed.map { Change(table: table.name, text: "column \($0) dropped") }
    } else {
      changes += removed.map {
        Change(
          table: table.name, text: "the column \($0) is no longer declared; syncctl migrate --drop-columns drops it",
          isDone: false)
      }
    }
    for column in added + other {
      script += "ALTER TABLE \(table.home(of: column)) ADD COLUMN \(table.definition(column));\n"
      script += table.comment(on: column, of: table.home(of: column))
      changes.append(Change(table: table.name, text: "column \(column.name) derived from raw"))
    }
    let newCounters = table.newCounters(to: known)
    if !newCounters.isEmpty {
      // PostgreSQL cannot rename a view's column in place. `migrate` creates the view again.
      script += "DROP VIEW IF EXISTS \(table.fullName);\n" + table.countersCreation
    }
    for counter in newCounters {
      // A table that was just created has the column already.
      script += "ALTER TABLE \(table.countersName) ADD COLUMN IF NOT EXISTS \(table.definition(counter));\n"
      script += table.comment(on: counter, of: table.countersName)
      changes.append(Change(table: table.countersName, text: "column \(counter.name) derived from raw"))
    }
    if table.hasOtherCounters(than: known) {
      // The view has columns of earlier counters. `migrate` creates it again.
      script += "DROP VIEW IF EXISTS \(table.fullName);\n"
      // The hash of a document omits the counters, so every document has another hash now.
      script += "UPDATE \(table.name) SET content_hash = set_byte(decode(repeat('00', 33), 'hex'), 32, 1);\n"
      changes.append(Change(table: table.name, text: "other counters: the next run writes each document again"))
      forgetsWalk = true
    }
    if table.hasList, !known.hasList || !known.relations.hasList {
      script += table.listCreation
      // Otherwise, the next walk would find the same digest and write no positions.
      script += "DELETE FROM sync.published_list WHERE source = '\(table.source)' AND list = '\(table.resource)';\n"
      let text = known.hasList ? "was dropped; created, and the next run writes the positions" : "created"
      changes.append(Change(table: table.listName, text: text))
    }
    if !table.counters.isEmpty, !known.relations.hasCounters, !known.counters.isEmpty {
      script += table.countersCreation
      changes.append(
        Change(table: table.countersName, text: "was dropped; created, and the next run writes the counters"))
      forgetsWalk = true
    } else if !table.counters.isEmpty, !table.hasOtherCounters(than: known), !known.relations.hasView {
      changes.append(Change(table: table.fullName, text: "created"))
    }
    if table.mustBeRekeyed(known) {
      changes.append(Change(table: table.name, text: "keys computed again"))
      forgetsWalk = true
    }
    return Plan(script: script, changes: changes, forgetsWalk: forgetsWalk)
  }

  private static func install(
    _ table: DeclaredTable, _ recorded: [Recorded], dropsColumns: Bool, _ connection: borrowing PGConnection
  ) throws {
    let known = recorded.first { $0.resource == table.resource }
    if !table.counters.isEmpty { try run(try fullView(of: table, connection), connection) }
    var columns = dropsColumns ? [:] : known?.columns ?? [:]
    // A table of counters that was just created again has no column of an earlier counter.
    if known?.relations.hasCounters == false {
      columns = columns.filter { !$0.key.hasPrefix(DeclaredTable.counterPrefix) }
    }
    for column in table.columns + table.counters { columns[table.recordName(of: column)] = RecordedColumn(column) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    _ = try connection.query(
      """
      INSERT INTO sync.declared_resource (source, resource, key, selector, columns, counters, has_list, identity)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (source, resource) DO UPDATE SET columns = excluded.columns, counters = excluded.counters,
        identity = excluded.identity, has_list = sync.declared_resource.has_list OR excluded.has_list,
        declared_at = clock_timestamp()
      """,
      [
        .text(table.source.rawValue), .text(table.resource), .texts(table.key), .text(table.selector),
        .jsonb(Array(try encoder.encode(columns))), .texts(table.counters.map { $0.path[0] }), .bool(table.hasList),
        .int(Int64(DeclaredIdentity.current)),
      ])
  }

  /// Columns of an existing view keep their order, because PostgreSQL can only append columns.
  private static func fullView(of table: DeclaredTable, _ connection: borrowing PGConnection) throws -> String {
    let existing = try connection.query(
      """
      SELECT attname FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped
      ORDER BY attnum
      """,
      [.text(table.fullName)]
    ).map { try $0.text(0) ?? "" }
    let own =
      ["syncctl_key"] + table.columns.map(\.name)
      + ["raw", "content_hash", "first_seen_at", "changed_at", "vanished_at"]
    var parts = own.map { (name: $0, text: "d.\($0.quoted)") }
    parts += table.counters.map { ($0.name, "c.\($0.name.quoted)") }
    parts.append(("counters_changed_at", "c.changed_at AS counters_changed_at"))
    let old = existing.compactMap { name in parts.first { $0.name == name } ?? (name, "d.\(name.quoted)") }
    let new = parts.filter { !existing.contains($0.name) }
    return """
      CREATE OR REPLACE VIEW \(table.fullName) AS
      SELECT \((old + new).map { $0.text }.joined(separator: ", "))
      FROM \(table.name) d LEFT JOIN \(table.countersName) c USING (syncctl_key);
      COMMENT ON VIEW \(table.fullName) IS 'The items with their current counters.';
      """
  }

  private static func favorites(_ tables: [DeclaredTable]) -> (items: String, history: String) {
    (
      tables.map(\.favoriteItems).joined(separator: "\nUNION ALL\n"),
      tables.map(\.favoriteHistory).joined(separator: "\nUNION ALL\n")
    )
  }

  private static func viewsChecksum(of source: SourceID, _ tables: [DeclaredTable]) -> [UInt8] {
    let (items, history) = favorites(tables)
    return SHA256.hash(data: Array((items + history + DeclaredTable.rights(of: tables)).utf8))
  }

  /// Whether the views and the function of a source are those of another declaration or of an older program.
  private static func hasOtherViews(
    _ tables: [DeclaredTable], _ recorded: [Recorded], _ connection: borrowing PGConnection
  ) throws -> Bool {
    guard !recorded.isEmpty else { return false }
    let source = tables[0].source
    let set = FunctionSet.current
    guard let there = try FunctionSet.installed(connection)["sources/\(source)"] else { return true }
    return there.number < set.number
      || there.number == set.number && there.checksum != viewsChecksum(of: source, tables)
  }

  private static func viewsChange(of source: SourceID) -> Change {
    Change(table: source.rawValue, text: "views brought up to date")
  }

  private static func installViews(
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
    let relations =
      tables.flatMap { table in
        [table.name, table.countersName, table.fullName, table.listName]
      } + ["\(source).favorite_item", "\(source).favorite_history", "\(source).grant_rights()"]
    let set = FunctionSet.current
    _ = try connection.query(
      """
      INSERT INTO sync.function_set (folder, number, checksum, comments)
      SELECT $1, $2, $3, jsonb_object_agg(name, '') FROM unnest($4::text[]) AS name
      ON CONFLICT (folder) DO UPDATE SET number = excluded.number, checksum = excluded.checksum,
        comments = sync.function_set.comments || excluded.comments, applied_at = excluded.applied_at
      """,
      [
        .text("sources/\(source)"), .int(Int64(set.number)), .bytes(viewsChecksum(of: source, tables)),
        .texts(relations),
      ])
    try set.installUnions(connection)
    if try hasRoles(connection) { try run("SELECT \(source).grant_rights();", connection) }
  }

  /// Roles that sql/roles.sql has created get their rights at once, because they already use the mirror.
  private static func hasRoles(_ connection: borrowing PGConnection) throws -> Bool {
    try connection.isTrue(
      """
      SELECT count(*) = 3 AND bool_or(rolname = 'syncctl_worker' AND has_table_privilege(oid, 'sync.run', 'INSERT'))
      FROM pg_roles WHERE rolname IN ('syncctl_worker', 'syncctl_user', 'syncctl_reader')
      """)
  }
}

extension DeclaredTable {
  fileprivate func added(to known: DeclaredSchema.Recorded) -> [Column] {
    columns.filter { known.columns[$0.name] == nil }
  }

  fileprivate func changed(in known: DeclaredSchema.Recorded) -> [Column] {
    (columns + counters).filter { column in
      known.columns[recordName(of: column)].map { $0 != .init(column) } ?? false
    }
  }

  fileprivate func home(of column: Column) -> String { counters.contains(column) ? countersName : name }

  /// A counter's name has a dot, because a member can move from the columns to the counters.
  fileprivate static let counterPrefix = "counters."

  fileprivate func recordName(of column: Column) -> String {
    (counters.contains(column) ? Self.counterPrefix : "") + column.name
  }

  fileprivate func hasOtherCounters(than known: DeclaredSchema.Recorded) -> Bool {
    Set(known.counters) != Set(counters.map { $0.path[0] })
  }

  fileprivate func newCounters(to known: DeclaredSchema.Recorded) -> [Column] {
    counters.filter { known.columns[recordName(of: $0)] == nil }
  }

  /// Whether an older program computed hashes that depend on the spelling of the key's members.
  fileprivate func mustBeRekeyed(_ known: DeclaredSchema.Recorded) -> Bool {
    !hasNumberKey && !key.isEmpty && known.relations.identity < DeclaredIdentity.current
  }

  /// The recorded relations that a user has dropped.
  fileprivate func lost(of known: DeclaredSchema.Recorded) -> [String] {
    let isCounted = !counters.isEmpty && !known.counters.isEmpty
    return (isCounted && !known.relations.hasCounters ? [countersName] : [])
      + (hasList && known.hasList && !known.relations.hasList ? [listName] : [])
  }

  fileprivate func refuseOtherKey(_ known: DeclaredSchema.Recorded) throws(SyncError) {
    func text(_ name: String, _ path: [String], _ type: String) -> String {
      path == [name] ? "\(name) \(type)" : "\(path.joined(separator: ".")) \(type) as \(name)"
    }
    let types = keyColumns.map { text($0.name, $0.path, $0.type.description) }
    let knownTypes = known.key.map { text($0, known.columns[$0]?.path ?? [$0], known.columns[$0]?.type ?? "") }
    // A key without members is the whole document.
    func list(_ types: [String]) -> String { types.isEmpty ? "*" : types.joined(separator: ", ") }
    let isKey = types != knownTypes
    guard isKey || known.selector != selector else { return }
    let (before, now) =
      isKey ? (list(knownTypes), list(types)) : (known.selector, selector)
    throw SyncError(
      .configuration,
      "\(name) was mirrored with the \(isKey ? "primary_key" : "data_selector") \(Excerpt.of(before, scalars: 80)), and "
        + "its declaration now has \(Excerpt.of(now, scalars: 80))",
      hint: "give the resource another name, which makes another table; the old table stays as it is")
  }

  fileprivate func definition(_ column: Column) -> String {
    "\(column.name.quoted) \(column.type.name) GENERATED ALWAYS AS (\(column.expression)) STORED"
  }

  private var keyComment: String {
    hasNumberKey
      ? "The primary key." : "The first 63 bits of the SHA-256 of the primary key's members, as a JSON array."
  }

  fileprivate var creation: String {
    let columns = columns.map { "  \(definition($0)),\n" }.joined()
    let comments = self.columns.map { comment(on: $0, of: name) }
    let counterComments = counters.map { comment(on: $0, of: countersName) }
    return """
      CREATE TABLE \(name) (
        syncctl_key bigint PRIMARY KEY,
      \(columns)  raw jsonb NOT NULL,
        content_hash bytea NOT NULL,
        first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        requested_at timestamptz,
        changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        vanished_at timestamptz
      );
      COMMENT ON TABLE \(name) IS 'The items of the resource \(resource), one row per item.';
      COMMENT ON COLUMN \(name).syncctl_key IS \(keyComment.literal);
      COMMENT ON COLUMN \(name).raw IS 'The item as the service sent it. Counters in it can be outdated.';
      COMMENT ON COLUMN \(name).content_hash IS 'SHA-256 of the item without its counters, then a version.';
      COMMENT ON COLUMN \(name).first_seen_at IS 'When the item was first stored.';
      COMMENT ON COLUMN \(name).requested_at IS 'When the stored content was requested.';
      COMMENT ON COLUMN \(name).changed_at IS 'When the item last changed, apart from its counters.';
      COMMENT ON COLUMN \(name).vanished_at IS 'When the item was found to be removed; null while it exists.';
      \(comments.joined())
      \(counters.isEmpty ? "" : countersCreation)\(counterComments.joined())\(hasList ? listCreation : "")
      """
  }

  fileprivate func comment(on column: Column, of table: String) -> String {
    let text = "The member \(column.path.joined(separator: ".")) of raw."
    return "COMMENT ON COLUMN \(table).\(column.name.quoted) IS \(text.literal);\n"
  }

  fileprivate var countersCreation: String {
    """
    CREATE TABLE IF NOT EXISTS \(countersName) (
      syncctl_key bigint PRIMARY KEY REFERENCES \(name) ON DELETE CASCADE,
    \(counters.map { "  \(definition($0)),\n" }.joined())  raw jsonb NOT NULL,
      counter_hash bigint NOT NULL,
      requested_at timestamptz,
      changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
    ) WITH (fillfactor = 80);
    COMMENT ON TABLE \(countersName) IS 'Members of the items that change often, apart from the documents.';
    COMMENT ON COLUMN \(countersName).syncctl_key IS 'The key of the item in \(name).';
    COMMENT ON COLUMN \(countersName).raw IS 'The counters as the service sent them.';
    COMMENT ON COLUMN \(countersName).counter_hash IS 'Hash of the counters; -1 if the next run must write them again.';
    COMMENT ON COLUMN \(countersName).requested_at IS 'When the stored counters were requested.';
    COMMENT ON COLUMN \(countersName).changed_at IS 'When the counters last changed.';

    """
  }

  private static let positionComment =
    "The item's place in the list, from 1. Items without a readable id are counted."
  private static let unreadComment =
    "Whether the last walk did not read this item and had items without a readable id. The position is then the last "
    + "known one, so another item can have the same position."

  fileprivate var listCreation: String {
    """
    CREATE TABLE \(listName) (
      syncctl_key bigint PRIMARY KEY,
      position integer NOT NULL,
      unread boolean NOT NULL DEFAULT false
    );
    COMMENT ON TABLE \(listName) IS 'The published list: the places of the items, from 1.';
    COMMENT ON COLUMN \(listName).syncctl_key IS 'The key of the item in \(name).';
    COMMENT ON COLUMN \(listName).position IS \(Self.positionComment.literal);
    COMMENT ON COLUMN \(listName).unread IS \(Self.unreadComment.literal);
    -- Citus needs this statement alone, as a block of PL/pgSQL runs it.
    DO $$ BEGIN CREATE TRIGGER forget_published AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON \(listName)
    FOR EACH STATEMENT WHEN (current_setting('syncctl.publishing', true) IS DISTINCT FROM '\(source)')
    EXECUTE FUNCTION sync.forget_published('\(source)'); END $$;

    """
  }

  fileprivate static func emptyFavorites(of source: SourceID) -> String {
    """
    CREATE OR REPLACE VIEW \(source).favorite_item AS
    SELECT ''::text AS kind, 0::bigint AS id, ''::text AS title, ''::text AS title_japanese, ''::text AS type,
           0::numeric AS score, ''::text AS url, ''::text AS state, 0::integer AS rank WHERE false;

    """
  }

  fileprivate var favoriteItems: String {
    let title = title.map { $0.name.quoted } ?? "NULL"
    let url = columns.first { ["url", "html_url", "link"].contains($0.name) && $0.type == ColumnType(.text) }
    return """
      SELECT '\(resource)'::text AS kind, syncctl_key AS id, coalesce(\(title), syncctl_key::text) AS title,
             NULL::text AS title_japanese, NULL::text AS type, NULL::numeric AS score,
             \(url?.name.quoted ?? "NULL::text") AS url,
             CASE WHEN vanished_at IS NULL THEN 'mirrored' ELSE 'vanished' END AS state, NULL::integer AS rank
      FROM \(name)
      """
  }

  fileprivate var favoriteHistory: String {
    """
    SELECT '\(resource)'::text AS kind, syncctl_key AS id, NULL::text AS list, NULL::timestamptz AS list_began_at,
           e.what,
           NULL::numeric AS value, e.at AS valid_from, NULL::timestamptz AS valid_to
    FROM \(name) AS item CROSS JOIN LATERAL (VALUES
      ('mirrored', first_seen_at), ('vanished', vanished_at),
      ('changed', CASE WHEN vanished_at IS NULL AND changed_at > first_seen_at + interval '1 second'
                  THEN changed_at END)
    ) AS e (what, at)
    WHERE e.at IS NOT NULL
    """
  }
}
