/// The types of declared columns, with their names in PostgreSQL.
package struct ColumnType: Sendable, Equatable {
  /// The type of a single value. The raw value is the type's name in PostgreSQL and in declarations.
  package enum Base: String, Sendable, CaseIterable {
    case text, integer, bigint, numeric
    case double = "double precision"
    case boolean, date, timestamptz, uuid, jsonb
  }

  /// How the service writes values that JSON has no type for.
  package enum Format: String, Sendable, CaseIterable {
    /// Seconds since 1970, for `timestamptz` and `date`.
    case epoch
    /// Milliseconds since 1970, for `timestamptz` and `date`.
    case epochMilliseconds = "epoch_ms"
    /// 0 and 1 as well as false and true, for `boolean`.
    case number

    package var bases: [Base] {
      switch self {
      case .epoch, .epochMilliseconds: [.timestamptz, .date]
      case .number: [.boolean]
      }
    }
  }

  package let base: Base
  package let isArray: Bool
  /// `nil` for the usual form. An array has no format.
  package let format: Format?

  /// An array must not have a `format`, and `format.bases` must contain the base. Neither is checked.
  package init(_ base: Base, isArray: Bool = false, format: Format? = nil) {
    self.base = base
    self.isArray = isArray
    self.format = format
  }

  package var name: String { base.rawValue + (isArray ? "[]" : "") }

  /// The name with the format. Two types with the same description have the same columns.
  var description: String { name + (format.map { " (\($0.rawValue))" } ?? "") }

  /// The function in `sql/shared/functions/members.sql` that computes the column.
  var function: String {
    let name = base.rawValue.replacing(" ", with: "_")
    return "sync.as_\(name)\(isArray ? "_array" : "")\(format.map { "_of_\($0.rawValue)" } ?? "")"
  }
}
