/// A stored value that differs from the value computed from the stored documents, hashes or walks.
package struct MirrorDifference: Sendable, Equatable {
  /// The repair for a difference. `none` means that no repair is possible.
  package enum Remedy: Sendable, Equatable {
    /// The document is valid. Its columns and derived rows are computed again.
    case derive
    /// The document does not match its hash and is fetched again.
    case fetch
    /// The item's counters differ. The next run reads and stores them again.
    case recount
    /// The row's document is missing. The row is deleted and the document fetched.
    case remove
    /// A published list differs. The next run publishes the lists again.
    case publish
    case none
  }

  package let table: String
  /// The primary key as a JSON object.
  package let key: String
  package let column: String?
  /// JSON; nil if the row is missing. `expected` is also nil if its value is unknown.
  package let stored: String?
  package let expected: String?
  package let remedy: Remedy
  package let item: Int64?

  package var json: String {
    let column = column.map { "\"\($0)\"" } ?? "null"
    return "{\"table\": \"\(table)\", \"key\": \(key), \"column\": \(column), "
      + "\"stored\": \(stored ?? "null"), \"expected\": \(expected ?? "null")}"
  }
}
