import LibPQ
import SyncCore

/// Applies files of functions and views, in the transaction of the migrations.
///
/// A function or a view is replaced in place. Where PostgreSQL cannot do that (other columns, another type of result,
/// another name of an argument), it is dropped and made again, and so are those of our files that depend on it. What
/// people gave them stays: owners, rights, comments. Nothing of theirs is ever dropped; what is in the way is named.
struct RepeatableInstallation {
  private let files: [Repeatable]
  private let installed: [String: Repeatable.Installed]
  /// What the files make, as it was before the migrations of this transaction.
  private let before: [SchemaObject]
  /// All of the program.
  private let migrations: [Migration]
  /// Functions of users that have a name of ours and other arguments.
  private var strangers: Set<Int64> = []
  /// The paths of the files that are still to be applied.
  private var left: Set<String>

  /// - Parameters:
  ///   - files: all of the program, in order, for this database.
  ///   - migrations: all of the program, in order.
  init(
    _ files: [Repeatable], installed: [String: Repeatable.Installed], before: [SchemaObject], migrations: [Migration]
  ) {
    self.files = files
    self.installed = installed
    self.before = before
    self.migrations = migrations
    left = Set(files.filter { $0.isPending(installed[$0.path]) }.map(\.path))
  }

  /// - Returns: the paths of the files that were applied.
  mutating func run(_ connection: borrowing PGConnection) throws -> Set<String> {
    var applied: Set<String> = []
    while let file = files.first(where: { left.contains($0.path) }) {
      left.remove(file.path)
      try apply(file, connection)
      applied.insert(file.path)
    }
    guard !applied.isEmpty else { return [] }
    let after = try SchemaObject.read(objects, connection)
    for file in files where applied.contains(file.path) { try record(file, after, connection) }
    for old in before {
      guard let new = Self.successor(of: old, before, after) else { continue }
      if new.id != old.id { try old.restore(to: new, connection) }
      try old.restoreOptions(to: new, connection)
      try keepComments(of: old, on: new, connection)
    }
    return applied
  }

  private var objects: Set<Repeatable.Object> { Set(files.flatMap(\.objects)) }

  private mutating func apply(_ file: Repeatable, _ connection: borrowing PGConnection) throws {
    let statements = file.statements
    let before = try SchemaObject.read(file.objects, connection)
    for statement in statements where statement.isDefinition {
      try Self.explaining(file) { try define(statement, of: file, connection) }
    }
    // A function that has other arguments is now a second function; the earlier one is the one that was not written.
    let after = Dictionary(try SchemaObject.read(file.objects, connection).map { ($0.id, $0.version) }) { $1 }
    for object in before where object.object.kind == .routine && after[object.id] == object.version {
      guard isOurs(object) else {
        strangers.insert(object.id)
        continue
      }
      try Self.explaining(file) { try drop(object, for: file, connection) }
    }
    // What was dropped took another function of this file with it.
    guard !left.contains(file.path) else { return }
    for statement in statements where !statement.isDefinition {
      try connection.script(SQL(trusted: statement.text))
    }
  }

  private mutating func define(
    _ statement: Repeatable.Statement, of file: Repeatable, _ connection: borrowing PGConnection
  ) throws {
    let sql = SQL(trusted: statement.text)
    guard let object = statement.object else { return try connection.script(sql) }
    do {
      try connection.savepoint { connection in try connection.script(sql) }
    } catch let error as PostgresError {
      let refusals: Set<SQLState> = [.invalidFunctionDefinition, .invalidTableDefinition, .wrongObjectType]
      guard let state = error.sqlState, refusals.contains(state),
        let old = try Self.predecessor(of: object, statement, connection)
      else { throw error }
      try drop(old, for: file, connection)
      try connection.script(sql)
    }
  }

  /// What a statement could not replace.
  private static func predecessor(
    of object: Repeatable.Object, _ statement: Repeatable.Statement, _ connection: borrowing PGConnection
  ) throws -> SchemaObject? {
    let there = try SchemaObject.read([object], connection)
    guard object.kind == .routine, there.count > 1 else { return there.first }
    // PostgreSQL itself says which arguments it has: it is made for a moment where there is no other of its name.
    let name = "pg_temp.\(object.name.split(separator: ".").last ?? "")"
    let probe = statement.code.replacing(object.name, with: name, maxReplacements: 1)
    try connection.script(SQL(trusted: String(probe)))
    let made = try connection.query(
      """
      SELECT oid::regprocedure::text, oidvectortypes(proargtypes) FROM pg_proc
      WHERE pronamespace = pg_my_temp_schema() AND proname = (parse_ident($1))[2]
      """, [.text(object.name)]
    ).first { row in (name: try row.text(0) ?? "", arguments: try row.text(1) ?? "") }
    guard let made else { return nil }
    try connection.script(SQL(trusted: "DROP ROUTINE \(made.name)"))
    return there.first { $0.identity.hasSuffix("(\(made.arguments))") }
  }

  /// Drops an object and those of our files that depend on it; their files are applied again.
  private mutating func drop(
    _ object: SchemaObject, for file: Repeatable, _ connection: borrowing PGConnection
  ) throws {
    for dependent in try object.dependents(among: objects, connection) {
      let attachments = try dependent.attachments(connection)
      guard attachments.isEmpty else { throw Self.inTheWay(attachments.joined(separator: ", "), of: file) }
      try connection.script(SQL(trusted: "DROP \(dependent.object.kind.rawValue) \(dependent.identity)"))
      guard dependent.id != object.id else { continue }
      for other in files where other.objects.contains(dependent.object) {
        if let there = installed[other.path], there.revision > other.revision {
          throw SyncError(
            .configuration,
            "sql/\(file.path) changes what sql/\(other.path) depends on, and that is of a newer syncctl",
            hint: "use a newer syncctl with this database", disposition: .stopRun)
        }
        left.insert(other.path)
      }
    }
  }

  /// Names what of others' depends on an object that would have to go.
  private static func explaining(_ file: Repeatable, _ body: () throws -> Void) throws {
    do { try body() } catch let error as PostgresError where error.sqlState == .dependentObjectsStillExist {
      throw inTheWay(error.server?.detail ?? error.message, of: file)
    }
  }

  private static func inTheWay(_ dependents: String, of file: Repeatable) -> SyncError {
    SyncError(
      .configuration,
      "sql/\(file.path) cannot replace a function or view that others depend on: "
        + Excerpt.of(dependents.split(separator: "\n").joined(separator: "; "), scalars: 400),
      hint: "drop these, run syncctl migrate, and create them again", disposition: .stopRun)
  }

  /// What an object has become: itself, or the only new one of its name if it is the only one missing.
  private static func successor(
    of old: SchemaObject, _ before: [SchemaObject], _ after: [SchemaObject]
  ) -> SchemaObject? {
    let (was, now) = (before.filter { $0.object == old.object }, after.filter { $0.object == old.object })
    if let same = now.first(where: { $0.identity == old.identity }) { return same }
    let gone = was.filter { old in !now.contains { $0.identity == old.identity } }
    let new = now.filter { new in !was.contains { $0.identity == new.identity } }
    return gone.count == 1 && new.count == 1 ? new.first : nil
  }

  // MARK: Comments

  /// Puts a comment back that a person has given.
  private func keepComments(
    of old: SchemaObject, on new: SchemaObject, _ connection: borrowing PGConnection
  ) throws {
    for (column, text) in old.comments {
      guard let made = new.comments[column], made != text, !isOwn(text, of: old.commentKey(column)) else { continue }
      let statement = try connection.query(
        "SELECT format('COMMENT ON %s IS %L', $1::text, $2::text)", [.text(new.commentTarget(column)), .text(text)]
      ).text(row: 0, column: 0)
      try connection.script(SQL(trusted: statement ?? ""))
    }
  }

  /// Whether a comment is the one that a file has given, or, in a database from before sync.repeatable, a migration.
  private func isOwn(_ comment: String, of key: String) -> Bool {
    recordedComment(of: key).map { $0 == comment } ?? migrations.contain(comment: comment)
  }

  /// Whether a function is one that a file has made, or, in a database from before sync.repeatable, a migration: each
  /// of ours has a comment.
  private func isOurs(_ object: SchemaObject) -> Bool {
    recordedComment(of: object.commentKey("")) != nil
      || object.comments[""].map { migrations.contain(comment: $0) } ?? false
  }

  private func recordedComment(of key: String) -> String? {
    for file in installed.values { if let comment = file.comments[key] { return comment } }
    return nil
  }

  private func record(
    _ file: Repeatable, _ after: [SchemaObject], _ connection: borrowing PGConnection
  ) throws {
    let made = Set(file.objects)
    let own = after.filter { made.contains($0.object) && !strangers.contains($0.id) }
    let comments = own.flatMap { object in
      // Each object is recorded, with or without a comment: only these may be dropped.
      object.comments.merging(["": ""]) { given, _ in given }.map { (object.commentKey($0.key), $0.value) }
    }
    _ = try connection.query(
      """
      INSERT INTO sync.repeatable (path, revision, checksum, schema_version, comments)
      VALUES ($1, $2, $3, $4, jsonb_object($5::text[], $6::text[]))
      ON CONFLICT (path) DO UPDATE SET revision = excluded.revision, checksum = excluded.checksum,
        schema_version = excluded.schema_version, comments = excluded.comments, applied_at = excluded.applied_at
      """,
      [
        .text(file.path), .int(Int64(file.revision)), .bytes(file.checksum), .int(Int64(migrations.last?.version ?? 0)),
        .texts(comments.map(\.0)), .texts(comments.map(\.1)),
      ])
  }
}

extension Repeatable {
  /// The files that a database has, by their paths.
  static func installed(_ connection: borrowing PGConnection) throws -> [String: Installed] {
    let exists = try connection.query("SELECT to_regclass('sync.repeatable') IS NOT NULL").bool(row: 0, column: 0)
    guard exists == true else { return [:] }
    var comments: [String: [String: String]] = [:]
    let texts: SQL = "SELECT path, c.key, c.value FROM sync.repeatable r, jsonb_each_text(r.comments) c"
    for row in try connection.query(texts).map({ try ($0.text(0) ?? "", $0.text(1) ?? "", $0.text(2) ?? "") }) {
      comments[row.0, default: [:]][row.1] = row.2
    }
    let rows = try connection.query(
      "SELECT path, revision, checksum, applied_at FROM sync.repeatable"
    ).map { row in
      let path = try row.text(0) ?? ""
      return (
        path,
        Installed(
          revision: Int(try row.int(1) ?? 0), checksum: try row.bytea(2) ?? [],
          appliedAt: try row.text(3).map(TimeText.instant) ?? "", comments: comments[path] ?? [:])
      )
    }
    return Dictionary(rows) { $1 }
  }
}
