import Foundation
import SystemPackage

enum FolderLock {
  static func hold<Answer>(
    _ path: String, patience: PollingInterval, while body: () async throws -> Answer
  ) async throws -> Answer {
    let file = try EmbeddedClusterError.naming("create", path) {
      try FileOperations.opened(path, .readWrite, [.create, .noFollow, .closeOnExec], permissions: .ownerReadWrite)
    }
    defer { try? file.close() }
    guard try await patience.wait(for: { try tryLock(file, path) }) != nil else {
      throw EmbeddedClusterError(
        .timeout, "another process has held \(path) for more than \(patience.seconds) s",
        hint: "it is setting up or starting the same cluster: wait for it or stop it, then retry")
    }
    return try await body()
  }

  private static func tryLock(_ file: FileDescriptor, _ path: String) throws -> Bool? {
    if flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 { return true }
    if errno == EWOULDBLOCK || errno == EINTR { return nil }
    throw EmbeddedClusterError.file(Errno(rawValue: errno), "lock", path)
  }
}

/// Asks for an answer again and again, up to a time limit. The duration of `answer` itself does not count.
struct PollingInterval: Sendable {
  var limit: Duration
  var interval: Duration = .milliseconds(50)
  var clock: any Clock<Duration>

  var seconds: Int64 { limit.components.seconds }

  /// Returns the first answer that is not `nil`; `nil` after the limit.
  func wait<Answer>(for answer: () async throws -> Answer?) async throws -> Answer? {
    for _ in 0..<max(1, Int(limit / interval)) {
      if let answer = try await answer() { return answer }
      try await clock.sleep(for: interval)
    }
    return try await answer()
  }
}
