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
    case none
  }

  package let table: String
  /// The primary key as a JSON object.
  package let key: String
  package let column: String?
  /// JSON; nil for a missing row. `expected` is also nil if unknown.
  package let stored: String?
  package let expected: String?
  package let remedy: Remedy
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
  package let title: String?
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
