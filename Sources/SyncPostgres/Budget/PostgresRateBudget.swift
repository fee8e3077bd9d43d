import LibPQ
package import SyncCore

/// An origin's budget, shared by all processes that use one database, on any machines.
///
/// The rule is the function `sync.take_permit`: one statement per permit, committed by the server itself. The permit's
/// moment is given in the database's time and waited for in this machine's, so that a slow commit or answer does not
/// delay one request more than another. Concurrent calls are served in the order in which they reach the server.
///
/// Without windows no permit is taken, and nothing is written; whether the origin is paused is read from time to time.
///
/// > Note: Give it its own connection. On one that also writes pages, each permit waits for the page before it.
package actor PostgresRateBudget: RateBudget {
  private let database: Database
  private let origin: String
  private let windows: [RateWindow]
  private let pauseReading: Duration
  package nonisolated let slack: Duration?

  /// Readings of the two clocks: the database's, which never goes back, and this machine's before and after that.
  private struct Reading: Sendable {
    let database: Duration
    let sent: Duration
    let received: Duration
  }

  private let start = ContinuousClock.now
  private var latest: Reading?
  /// When there was no pause. For those who have no limit.
  private var noPause: Duration?
  /// What this machine's clock is ahead of the database's; each answer bounds it from both sides.
  private var ahead: Duration?

  /// - Parameters:
  ///   - origin: callers with the same origin share its budget.
  ///   - windows: empty for no limit but pauses: then others do not count this process's requests. Other processes may
  ///     have others.
  ///   - pauseReading: without a limit, how old what is known of a pause may be.
  package init(
    _ database: Database, origin: String, windows: [RateWindow], pauseReading: Duration = Limits.pauseReading
  ) {
    self.pauseReading = pauseReading
    self.database = database
    self.origin = origin
    self.windows = windows
    slack = RateWindow.slack(of: windows)
  }

  package func take() async throws -> Duration {
    guard !windows.isEmpty else { return try await pauseOfOthers() }
    let previous = latest
    let (wait, reading) = try await database.statement { [origin, windows, start] connection in
      // Read here, once the connection is reserved: waiting for it is not part of the answer.
      let sent = start.duration(to: .now)
      let result = try connection.query(
        "SELECT wait, reading FROM sync.take_permit($1, $2, $3, $4, $5, $6)",
        [
          .text(origin), .ints(windows.map { Int64($0.requests) }), .ints(windows.map(\.interval.microseconds)),
          .int(Limits.longestPermitWait.microseconds), previous.map { .int($0.database.microseconds) } ?? .null,
          previous.map { .int((sent - $0.received).microseconds) } ?? .null,
        ])
      let received = start.duration(to: .now)
      return (
        Duration.microseconds(try result.int(row: 0, column: 0) ?? 0),
        Reading(database: .microseconds(try result.int(row: 0, column: 1) ?? 0), sent: sent, received: received)
      )
    }
    return moment(of: reading) + wait - start.duration(to: .now)
  }

  /// When the database's clock was read, by this machine's.
  private func moment(of reading: Reading) -> Duration {
    let (earliest, latest) = (reading.sent - reading.database, reading.received - reading.database)
    let ahead = min(max(self.ahead ?? latest, earliest), latest)
    self.ahead = ahead
    self.latest = reading
    return reading.database + ahead
  }

  package func pause(for duration: Duration) async throws {
    try await database.statement { [origin] connection in
      _ = try connection.query("SELECT sync.pause_origin($1, $2)", [.text(origin), .int(duration.microseconds)])
    }
  }

  /// Without a limit, requests follow each other in milliseconds: what others have announced is read from time to time.
  private func pauseOfOthers() async throws -> Duration {
    let now = start.duration(to: .now)
    if let noPause, now < noPause + pauseReading { return .zero }
    let left = try await pauseLeft()
    noPause = left > .zero ? nil : now
    return left
  }

  package func pauseLeft() async throws -> Duration {
    let left = try await database.statement { [origin] connection in
      try connection.query("SELECT sync.pause_left($1)", [.text(origin)]).int(row: 0, column: 0)
    }
    return .microseconds(left ?? 0)
  }
}
