import LibPQ
package import SyncCore

/// Plans a command's writes in memory. Every transaction is read-only.
package actor DryRunStore: WalkStore {
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
  /// The ends of the lists that this walk has read, in a stream of several lists.
  private var endedLists: [String: ListEnding] = [:]
  private var openedAt = ContinuousClock().now
  private var reportedRejects = 0
  /// The detail of the first item that a run would put into quarantine.
  private var rejection: String?

  /// Creates a store for one dry command, which can have several walks.
  /// - Parameters:
  ///   - report: Called with the changes of each page. A second report of an item replaces the first.
  ///   - note: Gets messages for the user, for example that another process holds the lease.
  package init(
    _ database: Database, options: PostgresWalkStore.Options = PostgresWalkStore.Options(),
    report: @escaping ChangeReport, note: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.database = database
    self.options = options
    self.report = report
    self.note = note
  }

  /// Finds the walk that a run would continue or begin. Takes no lease, and only notes another holder of the lease.
  ///
  /// Forgets the counters and readings of an earlier walk. Keeps its planned items, because streams can share items.
  /// - Throws: `.configuration` if the stream has published rows of another origin, unless `Options.adoptsOrigin` is
  ///   set.
  package func open(_ stream: StreamDescription, fresh: Bool, confirming confirmed: String?) async throws -> OpenWalk {
    let opened = try await database.read { [options] connection in
      try Self.look(at: stream, options, fresh: fresh, confirming: confirmed, connection)
    }

    items.begin("\(stream.sql.folder) \(opened.space)")
    counters = RunCounters()
    hasUnreadable = false
    claimedTotal = nil
    reportedRejects = 0
    rejection = nil
    endedLists = [:]
    rereads = Rereads()
    rereads.lastPage = opened.walk.pages.compactMap(\.page).max() ?? 0

    openedAt = clock.now
    if let holder = opened.holder { note("\(holder.message); a run would have to wait, and may find more") }
    return opened.walk
  }

  private static func look(
    at stream: StreamDescription, _ options: PostgresWalkStore.Options, fresh: Bool, confirming confirmed: String?,
    _ connection: borrowing PGConnection
  ) throws -> (walk: OpenWalk, space: String, holder: SyncError?) {
    let seen = try Lease.seen(stream.id, by: LeaseOwner.current(), connection)
    if let state = seen?.state, !options.adoptsOrigin,
      state.origin != stream.origin || state.provider != stream.provider
    {
      try PostgresWalkStore.refuseOtherOrigin(state, stream, connection)
    }

    let walk: WalkRecord? =
      if let confirmed {
        try WalkRecord.kept(Confirmation.walk(of: confirmed, stream: stream.id, connection), stream: stream, connection)
      } else {
        try seen.flatMap { seen in
          try WalkRecord.resumable(seen.state, stream: stream, fresh: fresh, maximalAge: options.resumeAge, connection)
        }
      }

    let walkID = walk?.id ?? noWalk
    let isFull = walk?.isFull ?? fresh
    let basis = try PublishedWalk.basis(of: walkID, stream: stream, connection)

    let space = try connection.query(SourceSQL.text("space", stream.sql), [.texts(stream.sql.scope)])
    return (
      walk: OpenWalk(
        runID: runID, walkID: walkID, generation: 0, leaseTTL: nil, pages: walk?.pages ?? [],
        endedLists: walk?.endedLists,
        isConfirmed: confirmed != nil, basis: fresh ? nil : basis, isFull: isFull,
        repeats: try PublishedWalk.repeats(of: basis, stream: stream, connection),
        databaseTime: try Ledger.databaseTime(connection)),
      space: try space.text(row: 0, column: 0) ?? "", holder: seen?.holder
    )
  }

  /// Returns the next cached pages, except pages with an item that has a planned change.
  package func cachedPages(
    in walk: OpenWalk, stream: StreamDescription, after reading: Int, limit: Int
  ) async throws -> (pages: [CachedPage], last: Int?) {
    let store = PostgresWalkStore(database, options: options)
    let loaded = try await store.cachedPages(in: walk, stream: stream, after: reading, limit: limit)
    // A run would read a page again if one of its items has a planned change.
    let keys = Set(loaded.pages.flatMap(\.keys))
    let written = items.written(of: keys, repeated: keys)
    return (loaded.pages.filter { page in !page.keys.contains { written[$0] != nil } }, loaded.last)
  }

  /// Returns the documents that stored walks fetched within the TTL.
  package func fresh(_ keys: [Int64], in walk: OpenWalk, stream: StreamDescription) async throws -> Set<Int64> {
    try await PostgresWalkStore(database, options: options).fresh(keys, in: walk, stream: stream)
  }

  /// Does nothing, because a dry run holds no lease.
  package func renew(_ walk: OpenWalk, stream: StreamDescription) async throws {}

  /// Plans the readings one by one, and reports the changes of each reading. Writes nothing to the database.
  /// - Throws: the error of a guard that would stop a run, and any error of the report closure.
  package func commit(
    _ readings: [PageCommit], after counters: RunCounters, of walk: OpenWalk, stream: StreamDescription
  ) async throws -> Committed {
    var added = RunCounters()
    self.counters.fresh = counters.fresh
    var warning: String?
    for reading in readings {
      let foreseen = try await foresee(reading, of: walk, stream: stream)
      added += foreseen.counters
      warning = warning ?? foreseen.warning
    }
    return Committed(readings: readings.count, counters: added, warning: warning)
  }

  private func foresee(_ commit: PageCommit, of walk: OpenWalk, stream: StreamDescription) async throws -> Committed {
    let page = PlannedPage(commit, items)
    let unstored = unstored(of: stream, withKeys: false)
    let (findings, warning) = try await database.read { connection in
      let refusal = try Publication.refusalOfQuarantined(during: walk, stream: stream, unstored: unstored, connection)
      if let refusal { throw Self.foreseen(refusal) }
      let reader = PreviewReader(writer: PageWriter(stream: stream))
      let findings = try reader.read(commit, of: walk, rows: page.rows, besides: page.changedAgain, connection)
      let items = commit.rows.map(\.item)
      let lost = try reader.writer.refusalOfLostColumns(findings.differences, of: items, in: walk, connection)
      if let lost { throw Self.foreseen(lost) }
      return (findings, try reader.writer.warningOfLostColumns(findings.differences, of: items, in: walk, connection))
    }

    let plan = page.plan(findings, stream: stream.id)
    let isCatalogue =
      switch stream.method {
      case .catalogue, .documents: true
      default: false
      }
    if !isCatalogue { rereads.note(commit.page, seen: items.keys.count) }
    if let list = commit.page.list { endedLists[list.name] = list.ending }
    if commit.page.page != nil {
      let isList = if case .documents = stream.method { true } else { false }
      items.meet(
        isList ? commit.page.keys ?? [] : plan.unchanged + commit.rejected.compactMap(\.key) + commit.confirmed)
    }

    items.write(plan.written)
    items.added += plan.added
    hasUnreadable = hasUnreadable || commit.page.unreadable > 0
    claimedTotal = [claimedTotal, commit.page.claim.total].compactMap(\.self).max()
    counters += plan.counters

    reportRejects(commit.rejected + findings.refused, of: stream.id)
    if !plan.changes.isEmpty { try await report(plan.changes) }
    return Committed(readings: 1, counters: plan.counters, warning: warning)
  }

  private func reportRejects(_ rejected: [RejectedItem], of stream: StreamID) {
    rejection = rejection ?? rejected.first?.detail
    for item in rejected.prefix(Limits.reportedRejects - reportedRejects) {
      let name = item.key.map { "item \($0)" } ?? "an item without a readable id"
      note("\(stream.name): \(name) would go into quarantine: \(item.reason), \(item.detail)")
    }
    reportedRejects = min(Limits.reportedRejects, reportedRejects + rejected.count)
  }

  /// Returns the items that would be missing after the planned changes.
  /// - Throws: `.guarded`, as a run would, if too many are missing.
  package func missing(in walk: OpenWalk, stream: StreamDescription) async throws -> [MissingItem] {
    let unstored = unstored(of: stream, withKeys: true)
    do {
      return try await database.read { connection in
        try MissingItems.find(in: walk, stream: stream, unstored: unstored, connection)
      }
    } catch let error as SyncError where error.code == .guarded {
      throw Self.foreseen(error)
    }
  }

  /// Returns the report of a run that would end here. A refusal by a guard is the report's error and is not thrown.
  package func finish(_ walk: OpenWalk, stream: StreamDescription, ending: WalkEnding) async throws -> RunReport {
    var unstored = unstored(of: stream, withKeys: ending.publishes)
    if ending.publishes, let readings = ending.publishedReadings {
      unstored.keys = rereads.keys(of: readings, seen: unstored.keys)
    }

    let decision = try await database.read { [unstored] connection in
      try FinishDecision.decide(on: ending, of: walk, stream: stream, unstored: unstored, connection)
    }

    let result = FinishResult(decision, of: ending)
    let refusal: SyncError? = if case .refuse(let refusal, _) = decision { Self.foreseen(refusal) } else { nil }
    return RunReport(
      id: Self.runID, stream: stream.id, status: result.status, counters: ending.counters, walBytes: 0,
      duration: clock.now - openedAt, certificate: ending.certificate, error: refusal ?? result.error,
      warning: result.warning, isFresh: result.isFresh(ending.certificate))
  }

  private func unstored(of stream: StreamDescription, withKeys: Bool) -> UnstoredReadings {
    UnstoredReadings(
      keys: withKeys ? items.keys : [], added: items.added, counters: counters, hasUnreadable: hasUnreadable,
      claimedTotal: claimedTotal, lists: stream.lists.map { UnstoredLists(of: $0, ended: endedLists) },
      rejection: rejection)
  }

  private static func foreseen(_ refusal: SyncError) -> SyncError {
    SyncError(
      refusal.code, refusal.message,
      hint: "a run would end here and keep its findings for inspection", disposition: refusal.disposition)
  }
}

private struct Rereads {
  var lastPage = 0
  private var pages: [StoredPage] = []
  private var countBefore = 0

  mutating func note(_ page: StoredPage, seen: Int) {
    guard let number = page.page else { return }
    if number > lastPage {
      lastPage = number
    } else {
      if pages.isEmpty { countBefore = seen }
      pages.append(page)
    }
  }

  func keys(of readings: Range<Int>, seen: [Int64]) -> [Int64] {
    guard let first = pages.first?.number, readings.lowerBound >= first else { return Array(seen.prefix(countBefore)) }
    return pages.filter { readings.contains($0.number) }.compactMap(\.keys).flatMap(\.self)
  }
}
