import SyncCore
import SyncPostgres

/// The streams of a source that a run reads.
package enum StreamSelection: Sendable, Equatable {
  case all
  /// Each name occurs once, in the order of the run.
  case named([String])
}
