import EmbeddedSQL
import SyncCore
import Synchronization

/// Composes statements. A folder such as `books` or `books/authors` has its own files. A statement without a file of
/// the folder is the template `sql/templates/<name>.sql`. `sql/README.md` shows a composed statement.
///
/// Each placeholder `/* key */` is replaced by the text after `/* key: */` in the folder's `table.sql`, or else in the
/// `table.sql` of the templates, or else by the folder's file `key.sql`. `/* scope */` is replaced by the parameter
/// that the statement's comment declares (`$1 scope text[]`).
enum SQLComposition {
  /// The path below `sql/` of a folder's own statement: `books/authors` has its files in
  /// `sources/books/statements/authors`.
  static func path(_ name: String, of folder: String) -> String {
    let parts = folder.split(separator: "/", maxSplits: 1)
    let subfolder = parts.dropFirst().map { "\($0)/" }.joined()
    return "sources/\(parts.first ?? "")/statements/\(subfolder)\(name).sql"
  }

  private static func template(_ name: String) -> String { "templates/\(name).sql" }

  static func statement(_ name: String, folder: String, choosing choices: [String: String] = [:]) -> String? {
    guard var text = EmbeddedSQL.text(path(name, of: folder)) ?? EmbeddedSQL.text(template(name)) else { return nil }
    var values = values(in: template("table")).merging(values(of: folder)) { $1 }.merging(choices) { $1 }
    if let scope = text.firstMatch(of: /(\$[0-9]) scope text\[\]/) { values["scope"] = "\(scope.output.1)::text[]" }
    let placeholder = /\/\* ([a-z][a-z -]*) \*\//
    var start = 0
    while let match = text[text.utf8.index(text.startIndex, offsetBy: start)...].firstMatch(of: placeholder) {
      let name = String(match.output.1)
      guard let value = values[name] ?? EmbeddedSQL.text(path(name, of: folder)) else { return nil }
      // A value can contain placeholders, so the search continues at its beginning.
      start = text.utf8.distance(from: text.startIndex, to: match.range.lowerBound)
      text.replaceSubrange(match.range, with: value)
    }
    return text
  }

  private static let cachedValues = Mutex<[String: [String: String]]>([:])

  /// The texts for placeholders in the folder's `table.sql`.
  static func values(of folder: String) -> [String: String] { values(in: path("table", of: folder)) }

  private static func values(in path: String) -> [String: String] {
    if let cached = cachedValues.withLock({ $0[path] }) { return cached }
    let file = EmbeddedSQL.text(path) ?? ""
    let names = file.matches(of: /(?m)^\/\* ([a-z][a-z -]*): \*\//)
    let ends = names.dropFirst().map(\.range.lowerBound) + [file.endIndex]
    let values = zip(names, ends).map { name, end in
      (String(name.output.1), file[name.range.upperBound..<end].trimmingBlanks)
    }
    let result = Dictionary(values) { $1 }
    cachedValues.withLock { $0[path] = result }
    return result
  }
}
