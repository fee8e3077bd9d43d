import LibPQ
import SyncCore

/// Every item that a run saw must have exactly one outcome.
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
  /// A row without a key has the number of compared rows.
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
  /// A hash in the format of `to_jsonb` for `bytea`.
  var json: String { "\"\\\\x\(hexadecimal)\"" }
}
