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
