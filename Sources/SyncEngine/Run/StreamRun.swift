package import SyncCore

package struct StreamRun: Sendable {
  package let stream: any PagedStream
  let fetcher: Fetcher
  let store: any WalkStore
  let clock: any SyncClock
  let observer: RunObserver
  let concurrency: Int
  let retries = RunRetries()

  package init(
    stream: any PagedStream, fetcher: Fetcher, store: any WalkStore, clock: any SyncClock, concurrency: Int = 1,
    observer: @escaping RunObserver
  ) {
    self.concurrency = max(1, concurrency)
    (self.stream, self.fetcher, self.store, self.clock, self.observer) = (stream, fetcher, store, clock, observer)
  }

  package struct Options: Sendable {
    package var maxPages: Int?
    package var isFull = false
    package var waitsForLease = false
    /// The time limit, counted from the moment when the run holds the lease. `nil` means no limit.
    package var timeout: Duration?
    /// The beginning of a run's id. The guard stopped that run, and the user confirms its changes.
    package var confirms: String?

    package init() {}
  }

  package struct Walked: Sendable {
    fileprivate let open: OpenWalk
    fileprivate let ending: WalkEnding
    /// Whether the service no longer knows the cursor at which this run resumed. Another walk can start at once.
    package let mustRestart: Bool

    package var counters: RunCounters { ending.counters }
    package var isDoubtful: Bool { ending.publishes && ending.counters.quarantined > 0 }
  }

  /// Walks the stream but does not publish it. The caller must always call `finish` afterwards.
  package func walked(_ options: Options) async throws -> Walked {
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
    // If the walk had ended before the failure, the certificate still says so.
    let certificate = progress.certificate(endedBy: failure == nil ? endedBy : progress.walkEnd ?? endedBy)
    let status = progress.certificate(endedBy: endedBy).status
    var ending = WalkEnding(
      status: status, certificate: certificate, counters: progress.counters,
      error: failure, readings: progress.committed, publishes: endedBy == progress.walkEnd && certificate.mayPublish,
      publishedReadings: progress.walk.publishedReadings,
      // A run that a guard stopped resumes only if the user confirms it.
      isResumable: [.maxPages, .interrupted, .failed].contains(endedBy) && failure?.code != .guarded
        && failure?.disposition != .restart)
    var warnings = [progress.warning, progress.absence?.warning].compactMap(\.self)
    if status == .unproven {
      let remedy = stream.description.evidenceRemedy.map { "; \($0)" } ?? ""
      warnings.append("nothing proves that no item was removed while the list was read\(remedy)")
    }
    ending.warning = warnings.isEmpty ? nil : warnings.joined(separator: "; ")
    let mustRestart = failure?.disposition == .restart && !open.pages.isEmpty && progress.settled == 0
    return Walked(open: open, ending: ending, mustRestart: mustRestart)
  }

  /// Publishes the walk and closes its run. The quarantine limit applies to `judged`, or else to the walk's items.
  package func finish(_ walked: Walked, judged: ItemTally? = nil) async throws -> RunReport {
    var ending = walked.ending
    ending.judged = judged
    let report: RunReport
    do {
      report = try await finishing(clock) { [store, description = stream.description, ending] in
        try await store.finish(walked.open, stream: description, ending: ending)
      }
    } catch {
      // If the walk failed too, its error is more useful than the error of closing the ledger row.
      throw ending.error ?? error
    }
    observer(.finished(report))
    return report
  }

  private func openWalk(_ options: Options) async throws -> (OpenWalk, takenAt: Duration) {
    var isWaiting = false
    while true {
      let askedAt = clock.now()
      do {
        var open = try await store.open(stream.description, fresh: options.isFull, confirming: options.confirms)
        open.openedAt = clock.now()
        return (open, askedAt)
      } catch let error as SyncError where error.code == .leaseHeld && options.waitsForLease {
        if !isWaiting { observer(.waitingForLease(stream.description.id, error)) }
        isWaiting = true
        try await clock.sleep(for: Limits.leasePoll)
      }
    }
  }

  private typealias End = Result<Certificate.EndedBy, any Error>

  /// Each commit renews the lease, and the heartbeat renews it between commits. A failed heartbeat cancels `body`.
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
    var readings: Int
    var committed: Int
    var settled = 0
    var hasAnswer = false
    var walkEnd: Certificate.EndedBy?
    var known: KnownPages
    private var listPages: [StoredPage] = []
    var had: Set<Int64> = []
    var documents = 0
    var unavailable: [Int64] = []
    var warning: String?
    /// `nil` until page 1 was read in this run.
    var absence: AbsentPaths?
    var lacksDocuments: Bool
    /// Found items of the previous list that the walk did not see.
    var missed: Int
    private let enumerates: Bool

    init(_ stream: StreamDescription, _ open: OpenWalk) {
      walk = stream.walk(knowing: open.repeats)
      step = walk.start
      readings = open.pages.count
      committed = readings
      known = KnownPages(hasBasis: open.basis != nil, reading: open.pages.count)
      lacksDocuments = stream.method.isOfDocuments
      missed = open.pages.reduce(0) { $0 + $1.missed }
      enumerates = stream.enumerates
      for page in open.pages {
        step = walk.replay(page)
        if stream.method.isOfDocuments { note(page) }
      }
    }

    mutating func note(_ page: StoredPage) {
      if page.page == nil { had.formUnion(page.keys ?? []) } else { listPages.append(page) }
    }

    var listed: Set<Int64> {
      let readings = walk.publishedReadings ?? 0..<Int.max
      return Set(listPages.lazy.filter { readings.contains($0.number) }.compactMap(\.keys).joined())
    }

    /// Whether the walk saw no sign that an item is missing, so that missing items are looked up. The lookups of an
    /// earlier run do not count, because a resumed run looks up the rest.
    func isWhole(endedBy: Certificate.EndedBy) -> Bool { certificate(endedBy: endedBy, missed: 0).isWhole }

    func certificate(endedBy: Certificate.EndedBy) -> Certificate { certificate(endedBy: endedBy, missed: missed) }

    private func certificate(endedBy: Certificate.EndedBy, missed: Int) -> Certificate {
      var certificate = walk.certificate(endedBy: endedBy)
      certificate.unavailable = unavailable
      certificate.complete = certificate.complete && !lacksDocuments && unavailable.isEmpty
      if enumerates { certificate.requireEvidence(missed: missed) }
      return certificate
    }
  }

  private func walk(_ open: OpenWalk, maxPages: Int?) async -> (Progress, End) {
    var progress = Progress(stream.description, open)
    do {
      let reason = try await walkPages(open, &progress, maxPages: maxPages)
      guard reason != .maxPages else { return (progress, .success(reason)) }
      if progress.readings == 0, let witness = stream.description.witness { try await ask(witness, &progress) }
      progress.walkEnd = reason
      guard try await fetchDocuments(open, &progress, maxPages: maxPages) else {
        return (progress, .success(.maxPages))
      }
      if case .questionsItem = stream.description.absence, progress.isWhole(endedBy: reason),
        try await !lookUpMissing(open, &progress, maxPages: maxPages)
      {
        return (progress, .success(.maxPages))
      }
      return (progress, .success(reason))
    } catch {
      return (progress, .failure(error))
    }
  }

  private func ask(_ witness: UpstreamRequest, _ progress: inout Progress) async throws {
    let fetched = await fetcher.fetch(witness, retries: retries, onWait: onWait) { [stream] in
      try stream.read($0, to: $1)
    }
    progress.counters += fetched.cost
    switch fetched.result {
    case .answer(let page) where page.entries.contains(where: \.isItem): break
    case .answer: throw SyncError.witnessIsEmpty(witness)
    case .exhausted(let error): throw error
    case .stopped(let error): throw error
    }
  }

  func commit(
    _ readings: [PageCommit], after counters: RunCounters, _ open: OpenWalk
  ) async -> Result<Committed, any Error> {
    do {
      return .success(try await store.commit(readings, after: counters, of: open, stream: stream.description))
    } catch {
      return .failure(error)
    }
  }

  var onWait: @Sendable (Wait) -> Void {
    { [observer, id = stream.description.id] wait in observer(.waiting(id, wait)) }
  }

  func report(_ number: Int, _ progress: Progress) {
    observer(
      .page(
        stream.description.id, number: number, advertised: progress.walk.advertisedPages, counters: progress.counters))
  }
}

extension WalkMethod {
  var isOfDocuments: Bool { if case .documents = self { true } else { false } }
}

extension SyncError {
  fileprivate static func timedOut(_ stream: StreamID, after timeout: Duration) -> SyncError {
    SyncError(
      .tryLater, "\(stream): stopped after \(timeout.components.seconds) s, the timeout of a run (runs.timeout)",
      hint: "run it again to resume after the last committed page")
  }

  init(unexpected error: any Error) {
    self.init(
      .database, "unexpected error: \(error)",
      hint: "this is a bug in syncctl; please report it with the command that you ran")
  }
}

extension RunCounters {
  /// Whether the mirror can have changed. A duplicate changes the mirror if it differs from the stored item.
  var hasChanges: Bool { inserted + updated + duplicates + quarantined > 0 }
}
