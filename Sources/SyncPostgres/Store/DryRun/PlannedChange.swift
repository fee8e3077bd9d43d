package import SyncCore

package struct PlannedChange: Sendable, Equatable {
  package enum Kind: String, Sendable {
    case insert, update, vanish
  }

  package struct Column: Sendable, Equatable {
    package let name: String
    package let from: String
    package let to: String
  }

  package let stream: StreamID
  package let kind: Kind
  package let key: Int64
  package let title: String?
  package let columns: [Column]
}

/// Receives the changes of a page. An error that it throws ends the walk.
package typealias ChangeReport = @Sendable ([PlannedChange]) async throws -> Void
