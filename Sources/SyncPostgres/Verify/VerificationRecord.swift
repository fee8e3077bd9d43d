import LibPQ
package import SyncCore

/// The result of a verification and its repair, for the database. `streams` is `nil` for all streams of the source.
package struct VerificationRecord: Sendable {
  package let source: SourceID
  package let streams: [String]?
  package let time: Duration
  package let outcome: Verification.Tally
  package var repaired: Repair.Tally

  /// `time` is the duration of the verification, without its repair. `repaired` is empty if nothing was repaired.
  package init(
    source: SourceID, streams: [String]?, time: Duration, outcome: Verification.Tally, repaired: Repair.Tally
  ) {
    self.source = source
    self.streams = streams
    self.time = time
    self.outcome = outcome
    self.repaired = repaired
  }

  /// Stores the record, and deletes all but the source's latest 100 records. The database stores the time of this call
  /// as `finished_at`, and this time minus `time` as `started_at`. After a repair, both are late by its duration.
  package func keep(in database: Database) async throws {
    try await database.write { connection in
      _ = try connection.query(
        QuerySQL.text("note_verification"),
        [
          .text(source.rawValue), streams.map { .texts($0) } ?? .null, .double(time / .seconds(1)),
          .jsonb(Array(outcome.checked.json.utf8)), .int(Int64(outcome.differences)), .int(Int64(repaired.derived)),
          .int(Int64(repaired.noted)),
          .jsonb(Array("[\(outcome.first.map(\.json).joined(separator: ","))]".utf8)),
        ])
    }
  }
}
