import LibPQ
import SyncCore

/// The kinds of rows that `Upkeep.dropOldRows` deletes after a retention period. The periods are stored in the table
/// `sync.retention`, which only the owner of the tables can change.
package enum Retention: String, Sendable, CaseIterable {
  case runs
  /// Items that the last complete walk has not quarantined again.
  case quarantine
  /// Searches and lookups from the command line, with their results. The found items stay.
  case searches
  case lookups
  case results

  /// The default; `nil` means forever.
  package var standard: Duration? {
    switch self {
    case .runs, .quarantine: .seconds(400 * 86_400)
    case .searches: .seconds(90 * 86_400)
    case .lookups, .results: nil
    }
  }

  /// Stores the retention periods that differ from the stored periods. `nil` days mean forever. Kinds without an
  /// element keep their periods.
  /// - Returns: a sentence for the user about each difference; empty without one. If the role cannot change
  ///   `sync.retention`, nothing is changed, and the sentences say so.
  package static func set(_ periods: [(Retention, days: Int?)], in database: Database) async throws -> [String] {
    guard !periods.isEmpty else { return [] }
    let (kept, mayWrite) = try await database.read { connection in
      let rows = try connection.query("SELECT name, kept_days FROM sync.retention").map { row in
        (try row.text(0) ?? "", try row.int(1).map { Int($0) })
      }
      let right = try connection.isTrue("SELECT has_table_privilege('sync.retention', 'UPDATE')")
      return (Dictionary(rows, uniquingKeysWith: { first, _ in first }), right)
    }

    let changes = periods.filter { kept[$0.0.rawValue] != .some($0.days) }

    guard mayWrite else {
      return changes.map { name, days in
        "retention.\(name.rawValue) stays \(text(kept[name.rawValue] ?? nil)), not \(text(days)) as configured: only the "
          + "owner of the database can change it (syncctl migrate)"
      }
    }

    try await database.write { connection in
      for (name, days) in changes {
        _ = try connection.query(
          "UPDATE sync.retention SET kept_days = $2::integer, set_at = clock_timestamp() WHERE name = $1",
          [.text(name.rawValue), .int(days.map(Int64.init))])
      }
    }

    return changes.map { name, days in
      "retention.\(name.rawValue) is now \(text(days)), before: \(text(kept[name.rawValue] ?? nil))"
    }
  }

  private static func text(_ days: Int?) -> String { days.map { "\($0) days" } ?? "forever" }
}
