import SyncCore

/// The rules for names that become names of schemas, tables and columns.
enum DeclaredName {
  /// Whether the name can be the name of a schema or a table. Keywords are not excluded.
  static func isTable(_ name: String) -> Bool { name.wholeMatch(of: /[a-z][a-z0-9_]{0,30}/) != nil }

  /// Whether the name can be the name of a declared column.
  static func isColumn(_ name: String) -> Bool {
    name.wholeMatch(of: /[a-z_][a-z0-9_]{0,61}/) != nil && !columns.contains(name)
  }

  /// Whether the name can be the name of a JSON member that statements contain.
  static func canBeMember(_ name: String) -> Bool {
    name.utf8.count <= 200 && !name.contains("/*")
  }

  /// Column names that each declared table, PostgreSQL, or the statements of every table already have.
  private static let columns: Set<String> = [
    "syncctl_key", "raw", "content_hash", "first_seen_at", "requested_at", "changed_at", "vanished_at", "counter_hash",
    "counters_changed_at", "position", "tableoid", "xmin", "cmin", "xmax", "cmax", "ctid",
  ]

  /// PostgreSQL has at most 1,600 columns in a table, and each declared table has seven of its own.
  static let maximalColumns = 1_593

  /// Returns the column of a member: its own name if that is valid, and otherwise its name in dlt's naming convention
  /// `snake_case` (`objectID` → `object_id`, `item-id` → `item_id`, `attributes.id` → `attributes__id`). The result can
  /// be a name that `isColumn` refuses.
  /// Source: https://dlthub.com/docs/general-usage/naming-convention
  /// - Parameter path: The names of the members, from the item.
  static func column(of path: [String]) -> String {
    if path.count == 1, isColumn(path[0]) { return path[0] }
    return path.map(snakeCase).filter { !$0.isEmpty }.joined(separator: "__")
  }

  private static let reducedAlphabet: [Character: Character] = [
    "+": "x", "-": "_", "!": "l", "$": "s", "*": "x", "@": "a", "#": "h", "=": "_", "|": "l", ":": "i",
  ]

  private static func snakeCase(_ name: String) -> String {
    var text = String(name.trimmingBlanks.map { reducedAlphabet[$0] ?? $0 })
    text = text.replacing(/[^a-zA-Z0-9_]+/, with: "_")
    text = text.replacing(/([^_])([A-Z][a-z]+)/) { "\($0.output.1)_\($0.output.2)" }
    text = text.replacing(/([a-z0-9])([A-Z])/) { "\($0.output.1)_\($0.output.2)" }.lowercased()
    if text.first?.isNumber == true { text = "_" + text }
    let trimmed = text.trimmedUnderscores
    text = trimmed + String(repeating: "x", count: text.count - trimmed.count)
    return text.replacing(/_+/, with: "_")
  }

  /// Names of relations and functions that each declared source has.
  static let tables: Set<String> = ["favorite_item", "favorite_history", "grant_rights"]

  /// Words that PostgreSQL does not accept as names of tables (keywords that are reserved, or that name functions).
  static let reserved = Set(
    """
    all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation \
    column concurrently constraint create cross current_catalog current_date current_role current_schema \
    current_time current_timestamp current_user default deferrable desc distinct do else end except false fetch for \
    foreign freeze from full grant group having ilike in initially inner intersect into is isnull join lateral \
    leading left like limit localtime localtimestamp natural not notnull null offset on only or order outer overlaps \
    placing primary references returning right select session_user similar some symmetric system_user table \
    tablesample then to trailing true union unique user using variadic verbose when where window with
    """.split(separator: " ").map(String.init))

  /// Schemas of PostgreSQL and of syncctl.
  static let schemas: Set<String> = ["public", "information_schema", "sync", "app", "report"]
}

extension String {
  /// The text without the underscores at its end.
  fileprivate var trimmedUnderscores: String {
    String(prefix(count - reversed().prefix { $0 == "_" }.count))
  }
}
