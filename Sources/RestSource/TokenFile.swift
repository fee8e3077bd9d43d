import Foundation
import SyncCore

/// The file of a refresh token that the service replaces with each use. Only one process at a time uses the token,
/// because a service can revoke all tokens if an old one is sent again.
struct TokenFile {
  private static let poll: Duration = .milliseconds(100)

  /// The file itself, even if the declared path is a symbolic link.
  private let path: String

  init(_ path: String, in folder: String) {
    let declared = DeclaredPath.full(path, in: folder)
    let real = realpath(declared, nil)
    defer { free(real) }
    self.path = real.map { String(cString: $0) } ?? declared
  }

  /// Runs `body` while no other process does so with the same file.
  func exclusively<R>(_ clock: any SyncClock, _ body: (TokenFile) async throws -> R) async throws -> R {
    let deadline = clock.now() + Limits.requestDeadline * Limits.requestAttempts
    while true {
      let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { throw fault("cannot be opened") }
      defer { close(descriptor) }
      // A process that had the lock has replaced the file, so the lock of the old file protects nothing.
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0, isCurrent(descriptor) { return try await body(self) }
      guard clock.now() < deadline else {
        throw SyncError(
          .tryLater, "another process has been using \(Excerpt.of(path)) for too long", hint: "run again later")
      }
      try await clock.sleep(for: Self.poll)
    }
  }

  private func isCurrent(_ descriptor: CInt) -> Bool {
    var locked = stat()
    var named = stat()
    return fstat(descriptor, &locked) == 0 && stat(path, &named) == 0 && locked.st_dev == named.st_dev
      && locked.st_ino == named.st_ino
  }

  /// Creates a file beside this one, with its owner and mode.
  /// - Parameter text: Its first content, which shows that the file can be written.
  func replacement(beginningWith text: String) throws(SyncError) -> Replacement {
    let unfinished = "\(path).part"
    // A killed process can have left the file. The caller has the lock.
    unlink(unfinished)
    let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw fault("cannot be replaced, because its folder is not writable") }
    let replacement = Replacement(file: self, descriptor: descriptor, unfinished: unfinished)
    var status = stat()
    if stat(path, &status) == 0 {
      // Without the right to change the owner, the file belongs to this user.
      _ = fchown(descriptor, status.st_uid, status.st_gid)
      fchmod(descriptor, status.st_mode & 0o777)
    }
    do throws(SyncError) {
      try replacement.write(text)
    } catch {
      replacement.discard()
      throw error
    }
    return replacement
  }

  /// A file that becomes the token's file in one step.
  struct Replacement {
    fileprivate let file: TokenFile
    fileprivate let descriptor: CInt
    fileprivate let unfinished: String

    fileprivate func write(_ text: String) throws(SyncError) {
      let bytes = Array("\(text)\n".utf8)
      guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count,
        fsync(descriptor) == 0
      else { throw file.fault("cannot be written") }
    }

    /// Replaces the token's file. Its content survives a power failure.
    func commit(_ text: String) throws(SyncError) {
      try write(text)
      guard rename(unfinished, file.path) == 0 else { throw file.fault("cannot be replaced") }
      let folder = open((file.path as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard folder >= 0 else { return }
      fsync(folder)
      close(folder)
    }

    /// Removes what was not committed, and closes the file.
    func discard() {
      unlink(unfinished)
      close(descriptor)
    }
  }

  private func fault(_ problem: String) -> SyncError {
    let reason = String(cString: strerror(errno))
    return SyncError(
      .configuration, "the file of the refresh token, \(Excerpt.of(path)), \(problem) (\(reason))",
      hint:
        "the service replaces the token with each use, so syncctl must be able to read and replace the file; if the "
        + "token in it is no longer valid, get a new one", disposition: .stopRun)
  }
}
