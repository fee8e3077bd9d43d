/// `message` says what happened, and `hint` says what to do. Both are one line without secrets or control characters.
package struct SyncError: Error, Sendable, CustomStringConvertible {
  package let code: Code
  package let message: String
  package let hint: String?
  package let disposition: Disposition
  package let exhibit: [String]

  package init(
    _ code: Code, _ message: String, hint: String? = nil, disposition: Disposition = .stopStream, exhibit: [String] = []
  ) {
    (self.exhibit, self.code, self.message, self.hint, self.disposition) = (exhibit, code, message, hint, disposition)
  }

  package var description: String {
    hint.map { "\(message); \($0)" } ?? message
  }

  package func hidingSecrets(of request: UpstreamRequest) -> SyncError {
    let mask = request.additions.mask
    return SyncError(
      code, mask.masking(message), hint: hint.map { mask.masking($0) }, disposition: disposition,
      exhibit: exhibit.map { mask.masking($0) })
  }

  package static let resumesThen = "run again then; it resumes after the last committed page"

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
    case guarded
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

  package enum Disposition: Sendable, Equatable {
    /// `after` is the delay that the upstream asks for. The retry is never sent earlier.
    case retry(after: Duration?)
    /// The upstream receives too many requests, so all clients of the origin wait.
    case throttled(after: Duration?)
    case stopStream
    /// The service refuses this stream's requests. If it refuses another stream of the source with the same answer, it
    /// refuses all, and the run stops. `answer` is the digest of the answer's body without secrets.
    case refused(answer: [UInt8])
    /// The walk cannot continue, because the service no longer knows its cursor. Another walk can start.
    case restart
    case stopRun
  }
}
