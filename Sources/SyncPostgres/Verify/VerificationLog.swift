import LibPQ
package import SyncCore

package struct VerificationRecord: Sendable {
  package let source: SourceID
  package let streams: [String]?
  package let time: Duration
  package let outcome: Verification.Outcome
  package var repaired: Repair.Outcome

  package init(
    source: SourceID, streams: [String]?, time: Duration, outcome: Verification.Outcome, repaired: Repair.Outcome
  ) {
    self.source = source
    self.streams = streams
    self.time = time
    self.outcome = outcome
    self.repaired = repaired
  }

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

extension Verification.Checked {
  package var json: String {
    let members = [
      "\"documents\": \(documents)", "\"bytes\": \(bytes)", "\"lists\": \(lists)", "\"entries\": \(entries)",
      "\"lists_without_digest\": \(listsWithoutDigest)", "\"intervals\": \(intervals)", "\"runs\": \(runs)",
      "\"longest_snapshot_seconds\": \((longestSnapshot / .milliseconds(1)).rounded() / 1000)",
    ]
    return "{\(members.joined(separator: ", "))}"
  }
}
