import EmbeddedSQL
import SyncCore

extension Report {
  /// As a view: `report.top_by_genre`.
  var viewName: String { "report.\(name.replacing("-", with: "_"))" }

  /// The report as a view, with the parameters at their defaults; nil if one has none, or if the report's source is
  /// not in this program.
  var view: FunctionSet.File? {
    let literals = Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0.literal) })
    let hasSource = source.map { !EmbeddedSQL.paths(in: "sources/\($0)").isEmpty } ?? true
    guard hasSource, !literals.values.contains(nil) else { return nil }
    let settings = parameters.map { "\($0.name) = \($0.standardText ?? "null")" }.joined(separator: ", ")
    let comment = description + (settings.isEmpty ? "" : " With \(settings).")
    var statements = [
      "CREATE OR REPLACE VIEW \(viewName) AS\n\(text.sql { (literals[$0] ?? nil) ?? "NULL" }.trimmingBlanks)\n",
      "COMMENT ON VIEW \(viewName) IS \(Self.quoted(comment))",
    ]
    statements += columns.map { "COMMENT ON COLUMN \(viewName).\($0.name) IS \(Self.quoted($0.help))" }
    let folder = source.map { "sources/\($0)/reports" } ?? "reports"
    return FunctionSet.File(path: "\(folder)/\(name).sql", text: statements.map { $0 + ";\n" }.joined())
  }

  private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }
}
