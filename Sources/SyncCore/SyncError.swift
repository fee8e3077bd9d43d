/// An operating error of a sync, in words for the person who reads it.
///
/// `message` says what happened and to what, `hint` what to do; both are one line and never hold a secret or a
/// control character. `exhibit` are lines that show the fault where it stands. The disposition is all that the engine
/// reads; the code becomes the exit status.
package struct SyncError: Error, Sendable, CustomStringConvertible {
  package let code: Code
  package let message: String
  package let hint: String?
  package let disposition: Disposition
  package let exhibit: [String]

  package init(
    _ code: Code, _ message: String, hint: String? = nil, disposition: Disposition = .stopStream,
    exhibit: [String] = []
  ) {
    (self.exhibit, self.code, self.message, self.hint, self.disposition) = (exhibit, code, message, hint, disposition)
  }

  package var description: String {
    hint.map { "\(message); \($0)" } ?? message
  }

  /// The kind of trouble.
  package enum Code: Sendable {
    /// The command line names something that does not exist.
    case usage
    /// The upstream cannot be reached, refuses, or answers nonsense.
    case upstream
    /// PostgreSQL cannot be reached or cannot do its work.
    case database
    /// Nothing is broken, but it is not the time: the lease was lost, the retries are spent, a server is full.
    case tryLater
    /// Another process is at work on the stream; the one error that `--wait` waits out.
    case leaseHeld
    case permission
    /// Configuration or schema do not fit.
    case configuration
    /// A safety guard stopped the run; a person has to look.
    case guarded
    /// A query found nothing by that id or name.
    case missing

    /// The process's exit status, after sysexits(3).
    package var exitStatus: Int32 {
      switch self {
      case .missing: 1
      case .usage: 64
      case .upstream: 69
      case .database: 74
      case .tryLater, .leaseHeld: 75
      case .permission: 77
      case .configuration: 78
      case .guarded: 86
      }
    }
  }

  package enum Disposition: Sendable, Equatable {
    /// May pass by itself. A given delay is the upstream's own word and is honoured exactly.
    case retry(after: Duration?)
    /// The upstream says that it is too much. As `retry`, and everyone who talks to the origin waits with us.
    case throttled(after: Duration?)
    case stopStream
    case stopRun
  }
}
