/// A value or a row of the mirror that differs from its expected content.
package struct MirrorDifference: Sendable, Equatable {
  package enum Remedy: Sendable, Equatable {
    /// The document matches its hash. Its columns and derived rows are computed again.
    case derive
    /// The document does not match its hash and is fetched again.
    case fetch
    case recount
    /// The row's document is missing. The row is deleted and the document fetched.
    case remove
    case publish
    /// The original value cannot be determined.
    case none
  }

  /// Qualified with the schema.
  package let table: String
  /// The primary key as a JSON object.
  package let key: String
  /// Nil for a whole row.
  package let column: String?
  /// JSON; nil for a missing row.
  package let stored: String?
  /// JSON; nil if unknown, or if the row should not exist.
  package let expected: String?
  package let remedy: Remedy
  /// The document's key as a statement parameter; nil if no document is affected.
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

package struct PlannedChange: Sendable, Equatable {
  package enum Kind: String, Sendable {
    case insert, update, vanish
  }

  /// The values are JSON.
  package struct Column: Sendable, Equatable {
    package let name: String
    package let from: String
    package let to: String

    package init(name: String, from: String, to: String) {
      self.name = name
      self.from = from
      self.to = to
    }
  }

  package let stream: StreamID
  package let kind: Kind
  package let key: Int64
  /// Nil if the source's items have no titles.
  package let title: String?
  /// Sorted by name; empty unless the kind is `update`.
  package let columns: [Column]

  package init(stream: StreamID, kind: Kind, key: Int64, title: String?, columns: [Column] = []) {
    self.stream = stream
    self.kind = kind
    self.key = key
    self.title = title
    self.columns = columns
  }
}

/// An error that it throws ends the walk.
package typealias ChangeReport = @Sendable ([PlannedChange]) async throws -> Void
