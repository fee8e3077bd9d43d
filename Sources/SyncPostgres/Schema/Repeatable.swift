import EmbeddedSQL
import Hashing

/// A file of functions or views: `sql/shared/{functions,views}/*.sql`, `sql/sources/NAME/{functions,views}/*.sql`, and
/// the view that a report of `sql/reports` makes. It is applied as a whole, and again whenever it has changed.
struct Repeatable: Sendable, Equatable {
  /// Below `sql/`.
  let path: String
  let text: String
  /// From the first line, `-- revision: N`. It grows with every change of the file.
  let revision: Int
  /// SHA-256 of the text, so that a change is noticed.
  let checksum: [UInt8]

  init(path: String, text: String) {
    self.path = path
    self.text = text
    let first = text.prefix { $0 != "\n" }
    revision = first.hasPrefix("-- revision: ") ? Int(first.dropFirst(13)) ?? 0 : 0
    checksum = SHA256.hash(data: Array(text.utf8))
  }

  /// A function or a view, as the file writes its name.
  struct Object: Hashable, Sendable {
    /// As DROP, ALTER and COMMENT name it.
    enum Kind: String, Sendable {
      case view = "VIEW"
      case routine = "ROUTINE"
    }

    let kind: Kind
    let name: String
  }

  struct Statement: Equatable {
    let text: String
    /// What it makes, or replaces.
    let object: Object?

    /// Makes or drops: such statements of a file come before the others, which speak of what is there then.
    var isDefinition: Bool { object != nil || code.hasPrefix("DROP ") }

    /// Without the comments above it.
    var code: Substring {
      var code = text[...]
      while code.hasPrefix("--") { code = code.drop { $0 != "\n" }.drop { $0.isNewline } }
      return code
    }

    init(_ text: String) {
      self.text = text
      // CREATE OR REPLACE, what, and its name. A trigger belongs to its table, which no file makes.
      let match = text.firstMatch(of: /(?m)^CREATE OR REPLACE (?!TRIGGER)([A-Z]+) ([^\s(]+)/)
      object = match.map { Object(kind: $0.output.1 == "VIEW" ? .view : .routine, name: String($0.output.2)) }
    }
  }

  /// The statements. Each begins at the beginning of a line, with one of these words, after the semicolon of the one
  /// before, and has the comments above it.
  var statements: [Statement] {
    let words = ["CREATE ", "COMMENT ", "REVOKE ", "GRANT ", "DROP ", "ALTER ", "DO "]
    var statements: [String] = []
    var lines: [Substring] = []
    var above: [Substring] = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("--") {
        above.append(line)
        continue
      }
      let isNext = words.contains(where: line.hasPrefix) && lines.last?.hasSuffix(";") ?? true
      if isNext, !lines.isEmpty {
        statements.append(lines.joined(separator: "\n"))
        lines = []
      }
      lines += above + [line]
      above = []
    }
    return (lines.isEmpty ? statements : statements + [lines.joined(separator: "\n")]).map { Statement($0) }
  }

  var objects: [Object] { statements.compactMap(\.object) }

  /// All files of this program in the order in which they are applied: what is shared, of each source its functions
  /// and its views, in the order of the files' names; then what unites the sources, and the views of reports.
  static var all: [Repeatable] {
    let sources = EmbeddedSQL.paths(in: "sources").filter { path in
      let parts = path.split(separator: "/")
      return parts.count == 4 && ["functions", "views"].contains(parts[2])
    }
    let shared = ["shared/functions", "shared/views"].flatMap { EmbeddedSQL.paths(in: $0) }
    return (shared + sources + unions.map(\.path)).compactMap { path in
      EmbeddedSQL.text(path).map { Repeatable(path: path, text: $0) }
    } + Reports.all.compactMap(\.view)
  }
}

extension Repeatable {
  /// A file as a database has it.
  struct Installed: Sendable {
    let revision: Int
    let checksum: [UInt8]
    /// ISO 8601, UTC.
    let appliedAt: String
    /// The comments that the file made, by `SchemaObject.commentKey`.
    let comments: [String: String]
  }

  /// A program whose file is older than what is installed leaves that as it is.
  func isPending(_ installed: Installed?) -> Bool {
    guard let installed else { return true }
    return revision > installed.revision || (revision == installed.revision && checksum != installed.checksum)
  }

  /// The files for one database: `/* sources */` stands for the views of that name of the sources that this program has
  /// and of those that another one has installed, so that neither takes a source away from the other.
  static func composed(_ files: [Repeatable], with installed: [String: Installed]) -> [Repeatable] {
    let paths = Set(files.map(\.path)).union(installed.keys).sorted()
    return files.compactMap { file in
      guard let union = unions.first(where: { $0.path == file.path }) else { return file }
      let sources = paths.compactMap { path -> Substring? in
        let parts = path.split(separator: "/")
        let isView = parts.count == 4 && parts[0] == "sources" && parts[2...].elementsEqual(["views", union.name])
        return isView ? parts[1] : nil
      }
      guard !sources.isEmpty else { return nil }
      let text = sources.map(union.selection).joined(separator: "\nUNION ALL\n")
      return Repeatable(path: file.path, text: file.text.replacing(placeholder, with: text))
    }
  }

  private static let placeholder = "/* sources */"

  private static let unions = [
    // The view of an older program has no rank.
    Union(
      view: "favorite_item",
      columns: "kind, id, title, title_japanese, type, score, url, state, (to_jsonb(i)->>'rank')::integer AS rank"),
    Union(view: "favorite_history", columns: "kind, id, list, list_began_at, what, value, valid_from, valid_to"),
  ]

  /// A view that unites those of all sources.
  private struct Union {
    let view: String
    let columns: String

    var name: Substring { "\(view).sql" }
    var path: String { "shared/\(name)" }

    func selection(from source: Substring) -> String {
      "SELECT '\(source)'::text AS source, \(columns) FROM \(source).\(view) i"
    }
  }
}
