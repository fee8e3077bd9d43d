import SyncCore
import SyncPostgres
import SyncProgram

extension ColumnType {
  /// The names of dlt's types that have another name in PostgreSQL.
  private static let aliases = [
    "double": "double precision", "float": "double precision", "bool": "boolean", "timestamp": "timestamptz",
    "timestamp with time zone": "timestamptz", "decimal": "numeric", "json": "jsonb", "complex": "jsonb",
    "int": "integer", "string": "text",
  ]

  /// Reads the type of a column, such as `text` or `bigint[]`.
  /// - Throws: `SyncError` for an unknown type.
  init(_ part: DeclarationPart) throws(SyncError) {
    let text = try part.text("text")
    let isArray = text.hasSuffix("[]")
    let name = isArray ? String(text.dropLast(2)) : text
    guard let base = Base(rawValue: Self.aliases[name] ?? name) else {
      throw part.fault(
        "has an unknown type \(Excerpt.of(text, scalars: 40))",
        hint: Suggestion.choice(for: name, among: Base.allCases.map(\.rawValue)) + ", and arrays of them (text[])")
    }
    self.init(base, isArray: isArray)
  }

  /// Returns the type with the format that the part names.
  /// - Throws: `SyncError` if the format is unknown, or if the type cannot have it.
  func formatted(_ part: DeclarationPart) throws(SyncError) -> ColumnType {
    let text = try part.text("epoch")
    guard let format = Format(rawValue: text) else {
      throw part.fault(
        "has an unknown format \(Excerpt.of(text, scalars: 40))",
        hint: Suggestion.choice(for: text, among: Format.allCases.map(\.rawValue)))
    }
    guard format.bases.contains(base), !isArray else {
      throw part.fault(
        "\(text) is not a format of \(name)",
        hint: "use epoch and epoch_ms for timestamptz and date, and number for boolean; not for arrays")
    }
    return ColumnType(base, format: format)
  }
}
