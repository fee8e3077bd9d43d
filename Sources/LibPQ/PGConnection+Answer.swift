#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension PGConnection {
  /// Sends and reads until libpq can give the next result, or its own error, without waiting. If nothing comes or goes
  /// for as long as the call allows, it throws `.timeout`, and the connection is lost.
  borrowing func awaitAnswer() throws(PostgresError) {
    var progressAt = ContinuousClock.now
    while true {
      let unsent = flush()
      guard unsent == 1 || unsent == 0 && isBusy, socket >= 0 else { return }
      let left = monitor.answerLimit.map { $0 - (ContinuousClock.now - progressAt) }
      let wait = left.map { Int32(min(max($0 / .milliseconds(1), 0).rounded(.up), 1e9)) } ?? -1
      var descriptor = pollfd(fd: socket, events: Int16(POLLIN | (unsent == 1 ? POLLOUT : 0)), revents: 0)
      switch poll(&descriptor, 1, wait) {
      case 1...:
        progressAt = .now
        // What cannot be read shows in the result.
        if descriptor.revents & ~Int16(POLLOUT) != 0, !consumeInput() { return }
      case 0:
        // The outcome of the statement is unknown, and its answer must not be read as the next one's.
        monitor.lose()
        let seconds = (monitor.answerLimit ?? .zero).components.seconds
        throw PostgresError(
          .timeout, "no answer within \(seconds) s", isConnectionLost: true, isSafeToRetry: false)
      default: break  // a signal
      }
    }
  }
}
