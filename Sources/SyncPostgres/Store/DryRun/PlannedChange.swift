package import SyncCore

/// A change of an item that a run would write.
package struct PlannedChange: Sendable, Equatable {
  /// Whether the item would be added, changed, or marked as vanished.
  package enum Operation: String, Sendable {
    case insert, update, vanish
  }

  /// A column whose value would change. `from` and `to` are JSON values, `null` without a value.
  package struct Column: Sendable, Equatable {
    package let name: String
    package let from: String
    package let to: String
  }

  package let stream: StreamID
  package let operation: Operation
  package let key: Int64
  package let title: String?
  package let columns: [Column]
}

/// An error that the closure throws ends the walk.
package typealias ChangeReport = @Sendable ([PlannedChange]) async throws -> Void
