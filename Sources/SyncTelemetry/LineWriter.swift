import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Writes lines to a descriptor, one `write` each, so that the lines of several processes do not mix. A log that cannot
/// be written must not stop the program: on a full disk or a closed pipe a record is lost, and a reader that has
/// stopped reading is waited for once. The program must ignore SIGPIPE.
package final class LineWriter: Sendable {
  private struct State {
    var isTorn = false
    var isStalled = false
    var lost = 0
  }

  private let descriptor: CInt
  /// What is written at once; a pipe can be written to when it takes this much, and might block on more.
  private let pieceBytes: Int
  private let patience: Duration
  private let state = Mutex(State())
  private static let mostRefusals = 16

  /// The descriptor belongs to the caller. `patience` is the wait for a reader that has stopped reading.
  package init(descriptor: CInt, patience: Duration = .milliseconds(100)) {
    self.descriptor = descriptor
    self.patience = patience
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    pieceBytes = isFile ? .max : Int(PIPE_BUF)
  }

  /// Records that were not written, or only in part.
  package var lost: Int { state.withLock { $0.lost } }

  package func write(_ line: [UInt8]) {
    state.withLock { state in
      // The rest of a record is missing, and its line end with it.
      let bytes = state.isTorn ? [UInt8(ascii: "\n")] + line : line
      let written = send(bytes, isStalled: &state.isStalled)
      if written < bytes.count { state.lost += 1 }
      if written > 0 { state.isTorn = written < bytes.count && bytes[written - 1] != UInt8(ascii: "\n") }
    }
  }

  private func send(_ bytes: [UInt8], isStalled: inout Bool) -> Int {
    var written = 0
    var refusals = 0
    // A descriptor may say that it can be written to and refuse all the same.
    while written < bytes.count, refusals < Self.mostRefusals {
      guard isWritable(within: isStalled ? .zero : patience) else {
        isStalled = true
        break
      }
      isStalled = false
      let end = pieceBytes == .max ? bytes.count : min(bytes.count, written + pieceBytes)
      let count = bytes[written..<end].withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR && errno != EAGAIN { break }
      written += max(0, count)
      refusals += count > 0 ? 0 : 1
    }
    return written
  }

  /// Also true for a broken descriptor: writing to it returns the error and does not block.
  private func isWritable(within wait: Duration) -> Bool {
    let end = ContinuousClock.now + wait
    while true {
      let left = max(.zero, end - .now)
      var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let result = poll(&entry, 1, CInt(left / .milliseconds(1)))
      if result > 0 { return true }
      if result < 0 && errno != EINTR { return true }
      if left == .zero { return false }
    }
  }
}

private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
