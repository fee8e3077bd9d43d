import EmbeddedSQL
import Foundation
import Hashing
import LibPQ
import SyncCore

/// All functions and views of this program. `number` grows with every change.
struct FunctionSet: Sendable {
  static let step = "functions and views"

  let number: Int
  let files: [File]

  struct File: Sendable {
    /// Relative to `sql/`.
    let path: String
    let text: String

    var folder: String {
      let parts = path.split(separator: "/")
      return parts.prefix(parts.first == "sources" ? 2 : 1).joined(separator: "/")
    }

    /// Triggers are omitted, because they belong to tables, and only migrations create tables.
    var objects: [String] { statements.compactMap(\.object) }

    /// The text, divided before each line that begins with CREATE OR REPLACE. Comments, rights and triggers that follow
    /// an object belong to its statement.
    var statements: [Statement] {
      let begins = text.matches(of: /(?m)^CREATE OR REPLACE (?!TRIGGER)[A-Z]+ ([^\s(]+)/)
      guard !begins.isEmpty else { return [Statement(object: nil, text: text)] }
      let ends = begins.dropFirst().map(\.range.lowerBound) + [text.endIndex]
      return begins.indices.map { index in
        let begin = index == 0 ? text.startIndex : begins[index].range.lowerBound
        return Statement(object: String(begins[index].output.1), text: String(text[begin..<ends[index]]))
      }
    }
  }

  struct Statement: Sendable {
    /// The name of the function or view that the statement creates. `nil` if the file creates none.
    let object: String?
    let text: String
  }

  /// The files in the order of execution: shared files, each source's files by name, union views, views of reports.
  static let current: FunctionSet = {
    let sources = EmbeddedSQL.paths(in: "sources").filter { path in
      let parts = path.split(separator: "/")
      return parts.count == 4 && ["functions", "views"].contains(parts[2])
    }
    let shared = ["shared/functions", "shared/views"].flatMap { EmbeddedSQL.paths(in: $0) }
    let files = (shared + sources + unions.map(\.path)).compactMap { path in
      EmbeddedSQL.text(path).map { File(path: path, text: marked($0)) }
    }
    let number = EmbeddedSQL.text("functions-and-views.version")?.prefix { $0.isNumber }
    return FunctionSet(number: number.flatMap { Int($0) } ?? 0, files: files + Reports.all.compactMap(\.view))
  }()

  /// Marks in its comment each function that later versions can change, because tools and `\df+` show all functions
  /// alike. In its file, the comment of a function that later versions keep begins with `Stable.`; docs/sql.md lists
  /// these functions.
  private static func marked(_ text: String) -> String {
    // Every command calls this for all files, so it compares bytes.
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { bytes in
      let line = Substring(bytes)
      guard bytes.starts(with: "COMMENT ON FUNCTION ".utf8) || bytes.starts(with: "COMMENT ON AGGREGATE ".utf8),
        let quote = line.firstRange(of: " IS '")
      else { return line }
      let comment = line[quote.upperBound...]
      let mark = "Stable. "
      return line[..<quote.upperBound]
        + (comment.hasPrefix(mark) ? comment.dropFirst(mark.count) : "Internal. " + comment)
    }
    return lines.joined(separator: "\n")
  }

  var checksums: [String: [UInt8]] {
    Dictionary(grouping: files, by: \.folder).mapValues { files in
      SHA256.hash(data: files.flatMap { Array("\($0.path)\n\($0.text)".utf8) })
    }
  }

  struct Installed: Sendable {
    let number: Int
    let checksum: [UInt8]
    let appliedAt: String
    /// The identities of the functions and views that syncctl created.
    let objects: Set<String>
    /// False if somebody has dropped the schema of a declared source.
    let hasFavorites: Bool
  }

  static func installed(_ connection: borrowing PGConnection) throws -> [String: Installed] {
    guard try connection.isTrue("SELECT to_regclass('sync.function_set') IS NOT NULL") else { return [:] }
    let rows = try connection.query(
      """
      SELECT folder, number, checksum, applied_at, array_to_json(ARRAY(SELECT jsonb_object_keys(comments))),
             to_regclass(quote_ident(split_part(folder, '/', 2)) || '.favorite_item') IS NOT NULL
      FROM sync.function_set
      """
    ).map { row in
      let installed = Installed(
        number: Int(try row.int(1) ?? 0), checksum: try row.bytea(2) ?? [],
        appliedAt: try row.text(3).map(TimeText.instant) ?? "",
        objects: Set(try JSONDecoder().decode([String].self, from: Data(row.bytes(4) ?? []))),
        hasFavorites: try row.bool(5) ?? false)
      return (try row.text(0) ?? "", installed)
    }
    return Dictionary(rows) { $1 }
  }

  /// If a newer program installed the functions, returns the folders of `sql` whose functions only this program has.
  func missing(_ installed: [String: Installed]) -> [String] {
    guard installed.values.contains(where: { $0.number > number }) else { return [] }
    return Set(files.map(\.folder)).filter { installed[$0] == nil }.sorted()
  }

  func isPending(_ installed: [String: Installed]) -> Bool {
    guard missing(installed).isEmpty else { return true }
    guard installed.values.allSatisfy({ $0.number <= number }) else { return false }
    return checksums.contains { folder, checksum in
      guard let there = installed[folder] else { return true }
      return there.number < number || there.checksum != checksum
    }
  }

  /// Replaces all functions and views. First drops this program's objects of the previous set that PostgreSQL cannot
  /// replace, for example because a function's arguments changed, and the objects that are no longer in the set.
  /// - Parameter before: The objects before this transaction's migrations. Their owners, rights and options are kept.
  /// - Throws: `SyncError` `.configuration` if a user's object depends on an object that must be dropped.
  func install(
    before: [SchemaObject], installed: [String: Installed], _ connection: borrowing PGConnection
  ) throws {
    let folders = checksums
    let own = Set(installed.filter { folders[$0.key] != nil }.flatMap(\.value.objects))
    let present = try SchemaObject.read(files.flatMap(\.objects), identities: own, connection)
    let previous = present.filter { own.contains($0.identity) }
    while true {
      let outdated = try replace(previous, installed, connection)
      guard !outdated.isEmpty else { break }
      try drop(outdated, own, connection)
    }

    let after = try SchemaObject.read(files.flatMap(\.objects), connection)
    try record(after, replacing: Set(present.map(\.version)), connection)
    for (old, new) in Self.pairs(before, after) {
      if new.id != old.id { try old.restoreRights(to: new, connection) }
      try old.restoreOptions(to: new, connection)
    }
  }

  /// Executes the statements of all files. Stops if an object of the previous set prevents a statement.
  /// - Returns: The objects of the previous set that must be dropped before the next call. Empty after success.
  private func replace(
    _ previous: [SchemaObject], _ installed: [String: Installed], _ connection: borrowing PGConnection
  ) throws -> [SchemaObject] {
    func outdated() throws -> [SchemaObject] {
      let versions = Set(previous.map(\.version))
      return try SchemaObject.read([], identities: Set(previous.map(\.identity)), connection)
        .filter { versions.contains($0.version) }
    }
    let statements = files.flatMap { composed($0, with: installed)?.statements ?? [] }
    for (index, statement) in statements.enumerated() {
      do {
        // The savepoint keeps the transaction usable after an error.
        try connection.savepoint { connection in try connection.script(SQL(trusted: statement.text)) }
      } catch let error as PostgresError where Self.isRedefinition(error) {
        // Objects whose statements follow are not outdated yet.
        let following = Set(statements[(index + 1)...].compactMap(\.object)).subtracting([statement.object])
        let inTheWay = try outdated().filter { object in
          object.name == statement.object
            || !following.contains(object.name) && statements[..<index].contains { $0.object == object.name }
        }
        guard !inTheWay.isEmpty else { throw Self.explained(error) }
        return inTheWay
      }
    }
    return try outdated()
  }

  /// Whether the error can mean that an object with the same name has other arguments, results or columns.
  private static func isRedefinition(_ error: PostgresError) -> Bool {
    let states: [SQLState] = [
      .invalidFunctionDefinition, .invalidTableDefinition, .ambiguousFunction, .wrongObjectType,
    ]
    return error.sqlState.map(states.contains) ?? false
  }

  private static func explained(_ error: PostgresError) -> any Error {
    guard error.sqlState == .ambiguousFunction else { return error }
    return SyncError(
      .configuration, "\(Excerpt.of(error.message)): a function that syncctl did not make has the same name",
      hint: "rename or drop this function, and run syncctl migrate", disposition: .stopRun)
  }

  /// Drops outdated objects with this program's objects that depend on them. `replace` creates the latter again.
  private func drop(_ outdated: [SchemaObject], _ own: Set<String>, _ connection: borrowing PGConnection) throws {
    let others = try MirrorDependents.names(droppedWith: outdated, except: own, connection)
    guard others.isEmpty else {
      throw Migrator.inTheWay(others.joined(separator: ", "), of: "the new \(Self.step)")
    }
    for object in outdated {
      try connection.script(SQL(trusted: "DROP \(object.kind) IF EXISTS \(object.identity) CASCADE"))
    }
  }

  /// Pairs each object with its replacement. If the arguments of a function changed, the replacement has another
  /// identity, but the same name.
  private static func pairs(_ before: [SchemaObject], _ after: [SchemaObject]) -> [(SchemaObject, SchemaObject)] {
    let old = Set(before.map(\.identity))
    let new = Set(after.map(\.identity))
    return before.compactMap { object in
      if let same = after.first(where: { $0.identity == object.identity }) { return (object, same) }
      let gone = before.filter { $0.name == object.name && !new.contains($0.identity) }
      let added = after.filter { $0.name == object.name && !old.contains($0.identity) }
      return gone.count == 1 && added.count == 1 ? (object, added[0]) : nil
    }
  }

  /// Creates the union views again, because a declared source has new views.
  func installUnions(_ connection: borrowing PGConnection) throws {
    let installed = try Self.installed(connection)
    for file in files where Self.unions.contains(where: { $0.path == file.path }) {
      if let file = composed(file, with: installed) { try connection.script(SQL(trusted: file.text)) }
    }
  }

  /// - Parameter versions: The versions of objects that this transaction did not create or replace, such as a user's
  ///   function that has the name of one of syncctl.
  private func record(
    _ objects: [SchemaObject], replacing versions: Set<String>, _ connection: borrowing PGConnection
  ) throws {
    let names = Dictionary(grouping: files, by: \.folder).mapValues { Set($0.flatMap(\.objects)) }
    for (folder, checksum) in checksums {
      let made = objects.filter { !versions.contains($0.version) && names[folder]?.contains($0.name) == true }
      _ = try connection.query(
        """
        INSERT INTO sync.function_set (folder, number, checksum, comments)
        SELECT $1, $2, $3, coalesce(jsonb_object_agg(identity, ''), '{}') FROM unnest($4::text[]) AS identity
        ON CONFLICT (folder) DO UPDATE SET number = excluded.number, checksum = excluded.checksum,
          comments = excluded.comments, applied_at = excluded.applied_at
        """,
        [.text(folder), .int(Int64(number)), .bytes(checksum), .texts(made.map(\.identity))])
    }
  }

  /// Replaces `/* sources */` by a union of this program's sources and the sources that another program has installed.
  private func composed(_ file: File, with installed: [String: Installed]) -> File? {
    guard let union = Self.unions.first(where: { $0.path == file.path }) else { return file }
    let own = files.filter { $0.path == "\($0.folder)/views/\(union.view).sql" }.map(\.folder)
    let others = installed.filter { folder, there in
      there.hasFavorites && there.objects.contains("\(folder.dropFirst("sources/".count)).\(union.view)")
    }.keys
    let sources = Set(own + others).filter { $0.hasPrefix("sources/") }.map { $0.dropFirst("sources/".count) }
    guard !sources.isEmpty else { return nil }
    let text = sources.sorted().map(union.selection).joined(separator: "\nUNION ALL\n")
    return File(path: file.path, text: file.text.replacing("/* sources */", with: text))
  }

  private static let unions = [
    // The view of an older program can lack the column `rank`.
    Union(
      view: "favorite_item",
      columns: "kind, id, title, title_japanese, type, score, url, state, (to_jsonb(i)->>'rank')::integer AS rank"),
    Union(view: "favorite_history", columns: "kind, id, list, list_began_at, what, value, valid_from, valid_to"),
  ]

  private struct Union {
    let view: String
    let columns: String

    var path: String { "shared/\(view).sql" }

    func selection(from source: Substring) -> String {
      "SELECT '\(source)'::text AS source, \(columns) FROM \(source).\(view) i"
    }
  }
}
