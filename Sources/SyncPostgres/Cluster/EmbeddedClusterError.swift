import SyncCore
package import SystemPackage

/// Why the embedded cluster cannot be used: what happened and to what, in one line, and what to do about it in another.
package struct EmbeddedClusterError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kinds by which callers choose an exit code or a retry.
  package enum Kind: String, Sendable, CaseIterable {
    /// No folder holds `initdb`, `pg_ctl` and `postgres`.
    case binariesMissing
    /// The operating system refused access to a file or folder.
    case permission
    /// The data were written by a major version that is not installed.
    case versionMismatch
    /// The data folder holds something else; it was not touched.
    case notACluster
    case notInitialized
    /// The data could not be moved to another major version.
    case upgradeFailed
    /// An upgrade was interrupted half-way.
    case interrupted
    /// Others than root and the caller can write or replace a folder on the way to the data.
    case untrustedFolder
    case diskFull
    case initFailed
    /// The server did not start, or ended at once.
    case startFailed
    case stopFailed
    /// A program, or another process's start, took longer than its limit.
    case timeout
    /// The folder for the socket cannot be trusted or created.
    case socketFolder
  }

  package let kind: Kind
  package let message: String
  package let hint: String

  package init(_ kind: Kind, _ message: String, hint: String) {
    self.kind = kind
    self.message = Self.oneLine(message)
    self.hint = Self.oneLine(hint)
  }

  package var description: String { "\(message); \(hint)" }

  /// The error for a file operation that the operating system refused.
  ///
  /// - Parameters:
  ///   - action: the attempted action, as an infinitive ("create").
  ///   - path: the file or folder of the action.
  ///   - fallback: the kind for errors that are neither about permission nor about space.
  package static func file(_ errno: Errno, _ action: String, _ path: String, fallback: Kind = .startFailed) -> Self {
    let message = "cannot \(action) \(path): \(errno)"
    switch errno {
    case .permissionDenied, .notPermitted, .readOnlyFileSystem:
      return Self(.permission, message, hint: "make the folder writable, or name another one in SYNCCTL_DATA_DIR")
    case .noSpace, .diskQuotaExceeded:
      return Self(.diskFull, message, hint: freeSpaceHint)
    default:
      return Self(fallback, message, hint: "check the path, or name another folder in SYNCCTL_DATA_DIR")
    }
  }

  /// Runs file operations whose `Errno` becomes the error of `file`.
  static func naming<R>(
    _ action: String, _ path: String, fallback: Kind = .startFailed, _ body: () throws -> R
  ) throws -> R {
    do { return try body() } catch let error as Errno { throw file(error, action, path, fallback: fallback) }
  }

  static let freeSpaceHint = "free some space there, or name a folder on another disk in SYNCCTL_DATA_DIR"

  /// Makes text of unknown origin fit for one line on a terminal, without runs of blanks.
  static func oneLine(_ text: String, limit: Int = 1_000) -> String {
    Excerpt.of(text, scalars: limit).split(separator: " ").joined(separator: " ")
  }

  /// The most useful line of a program's output or of the server's log: the last that names an error, else the last.
  static func tellingLine(of output: String) -> String {
    let lines = output.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    let marks = ["PANIC:", "FATAL:", "ERROR:", "error:", "No space left on device", "ould not"]
    let telling = lines.last { line in marks.contains { line.contains($0) } } ?? lines.last ?? ""
    return oneLine(String(telling), limit: Limits.programExcerptScalars)
  }
}
