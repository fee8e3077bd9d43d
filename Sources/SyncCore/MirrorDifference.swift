/// A value or a row of the mirror that is not as it should be.
package struct MirrorDifference: Sendable, Equatable {
  /// What makes it right again.
  package enum Remedy: Sendable, Equatable {
    /// The document has its hash: its columns and derived rows are made from it again.
    case derive
    /// The document cannot be trusted: it is fetched from the upstream again.
    case fetch
    /// The counters of the document cannot be trusted: they are fetched again.
    case recount
    /// The row is derived from a document that is not there: it is deleted, and the document is fetched again.
    case remove
    /// The next run of the stream publishes its list again.
    case publish
    /// Nothing that is left tells what it was.
    case none
  }

  /// With its schema.
  package let table: String
  /// The primary key of the row, as a JSON object.
  package let key: String
  /// Nil for a whole row.
  package let column: String?
  /// JSON; nil for a row that is missing.
  package let stored: String?
  /// JSON; nil for a row that should not be there, and where it is not known.
  package let expected: String?
  package let remedy: Remedy
  /// The key of the document that it is about, as statements take it; nil if it is about none.
  package let item: Int64?

  package init(
    table: String, key: String, column: String? = nil, stored: String?, expected: String?, remedy: Remedy,
    item: Int64? = nil
  ) {
    self.table = table
    self.key = key
    self.column = column
    self.stored = stored
    self.expected = expected
    self.remedy = remedy
    self.item = item
  }
}
