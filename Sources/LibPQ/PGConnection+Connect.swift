internal import CLibPQ

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension PGConnection {
  /// Tries the hosts in order until one accepts. Each attempt gets an equal share of the remaining time. Stops at an
  /// error that every host would report.
  static func open(_ settings: ConnectionSettings, monitor: CallMonitor, deadline: Duration) throws -> PGConnection {
    let attempts = try settings.attempts()
    let clock = ContinuousClock()
    let end = clock.now + deadline
    var failures: [PostgresError] = []
    for (index, attempt) in attempts.enumerated() {
      let share = clock.now.duration(to: end) / (attempts.count - index)
      let limit = attempt.timeout.map { min($0, share) } ?? share
      do {
        return try connect(attempt, monitor: monitor, until: clock.now + limit)
      } catch let error as PostgresError {
        failures.append(error)
        // Other hosts would return the same error, unless this host is only starting or stopping.
        if let state = error.sqlState, state != .cannotConnectNow { break }
        if error.code == .serverEncoding { break }
      }
    }
    guard failures.count > 1, let last = failures.last else {
      throw failures.first ?? PostgresError(.settings, "the settings name no host")
    }
    var messages: [String] = []
    for failure in failures where !messages.contains(failure.message) { messages.append(failure.message) }
    throw PostgresError(
      last.code, "no host could be used: " + messages.joined(separator: "; "),
      sqlState: last.sqlState, isConnectionLost: true)
  }

  private static func connect(
    _ attempt: ConnectionAttempt, monitor: CallMonitor, until end: ContinuousClock.Instant
  ) throws -> PGConnection {
    let raw = withPointers(to: attempt.keywords.map(\.0)) { keywords in
      withPointers(to: attempt.keywords.map(\.1)) { values in PQconnectStartParams(keywords, values, 0) }
    }
    guard let raw else { throw PostgresError(.connection, "libpq is out of memory", isConnectionLost: true) }
    let connection = PGConnection(raw: raw, monitor: monitor)
    connection.setVerboseErrors(true)
    try connection.finishConnecting(attempt, until: end)
    connection.setVerboseErrors(false)
    try connection.requireVersion()
    try connection.requireUTF8()
    connection.prepareToCancel()
    connection.stopBlocking()
    return connection
  }

  private borrowing func finishConnecting(_ attempt: ConnectionAttempt, until end: ContinuousClock.Instant) throws {
    // libpq requires the first wait to be for writing.
    var status = isBroken && socket < 0 ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
    while status == PGRES_POLLING_READING || status == PGRES_POLLING_WRITING {
      try waitForSocket(writable: status == PGRES_POLLING_WRITING, attempt, until: end)
      status = pollConnecting()
    }
    guard status == PGRES_POLLING_OK else { throw attempt.failure(lastMessage) }
  }

  private borrowing func waitForSocket(
    writable: Bool, _ attempt: ConnectionAttempt, until end: ContinuousClock.Instant
  ) throws {
    while true {
      try Task.checkCancellation()
      let remaining = ContinuousClock.now.duration(to: end)
      guard remaining > .zero else {
        throw PostgresError(.timeout, "no connection to \(attempt.target) in the time allowed", isConnectionLost: true)
      }
      let remainingMilliseconds =
        remaining.components.seconds * 1000 + remaining.components.attoseconds / 1_000_000_000_000_000 + 1
      let slice = Int32(min(remainingMilliseconds, PostgresLimits.connectPollSliceMilliseconds))
      // libpq opens a new socket for each address, so the descriptor can change.
      var descriptor = pollfd(fd: socket, events: Int16(writable ? POLLOUT : POLLIN), revents: 0)
      if poll(&descriptor, 1, slice) != 0 { return }
    }
  }

  /// Refuses old servers here, because later they would refuse the first newer statement as a syntax error.
  private borrowing func requireVersion() throws(PostgresError) {
    // libpq returns 0 if the server or pooler does not report a version.
    guard (1..<PostgresLimits.oldestServer * 10_000).contains(serverVersion) else { return }
    let version = parameterStatus("server_version")?.prefix { $0 != " " } ?? "older"
    throw PostgresError(
      .serverVersion, "PostgreSQL \(PostgresLimits.oldestServer) or newer is needed, this is \(version)",
      isConnectionLost: true)
  }

  /// Refuses encodings other than UTF8, because they could change text without an error.
  private borrowing func requireUTF8() throws(PostgresError) {
    let (server, client) = (parameterStatus("server_encoding"), parameterStatus("client_encoding"))
    guard server == "UTF8" else {
      throw PostgresError(
        .serverEncoding,
        "the database's encoding is \(server ?? "unknown"), not UTF8; create it with CREATE DATABASE … ENCODING 'UTF8'",
        isConnectionLost: true)
    }
    guard client == "UTF8" else {
      throw PostgresError(
        .serverEncoding, "the session's client_encoding is \(client ?? "unknown") although UTF8 was requested",
        isConnectionLost: true)
    }
  }

  /// Waits for libpq's next result or error. Throws `.timeout` if the network is silent for too long.
  borrowing func awaitAnswer() throws(PostgresError) {
    var progressAt = ContinuousClock.now
    while true {
      let unsent = flush()
      guard unsent == 1 || unsent == 0 && isBusy, socket >= 0 else { return }
      let remaining = monitor.answerLimit.map { $0 - (ContinuousClock.now - progressAt) }
      let wait = remaining.map { Int32(min(max($0 / .milliseconds(1), 0).rounded(.up), 1e9)) } ?? -1
      var descriptor = pollfd(fd: socket, events: Int16(POLLIN | (unsent == 1 ? POLLOUT : 0)), revents: 0)
      switch poll(&descriptor, 1, wait) {
      case 1...:
        progressAt = .now
        // If reading failed, the next result contains the error.
        if descriptor.revents & ~Int16(POLLOUT) != 0, !consumeInput() { return }
      case 0:
        // A late result of this statement must not be read as the result of the next statement.
        monitor.lose()
        let seconds = (monitor.answerLimit ?? .zero).components.seconds
        throw PostgresError(.timeout, "no answer within \(seconds) s", isConnectionLost: true, isSafeToRetry: false)
      default: break  // a signal interrupted `poll`
      }
    }
  }
}

private func withPointers<R>(to strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> R) -> R {
  var bytes: [CChar] = []
  var offsets: [Int] = []
  for string in strings {
    offsets.append(bytes.count)
    bytes += string.utf8CString
  }
  return bytes.withUnsafeBufferPointer { buffer in
    body(offsets.map { buffer.baseAddress?.advanced(by: $0) } + [nil])
  }
}
