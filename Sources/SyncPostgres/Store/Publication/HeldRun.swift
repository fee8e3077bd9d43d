import LibPQ
package import SyncCore

/// A run that a safety guard stopped.
package struct HeldRun: Sendable {
  package let id: String
  package let source: String
  package let stream: String
  package let error: String
  /// Whether the user can confirm what the guard stopped. Unusable items cannot be confirmed.
  package let isConfirmable: Bool
  private let walkID: Int64?

  /// Whether the guard stopped the run because most items of a page would lose a column.
  package var losesColumn: Bool { LostColumns.areReported(in: error) }

  package var shortID: String { String(id.prefix(8)) }

  /// Returns the run whose id begins with `prefix`.
  /// - Throws: `SyncError` `.missing` if no run has an id that begins with `prefix`, or `.usage` if several have, or if
  ///   no guard stopped the run.
  package static func read(_ prefix: String, in database: Database) async throws -> HeldRun {
    try await database.read { connection in
      let run = try Confirmation.run(beginning: prefix, connection)
      guard run.isHeld else { throw Confirmation.isNotHeld(run.id) }
      return HeldRun(
        id: run.id, source: run.source, stream: run.stream, error: run.error, isConfirmable: run.isGuarded,
        walkID: run.walkID)
    }
  }

  /// Returns the items that the list or catalogue would lose by the walk of this run, the best known first. Empty if
  /// the guard stopped the run for another reason, or if the walk's pages are no longer kept.
  /// - Parameter stream: The run's stream. Its scope selects the items.
  package func leavingItems(of stream: StreamDescription, in database: Database) async throws -> RowSet {
    guard isConfirmable, let walkID, !losesColumn, let named = SourceSQL.optional("named", stream.sql) else {
      return RowSet(columns: [], rows: [])
    }
    return try await database.read { connection in
      let keys = try Self.leavingKeys(of: walkID, stream, connection)
      return try RowSet(named, [.ints(keys), .texts(stream.sql.scope)], connection)
    }
  }

  private static func leavingKeys(
    of walkID: Int64, _ stream: StreamDescription, _ connection: borrowing PGConnection
  ) throws -> [Int64] {
    let isKept = try connection.isTrue(
      "SELECT EXISTS (SELECT FROM sync.walk_page WHERE walk_id = $1)", [.int(walkID)])
    guard isKept else { return [] }
    switch stream.absence {
    case .provesNothing: return []
    case .questionsItem:
      return try MissingItems.all(in: walkID, stream: stream, connection).filter(\.isGuarded).map(\.item.key)
    case .endsEntry, .leavesWindow:
      return try connection.query(
        SourceSQL.text("leaving", stream.sql), [.int(walkID), .texts(stream.sql.scope)]
      ).map { row in try row.int(0) ?? 0 }
    }
  }
}
