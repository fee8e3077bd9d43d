import Foundation
import LibPQ
package import SyncCore

/// The stored index of each source, in `sync.source_index`. A dry store reads the index, but writes nothing.
package struct PostgresIndexStore: IndexStore {
  private let database: Database
  private let isDry: Bool
  private let job: JobRunKey?
  private let invocation: String?

  /// Creates a store of indexes.
  /// - Parameters:
  ///   - isDry: Whether `record` writes nothing.
  ///   - job: The run of a job that the ledger names; `nil` for a user's command.
  ///   - invocation: The id that all runs of one command have in the ledger.
  package init(_ database: Database, isDry: Bool = false, job: JobRunKey? = nil, invocation: String? = nil) {
    self.database = database
    self.isDry = isDry
    self.job = job
    self.invocation = invocation
  }

  /// Returns the stored index. Omits the build of a stream with an unfinished walk, so that the walk continues.
  package func index(of source: SourceID, origin: String) async throws -> StoredIndex {
    try await database.read { connection in
      let streams = try connection.texts(
        "SELECT unnest(streams) FROM sync.source_index WHERE source = $1 AND origin = $2",
        [.text(source.rawValue), .text(origin)])
      // A stream whose walk has not ended is walked on, also if all of its build is mirrored.
      let builds = try connection.query(
        """
        SELECT s.stream, s.build FROM sync.stream_state s
        WHERE s.source = $1 AND s.origin = $2 AND s.build IS NOT NULL
          AND NOT EXISTS (SELECT FROM sync.walk w WHERE w.id = s.walk_id AND w.finished_at IS NULL)
        """,
        [.text(source.rawValue), .text(origin)]
      ).map { row in (try row.text(0) ?? "", try row.text(1) ?? "") }
      return StoredIndex(streams: streams, builds: Dictionary(builds, uniquingKeysWith: { first, _ in first }))
    }
  }

  /// Returns the source's streams with a state in the database, sorted by name.
  package func streams(of source: SourceID) async throws -> [String] {
    try await database.read { connection in
      try connection.texts(
        "SELECT stream FROM sync.stream_state WHERE source = $1 ORDER BY stream", [.text(source.rawValue)])
    }
  }

  /// Writes the look as a run of its own in one transaction. A dry store writes nothing, and the report
  /// has the id `DryRunStore.runID`.
  package func record(_ look: IndexLook) async throws -> RunReport {
    let stream = StreamID(source: look.source, name: StoredIndex.stream)
    @Sendable func report(_ id: String, walBytes: Int = 0) -> RunReport {
      RunReport(
        id: id, stream: stream, status: look.status, counters: look.counters, walBytes: walBytes,
        duration: look.duration, certificate: nil, error: look.error)
    }

    guard !isDry else { return report(DryRunStore.runID) }
    let id = UUID().uuidString.lowercased()
    return try await database.write(
      confirm: { report, connection in try Ledger.has(report.id, connection) }
    ) { [job, invocation] connection in
      try Ledger.startRun(id, of: stream, walkID: nil, job: job, invocation: invocation, connection)
      let (walBytes, _) = try Ledger.closeRun(
        id, status: look.status, counters: look.counters, certificate: nil, error: look.error, isGuarded: false,
        connection)
      _ = try connection.query(
        "UPDATE sync.run SET started_at = finished_at - make_interval(secs => $2) WHERE id = $1::uuid",
        [.text(id), .double(look.duration / .seconds(1))])

      if look.status == .complete { try keep(look, connection) }
      return report(id, walBytes: walBytes)
    }
  }

  private func keep(_ look: IndexLook, _ connection: borrowing PGConnection) throws {
    _ = try connection.query(
      """
      INSERT INTO sync.source_index AS i (source, origin, build, streams)
      SELECT $1, $2, $3, coalesce($4::text[], '{}')
      -- The index is not stored if this source has published streams of another service.
      WHERE NOT EXISTS (
        SELECT FROM sync.stream_state s JOIN sync.publication p ON p.source = s.source AND p.list = s.stream
        WHERE s.source = $1 AND s.origin <> $2)
      ON CONFLICT (source) DO UPDATE SET
        origin = excluded.origin, build = excluded.build, checked_at = clock_timestamp(),
        streams = CASE WHEN $4::text[] IS NULL AND i.origin = excluded.origin THEN i.streams ELSE excluded.streams END
      """,
      [.text(look.source.rawValue), .text(look.origin), .text(look.build), look.streams.map { .texts($0) } ?? .null])
  }
}
