import SyncCore
package import SystemPackage

/// An error of the embedded cluster. `message` and `hint` are one line each.
package struct EmbeddedClusterError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The cause of the error.
  package enum Cause: String, Sendable, CaseIterable {
    case binariesMissing
    case permission
    case versionMismatch
    case notACluster
    case notInitialized
    case upgradeFailed
    case interrupted
    case untrustedFolder
    case diskFull
    case initFailed
    case startFailed
    case stopFailed
    case timeout
    case socketFolder
  }

  package let cause: Cause
  package let message: String
  package let hint: String

  /// Creates an error. Both texts become one line without control characters, and are cut after 1,000 characters.
  package init(_ cause: Cause, _ message: String, hint: String) {
    self.cause = cause
    self.message = Self.oneLine(message)
    self.hint = Self.oneLine(hint)
  }

  package var description: String { "\(message); \(hint)" }

  /// Returns the error for a failed file operation. `action` is an infinitive, such as `read`.
  /// - Parameter fallback: the cause, unless `errno` means missing permission or a full disk.
  package static func file(_ errno: Errno, _ action: String, _ path: String, fallback: Cause = .startFailed) -> Self {
    let message = "cannot \(action) \(path): \(errno)"
    switch errno {
    case .permissionDenied, .notPermitted, .readOnlyFileSystem:
      return Self(.permission, message, hint: "make the folder writable, or set SYNCCTL_DATA_DIR to another one")
    case .noSpace, .diskQuotaExceeded:
      return Self(.diskFull, message, hint: freeSpaceHint)
    default:
      return Self(fallback, message, hint: "check the path, or set SYNCCTL_DATA_DIR to another folder")
    }
  }

  static func naming<R>(
    _ action: String, _ path: String, fallback: Cause = .startFailed, _ body: () throws -> R
  ) throws -> R {
    do { return try body() } catch let error as Errno { throw file(error, action, path, fallback: fallback) }
  }

  static func asSyncError<R: Sendable>(_ body: () async throws -> R) async throws -> R {
    do {
      return try await body()
    } catch let error as EmbeddedClusterError {
      throw SyncError(.database, error.message, hint: error.hint)
    }
  }

  static let freeSpaceHint = "free some space there, or set SYNCCTL_DATA_DIR to a folder on another disk"

  static func oneLine(_ text: String, limit: Int = 1_000) -> String {
    Excerpt.of(text, scalars: limit).split(separator: " ").joined(separator: " ")
  }

  static func tellingLine(of output: String) -> String {
    let lines = output.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    let marks = ["PANIC:", "FATAL:", "ERROR:", "error:", "No space left on device", "ould not"]
    let telling = lines.last { line in marks.contains { line.contains($0) } } ?? lines.last ?? ""
    return oneLine(String(telling), limit: Limits.programExcerptScalars)
  }
}
