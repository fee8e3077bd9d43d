import LibPQ
package import SyncCore

/// What a run would change, as differences between the mirror and the upstream.
package enum UpstreamDifferences {
  /// The streams of a source that have published something.
  package static func streams(of source: SourceID, in database: Database) async throws -> [String] {
    try await database.read { try ListVerification.published(of: source, $0).map(\.list) }
  }

  /// - Throws: `SyncError` for a role whose requests could not be counted among those of all processes.
  package static func checkRights(in database: Database) async throws {
    let mayCount = try await database.read { connection in
      try connection.query("SELECT has_table_privilege('sync.rate_budget', 'UPDATE')").bool(row: 0, column: 0)
    }
    guard mayCount == true else {
      throw SyncError(
        .permission, "this role may not write sync.rate_budget, which requests to the upstream need",
        hint: "use a role that runs syncctl (syncctl_worker), or compare the mirror with itself only")
    }
  }

  /// - Returns: the differences, and the space of their documents.
  package static func of(
    _ changes: [PlannedChange], _ stream: StreamDescription, in database: Database
  ) async throws -> (differences: [MirrorDifference], space: DocumentSpace) {
    try await database.read { connection in
      let rows = try connection.query(
        SourceSQL.text("changed_keys", stream.sql),
        [.ints(changes.map(\.key)), .texts(stream.sql.scope), .texts(changes.map { $0.title ?? "" })]
      ).map { row in Row(key: try row.text(0) ?? "{}", title: try row.text(1) ?? "{}") }
      let tables = try Tables(stream.sql, connection)
      return (
        zip(changes, rows).flatMap { differences(of: $0, $1, tables) }, try DocumentSpace(stream.sql, connection)
      )
    }
  }

  private struct Row: Sendable {
    let key: String
    let title: String
  }

  /// The tables of an item.
  private struct Tables {
    let document: String
    /// Nil where counters have no table of their own.
    var counters: String?
    /// Columns that only this one has.
    var counted: Set<String> = []

    init(_ sql: StreamSQL, _ connection: borrowing PGConnection) throws {
      document = SourceSQL.part("table", sql) ?? ""
      guard let counters = SourceSQL.part("counters table", sql), counters != document else { return }
      func columns(_ table: String) throws -> Set<String> {
        Set(try connection.query(SQL(trusted: "SELECT * FROM \(table) LIMIT 0")).columnNames)
      }
      self.counters = counters
      counted = try columns(counters).subtracting(columns(document))
    }
  }

  /// An update without a column is of one whose stored hash is wrong, which the mirror alone shows.
  private static func differences(of change: PlannedChange, _ row: Row, _ tables: Tables) -> [MirrorDifference] {
    switch change.kind {
    case .insert:
      [
        MirrorDifference(
          table: tables.document, key: row.key, stored: nil, expected: row.title, remedy: .walk, item: change.key)
      ]
    case .vanish:
      [
        MirrorDifference(
          table: tables.document, key: row.key, stored: row.title, expected: nil, remedy: .walk, item: change.key)
      ]
    case .update:
      change.columns.map { column in
        let isCounter = tables.counted.contains(column.name)
        return MirrorDifference(
          table: isCounter ? tables.counters ?? tables.document : tables.document, key: row.key, column: column.name,
          stored: column.from, expected: column.to, remedy: isCounter ? .recount : .fetch, item: change.key)
      }
    }
  }
}
