import LibPQ
import SyncCore

/// The sums of the ledger: every item that a run saw has one outcome.
enum LedgerVerification {
  static func differences(
    of source: SourceID, streams: [String]?, _ connection: borrowing PGConnection
  ) throws -> (runs: Int, differences: [MirrorDifference]) {
    let rows = try connection.query(
      QuerySQL.text("verify_ledger"), [.text(source.rawValue), streams.map { .texts($0) } ?? .null]
    ).map { row in
      ListVerification.Fault(
        key: try row.text(0), column: try row.text(1), stored: try row.text(2), expected: try row.text(3))
    }
    let found = ListVerification.Fault.split(rows, of: "sync.run", remedy: .none)
    return (found.count, found.differences)
  }
}
