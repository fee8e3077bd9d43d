import LibPQ
package import SyncCore

/// The figures for monitoring, read in one transaction. All times are the database's, in seconds since 1970.
package struct MirrorFigures: Sendable {
  /// A stream's freshness and latest run. `wholeAt` is the time when the stream was last complete, and `age` is the
  /// time since `wholeAt` in seconds. `entries` is the length of the published list; `nil` without one.
  ///
  /// `pausedUntil` is the end of the service's pause, or `nil` without a pause.
  package struct Stream: Sendable {
    package let source: String
    package let name: String
    /// Seconds since 1970; `nil` if the stream was never complete.
    package let wholeAt: Double?
    package let age: Double?
    package let entries: Int?
    /// Seconds since 1970.
    package let pausedUntil: Double?
    /// The latest run, except interrupted runs and runs stopped by `--max-pages`. Failed runs after a run that a guard
    /// stopped do not count.
    package let lastRun: EndedRun?
  }

  /// A run that is not in progress. `isHeld` means that a safety guard stopped the run. `isConfirmable` means that
  /// `--confirm-vanish` can continue it. `error` is a reason for the user; `nil` for a run without a problem.
  package typealias EndedRun = (id: String, status: RunStatus, isHeld: Bool, isConfirmable: Bool, error: String?)

  /// A registered job's state. `lastSuccessAt` is in seconds since 1970; `nil` if no run has succeeded. `error` is the
  /// error of the latest run that ended or failed; `nil` if it has none.
  package struct Job: Sendable {
    package let name: String
    /// The delay of the oldest due run in seconds; 0 if no run is due.
    package let lag: Double
    package let isRunning: Bool
    package let lastSuccessAt: Double?
    package let isPaused: Bool
    /// Seconds since 1970.
    package let registeredAt: Double
    package let error: String?
  }

  /// A source's latest stored verification: `at`, the time when it was stored, in seconds since 1970, and the number of
  /// differences that it found. `mode` is always `local`, because the modes of earlier versions are omitted.
  package struct Verified: Sendable {
    package let source: String
    package let mode: String
    package let at: Double
    package let differences: Int
  }

  package let now: Double
  package let streams: [Stream]
  package let jobs: [Job]
  package let verified: [Verified]

  /// Reads the figures of all streams, registered jobs and sources with a verification, sorted by their names.
  package static func read(_ database: Database) async throws -> MirrorFigures {
    try await database.read { connection in
      let streams = try connection.query(QuerySQL.text("stream_figures")).map { try Self.stream($0) }
      let jobs = try connection.query(QuerySQL.text("job_figures")).map { row in
        Job(
          name: try row.text(0) ?? "", lag: try row.double(1) ?? 0, isRunning: try row.bool(2) ?? false,
          lastSuccessAt: try row.double(3), isPaused: try row.bool(4) ?? false, registeredAt: try row.double(5) ?? 0,
          error: try row.text(6))
      }
      let verified = try connection.query(QuerySQL.text("verification_figures")).map { row in
        Verified(
          source: try row.text(0) ?? "", mode: try row.text(1) ?? "", at: try row.double(2) ?? 0,
          differences: Int(try row.int(3) ?? 0))
      }
      let now = try connection.query("SELECT extract(epoch FROM clock_timestamp())::double precision")
        .first { try $0.double(0) }
      return MirrorFigures(now: (now ?? nil) ?? 0, streams: streams, jobs: jobs, verified: verified)
    }
  }

  /// Returns an entry for each source whose request for its index has failed since its last success. The index is the
  /// service's list of streams; in the entries, it is a stream with the name `StoredIndex.stream`.
  ///
  /// The entries contain only a run and a pause, because an index is not published.
  /// - Parameter budgets: the configured services, whose origins determine the pauses.
  package static func failedIndexes(_ database: Database, _ budgets: [RequestLimits.Budget]) async throws -> [Stream] {
    try await database.read { connection in
      try connection.query(
        QuerySQL.text("failed_indexes"),
        [.text(StoredIndex.stream), .texts(budgets.map { $0.source }), .texts(budgets.map { $0.origin })]
      ).map { try Self.stream($0) }
    }
  }

  private static func stream(_ row: borrowing PGRow) throws -> Stream {
    Stream(
      source: try row.text(0) ?? "", name: try row.text(1) ?? "", wholeAt: try row.double(2), age: try row.double(3),
      entries: try row.int(4).map { Int($0) }, pausedUntil: try row.double(5), lastRun: try Self.endedRun(row))
  }

  private static func endedRun(_ row: borrowing PGRow) throws -> EndedRun? {
    guard let id = try row.text(6) else { return nil }
    let status = RunStatus(rawValue: try row.text(7) ?? "") ?? .failed
    return (id, status, try row.bool(8) ?? false, try row.bool(9) ?? false, try row.text(10))
  }
}
