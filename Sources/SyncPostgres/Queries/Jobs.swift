import LibPQ
import SyncCore

/// What people ask and say about jobs.
package enum Jobs {
  /// Every job that a worker ever registered, with its latest run.
  package static func list(_ database: Database) async throws -> RowSet {
    try await database.rows(
      """
      SELECT j.name AS job, j.source, to_json(j.streams) AS streams, j.schedule, j.time_zone,
             CASE WHEN open.state = 'running' THEN 'running' WHEN j.paused_at IS NOT NULL THEN 'paused'
                  WHEN open.state = 'waiting' THEN 'waiting' ELSE 'idle' END AS state,
             open.nominal_at AS open_nominal_at, open.due_at, open.attempts, open.owner->>'host' AS worker,
             last.nominal_at AS last_nominal_at, last.outcome AS last_outcome, last.ended_at AS last_ended_at,
             round(extract(epoch FROM last.ended_at - last.started_at), 1) AS last_seconds,
             last.error AS last_error, j.paused_at, j.scheduled_until
      FROM sync.job j
      LEFT JOIN LATERAL (
        SELECT * FROM sync.job_run r WHERE r.job = j.name AND r.state <> 'ended'
        ORDER BY r.state, r.nominal_at LIMIT 1
      ) open ON true
      LEFT JOIN LATERAL (
        SELECT * FROM sync.job_run r WHERE r.job = j.name AND r.state = 'ended' AND r.outcome <> 'superseded'
        ORDER BY r.ended_at DESC LIMIT 1
      ) last ON true
      ORDER BY j.name
      """)
  }

  /// Its times pass unseen from now on, and what has not begun does not begin; a run that has begun continues.
  ///
  /// - Returns: false if it was paused already.
  /// - Throws: `SyncError` `.missing` if there is no such job.
  package static func pause(_ name: String, in database: Database) async throws -> Bool {
    try await change(
      name,
      """
      WITH waiting AS (
        UPDATE sync.job_run SET state = 'ended', outcome = 'superseded', ended_at = clock_timestamp()
        WHERE job = $1 AND state = 'waiting' AND triggered_by = 'schedule' AND attempts = 0
      )
      UPDATE sync.job SET paused_at = clock_timestamp() WHERE name = $1 AND paused_at IS NULL
      """, in: database)
  }

  /// Times that have passed meanwhile are not made up for.
  ///
  /// - Returns: false if it was not paused.
  /// - Throws: `SyncError` `.missing` if there is no such job.
  package static func resume(_ name: String, in database: Database) async throws -> Bool {
    try await change(
      name,
      """
      UPDATE sync.job SET paused_at = NULL, scheduled_until = clock_timestamp()
      WHERE name = $1 AND paused_at IS NOT NULL
      """, in: database)
  }

  /// Has the next worker that looks run it, whatever its schedule says; a paused one too.
  ///
  /// - Returns: the time that stands for the run; nil if one waits already.
  /// - Throws: `SyncError` `.missing` if there is no such job.
  package static func trigger(_ name: String, in database: Database) async throws -> String? {
    try await database.write(confirm: { _, _ in false }) { connection in
      try check(name, connection)
      return try connection.query(
        """
        INSERT INTO sync.job_run (job, nominal_at, due_at, triggered_by)
        -- A time of its own, even in a second that the schedule has.
        SELECT $1, greatest(date_trunc('second', clock_timestamp()), (SELECT max(nominal_at) + '1 s' FROM sync.job_run
                                                                      WHERE job = $1)), clock_timestamp(), 'person'
        WHERE NOT EXISTS (
          SELECT FROM sync.job_run WHERE job = $1 AND state = 'waiting' AND triggered_by = 'person')
        ON CONFLICT DO NOTHING
        RETURNING to_char(nominal_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
        """, [.text(name)]
      ).first { try $0.text(0) ?? "" }
    }
  }

  private static func change(_ name: String, _ sql: SQL, in database: Database) async throws -> Bool {
    try await database.write(confirm: { _, _ in false }) { connection in
      try check(name, connection)
      return try connection.query(sql, [.text(name)]).affectedRows == 1
    }
  }

  private static func check(_ name: String, _ connection: borrowing PGConnection) throws {
    let names = try connection.query("SELECT name FROM sync.job ORDER BY name").map { try $0.text(0) ?? "" }
    guard !names.contains(name) else { return }
    throw SyncError(
      .missing, "there is no job \(Excerpt.of(name, scalars: 60))",
      hint: Suggestion.nearest(to: name, among: names).map { "did you mean \($0)?" }
        ?? "a worker makes the jobs of its configuration known when it starts; syncctl jobs list")
  }
}

/// What is measured of the mirror as a whole, whoever has filled it.
package struct MirrorFigures: Sendable {
  package struct Stream: Sendable {
    package let source: String
    package let name: String
    /// Seconds since 1970 as of which it is known to be whole; nil if it never was.
    package let wholeAt: Double?
    package let age: Double?
    package let entries: Int?
  }

  package struct Job: Sendable {
    package let name: String
    /// Seconds since the oldest run that is due should have begun; 0 if none waits.
    package let lag: Double
    package let isRunning: Bool
    /// Seconds since 1970.
    package let lastSuccessAt: Double?
    package let isPaused: Bool
    /// When a worker last found it new or changed; seconds since 1970.
    package let registeredAt: Double
  }

  /// Seconds since 1970, by the server's clock.
  package let now: Double
  package let streams: [Stream]
  package let jobs: [Job]

  package static func read(_ database: Database) async throws -> MirrorFigures {
    try await database.read { connection in
      let streams = try connection.query(
        """
        SELECT s.source, s.stream, extract(epoch FROM f.whole_at)::double precision,
               extract(epoch FROM clock_timestamp() - f.whole_at)::double precision, p.entries
        FROM sync.stream_state s
        LEFT JOIN sync.stream_freshness f ON f.source = s.source AND f.stream = s.stream
        LEFT JOIN sync.publication p ON p.source = s.source AND p.list = s.stream
        ORDER BY s.source, s.stream
        """
      ).map { row in
        Stream(
          source: try row.text(0) ?? "", name: try row.text(1) ?? "", wholeAt: try row.double(2),
          age: try row.double(3), entries: try row.int(4).map { Int($0) })
      }
      let jobs = try connection.query(
        """
        SELECT j.name,
               coalesce((SELECT greatest(0, extract(epoch FROM clock_timestamp() - min(r.due_at)))::double precision
                         FROM sync.job_run r WHERE r.job = j.name AND r.state = 'waiting'
                           AND (j.paused_at IS NULL OR r.triggered_by = 'person')), 0),
               EXISTS (SELECT FROM sync.job_run r
                       WHERE r.job = j.name AND r.state = 'running' AND r.lease_expires_at > clock_timestamp()),
               (SELECT extract(epoch FROM max(r.ended_at))::double precision FROM sync.job_run r
                WHERE r.job = j.name AND r.state = 'ended' AND r.outcome = 'done'),
               j.paused_at IS NOT NULL, extract(epoch FROM j.registered_at)::double precision
        FROM sync.job j ORDER BY j.name
        """
      ).map { row in
        Job(
          name: try row.text(0) ?? "", lag: try row.double(1) ?? 0, isRunning: try row.bool(2) ?? false,
          lastSuccessAt: try row.double(3), isPaused: try row.bool(4) ?? false, registeredAt: try row.double(5) ?? 0)
      }
      let now = try connection.query("SELECT extract(epoch FROM clock_timestamp())::double precision")
        .first { try $0.double(0) }
      return MirrorFigures(now: (now ?? nil) ?? 0, streams: streams, jobs: jobs)
    }
  }
}
