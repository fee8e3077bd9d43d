package import SyncCore

/// Walks one stream to its end, one transaction per page, keeps the lease alive, and keeps the ledger.
///
/// The thin driver around `Walk`: while page *n* is written, page *n + 1* is fetched, and nothing further ahead.
package struct StreamRun: Sendable {
  let stream: any PagedStream
  let fetcher: Fetcher
  let store: any WalkStore
  let clock: any SyncClock
  let observer: RunObserver
  /// Documents that are requested at a time.
  let concurrency: Int
  let retries = RunRetries()

  package init(
    stream: any PagedStream, fetcher: Fetcher, store: any WalkStore, clock: any SyncClock, concurrency: Int = 1,
    observer: @escaping RunObserver
  ) {
    self.concurrency = max(1, concurrency)
    self.stream = stream
    self.fetcher = fetcher
    self.store = store
    self.clock = clock
    self.observer = observer
  }

  package struct Options: Sendable {
    /// Pages to read in this run; nil for all.
    package var maxPages: Int?
    /// Start a new walk even if one could be resumed.
    package var isFull = false
    /// Wait while another process is at work on the stream, instead of saying so.
    package var waitsForLease = false
    /// How long the run may take from the moment it has the lease; nil for as long as it needs.
    package var timeout: Duration?
    /// The run whose walk the guard stopped and which a person has looked at; the beginning of its id.
    package var confirms: String?

    package init() {}
  }

  /// Runs the stream and closes its ledger row, whatever happens in between.
  ///
  /// - Returns: the closed run; its `error` tells why it did not end well.
  /// - Throws: `SyncError` if the run could not be opened or closed, so that there is no ledger row to tell it.
  package func run(_ options: Options) async throws -> RunReport {
    let (open, takenAt) = try await openWalk(options)
    observer(.opened(stream.description.id, runID: open.runID, resumedPages: open.pages.count))
    let (limited, isTimedOut) = await clock.limiting(to: options.timeout) {
      await whileLeased(open, takenAt: takenAt) { await walk(open, maxPages: options.maxPages) }
    }
    let (progress, end) = limited ?? (Progress(stream.description, open), .failure(CancellationError()))
    let endedBy: Certificate.EndedBy
    var failure: SyncError?
    switch end {
    case .success(let reason): endedBy = reason
    case .failure(is CancellationError):
      endedBy = .interrupted
      if isTimedOut, let timeout = options.timeout { failure = .timedOut(stream.description.id, after: timeout) }
    case .failure(let error):
      endedBy = .failed
      failure = (error as? SyncError) ?? SyncError(unexpected: error)
    }
    // Of a walk that was whole before something else went wrong, the certificate still says so.
    let certificate = progress.certificate(endedBy: failure == nil ? endedBy : progress.walkEnd ?? endedBy)
    let status = progress.certificate(endedBy: endedBy).status
    let ending = WalkEnding(
      status: status, certificate: certificate, counters: progress.counters,
      error: failure, readings: progress.committed, publishes: endedBy == progress.walkEnd && certificate.mayPublish,
      publishedReadings: progress.walk.publishedReadings,
      // What the guard stopped is resumed when a person says so, and not by itself.
      isResumable: [.maxPages, .interrupted, .failed].contains(endedBy) && failure?.code != .guarded)
    let report: RunReport
    do {
      report = try await finishing(clock) { [store, description = stream.description] in
        try await store.finish(open, stream: description, ending: ending)
      }
    } catch {
      // What stopped the walk says more than that its row could not be closed for the same reason.
      throw failure ?? error
    }
    observer(.finished(report))
    return report
  }

  /// - Returns: the walk, and a time before its lease was taken.
  private func openWalk(_ options: Options) async throws -> (OpenWalk, takenAt: Duration) {
    var isWaiting = false
    while true {
      let askedAt = clock.now()
      do {
        let open = try await store.open(stream.description, fresh: options.isFull, confirming: options.confirms)
        return (open, askedAt)
      } catch let error as SyncError where error.code == .leaseHeld && options.waitsForLease {
        if !isWaiting { observer(.waitingForLease(stream.description.id, error)) }
        isWaiting = true
        try await clock.sleep(for: Limits.leasePoll)
      }
    }
  }

  private typealias End = Result<Certificate.EndedBy, any Error>

  /// Runs `body` while a heartbeat renews the lease; when it cannot be renewed, `body` is called off and the reason
  /// takes the place of its end.
  ///
  /// Pages renew the lease too. The heartbeat is for the time between them: a long pause that the upstream requested.
  private func whileLeased(
    _ open: OpenWalk, takenAt: Duration, _ body: @escaping @Sendable () async -> (Progress, End)
  ) async -> (Progress, End) {
    guard let ttl = open.leaseTTL else { return await body() }
    let keeper = LeaseKeeper(ttl: ttl, takenAt: takenAt, clock: clock) { [store, description = stream.description] in
      try await store.renew(open, stream: description)
    }
    let (walked, lost) = await keeper.whileKept(body)
    let (progress, end) = walked ?? (Progress(stream.description, open), .failure(CancellationError()))
    if let lost, case .failure(is CancellationError) = end { return (progress, .failure(lost)) }
    return (progress, end)
  }

  struct Progress: Sendable {
    var walk: any Walk
    var step: WalkStep
    var counters = RunCounters()
    /// Readings that are stored, with the one that is being committed.
    var readings: Int
    /// Readings whose commit was confirmed.
    var committed: Int
    /// Pages that this run has settled, holes included.
    var settled = 0
    /// The upstream has answered something in this run.
    var hasAnswer = false
    /// How the walk ended, if it did.
    var walkEnd: Certificate.EndedBy?
    var known: KnownPages
    /// The readings of a list that only names its items.
    private var listPages: [StoredPage] = []
    /// Keys whose documents this walk has had.
    var had: Set<Int64> = []
    /// Documents that this walk requests in all, as far as is known.
    var documents = 0
    /// Documents that were not available.
    var unavailable: [Int64] = []
    /// Documents are still to be requested.
    var lacksDocuments: Bool

    init(_ stream: StreamDescription, _ open: OpenWalk) {
      walk = stream.walk
      step = walk.start
      readings = open.pages.count
      committed = readings
      known = KnownPages(hasBasis: open.basis != nil, reading: open.pages.count)
      lacksDocuments = stream.method.isOfDocuments
      for page in open.pages {
        step = walk.replay(page)
        if stream.method.isOfDocuments { note(page) }
      }
    }

    /// A reading of a walk of documents: of its list, or a batch of them.
    mutating func note(_ page: StoredPage) {
      if page.page == nil { had.formUnion(page.keys ?? []) } else { listPages.append(page) }
    }

    /// Keys that the list only names, by the readings that count.
    var listed: Set<Int64> {
      let readings = walk.publishedReadings ?? 0..<Int.max
      return Set(listPages.lazy.filter { readings.contains($0.number) }.compactMap(\.keys).joined())
    }

    /// What the walk can certify if it ends now.
    func certificate(endedBy: Certificate.EndedBy) -> Certificate {
      var certificate = walk.certificate(endedBy: endedBy)
      certificate.unavailable = unavailable
      certificate.complete = certificate.complete && !lacksDocuments && unavailable.isEmpty
      return certificate
    }
  }

  /// Never throws: how far it came has to be told for failures too.
  private func walk(_ open: OpenWalk, maxPages: Int?) async -> (Progress, End) {
    var progress = Progress(stream.description, open)
    do {
      let reason = try await walk(open, &progress, maxPages: maxPages)
      guard reason != .maxPages else { return (progress, .success(reason)) }
      if progress.readings == 0, let witness = stream.description.witness { try await ask(witness, &progress) }
      progress.walkEnd = reason
      guard try await fetchDocuments(open, &progress, maxPages: maxPages) else {
        return (progress, .success(.maxPages))
      }
      if case .questionsItem = stream.description.absence, progress.certificate(endedBy: reason).complete,
        try await !lookUpMissing(open, &progress, maxPages: maxPages)
      {
        return (progress, .success(.maxPages))
      }
      return (progress, .success(reason))
    } catch {
      return (progress, .failure(error))
    }
  }

  private func walk(
    _ open: OpenWalk, _ progress: inout Progress, maxPages: Int?
  ) async throws -> Certificate.EndedBy {
    var frontier = Frontier<Fetcher.Outcome<FetchedPage>>()
    var ahead: Fetcher.Outcome<FetchedPage>?
    while true {
      let position: PageAddress
      switch progress.step {
      case .end(let reason): return reason
      case .fetch(let page): position = page
      }
      if let maxPages, progress.settled >= maxPages { return .maxPages }
      try Task.checkCancellation()
      // Pages are read again to see what they are now.
      if progress.walk.address(1, behind: position) == nil { frontier = Frontier() }
      let settled: Fetcher.Outcome<FetchedPage>
      switch frontier.turn(at: position) {
      case .use(let held): settled = held
      case .ask(let count):
        // Pages that are read again are requested one by one.
        let page = progress.walk.address(count, behind: position) ?? position
        let fetched = if let ahead { ahead } else { await fetch(page, known: try await known(page, open, &progress)) }
        ahead = nil
        guard let now = try settle(fetched, page: page, at: position, &frontier, &progress) else { continue }
        settled = now
      }
      ahead = try await store(settled, of: position, open, &progress, maxPages: maxPages, frontier)
    }
  }

  /// Proves that the service is well, though a narrowed list is empty.
  ///
  /// - Throws: `SyncError` if the whole list shows no item either.
  private func ask(_ witness: UpstreamRequest, _ progress: inout Progress) async throws {
    let fetched = await fetcher.fetch(witness, retries: retries, onRetry: onRetry) { [stream] in
      try stream.read($0, to: $1)
    }
    progress.counters.add(fetched.cost)
    switch fetched.result {
    case .answer(let page) where page.hasItem: break
    case .answer: throw SyncError.witnessIsEmpty(witness)
    case .exhausted(let error): throw error
    case .stopped(let error): throw error
    }
  }

  /// Sorts an outcome: what there is to store for the page at the position, or nil if another page is to be requested.
  ///
  /// - Throws: what ends the walk.
  private func settle(
    _ fetched: Fetcher.Outcome<FetchedPage>, page: PageAddress, at position: PageAddress,
    _ frontier: inout Frontier<Fetcher.Outcome<FetchedPage>>, _ progress: inout Progress
  ) throws -> Fetcher.Outcome<FetchedPage>? {
    progress.counters.add(fetched.cost)
    switch fetched.result {
    case .stopped(let error): throw error
    case .answer:
      progress.hasAnswer = true
      let settled = frontier.answered(fetched, page: page, position: position)
      // What is held until the page before it has been had must not keep that page waiting.
      if settled == nil { fetched.reservation?.release() }
      return settled
    case .exhausted(let error):
      // A service that has not answered at all is cron's to try again; so is a list whose first page is not available.
      if progress.readings == 0 && page == position || (fetched.isOriginDown && !progress.hasAnswer) { throw error }
      // Where there is no page after it to tell whether the service is well, the breaker tells.
      let isAlone = progress.walk.address(1, behind: position) == nil && !fetched.isOriginDown
      let isHole = frontier.failed(page, position: position, isOriginDown: fetched.isOriginDown) || isAlone
      return isHole ? fetched : nil
    }
  }

  /// Commits what the page at the position brings, and fetches the next page meanwhile, unless it was had already.
  ///
  /// - Returns: the next page, if it was fetched.
  private func store(
    _ fetched: Fetcher.Outcome<FetchedPage>, of page: PageAddress, _ open: OpenWalk, _ progress: inout Progress,
    maxPages: Int?, _ frontier: Frontier<Fetcher.Outcome<FetchedPage>>
  ) async throws -> Fetcher.Outcome<FetchedPage>? {
    let (step, commit) = try progress.walk.receive(
      fetched, at: page, counters: progress.counters, request: stream.request(page), clock: clock)
    progress.step = step
    progress.settled += 1
    guard var commit else {
      fetched.reservation?.release()
      return nil
    }
    progress.readings += 1
    if stream.description.method.isOfDocuments {
      commit.build = fetched.answer?.build ?? stream.description.build
      progress.note(commit.page)
    }

    let isLast = maxPages.map { progress.settled >= $0 } ?? false
    if fetched.answer?.isConfirmed != true { progress.known.commits(commit.page.keys ?? []) }
    guard case .fetch(let next) = step, !isLast, !frontier.holds(next) else {
      try await self.commit(page: commit, open, &progress)
      fetched.reservation?.release()
      return nil
    }
    let known = try await known(next, open, &progress)
    return try await withThrowingTaskGroup(of: Fetcher.Outcome<FetchedPage>.self) { group in
      group.addTask { await fetch(next, known: known) }
      do {
        try await self.commit(page: commit, open, &progress)
        fetched.reservation?.release()
      } catch {
        // What was sent was sent, and is counted.
        group.cancelAll()
        for try await ahead in group { progress.counters.add(ahead.cost) }
        throw error
      }
      return try await group.next()
    }
  }

  private func commit(page commit: PageCommit, _ open: OpenWalk, _ progress: inout Progress) async throws {
    let before = progress.counters
    try await self.commit(commit, open, &progress)
    progress.known.committed(hasChanges: progress.counters.hasChanges(since: before))
    // Of a list that only names its items, the documents are what takes its time.
    if !stream.description.method.isOfDocuments { report(commit.page.number, progress) }
  }

  /// Commits a reading of any kind.
  func commit(_ commit: PageCommit, _ open: OpenWalk, _ progress: inout Progress) async throws {
    progress.counters = try await store.commit(commit, of: open, stream: stream.description)
    progress.committed = commit.page.number
  }

  private func fetch(_ page: PageAddress, known: KnownPage?) async -> Fetcher.Outcome<FetchedPage> {
    await fetcher.fetch(page, of: stream, known: known, retries: retries, onRetry: onRetry)
  }

  /// What is known of a page from the walk before.
  private func known(_ page: PageAddress, _ open: OpenWalk, _ progress: inout Progress) async throws -> KnownPage? {
    let walk = progress.walk
    let isCatalogue = if case .catalogue = stream.description.method { true } else { false }
    return try await progress.known.take(
      page, reading: progress.readings, overlaps: { isCatalogue && walk.hasSeen($0) }
    ) { reading in
      try await store.known(in: open, stream: stream.description, after: reading, limit: Limits.knownPages)
    }
  }

  var onRetry: @Sendable (SyncError, Duration) -> Void {
    { [observer, id = stream.description.id] error, delay in observer(.retrying(id, error, after: delay)) }
  }

  func report(_ number: Int, _ progress: Progress) {
    observer(
      .page(
        stream.description.id, number: number, advertised: progress.walk.advertisedPages, counters: progress.counters))
  }
}

extension WalkMethod {
  var isOfDocuments: Bool {
    if case .documents = self { true } else { false }
  }
}

extension Page {
  fileprivate var hasItem: Bool {
    entries.contains { if case .item = $0 { true } else { false } }
  }
}

extension SyncError {
  fileprivate static func timedOut(_ stream: StreamID, after timeout: Duration) -> SyncError {
    SyncError(
      .tryLater, "\(stream): stopped after \(timeout.components.seconds) s, the timeout of a run (runs.timeout)",
      hint: "run it again to resume after the last committed page")
  }

  fileprivate init(unexpected error: any Error) {
    self.init(
      .database, "unexpected error: \(error)",
      hint: "this is a fault of syncctl: please report it with the command you ran")
  }
}

extension RunCounters {
  /// Whether the mirror is another one than it was. Duplicates are written too, if they differ.
  func hasChanges(since earlier: RunCounters) -> Bool {
    inserted > earlier.inserted || updated > earlier.updated || duplicates > earlier.duplicates
      || quarantined > earlier.quarantined
  }

  mutating func add(_ cost: Fetcher.Cost) {
    requests += cost.requests
    retries += cost.retries
    bytes += cost.bytes
    permitsWaited += cost.permitsWaited
    waited += cost.waited
  }
}
