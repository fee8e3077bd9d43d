import Foundation
import SystemPackage

enum FolderLock {
  static func hold<Answer>(
    _ path: String, polling: PollingInterval, while body: () async throws -> Answer
  ) async throws -> Answer {
    let file = try EmbeddedClusterError.naming("create", path) {
      try FileOperations.opened(path, .readWrite, [.create, .noFollow, .closeOnExec], permissions: .ownerReadWrite)
    }
    defer { try? file.close() }
    guard try await polling.wait(for: { try tryLock(file, path) }) != nil else {
      throw EmbeddedClusterError(
        .timeout, "another process has held \(path) for more than \(polling.seconds) s",
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
