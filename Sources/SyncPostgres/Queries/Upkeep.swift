import LibPQ
import SyncCore

/// Work on the tables after a run, limited in time.
package enum Upkeep {
  /// Analyzes the mirror's tables that have rows but were never analyzed. Skips tables that the role cannot analyze.
  /// After `time`, the remaining tables are skipped.
  /// - Throws: `SyncError` if the analysis of a table fails or exceeds `time`. Earlier tables stay analyzed.
  package static func analyzeNewTables(in database: Database, within time: Duration = Limits.upkeepTime) async throws {
    let end = ContinuousClock.now + time
    for table in try await database.rows(QuerySQL.text("never_analyzed")).rows.compactMap(\.first) {
      guard let table, let bounds = bounds(until: end) else { continue }
      try await database.write(bounds: bounds, confirm: { _, _ in false }) { connection in
        _ = try connection.query(SQL(trusted: "ANALYZE \(table)"))
      }
    }
  }

  /// Deletes rows that are older than `sync.retention` allows, and returns their number.
  ///
  /// Each slice is a transaction that deletes at most `slice` rows of each kind. At most `slices` begin, and none
  /// begins after `time`, so old rows can remain.
  /// - Throws: `SyncError` if a slice exceeds `time`, or `.permission` if the role cannot execute `sync.drop_old`. The
  ///   rows of earlier slices stay deleted.
  @discardableResult
  package static func dropOldRows(
    in database: Database, slices: Int = Limits.retentionSlices, slice: Int = Limits.retentionSlice,
    within time: Duration = Limits.upkeepTime
  ) async throws -> Int {
    let end = ContinuousClock.now + time
    var total = 0
    for _ in 0..<slices {
      guard let bounds = bounds(until: end) else { break }
      let dropped = try await database.write(bounds: bounds, confirm: { _, _ in false }) { connection in
        try connection.query("SELECT sync.drop_old($1::integer)", [.int(Int64(slice))]).int(row: 0, column: 0) ?? 0
      }
      guard dropped > 0 else { break }
      total += Int(dropped)
    }
    return total
  }

  private static func bounds(until end: ContinuousClock.Instant) -> TransactionBounds? {
    let remaining = end - .now
    return remaining > .milliseconds(1) ? TransactionBounds(statement: remaining) : nil
  }
}
