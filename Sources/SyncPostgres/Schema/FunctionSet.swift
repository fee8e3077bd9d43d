import EmbeddedSQL
import Foundation
import Hashing
import LibPQ

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
    var objects: [String] {
      text.matches(of: /(?m)^CREATE OR REPLACE (?!TRIGGER)[A-Z]+ ([^\s(]+)/).map { String($0.output.1) }
    }
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
    text.replacing(/(?m)^(COMMENT ON (?:AGGREGATE|FUNCTION) [^\s(]+.* IS ')(Stable\. )?/) { found in
      "\(found.output.1)\(found.output.2 == nil ? "Internal. " : "")"
    }
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
    let comments: [String: String]
    /// False if somebody has dropped the schema of a declared source.
    let hasFavorites: Bool
  }

  static func installed(_ connection: borrowing PGConnection) throws -> [String: Installed] {
    guard try connection.isTrue("SELECT to_regclass('sync.function_set') IS NOT NULL") else { return [:] }
    let rows = try connection.query(
      """
      SELECT folder, number, checksum, applied_at, comments,
             to_regclass(quote_ident(split_part(folder, '/', 2)) || '.favorite_item') IS NOT NULL
      FROM sync.function_set
      """
    ).map { row in
      let comments = try? JSONDecoder().decode([String: String].self, from: Data(row.bytes(4) ?? []))
      let installed = Installed(
        number: Int(try row.int(1) ?? 0), checksum: try row.bytea(2) ?? [],
        appliedAt: try row.text(3).map(TimeText.instant) ?? "", comments: comments ?? [:],
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

  /// - Parameter before: the objects before this transaction's migrations. Users' settings on these objects are kept.
  func install(
    before: [SchemaObject], installed: [String: Installed], _ connection: borrowing PGConnection
  ) throws {
    for file in files {
      if let text = composed(file, with: installed) { try connection.script(SQL(trusted: text)) }
    }
    let after = try SchemaObject.read(files.flatMap(\.objects), connection)
    try record(after, connection)
    for old in before {
      guard let new = after.first(where: { $0.identity == old.identity }) else { continue }
      if new.id != old.id { try old.restoreRights(to: new, connection) }
      try old.restoreOptions(to: new, connection)
      for (column, text) in old.comments {
        let isOwn = installed.values.contains { $0.comments[old.commentKey(column)] == text }
        guard !isOwn, let made = new.comments[column], made != text else { continue }
        try connection.run(
          "SELECT format('COMMENT ON %s IS %L', $1::text, $2::text)", [.text(new.commentTarget(column)), .text(text)])
      }
    }
  }

  /// Creates the union views again, because a declared source has new views.
  func installUnions(_ connection: borrowing PGConnection) throws {
    let installed = try Self.installed(connection)
    for file in files where Self.unions.contains(where: { $0.path == file.path }) {
      if let text = composed(file, with: installed) { try connection.script(SQL(trusted: text)) }
    }
  }

  private func record(_ objects: [SchemaObject], _ connection: borrowing PGConnection) throws {
    let names = Dictionary(grouping: files, by: \.folder).mapValues { Set($0.flatMap(\.objects)) }
    for (folder, checksum) in checksums {
      let comments = objects.filter { $0.isMade && names[folder]?.contains($0.name) == true }.flatMap { object in
        // Every object is recorded, even without a comment, because an unrecorded object counts as a user's object.
        object.comments.merging(["": ""]) { given, _ in given }.map { (object.commentKey($0.key), $0.value) }
      }
      _ = try connection.query(
        """
        INSERT INTO sync.function_set (folder, number, checksum, comments)
        VALUES ($1, $2, $3, jsonb_object($4::text[], $5::text[]))
        ON CONFLICT (folder) DO UPDATE SET number = excluded.number, checksum = excluded.checksum,
          comments = excluded.comments, applied_at = excluded.applied_at
        """,
        [.text(folder), .int(Int64(number)), .bytes(checksum), .texts(comments.map(\.0)), .texts(comments.map(\.1))])
    }
  }

  /// Replaces `/* sources */` by a union of this program's sources and the sources that another program has installed.
  private func composed(_ file: File, with installed: [String: Installed]) -> String? {
    guard let union = Self.unions.first(where: { $0.path == file.path }) else { return file.text }
    let own = files.filter { $0.path == "\($0.folder)/views/\(union.view).sql" }.map(\.folder)
    let others = installed.filter { folder, there in
      there.hasFavorites && there.comments["\(folder.dropFirst("sources/".count)).\(union.view)"] != nil
    }.keys
    let sources = Set(own + others).filter { $0.hasPrefix("sources/") }.map { $0.dropFirst("sources/".count) }
    guard !sources.isEmpty else { return nil }
    let text = sources.sorted().map(union.selection).joined(separator: "\nUNION ALL\n")
    return file.text.replacing("/* sources */", with: text)
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
