/// An error for the user. `message` says what happened, and `hint` says what to do. Both are one line without secrets
/// or control characters.
package struct SyncError: Error, Sendable, CustomStringConvertible {
  package let code: Code
  package let message: String
  package let hint: String?
  /// What the engine does after the error.
  package let disposition: Disposition
  /// Further lines below the message, such as the line of a file with a mark below the fault.
  package let exhibit: [String]

  /// Creates an error. The message says what happened, and `hint` says what to do. Both must be one line without
  /// secrets or control characters. Pass foreign text through `Excerpt.of`.
  /// - Parameters:
  ///   - disposition: What the engine does after the error (default: the stream's run fails, other streams continue).
  ///   - exhibit: Lines that are printed below the message.
  package init(
    _ code: Code, _ message: String, hint: String? = nil, disposition: Disposition = .stopStream, exhibit: [String] = []
  ) {
    self.exhibit = exhibit
    self.code = code
    self.message = message
    self.hint = hint
    self.disposition = disposition
  }

  /// The message, and the hint after a semicolon.
  package var description: String {
    hint.map { "\(message); \($0)" } ?? message
  }

  /// Returns the error without the secrets that the request sends.
  package func hidingSecrets(of request: UpstreamRequest) -> SyncError {
    let mask = request.additions.mask
    return SyncError(
      code, mask.masking(message), hint: hint.map { mask.masking($0) }, disposition: disposition,
      exhibit: exhibit.map { mask.masking($0) })
  }

  /// The hint of errors that a later run survives.
  package static let resumesThen = "run again then; it resumes after the last committed page"

  /// The kind of the error, which decides the exit status.
  package enum Code: Sendable {
    case usage
    case upstream
    case database
    /// A temporary error. The user can run the command again later.
    case tryLater
    /// The only error that `--wait` waits for.
    case leaseHeld
    case permission
    case configuration
    /// A safety guard stopped the run. A user must confirm it.
    case guarded
    /// A query found nothing by this id or name.
    case missing

    /// Numbers from 64 to 78 are from sysexits(3).
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

  /// What the engine does after an error of a request: retry it, end the stream, or end the run.
  package enum Disposition: Sendable, Equatable {
    /// `after` is the delay that the upstream asks for. The retry is never sent earlier.
    case retry(after: Duration?)
    /// The upstream receives too many requests, so all clients of the origin wait.
    case throttled(after: Duration?)
    /// The stream's run fails. Other streams continue.
    case stopStream
    /// The service refuses this stream's requests. If it refuses another stream of the source with the same answer, it
    /// refuses all, and the run stops. `answer` is the digest of the answer's body without secrets.
    case refused(answer: [UInt8])
    /// The walk cannot continue, because the service no longer knows its cursor. Another walk can start.
    case restart
    /// No stream of the run can continue.
    case stopRun
  }
}
