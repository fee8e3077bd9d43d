import LibPQ
package import SyncCore

/// An origin's request budget, shared by all processes that use one database. `database` must be a separate connection,
/// so that permits do not wait for other transactions.
package actor PostgresRateBudget: RateBudget {
  private let database: Database
  private let origin: String
  private let windows: [RateWindow]
  private let pauseReading: Duration
  package nonisolated let slack: Duration?

  private typealias Reading = (database: Duration, sent: Duration, received: Duration)

  private let start = ContinuousClock.now
  private var latest: Reading?
  private var noPause: Duration?
  /// This machine's time minus the database's time.
  private var ahead: Duration?

  /// Creates the budget of an origin. Reads nothing yet.
  /// - Parameters:
  ///   - origin: The scheme, host and port, without the scheme's default port, as `Origin.server(of:)` returns them.
  ///   - windows: Empty for an origin without limits. Requests to this origin are not counted, but its pauses apply.
  ///   - pauseReading: The time between two queries for pauses, for an origin without limits.
  package init(
    _ database: Database, origin: String, windows: [RateWindow], pauseReading: Duration = Limits.pauseReading
  ) {
    self.pauseReading = pauseReading
    self.database = database
    self.origin = origin
    self.windows = windows
    slack = RateWindow.slack(of: windows)
  }

  /// Reserves a permit in the database, unless the wait exceeds `Limits.longestPermitWait`. Without windows, reserves
  /// nothing, and the wait is the remaining pause.
  ///
  /// If an origin without windows has no pause, the database is asked again only after `pauseReading`.
  ///
  /// After a lost connection, a permit can be reserved twice, because the statement runs again.
  package func take() async throws -> RatePermit {
    guard !windows.isEmpty else { return RatePermit(wait: try await pauseOfOthers(), time: nil) }
    let previous = latest
    let (wait, reading) = try await database.statement { [origin, windows, start] connection in
      // The clock is read after the wait for the connection, because this wait is not part of the reply's duration.
      let sent = start.duration(to: .now)
      let result = try connection.query(
        "SELECT wait, reading FROM sync.take_permit($1, $2, $3, $4, $5, $6)",
        [
          .text(origin), .ints(windows.map { Int64($0.requests) }), .ints(windows.map(\.interval.microseconds)),
          .int(Limits.longestPermitWait.microseconds), .int(previous?.database.microseconds),
          .int(previous.map { (sent - $0.received).microseconds }),
        ])
      let received = start.duration(to: .now)
      let reading: Reading = (.microseconds(try result.int(row: 0, column: 1) ?? 0), sent, received)
      return (Duration.microseconds(try result.int(row: 0, column: 0) ?? 0), reading)
    }
    return RatePermit(
      wait: moment(of: reading) + wait - start.duration(to: .now),
      time: wait > Limits.longestPermitWait ? nil : reading.database + wait)
  }

  /// Returns an unused permit to the database. This is a transaction, because a statement that runs twice could also
  /// return the permit of another process for the same time.
  package func giveBack(_ permit: RatePermit) async throws {
    guard let time = permit.time else { return }
    try await database.write { [origin] connection in
      _ = try connection.query("SELECT sync.return_permit($1, $2)", [.text(origin), .int(time.microseconds)])
    }
  }

  private func moment(of reading: Reading) -> Duration {
    let (earliest, latest) = (reading.sent - reading.database, reading.received - reading.database)
    let ahead = min(max(self.ahead ?? latest, earliest), latest)
    self.ahead = ahead
    self.latest = reading
    return reading.database + ahead
  }

  /// Records in the database that the origin pauses for this duration from now, for all processes that use it. A
  /// shorter pause does not end a longer pause.
  package func pause(for duration: Duration) async throws {
    try await database.statement { [origin] connection in
      _ = try connection.query("SELECT sync.pause_origin($1, $2)", [.text(origin), .int(duration.microseconds)])
    }
  }

  private func pauseOfOthers() async throws -> Duration {
    let now = start.duration(to: .now)
    if let noPause, now < noPause + pauseReading { return .zero }
    let remaining = try await remainingPause()
    noPause = remaining > .zero ? nil : now
    return remaining
  }

  /// Reads the origin's remaining pause from the database, whichever process began it. Zero without a pause.
  package func remainingPause() async throws -> Duration {
    let remaining = try await database.statement { [origin] connection in
      try connection.query("SELECT sync.pause_left($1)", [.text(origin)]).int(row: 0, column: 0)
    }
    return .microseconds(remaining ?? 0)
  }
}
