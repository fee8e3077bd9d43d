import EmbeddedSQL
import LibPQ
import SyncCore

/// The statements of questions: `sql/sources/<source>/queries/*.sql`, and those of no source in `sql/shared/queries`.
///
/// As in the statements of `SourceSQL`, a name in a comment stands for the part of that name: of the folder's
/// `parts.sql`, else a file of the folder.
enum QuerySQL {
  /// - Parameters:
  ///   - source: nil for what is shared.
  ///   - choices: the parts for the names that the statement leaves open, e.g. `["order": "order by name"]`.
  /// - Throws: `SyncError` if a file or a part is missing, which the tests of the questions rule out.
  static func text(
    _ name: String, of source: String? = nil, choosing choices: [String: String] = [:]
  ) throws(SyncError) -> SQL {
    let folder = "\(source.map { "sources/\($0)" } ?? "shared")/queries"
    let parts = SQLComposition.parts(of: EmbeddedSQL.text("\(folder)/parts.sql") ?? "")
    let file = EmbeddedSQL.text("\(folder)/\(name).sql")
    let text = file.flatMap { file in
      SQLComposition.composed(file) { name in
        let name = choices[name] ?? name
        return parts[name] ?? EmbeddedSQL.text("\(folder)/\(name).sql")
      }
    }
    guard let text else {
      throw SyncError(
        .configuration, "sql/\(folder)/\(name).sql, or a part of it, is not in this program", hint: "build it again")
    }
    return SQL(trusted: text)
  }
}
