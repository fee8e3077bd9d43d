import Foundation
import Synchronization

/// Writes each line with one `write`, so that lines of several processes do not mix. A full disk or a closed pipe loses
/// records. A reader that stops reading delays the program only once. The program must ignore SIGPIPE.
package final class LineWriter: Sendable {
  private struct WriteState {
    var isTorn = false
    var isStalled = false
    var lost = 0
  }

  private let descriptor: CInt
  /// The number of bytes that a pipe accepts without blocking if `poll` reports it as writable.
  private let pieceBytes: Int
  private let readerTimeout: Duration
  private let state = Mutex(WriteState())
  private static let mostRefusals = 16

  /// Creates a writer. The caller owns the descriptor, and keeps it open as long as the writer.
  /// - Parameter readerTimeout: The longest wait for a reader. After such a wait, lines are lost without waiting until
  ///   the reader reads again.
  package init(descriptor: CInt, readerTimeout: Duration = .milliseconds(100)) {
    self.descriptor = descriptor
    self.readerTimeout = readerTimeout
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    pieceBytes = isFile ? .max : Int(PIPE_BUF)
  }

  /// The number of lines that were not written, or only in part.
  package var lost: Int { state.withLock { $0.lost } }

  /// Writes a line, which includes its line end. Never throws; a line that cannot be written is counted in `lost`.
  package func write(_ line: [UInt8]) {
    state.withLock { state in
      let bytes = state.isTorn ? [UInt8(ascii: "\n")] + line : line
      let written = send(bytes, isStalled: &state.isStalled)
      if written < bytes.count { state.lost += 1 }
      if written > 0 { state.isTorn = written < bytes.count && bytes[written - 1] != UInt8(ascii: "\n") }
    }
  }

  private func send(_ bytes: [UInt8], isStalled: inout Bool) -> Int {
    var written = 0
    var refusals = 0
    // `write` can fail even if `poll` reports the descriptor as writable.
    while written < bytes.count, refusals < Self.mostRefusals {
      guard isWritable(within: isStalled ? .zero : readerTimeout) else {
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

  /// A broken descriptor counts as writable, because its write fails without blocking.
  private func isWritable(within wait: Duration) -> Bool {
    let end = ContinuousClock.now + wait
    while true {
      let remaining = max(.zero, end - .now)
      var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let result = poll(&entry, 1, CInt(remaining / .milliseconds(1)))
      if result > 0 { return true }
      if result < 0 && errno != EINTR { return true }
      if remaining == .zero { return false }
    }
  }
}

private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
