package import SyncCore

/// Walks one stream to its end, one transaction per page, and keeps the ledger.
///
/// The thin driver around `Walk`: while page *n* is written, page *n + 1* is fetched, and nothing further ahead.
package struct StreamRun: Sendable {
  private let stream: any PagedStream
  private let fetcher: Fetcher
  private let store: any WalkStore
  private let clock: any SyncClock
  private let observer: RunObserver

  package init(
    stream: any PagedStream, fetcher: Fetcher, store: any WalkStore, clock: any SyncClock,
    observer: @escaping RunObserver
  ) {
    self.stream = stream
    self.fetcher = fetcher
    self.store = store
    self.clock = clock
    self.observer = observer
  }

  package struct Options: Sendable {
    /// Pages to fetch in this run; nil for all.
    package var maxPages: Int?
    /// Start a new walk even if one could be resumed.
    package var isFull = false

    package init() {}
  }

  /// Runs the stream and closes its ledger row, whatever happens in between.
  ///
  /// - Returns: the closed run; its `error` tells why it did not end well.
  /// - Throws: `SyncError` if the run could not be opened or closed, so that there is no ledger row to tell it.
  package func run(_ options: Options) async throws -> RunReport {
    let description = stream.description
    let open = try await store.open(description, fresh: options.isFull)
    observer(.opened(description.id, resumedPages: open.pages.count))
    var progress = Progress(open)
    var failure: SyncError?
    var endedBy: Certificate.EndedBy
    do {
      endedBy = try await walk(open, &progress, maxPages: options.maxPages)
    } catch {
      endedBy = error is CancellationError ? .interrupted : .failed
      failure = endedBy == .interrupted ? nil : (error as? SyncError) ?? SyncError(unexpected: error)
    }
    let certificate = progress.walk.certificate(endedBy: endedBy)
    let ending = WalkEnding(
      status: certificate.status, certificate: certificate, counters: progress.counters,
      error: failure, publishes: certificate.mayPublish,
      isResumable: [.maxPages, .interrupted, .failed].contains(endedBy))
    let report: RunReport
    do {
      report = try await uncancelled { [store] in
        try await store.finish(open, stream: description, ending: ending)
      }
    } catch {
      // What stopped the walk says more than that its row could not be closed for the same reason.
      throw failure ?? error
    }
    observer(.finished(report))
    return report
  }

  private struct Progress {
    var walk: Walk
    var step: Walk.Step
    var counters = RunCounters()
    /// Pages asked for by this run, holes included.
    var asked = 0

    init(_ open: OpenWalk) {
      (walk, step) = Walk.resume(open.pages)
    }
  }

  private func walk(
    _ open: OpenWalk, _ progress: inout Progress, maxPages: Int?
  ) async throws -> Certificate.EndedBy {
    var answer: Fetcher.Outcome?
    while true {
      let number: Int
      switch progress.step {
      case .end(let reason): return reason
      case .fetch(let page): number = page
      }
      if let maxPages, progress.asked >= maxPages { return .maxPages }
      try Task.checkCancellation()
      let fetched = if let answer { answer } else { await fetch(number) }
      answer = nil
      progress.asked += 1
      progress.counters.add(fetched.cost)
      let content = PageContent(try fetched.result.get())
      // Counted for good only when the page is committed: of one that is rolled back, nothing was read.
      var counters = progress.counters
      let reading = try progress.walk.receive(
        page: number, content: content, counters: &counters, request: stream.request(page: number))
      progress.step = reading.step
      guard let commit = reading.commit else { continue }

      let isLast = maxPages.map { progress.asked >= $0 } ?? false
      if case .fetch(let next) = reading.step, !isLast {
        async let ahead = fetch(next)
        progress.counters = try await store.commit(commit, of: open, stream: stream.description)
        report(number, progress)
        answer = await ahead
      } else {
        progress.counters = try await store.commit(commit, of: open, stream: stream.description)
        report(number, progress)
      }
    }
  }

  private func fetch(_ page: Int) async -> Fetcher.Outcome {
    await fetcher.fetch(page: page, of: stream) { [observer, id = stream.description.id] error, delay in
      observer(.retrying(id, error, after: delay))
    }
  }

  private func report(_ number: Int, _ progress: Progress) {
    observer(
      .page(
        stream.description.id, number: number, advertised: progress.walk.advertisedPages, counters: progress.counters))
  }
}

/// Runs `body` to its end even if the calling task is cancelled: a ledger row that is open must be closed.
///
/// The task only looks unstructured; it is awaited at once and lives no longer than this call.
private func uncancelled<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws -> R {
  try await Task { try await body() }.value
}

extension SyncError {
  fileprivate init(unexpected error: any Error) {
    self.init(
      .database, "unexpected error: \(error)",
      hint: "this is a fault of syncctl: please report it with the command you ran")
  }
}

extension RunCounters {
  fileprivate mutating func add(_ cost: Fetcher.Cost) {
    requests += cost.requests
    retries += cost.retries
    bytes += cost.bytes
  }
}
