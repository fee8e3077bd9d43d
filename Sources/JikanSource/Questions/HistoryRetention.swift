import LibPQ
import SyncCore
import SyncPostgres
import SyncProgram

/// The time for which the history of rankings is kept. Only the database's owner can change this time, so a worker
/// cannot drop history.
struct HistoryRetention: Sendable, Equatable, CustomStringConvertible {
  let days: Int?

  init(days: Int?) { self.days = days }

  var description: String { days.map { "\($0) days" } ?? "forever" }

  enum Change: Sendable, Equatable {
    case unchanged
    case set(before: HistoryRetention)
    case denied(kept: HistoryRetention)
  }

  func set(in database: Database) async throws -> Change {
    let days = PGParameter.int(days.map { Int64($0) })
    let (kept, mayWrite) =
      try await database.read { connection in
        try connection.query(QuerySQL.text("retention", of: "jikan")).first {
          (HistoryRetention(days: try $0.int(0).map { Int($0) }), try $0.bool(1) ?? false)
        }
      } ?? (HistoryRetention(days: nil), false)
    if kept == self { return .unchanged }
    guard mayWrite else { return .denied(kept: kept) }
    try await database.write { connection in
      _ = try connection.query(
        "UPDATE jikan.ranking_retention SET kept_days = $1::integer, set_at = clock_timestamp()", [days])
    }
    return .set(before: kept)
  }
}

extension HistoryConfiguration {
  var keeping: HistoryRetention? {
    retention.origin == .standard ? nil : HistoryRetention(days: retention.value?.wholeDays)
  }

  func storeRetention(in database: Database, _ report: (String) -> Void) async throws {
    guard let configured = keeping else { return }
    switch try await configured.set(in: database) {
    case .unchanged: break
    case .set(let before): report("the history of the rankings is now kept \(configured) (before: \(before))")
    case .denied(let kept):
      report(
        "the history of the rankings is kept \(kept) and not \(configured) as configured: only the owner of the "
          + "database can change it (syncctl migrate)")
    }
  }
}
