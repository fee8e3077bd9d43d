import LibPQ
import SyncCore

/// How long the history of the rankings is kept. The database has it in a table of the owner's, so that who writes the
/// mirror cannot drop what was mirrored.
package struct HistoryRetention: Sendable, Equatable, CustomStringConvertible {
  /// Nil: forever.
  package let days: Int?

  package init(days: Int?) { self.days = days }

  package var description: String { days.map { "\($0) days" } ?? "forever" }

  /// The outcome of a wish.
  package enum Outcome: Sendable, Equatable {
    case asBefore
    case set(before: HistoryRetention)
    /// The role may not; what is kept stays.
    case denied(kept: HistoryRetention)
  }

  /// Has the database keep the history so long, if the connected role is the owner of that decision.
  package func set(in database: Database) async throws -> Outcome {
    let days = days.map { Int64($0) }.map { PGParameter.int($0) } ?? .null
    let (kept, mayWrite) =
      try await database.read { connection in
        try connection.query(QuerySQL.text("retention", of: "jikan")).first {
          (HistoryRetention(days: try $0.int(0).map { Int($0) }), try $0.bool(1) ?? false)
        }
      } ?? (HistoryRetention(days: nil), false)
    if kept == self { return .asBefore }
    guard mayWrite else { return .denied(kept: kept) }
    try await database.write { connection in
      _ = try connection.query(
        "UPDATE jikan.ranking_retention SET kept_days = $1::integer, set_at = clock_timestamp()", [days])
    }
    return .set(before: kept)
  }
}
