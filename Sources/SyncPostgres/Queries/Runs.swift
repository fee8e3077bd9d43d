import LibPQ
package import SyncCore

/// What the ledger and the stream states answer.
package enum Runs {
  /// Every stream: when it was last seen whole, and how its latest run ended.
  package static func status(_ database: Database) async throws -> RowSet {
    try await database.rows(
      """
      SELECT s.source, s.stream, f.whole_at AS last_complete_at, p.entries, p.consistent, r.status AS last_run,
             r.started_at, r.rows_seen, r.inserted, r.updated, r.unchanged, s.cursor AS resumes_after_page, s.provider,
             s.origin
      FROM sync.stream_state s
      LEFT JOIN sync.stream_freshness f ON f.source = s.source AND f.stream = s.stream
      LEFT JOIN sync.publication p ON p.source = s.source AND p.list = s.stream
      LEFT JOIN LATERAL (
        SELECT * FROM sync.run r WHERE r.source = s.source AND r.stream = s.stream ORDER BY r.started_at DESC LIMIT 1
      ) r ON true
      ORDER BY s.source, s.stream
      """)
  }

  /// How far the streams have come for this run of a job, by whatever worker: how their latest runs ended.
  package static func latest(of job: JobRunKey, in database: Database) async throws -> [StreamID: RunStatus] {
    try await database.read { connection in
      let rows = try connection.query(
        """
        SELECT DISTINCT ON (source, stream) source, stream, status FROM sync.run
        WHERE job = $1 AND job_nominal_at = to_timestamp($2) AND stream <> $3
        ORDER BY source, stream, started_at DESC
        """, [.text(job.job), .double(Double(job.nominalAt)), .text(KnownIndex.stream)]
      ).map { row in
        let stream = StreamID(source: SourceID(rawValue: try row.text(0) ?? ""), name: try row.text(1) ?? "")
        return (stream, RunStatus(rawValue: try row.text(2) ?? "") ?? .failed)
      }
      return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }
  }

  /// The latest runs, newest first.
  package static func list(_ database: Database, limit: Int) async throws -> RowSet {
    try await database.rows(
      """
      SELECT id, source, stream, status, started_at,
             round(extract(epoch FROM finished_at - started_at), 1) AS duration_seconds,
             pages, requests, rows_seen, inserted, updated, unchanged, duplicates, quarantined
      FROM sync.run ORDER BY started_at DESC, id LIMIT $1
      """, [.int(Int64(limit))])
  }

  /// The run whose id begins with `prefix`, with every column; the latest run if nil.
  ///
  /// - Throws: `SyncError` `.missing` if there is none, `.usage` if there are several.
  package static func show(_ database: Database, prefix: String?) async throws -> RowSet {
    let found = try await database.rows(
      """
      SELECT id, source, stream, status, started_at, finished_at, pages, requests, retries, not_modified, rows_seen,
             inserted, updated, documents_updated, unchanged, duplicates, quarantined, repaired, vanished,
             fresh, permits_waited, waited_ms, bytes, wal_bytes, certificate, error, warning
      FROM sync.run
      WHERE $1::text IS NULL OR starts_with(id::text, lower($1::text))
      ORDER BY started_at DESC, id LIMIT 2
      """, [prefix.map { .text($0) } ?? .null])
    if found.rows.isEmpty {
      throw SyncError(
        .missing, prefix.map { "no run whose id begins with \(Excerpt.of($0, scalars: 40))" } ?? "no run yet",
        hint: "syncctl runs lists them")
    }
    guard prefix == nil || found.rows.count == 1 else {
      throw SyncError(
        .usage, "several runs begin with \(Excerpt.of(prefix ?? "", scalars: 40))", hint: "give more of the id")
    }
    return found.first
  }
}

extension Runs {
  /// The items in quarantine that a run met, as the quarantine has them now; `prefix` as in `show`.
  package static func quarantine(_ database: Database, prefix: String?) async throws -> RowSet {
    let run = try await show(database, prefix: prefix)
    let id = run.columns.firstIndex { $0.name == "id" }.flatMap { run.rows.first?[$0] }
    return try await database.rows(
      """
      SELECT q.item, q.reason, q.detail, q.count, q.first_at, q.last_at, q.raw AS excerpt
      FROM sync.run_quarantine m JOIN sync.run r ON r.id = m.run_id
      JOIN sync.quarantine q USING (source, stream, item, reason)
      WHERE m.run_id = $1::uuid
      ORDER BY q.reason, length(q.item), q.item
      """, [id.map { .text($0) } ?? .null])
  }
}

extension RowSet {
  /// The same columns with the first row alone.
  fileprivate var first: RowSet { RowSet(columns: columns, rows: Array(rows.prefix(1))) }
}
