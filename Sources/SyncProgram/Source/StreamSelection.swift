import SyncCore
import SyncPostgres

/// The streams of a source that a run reads.
package enum StreamSelection: Sendable, Equatable {
  /// The user named no stream: `Source.defaultStreams`, or all streams that the service lists if it is `nil`.
  case all
  /// Each name occurs once, in the order of the run.
  case named([String])
}
