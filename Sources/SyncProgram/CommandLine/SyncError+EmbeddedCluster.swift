import SyncCore
import SyncPostgres

extension SyncError {
  /// Converts the errors of this program. `nil` for other errors.
  init?(known error: any Error) {
    switch error {
    case let error as SyncError: self = error
    case let error as EmbeddedClusterError: self.init(error)
    default: return nil
    }
  }

  init(_ error: EmbeddedClusterError) {
    let code: Code =
      switch error.cause {
      case .permission, .untrustedFolder: .permission
      case .versionMismatch, .notACluster, .notInitialized, .interrupted: .configuration
      default: .database
      }
    let message = error.cause == .binariesMissing ? error.message : "embedded PostgreSQL: \(error.message)"
    self.init(code, message, hint: error.hint, disposition: .stopRun)
  }
}
