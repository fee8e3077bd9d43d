import EmbeddedSQL
import SyncCore

extension Report {
  var viewName: String { "report.\(name.replacing("-", with: "_"))" }

  /// The file that creates the report as a view with its parameters' defaults. `nil` if a parameter has no default, or
  /// if the program does not have the report's source.
  var view: FunctionSet.File? {
    let literals = parameters.compactMap(\.literal)
    let hasSource = source.map { EmbeddedSQL.hasFiles(in: "sources/\($0)") } ?? true
    guard hasSource, literals.count == parameters.count else { return nil }
    let settings = parameters.map { "\($0.name) = \($0.standard ?? "null")" }.joined(separator: ", ")
    let comment = description + (settings.isEmpty ? "" : " With \(settings).")
    var query = Substring(composed { literals[$0] })
    while query.hasPrefix("--") { query = query.drop { $0 != "\n" }.drop(while: \.isNewline) }
    var statements = [
      "CREATE OR REPLACE VIEW \(viewName) AS\n\(query.trimmingBlanks)\n",
      "COMMENT ON VIEW \(viewName) IS \(comment.literal)",
    ]
    statements += columns.map { "COMMENT ON COLUMN \(viewName).\($0.name) IS \($0.help.literal)" }
    let folder = source.map { "sources/\($0)/reports" } ?? "reports"
    return FunctionSet.File(path: "\(folder)/\(name).sql", text: statements.map { $0 + ";\n" }.joined())
  }
}
