import LibPQ
import SyncCore

/// The sums of the ledger: every item that a run saw has one outcome.
enum LedgerVerification {
  static func differences(
    of source: SourceID, streams: [String]?, _ connection: borrowing PGConnection
  ) throws -> (count: Int, differences: [MirrorDifference]) {
    try MirrorDifference.lasting(
      connection.query(
        QuerySQL.text("verify_ledger"), [.text(source.rawValue), streams.map { .texts($0) } ?? .null]),
      of: "sync.run")
  }
}

extension MirrorDifference {
  /// The rows of a statement that says in a row without a key how much it has looked at. Nothing repairs what it finds.
  static func lasting(
    _ result: borrowing PGResult, of table: String
  ) throws -> (count: Int, differences: [MirrorDifference]) {
    var count = 0
    let differences = try result.map { row -> MirrorDifference? in
      guard let key = try row.text(0) else {
        count = try row.text(2).flatMap { Int($0) } ?? 0
        return nil
      }
      return MirrorDifference(
        table: table, key: key, column: try row.text(1), stored: try row.text(2), expected: try row.text(3),
        remedy: .none)
    }
    return (count, differences.compactMap(\.self))
  }
}

extension [UInt8] {
  /// A hash as `to_jsonb` of a `bytea` writes it.
  var json: String { "\"\\\\x\(hexadecimal)\"" }
}
