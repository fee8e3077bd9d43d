import EmbeddedSQL
import SyncCore

/// Loads `sql/sources/<folder>/<name>.sql`, else the template `sql/sources/templates/<name>.sql`.
///
/// Replaces each placeholder `/* key */` by the text that follows `/* key: */` in the folder's `table.sql`. If the
/// folder has no such text, uses the `table.sql` of the templates, or else the folder's file `key.sql`. Replaces
/// `$scope` by the parameter that the statement's comment declares, for example as `$1 scope text[]`.
enum SQLComposition {
  static func statement(_ name: String, folder: String, choosing choices: [String: String] = [:]) -> String? {
    func file(_ name: String, of folder: String) -> String? { EmbeddedSQL.text("sources/\(folder)/\(name).sql") }
    guard var text = file(name, of: folder) ?? file(name, of: "templates") else { return nil }
    let values = values(of: "templates").merging(values(of: folder)) { $1 }.merging(choices) { $1 }
    while let place = text.firstMatch(of: /\/\* ([a-z][a-z -]*) \*\//) {
      let name = String(place.output.1)
      guard let value = values[name] ?? file(name, of: folder) else { return nil }
      text.replaceSubrange(place.range, with: value)
    }
    if let scope = text.firstMatch(of: /(\$[0-9]) scope text\[\]/) {
      text.replace("$scope", with: "\(scope.output.1)::text[]")
    }
    return text
  }

  static func values(of folder: String) -> [String: String] {
    let file = EmbeddedSQL.text("sources/\(folder)/table.sql") ?? ""
    let names = file.matches(of: /(?m)^\/\* ([a-z][a-z -]*): \*\//)
    let ends = names.dropFirst().map(\.range.lowerBound) + [file.endIndex]
    let values = zip(names, ends).map { name, end in
      (String(name.output.1), file[name.range.upperBound..<end].trimmingBlanks)
    }
    return Dictionary(values) { $1 }
  }
}
