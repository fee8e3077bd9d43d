import LibPQ
package import SyncCore

/// The mirror as a run would find it, and nothing of what a run would leave: every transaction is read-only.
///
/// What a run has written by a certain page, a later page of it is compared with. Here that is kept in memory, and it
/// lasts for all streams that go through one store. So the counters are those that a run would end with, if the source
/// stands still meanwhile and nobody else writes.
///
/// What it cannot foresee: an item that only an earlier stream of the same command would have brought into the mirror
/// is not among those that a catalogue misses.
package actor DryRunStore: WalkStore {
  /// In place of the id of a run that does not exist.
  package static let runID = "dry-run"
  private static let noWalk: Int64 = 0

  private let database: Database
  private let options: PostgresWalkStore.Options
  private let report: ChangeReport
  private let note: @Sendable (String) -> Void
  private let clock = ContinuousClock()

  private var items = PlannedItems()
  private var counters = RunCounters()
  private var hasUnreadable = false
  private var claimedTotal: Int?
  private var rereads = Rereads()
  private var openedAt = ContinuousClock().now
  private var told = 0

  /// - Parameters:
  ///   - options: of the run that is foreseen.
  ///   - report: told of the changes, page by page. An item is told of once, except one that is met again and would be
  ///     changed again: what is told last is what a run would leave. What it throws ends the walk.
  ///   - note: told what a person should know besides.
  package init(
    _ database: Database, options: PostgresWalkStore.Options = PostgresWalkStore.Options(),
    report: @escaping ChangeReport, note: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.database = database
    self.options = options
    self.report = report
    self.note = note
  }

  package func open(
    _ stream: StreamDescription, fresh: Bool, confirming confirmed: String?
  ) async throws -> OpenWalk {
    let sql = try PreviewSQL(stream, SourceSQL(stream))
    let opened = try await database.read { [options] connection in
      try Self.look(at: stream, options, fresh: fresh, confirming: confirmed, sql, connection)
    }
    items.begin("\(stream.sql.folder) \(opened.space)")
    (counters, hasUnreadable, claimedTotal, told) = (RunCounters(), false, nil, 0)
    rereads = Rereads(lastPage: opened.walk.pages.compactMap(\.page).max() ?? 0)
    openedAt = clock.now
    if let holder = opened.holder { note("\(holder.message); a run would have to wait, and may find more") }
    return opened.walk
  }

  /// What `PostgresWalkStore.open` would come to. No lease is taken, so there is none to be renewed.
  private static func look(
    at stream: StreamDescription, _ options: PostgresWalkStore.Options, fresh: Bool, confirming confirmed: String?,
    _ sql: PreviewSQL, _ connection: borrowing PGConnection
  ) throws -> (walk: OpenWalk, space: String, holder: SyncError?) {
    let seen = try Lease.seen(stream.id, by: LeaseOwner.current(), connection)
    if let state = seen?.state, !options.adoptsOrigin,
      state.origin != stream.origin || state.provider != stream.provider
    {
      try PostgresWalkStore.refuseOtherOrigin(state, stream, connection)
    }
    let walk: WalkRecord? =
      if let confirmed {
        try WalkRecord.kept(
          Confirmation.walk(of: confirmed, stream: stream.id, connection), stream: stream, connection)
      } else {
        try seen.flatMap { seen in
          try WalkRecord.resumable(
            seen.state, stream: stream, fresh: fresh, maximalAge: options.resumeAge, connection)
        }
      }
    let walkID = walk?.id ?? noWalk
    let isFull = walk?.isFull ?? fresh
    let known = try KnownWalk.basis(of: walkID, stream: stream, connection)
    return (
      walk: OpenWalk(
        runID: runID, walkID: walkID, generation: 0, leaseTTL: nil, pages: walk?.pages ?? [],
        isConfirmed: confirmed != nil, basis: fresh ? nil : known, isFull: isFull,
        repeats: try KnownWalk.repeats(of: known, stream: stream, connection),
        databaseTime: try Ledger.databaseTime(connection)),
      space: try connection.query(sql.space, [.texts(stream.sql.scope)]).text(row: 0, column: 0) ?? "",
      holder: seen?.holder
    )
  }

  package func known(
    in walk: OpenWalk, stream: StreamDescription, after reading: Int, limit: Int
  ) async throws -> (pages: [KnownPage], last: Int?) {
    let store = PostgresWalkStore(database, options: options)
    let known = try await store.known(in: walk, stream: stream, after: reading, limit: limit)
    // As if what would have been written had been.
    let keys = Set(known.pages.flatMap(\.keys))
    let written = items.written(of: keys, repeated: keys)
    return (known.pages.filter { page in !page.keys.contains { written[$0] != nil } }, known.last)
  }

  package func fresh(
    _ keys: [Int64], in walk: OpenWalk, stream: StreamDescription
  ) async throws -> Set<Int64> {
    try await PostgresWalkStore(database, options: options).fresh(keys, in: walk, stream: stream)
  }

  package func renew(_ walk: OpenWalk, stream: StreamDescription) async throws {}

  package func commit(
    _ readings: [PageCommit], after counters: RunCounters, of walk: OpenWalk, stream: StreamDescription
  ) async throws -> Committed {
    var added = RunCounters()
    self.counters.fresh = counters.fresh
    for reading in readings { added += try await foresee(reading, of: walk, stream: stream) }
    return Committed(readings: readings.count, counters: added)
  }

  /// - Returns: what the reading would add to the counters.
  private func foresee(
    _ commit: PageCommit, of walk: OpenWalk, stream: StreamDescription
  ) async throws -> RunCounters {
    let sql = try SourceSQL(stream)
    let preview = try PreviewSQL(stream, sql)
    let page = PlannedPage(commit, items)
    let unstored = unstored(withKeys: false)
    let findings = try await database.read { connection in
      let refusal = try Publication.refusalOfQuarantined(
        during: walk, stream: stream, unstored: unstored, connection)
      if let refusal { throw Self.foreseen(refusal) }
      let reader = PreviewReader(stream: stream, sql: preview, writer: PageWriter(stream: stream, sql: sql))
      let findings = try reader.read(commit, of: walk, rows: page.rows, besides: page.changedAgain, connection)
      let lost = try reader.writer.refusalOfLostColumns(
        findings.differences, of: commit.rows.map(\.item), in: walk, connection)
      if let lost { throw Self.foreseen(lost) }
      return findings
    }
    let plan = page.plan(findings, stream: stream.id)
    // Pages of a catalogue overlap, and are not read again.
    let isCatalogue = if case .questionsItem = stream.absence { true } else { false }
    if !isCatalogue { rereads.note(commit.page, met: items.keys.count) }
    if commit.page.page != nil {
      // Of a list that only names its items, none is among the rows.
      let isList = if case .documents = stream.method { true } else { false }
      items.meet(
        isList
          ? commit.page.keys ?? [] : plan.unchanged + commit.rejected.compactMap(\.key) + commit.confirmed)
    }
    items.write(plan.written)
    items.added += plan.added
    hasUnreadable = hasUnreadable || commit.page.unreadable > 0
    claimedTotal = [claimedTotal, commit.page.claim.total].compactMap(\.self).max()
    counters += plan.counters
    tell(commit.rejected + findings.refused, of: stream.id)
    if !plan.changes.isEmpty { try await report(plan.changes) }
    return plan.counters
  }

  /// Nothing of them is kept, so a person has to be told here.
  private func tell(_ rejected: [RejectedItem], of stream: StreamID) {
    for item in rejected.prefix(Limits.toldRejects - told) {
      let name = item.key.map { "item \($0)" } ?? "an item without a readable id"
      note("\(stream.name): \(name) would go into quarantine: \(item.reason), \(item.detail)")
    }
    told = min(Limits.toldRejects, told + rejected.count)
  }

  package func missing(in walk: OpenWalk, stream: StreamDescription) async throws -> [Int64] {
    let sql = try SourceSQL(stream)
    let unstored = unstored(withKeys: true)
    do {
      return try await database.read { connection in
        try MissingItems.find(in: walk, stream: stream, sql: sql, unstored: unstored, connection)
      }
    } catch let error as SyncError where error.code == .guarded {
      throw Self.foreseen(error)
    }
  }

  package func finish(
    _ walk: OpenWalk, stream: StreamDescription, ending: WalkEnding
  ) async throws -> RunReport {
    let sql = try SourceSQL(stream)
    var unstored = unstored(withKeys: ending.publishes)
    if ending.publishes, let readings = ending.publishedReadings {
      unstored.keys = rereads.keys(of: readings, met: unstored.keys)
    }
    let verdict = try await database.read { [unstored] connection in
      try PostgresWalkStore.verdict(
        on: ending, of: walk, stream: stream, sql: sql, unstored: unstored, connection)
    }
    return RunReport(
      id: Self.runID, stream: stream.id, status: verdict.status, counters: ending.counters, walBytes: 0,
      duration: clock.now - openedAt, certificate: ending.certificate,
      error: verdict.refusal.map(Self.foreseen) ?? ending.error, warning: verdict.warning,
      isFresh: verdict.isFresh(ending.certificate))
  }

  private func unstored(withKeys: Bool) -> UnstoredReadings {
    UnstoredReadings(
      keys: withKeys ? items.keys : [], added: items.added, counters: counters, hasUnreadable: hasUnreadable,
      claimedTotal: claimedTotal)
  }

  /// What a safety guard would say; there is no run that could be looked at or confirmed.
  private static func foreseen(_ refusal: SyncError) -> SyncError {
    SyncError(
      refusal.code, refusal.message,
      hint: "a run would end here and keep what it found, for a person to look at", disposition: refusal.disposition)
  }
}

/// The readings of pages that a list's walk reads again: the list would be published from its last pass alone.
private struct Rereads {
  private var lastPage: Int
  private var pages: [StoredPage] = []
  /// Keys that were met before the first of them.
  private var metBefore = 0

  init(lastPage: Int = 0) {
    self.lastPage = lastPage
  }

  mutating func note(_ page: StoredPage, met: Int) {
    guard let number = page.page else { return }
    if number > lastPage {
      lastPage = number
    } else {
      if pages.isEmpty { metBefore = met }
      pages.append(page)
    }
  }

  /// Keys of the readings that the list would be published from: one of the later passes, or the first one.
  func keys(of readings: Range<Int>, met: [Int64]) -> [Int64] {
    guard let first = pages.first?.number, readings.lowerBound >= first else { return Array(met.prefix(metBefore)) }
    return pages.filter { readings.contains($0.number) }.compactMap(\.keys).flatMap(\.self)
  }
}
