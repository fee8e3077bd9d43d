import EmbeddedSQL

struct Grant: Sendable, Hashable {
  enum Target: String, Sendable {
    case schema, table, function
    case tables
  }

  let privilege: String
  let kind: Target
  let schema: String
  /// The name without the schema. Empty for a schema, and for all tables of a schema.
  let name: String

  static var worker: [Grant] {
    let sources = EmbeddedSQL.paths(in: "sources").filter { $0.hasSuffix("/functions/roles.sql") }
    return (["roles.sql"] + sources).flatMap { grants(to: "syncctl_worker", in: EmbeddedSQL.text($0) ?? "") }
  }

  /// Parses only syncctl's own script, which has no quoted names and no `--` in a text.
  static func grants(to role: String, in script: String) -> [Grant] {
    let code: String = script.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in line.firstRange(of: "--").map { line[..<$0.lowerBound] } ?? line }
      .joined(separator: "\n")
    return code.split(separator: ";").flatMap { grants(to: role, statement: $0) }
  }

  private static func grants(to role: String, statement: Substring) -> [Grant] {
    let words = statement.split { $0.isWhitespace || $0 == "," }.map { String($0) }
    // A right on some columns is not a right on the table.
    guard words.first == "GRANT", !statement.contains("("), let on = words.firstIndex(of: "ON"),
      let to = words.lastIndex(of: "TO"), on < to, words[to...].contains(role)
    else { return [] }
    let (kind, names) = objects(words[(on + 1)..<to])
    return names.flatMap { name in
      let parts = name.split(separator: ".", maxSplits: 1).map { String($0) }
      return words[1..<on].map {
        Grant(privilege: $0, kind: kind, schema: parts.first ?? "", name: parts.count > 1 ? parts[1] : "")
      }
    }
  }

  private static func objects(_ words: ArraySlice<String>) -> (Target, ArraySlice<String>) {
    if words.starts(with: ["ALL", "TABLES", "IN", "SCHEMA"]) { return (.tables, words.dropFirst(4)) }
    switch words.first {
    case "SCHEMA": return (.schema, words.dropFirst())
    case "FUNCTION": return (.function, words.dropFirst())
    case "TABLE": return (.table, words.dropFirst())
    default: return (.table, words)
    }
  }
}
