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

/// What a run would change: of a dry run.
package struct PlannedChange: Sendable, Equatable {
  package enum Kind: String, Sendable {
    case insert, update, vanish
  }

  /// A column with another value than before; values are JSON.
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
  /// What a person knows the item by, if the source has such a thing.
  package let title: String?
  /// Of an update, in the order of names.
  package let columns: [Column]

  package init(stream: StreamID, kind: Kind, key: Int64, title: String?, columns: [Column] = []) {
    self.stream = stream
    self.kind = kind
    self.key = key
    self.title = title
    self.columns = columns
  }
}

/// Told of the changes of a page or a batch. What it throws ends the walk.
package typealias ChangeReport = @Sendable ([PlannedChange]) async throws -> Void
