package import SyncCore

/// One run of one stream: `readList` opens the run, reads the list and commits what it reads; `publish` closes the run.
package struct StreamRun: Sendable {
  package let stream: any PagedStream
  let fetcher: Fetcher
  let store: any WalkStore
  let clock: any SyncClock
  let observer: RunObserver
  let concurrency: Int
  let retries = RunRetries()

  /// Sends no request yet, and does not open the run.
  /// - Parameter concurrency: The number of simultaneous requests for documents. A number below 1 means 1.
  package init(
    stream: any PagedStream, fetcher: Fetcher, store: any WalkStore, clock: any SyncClock, concurrency: Int = 1,
    observer: @escaping RunObserver
  ) {
    self.stream = stream
    self.fetcher = fetcher
    self.store = store
    self.clock = clock
    self.concurrency = max(1, concurrency)
    self.observer = observer
  }

  /// The user's choices for a run.
  package struct Options: Sendable {
    /// The number of pages, holes and batches that the run settles. `nil` means no limit.
    package var maxPages: Int?
    /// Whether the run starts a new walk and ignores the TTL, validators and stored pages.
    package var isFull = false
    /// Whether the run waits for a lease that another process holds, instead of throwing.
    package var waitsForLease = false
    /// The time limit, counted from the moment when the run holds the lease. `nil` means no limit.
    package var timeout: Duration?
    /// The beginning of a run's id. The guard stopped that run, and the user confirms its changes.
    package var confirms: String?

    package init() {}
  }

  /// A walk that was read and is not published yet. Its run is open in the ledger and holds the stream's lease.
  package struct UnpublishedWalk: Sendable {
    fileprivate let open: OpenWalk
    fileprivate let ending: WalkEnding
    /// Whether the service no longer knows the cursor at which this run resumed. Another walk can start at once.
    package let mustRestart: Bool

    package var counters: RunCounters { ending.counters }
    /// Whether the walk would publish a list, and some of its items could not be used.
    package var isDoubtful: Bool { ending.publishes && ending.counters.quarantined > 0 }
  }

  /// Reads and stores the stream's list, its documents and its missing items, but publishes nothing. The caller must
  /// always call `publish` afterwards, also if the walk failed.
  /// - Throws: `SyncError` or `CancellationError` if the run could not begin, for example because another process holds
  ///   the lease. Later errors are in the result.
  package func readList(_ options: Options) async throws -> UnpublishedWalk {
    let (open, takenAt) = try await openWalk(options)
    observer(.opened(stream.description.id, runID: open.runID, resumedPages: open.readings))

    let ((progress, end), isTimedOut) = await clock.limiting(to: options.timeout) {
      await whileLeased(open, takenAt: takenAt) { await readStages(open, maxPages: options.maxPages) }
    }

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
    let certificate = progress.certificate(endedBy: failure == nil ? endedBy : progress.end ?? endedBy)
    let status = progress.certificate(endedBy: endedBy).status

    var ending = WalkEnding(
      status: status, certificate: certificate, counters: progress.tally.counters,
      error: failure, readings: progress.tally.committed, publishes: endedBy == progress.end && certificate.mayPublish,
      publishedReadings: progress.publishedReadings,
      // A run that a guard stopped resumes only if the user confirms it.
      isResumable: [.maxPages, .interrupted, .failed].contains(endedBy) && failure?.code != .guarded
        && failure?.disposition != .restart)

    var warnings = progress.warnings
    if status == .unproven {
      let remedy = stream.description.evidenceRemedy.map { "; \($0)" } ?? ""
      warnings.append("nothing proves that no item was removed while the list was read\(remedy)")
    }
    ending.warning = warnings.isEmpty ? nil : warnings.joined(separator: "; ")

    let mustRestart = failure?.disposition == .restart && open.readings > 0 && progress.tally.settled == 0
    return UnpublishedWalk(open: open, ending: ending, mustRestart: mustRestart)
  }

  /// Publishes the list if it can be published, closes the run and releases the lease.
  /// - Parameter judged: The items that the quarantine limit applies to. `nil` means the items of the walk.
  /// - Throws: The error that stopped the walk, or else the error of the store, if the run could not be closed.
  package func publish(_ walk: UnpublishedWalk, judged: ItemTally? = nil) async throws -> RunReport {
    var ending = walk.ending
    ending.judged = judged
    let report: RunReport
    do {
      report = try await finishing(clock) { [store, description = stream.description, ending] in
        try await store.finish(walk.open, stream: description, ending: ending)
      }
    } catch {
      // If the walk failed too, its error is more useful than the error of closing the ledger row.
      throw ending.error ?? error
    }
    observer(.finished(report))
    return report
  }

  /// Opens the run in the ledger, which takes the stream's lease.
  /// - Returns: The walk, and the time before the request for the lease.
  /// - Throws: `SyncError` `.leaseHeld` if another process holds the lease and the options do not wait for it.
  private func openWalk(_ options: Options) async throws -> (OpenWalk, takenAt: Duration) {
    var isWaiting = false
    while true {
      let requestedAt = clock.now()
      do {
        var open = try await store.open(stream.description, fresh: options.isFull, confirming: options.confirms)
        open.openedAt = clock.now()
        return (open, requestedAt)
      } catch let error as SyncError where error.code == .leaseHeld && options.waitsForLease {
        if !isWaiting { observer(.waitingForLease(stream.description.id, error)) }
        isWaiting = true
        try await clock.sleep(for: Limits.leasePoll)
      }
    }
  }

  /// The progress of a run that was cancelled before it began.
  private func untouched(_ open: OpenWalk) -> WalkProgress {
    WalkProgress(
      WalkStateMachine(stream, open, maxPages: nil), of: stream.description, earlier: open.pages)
  }

  private typealias End = Result<Certificate.EndedBy, any Error>

  /// Each commit renews the lease, and the heartbeat renews it between commits. A failed heartbeat cancels `body`.
  private func whileLeased(
    _ open: OpenWalk, takenAt: Duration, _ body: @escaping @Sendable () async -> (WalkProgress, End)
  ) async -> (WalkProgress, End) {
    guard let ttl = open.leaseTTL else { return await body() }
    let keeper = LeaseKeeper(ttl: ttl, takenAt: takenAt, clock: clock) { [store, description = stream.description] in
      try await store.renew(open, stream: description)
    }
    let (walked, lost) = await keeper.whileKept(body)
    let (progress, end) = walked ?? (untouched(open), .failure(CancellationError()))
    if let lost, case .failure(is CancellationError) = end { return (progress, .failure(lost)) }
    return (progress, end)
  }

  /// The stages of a walk: pages, documents, lookups of missing items.
  private func readStages(_ open: OpenWalk, maxPages: Int?) async -> (WalkProgress, End) {
    var pages = WalkStateMachine(stream, open, maxPages: maxPages)
    let end = await readPages(open, &pages)
    var progress = WalkProgress(pages, of: stream.description, earlier: open.pages)
    do {
      let reason = try end.get()
      // An ignored answer proves nothing, so no document and no missing item is requested.
      guard reason != .maxPages, reason != .ignored else { return (progress, .success(reason)) }
      if progress.tally.committed == 0, let witness = stream.description.witness { try await ask(witness, &progress) }
      progress.end = reason
      guard try await fetchDocuments(open, &progress) else { return (progress, .success(.maxPages)) }
      if case .questionsItem = stream.description.absence, progress.canLookUpMissing(endedBy: reason),
        try await !lookUpMissing(open, &progress)
      {
        return (progress, .success(.maxPages))
      }
      return (progress, .success(reason))
    } catch {
      return (progress, .failure(error))
    }
  }

  /// Requests the stream's witness after an empty list, because a failing service can return empty lists.
  /// - Throws: `SyncError` if the witness has no usable item, or the error of its request.
  private func ask(_ witness: UpstreamRequest, _ progress: inout WalkProgress) async throws {
    let fetched = await fetcher.fetch(witness, retries: retries, onWait: onWait) { [stream] in
      try stream.read($0, to: $1)
    }
    progress.tally.add(cost: fetched.cost)
    switch fetched.result {
    case .answer(let page) where page.entries.contains(where: \.isItem): break
    case .answer: throw SyncError.witnessIsEmpty(witness)
    case .exhausted(let error): throw error
    case .stopped(let error): throw error
    }
  }

  /// Commits readings in one transaction and returns the error instead of throwing it.
  /// - Parameter counters: The run's counters before the commit.
  func commit(
    _ readings: [PageCommit], after counters: RunCounters, _ open: OpenWalk
  ) async -> Result<Committed, any Error> {
    do {
      return .success(try await store.commit(readings, after: counters, of: open, stream: stream.description))
    } catch {
      return .failure(error)
    }
  }

  /// Reports the waits of a request as waits of this stream.
  var onWait: @Sendable (Wait) -> Void {
    { [observer, id = stream.description.id] wait in observer(.waiting(id, wait)) }
  }

  /// Reports the progress after a commit. `advertised` is the expected number of readings.
  func report(_ tally: RunTally, advertised: Int?) {
    observer(
      .page(stream.description.id, number: tally.committed, advertised: advertised, counters: tally.counters))
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

  /// The error for a failure that the engine does not know. It asks the user for a report.
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
