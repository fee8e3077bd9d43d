package import SyncCore

/// Writes what a run brings, and tells before each commit what of it differs from the mirror.
package struct ToldStore: WalkStore {
  private let base: PostgresWalkStore
  private let database: Database
  private let report: ChangeReport

  package init(_ base: PostgresWalkStore, _ database: Database, report: @escaping ChangeReport) {
    self.base = base
    self.database = database
    self.report = report
  }

  package func commit(
    _ readings: [PageCommit], after counters: RunCounters, of walk: OpenWalk, stream: StreamDescription
  ) async throws -> Committed {
    let sql = try SourceSQL(stream)
    let preview = try PreviewSQL(stream, sql)
    // What an earlier reading of the same commit writes.
    var items = PlannedItems()
    for reading in readings {
      let page = PlannedPage(reading, items)
      let findings = try await database.read { connection in
        try PreviewReader(stream: stream, sql: preview, writer: PageWriter(stream: stream, sql: sql))
          .read(reading, of: walk, rows: page.rows, besides: page.changedAgain, connection)
      }
      let plan = page.plan(findings, stream: stream.id)
      items.write(plan.written)
      if !plan.changes.isEmpty { try await report(plan.changes, stream) }
    }
    return try await base.commit(readings, after: counters, of: walk, stream: stream)
  }

  package func open(
    _ stream: StreamDescription, fresh: Bool, confirming confirmed: String?
  ) async throws -> OpenWalk {
    try await base.open(stream, fresh: fresh, confirming: confirmed)
  }

  package func known(
    in walk: OpenWalk, stream: StreamDescription, after reading: Int, limit: Int
  ) async throws -> (pages: [KnownPage], last: Int?) {
    try await base.known(in: walk, stream: stream, after: reading, limit: limit)
  }

  package func fresh(_ keys: [Int64], in walk: OpenWalk, stream: StreamDescription) async throws -> Set<Int64> {
    try await base.fresh(keys, in: walk, stream: stream)
  }

  package func renew(_ walk: OpenWalk, stream: StreamDescription) async throws {
    try await base.renew(walk, stream: stream)
  }

  package func missing(in walk: OpenWalk, stream: StreamDescription) async throws -> [Int64] {
    try await base.missing(in: walk, stream: stream)
  }

  package func finish(_ walk: OpenWalk, stream: StreamDescription, ending: WalkEnding) async throws -> RunReport {
    try await base.finish(walk, stream: stream, ending: ending)
  }
}
