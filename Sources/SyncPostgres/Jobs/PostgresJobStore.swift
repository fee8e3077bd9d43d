import Foundation
import LibPQ
package import SyncCore

/// The job queue in the database. All times and leases use the database's clock.
package struct PostgresJobStore: JobStore {
  private let database: Database
  private let leaseTTL: Duration
  private let owner: LeaseOwner
  private let ownerText: String
  private let worker: WorkerIdentity?

  /// Creates a store that takes runs in the name of this process. Reads nothing from the database yet.
  /// - Parameters:
  ///   - leaseTTL: The lease of a run ends after this time without a renewal. It also limits each transaction.
  ///   - worker: The identity of a long-running worker; `nil` for other commands, which `recordWorker` does not record.
  /// - Throws: Only the error of an encoder.
  package init(_ database: Database, leaseTTL: Duration, worker: WorkerIdentity? = nil) throws {
    self.database = database
    self.leaseTTL = leaseTTL
    self.worker = worker
    var owner = LeaseOwner.current()
    owner.ttl = leaseTTL / .seconds(1)
    self.owner = owner
    ownerText = String(decoding: try JSONEncoder().encode(owner), as: UTF8.self)
  }

  /// Registers all jobs in one transaction. A known job with other settings is overwritten only if `replacing` is true;
  /// if its schedule changes, times before this call do not count as missed. An unchanged job stays as it is.
  package func register(_ jobs: [JobDescription], replacing: Bool) async throws {
    // The same order as in `record`, because also an unchanged row is locked.
    let ordered = jobs.sorted(by: Self.precedes)
    try await database.write(bounds: bounds, confirm: { _, _ in false }) { connection in
      for job in ordered {
        _ = try connection.query(
          """
          INSERT INTO sync.job AS j (name, source, streams, schedule, time_zone) VALUES ($1, $2, $3, $4, $5)
          ON CONFLICT (name) DO UPDATE SET
            source = excluded.source, streams = excluded.streams, schedule = excluded.schedule,
            time_zone = excluded.time_zone, registered_at = clock_timestamp(),
            -- A new schedule begins now. The old schedule's progress does not apply to it.
            scheduled_until = CASE WHEN (j.schedule, j.time_zone) = (excluded.schedule, excluded.time_zone)
              THEN j.scheduled_until ELSE clock_timestamp() END
          WHERE $6 AND (j.source, j.streams, j.schedule, j.time_zone)
            <> (excluded.source, excluded.streams, excluded.schedule, excluded.time_zone)
          """, Self.parameters(job) + [.bool(replacing)])
      }
    }
  }

  /// Deletes runs that ended more than `Limits.jobRunRetention` ago, and workers without a sign of life for
  /// `Limits.workerRetention`, both by the database's clock.
  package func prune() async throws {
    try await database.write(bounds: bounds, confirm: { _, _ in false }) { connection in
      _ = try connection.query(
        "DELETE FROM sync.job_run WHERE state = 'ended' AND ended_at < clock_timestamp() - make_interval(secs => $1)",
        [.double(Limits.jobRunRetention / .seconds(1))])
      _ = try connection.query(
        "DELETE FROM sync.worker WHERE greatest(last_tick_at, stopped_at) < clock_timestamp() - make_interval(secs => $1)",
        [.double(Limits.workerRetention / .seconds(1))])
    }
  }

  /// Records a sign of life or the regular end of this worker. Does nothing without a `WorkerIdentity`.
  package func recordWorker(isStopped: Bool) async throws {
    guard let worker else { return }
    try await database.write(bounds: bounds, confirm: { _, _ in false }) { [host = owner.host] connection in
      _ = try connection.query(
        """
        INSERT INTO sync.worker (id, host, version, tick_seconds, stopped_at)
        VALUES ($1::uuid, $2, $3, $4, CASE WHEN $5 THEN clock_timestamp() END)
        ON CONFLICT (id) DO UPDATE SET last_tick_at = clock_timestamp(), stopped_at = excluded.stopped_at
        """,
        [
          .text(worker.id), .text(host), .text(worker.version), .int(Limits.workerTick.components.seconds),
          .bool(isStopped),
        ])
    }
  }

  /// Returns the stored state of `jobs`, and the database's time. A job that is not registered is absent from the
  /// board.
  package func board(of jobs: [JobDescription]) async throws -> JobBoard {
    try await database.read { connection in
      let now = try connection.query("SELECT extract(epoch FROM clock_timestamp())::double precision")
        .double(row: 0, column: 0)
      let configured = Dictionary(jobs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      let rows = try connection.query(
        """
        SELECT name, source, array_to_json(streams)::text, schedule, time_zone,
               -- Someone may set an infinite time by hand. Without this CASE, the query would fail for all jobs.
               CASE scheduled_until WHEN 'infinity' THEN 9223372036854775807
                 WHEN '-infinity' THEN '-9223372036854775808'
                 ELSE floor(extract(epoch FROM scheduled_until))::bigint END, paused_at IS NOT NULL,
               (SELECT extract(epoch FROM min(r.due_at))::double precision FROM sync.job_run r
                WHERE r.job = name AND r.state = 'waiting' AND (paused_at IS NULL OR r.triggered_by = 'person'))
        FROM sync.job WHERE name = ANY($1)
        """, [.texts(jobs.map(\.name))]
      ).map { row in
        let name = try row.text(0) ?? ""
        let streams = try? JSONDecoder().decode([String].self, from: Data((try row.text(2) ?? "[]").utf8))
        let (source, schedule, timeZone) = (try row.text(1) ?? "", try row.text(3) ?? "", try row.text(4) ?? "")
        let stored = streams.map {
          JobDescription(name: name, source: source, streams: $0, schedule: schedule, timeZone: timeZone)
        }

        let entry = JobBoard.Entry(
          scheduledUntil: try row.int(5) ?? 0, isPaused: try row.bool(6) ?? false,
          isOurs: stored != nil && configured[name] == stored, nextDue: try row.double(7))
        return (name, entry)
      }

      return JobBoard(now: now ?? 0, jobs: Dictionary(rows, uniquingKeysWith: { first, _ in first }))
    }
  }

  /// Records all firings, the handled times of schedules, in one transaction. A firing has no effect if it is not later
  /// than the recorded progress, or if its job is paused or stored with other settings.
  package func record(_ firings: [JobFiring]) async throws {
    guard !firings.isEmpty else { return }
    let ordered = firings.sorted { Self.precedes($0.job, $1.job) }
    try await database.write(bounds: bounds, confirm: { _, _ in false }) { connection in
      for firing in ordered { try Self.record(firing, connection) }
    }
  }

  /// Workers lock the rows of jobs in this order, so that they never deadlock.
  private static func precedes(_ job: JobDescription, _ other: JobDescription) -> Bool {
    job.name.utf8.lexicographicallyPrecedes(other.name.utf8)
  }

  private static func record(_ firing: JobFiring, _ connection: borrowing PGConnection) throws {
    let isNews = try connection.query(
      """
      UPDATE sync.job SET scheduled_until = to_timestamp($6)
      WHERE name = $1 AND source = $2 AND streams = $3 AND schedule = $4 AND time_zone = $5
        AND scheduled_until < to_timestamp($6) AND paused_at IS NULL
      """, parameters(firing.job) + [.double(Double(firing.nominalAt))]
    ).affectedRows

    guard isNews == 1, let delay = firing.delay else { return }
    // The new run replaces scheduled runs that have not begun or wait for a retry. Interrupted runs stay, although
    // their state is also `waiting`.
    _ = try connection.query(
      """
      WITH superseded AS (
        UPDATE sync.job_run SET state = 'ended', ended_at = clock_timestamp(),
          outcome = CASE WHEN failures = 0 THEN 'superseded' ELSE 'failed' END
        WHERE job = $1 AND state = 'waiting' AND triggered_by = 'schedule' AND (attempts = 0 OR failures > 0)
        RETURNING outcome, skipped
      )
      INSERT INTO sync.job_run (job, nominal_at, due_at, triggered_by, skipped)
      SELECT $1, to_timestamp($2), to_timestamp($2) + make_interval(secs => $3), 'schedule',
             least(2147483647, $4 + (SELECT coalesce(sum(skipped::bigint + 1), 0) FROM superseded
                                     WHERE outcome = 'superseded'))
      ON CONFLICT DO NOTHING
      """,
      [
        .text(firing.job.name), .double(Double(firing.nominalAt)), .double(delay / .seconds(1)),
        .int(Int64(firing.skipped)),
      ])
  }

  /// Takes the oldest run of these jobs that is due or whose lease has expired, with a new generation and a lease of
  /// `leaseTTL`. Returns `nil` without such a run, or if another worker takes a run of the same job at the same time.
  ///
  /// A run whose worker has ended on this machine is taken before its lease expires.
  package func take(_ jobs: [String]) async throws -> TakenJobRun? {
    guard !jobs.isEmpty else { return nil }
    return try await database.write(
      bounds: bounds, confirm: { run, connection in try run.map { try Self.has($0, connection) } ?? false }
    ) { [owner, ownerText, leaseTTL] connection in
      try Self.shortenLeases(connection)
      let gone = try Self.abandoned(seenFrom: owner, connection)
      let parameters: [PGParameter] = [
        .texts(jobs), .text(ownerText), .double(leaseTTL / .seconds(1)), .texts(gone),
      ]
      do {
        return try connection.savepoint { connection in try Self.take(parameters, leaseTTL, connection) }
      } catch let error as PostgresError where error.sqlState == .uniqueViolation {
        return nil
      }
    }
  }

  private static func shortenLeases(_ connection: borrowing PGConnection) throws {
    let end = Lease.latestEnd("owner", longest: "$1")
    _ = try connection.query(
      SQL(
        trusted: """
          UPDATE sync.job_run SET lease_expires_at = \(end)
          WHERE (job, nominal_at) IN (SELECT job, nominal_at FROM sync.job_run
            WHERE state = 'running' AND lease_expires_at > \(end) FOR UPDATE SKIP LOCKED)
          """), [Lease.longest])
  }

  private static func take(
    _ parameters: [PGParameter], _ leaseTTL: Duration, _ connection: borrowing PGConnection
  ) throws -> TakenJobRun? {
    try connection.query(
      """
      WITH candidate AS (
        SELECT r.job, r.nominal_at, r.state = 'running' AS was_running
        -- A run is identified by a whole second. A time set by hand (infinite, or with a fraction) is ignored.
        FROM sync.job_run r JOIN sync.job j
          ON j.name = r.job AND isfinite(r.nominal_at) AND r.nominal_at = date_trunc('second', r.nominal_at)
        WHERE r.job = ANY($1)
          AND (r.state = 'waiting' AND r.due_at <= clock_timestamp()
               AND (j.paused_at IS NULL OR r.triggered_by = 'person')
               AND NOT EXISTS (SELECT FROM sync.job_run o WHERE o.job = r.job AND o.state = 'running')
            OR r.state = 'running'
               AND (r.lease_expires_at < clock_timestamp()
                    OR concat_ws(E'\\x1F', r.job, r.nominal_at, r.generation) = ANY($4)))
        ORDER BY r.nominal_at, r.job LIMIT 1 FOR UPDATE OF r SKIP LOCKED
      )
      UPDATE sync.job_run r SET state = 'running', owner = $2::jsonb,
        -- The fence only compares generations for equality, so the smallest number can follow the largest.
        generation = CASE WHEN generation = 9223372036854775807 THEN '-9223372036854775808' ELSE generation + 1 END,
        attempts = least(attempts, 2147483646) + 1, deaths = least(deaths, 2147483646) + was_running::integer,
        started_at = coalesce(started_at, clock_timestamp()),
        lease_expires_at = clock_timestamp() + make_interval(secs => $3)
      FROM candidate c WHERE (r.job, r.nominal_at) = (c.job, c.nominal_at)
      RETURNING r.job, extract(epoch FROM r.nominal_at)::bigint, r.generation, r.attempts, r.failures, r.deaths,
        r.skipped, extract(epoch FROM clock_timestamp() - r.nominal_at)::double precision, was_running
      """, parameters
    ).first { row in
      TakenJobRun(
        key: JobRunKey(job: try row.text(0) ?? "", nominalAt: try row.int(1) ?? 0), generation: try row.int(2) ?? 0,
        leaseTTL: leaseTTL, attempts: Int(try row.int(3) ?? 0), failures: Int(try row.int(4) ?? 0),
        deaths: Int(try row.int(5) ?? 0), skipped: Int(try row.int(6) ?? 0),
        lateness: Duration(clamping: max(0, try row.double(7) ?? 0)), isTakeover: try row.bool(8) ?? false)
    }
  }

  /// Returns the running runs of ended workers on this machine. Such a run can be taken before its lease expires.
  private static func abandoned(
    seenFrom observer: LeaseOwner, _ connection: borrowing PGConnection
  ) throws -> [String] {
    let rows = try connection.query(
      "SELECT concat_ws(E'\\x1F', job, nominal_at, generation), owner FROM sync.job_run WHERE state = 'running'"
    ).map { row in (name: try row.text(0) ?? "", owner: try row.text(1) ?? "") }
    return rows.filter { row in
      let owner = try? JSONDecoder().decode(LeaseOwner.self, from: Data(row.owner.utf8))
      return owner?.isGone(seenFrom: observer) ?? false
    }.map(\.name)
  }

  private static func has(
    _ run: TakenJobRun, in state: String = "running", _ connection: borrowing PGConnection
  ) throws -> Bool {
    try connection.isTrue(
      """
      SELECT EXISTS (SELECT FROM sync.job_run
        WHERE job = $1 AND nominal_at = to_timestamp($2) AND generation = $3 AND state = $4)
      """, key(of: run) + [.text(state)])
  }

  /// Sets the end of the lease to the run's TTL from now. Throws `JobRunLost` if another worker has taken over the run.
  package func renew(_ run: TakenJobRun) async throws {
    try await change(
      run, "lease_expires_at = clock_timestamp() + make_interval(secs => $4)", [.double(run.leaseTTL / .seconds(1))])
  }

  /// Stores the result and gives up the lease. Returns normally if this generation of the run has already ended. Throws
  /// `JobRunLost` if another worker has taken over the run.
  package func end(_ run: TakenJobRun, _ ending: JobEnding) async throws {
    do {
      try await change(
        run,
        """
        state = 'ended', owner = NULL, lease_expires_at = NULL, ended_at = clock_timestamp(),
        outcome = $4, exit_status = $5, certified = $6, error = $7
        """,
        [
          .text(ending.outcome.rawValue), .int(Int64(ending.exitStatus)), .bool(ending.isCertified),
          .text(ending.error),
        ])
    } catch let lost as JobRunLost {
      guard try await database.read({ try Self.has(run, in: "ended", $0) }) else { throw lost }
    }
  }

  /// Returns the run to the queue, where a worker can take it after `pause`. If `error` is `nil`, an earlier error
  /// stays stored. If `isFailure` is true, the run's failures increase by one. Throws `JobRunLost` if another worker
  /// has taken over the run.
  package func release(_ run: TakenJobRun, after pause: Duration, error: String?, isFailure: Bool) async throws {
    try await change(
      run,
      """
      state = 'waiting', owner = NULL, lease_expires_at = NULL,
      due_at = clock_timestamp() + make_interval(secs => $4),
      failures = least(failures, 2147483646) + $6::integer, error = coalesce($5, error)
      """, [.double(pause / .seconds(1)), .text(error), .int(isFailure ? 1 : 0)])
  }

  private func change(_ run: TakenJobRun, _ assignments: String, _ parameters: [PGParameter]) async throws {
    let sql = SQL(
      trusted: """
        UPDATE sync.job_run SET \(assignments)
        WHERE job = $1 AND nominal_at = to_timestamp($2) AND generation = $3 AND state = 'running'
        """)
    let rows = try await database.write(
      bounds: bounds,
      // If the reply was lost and this generation of the run no longer runs, the change was committed.
      confirm: { rows, connection in try rows == 1 && !Self.has(run, connection) }
    ) { connection in try connection.query(sql, Self.key(of: run) + parameters).affectedRows }
    guard rows == 1 else { throw JobRunLost(key: run.key) }
  }

  private static func key(of run: TakenJobRun) -> [PGParameter] {
    [.text(run.key.job), .double(Double(run.key.nominalAt)), .int(run.generation)]
  }

  private static func parameters(_ job: JobDescription) -> [PGParameter] {
    [.text(job.name), .text(job.source), .texts(job.streams), .text(job.schedule), .text(job.timeZone)]
  }

  /// A worker that is suspended in a transaction must not block other workers.
  private var bounds: TransactionBounds { TransactionBounds(within: leaseTTL) }
}
