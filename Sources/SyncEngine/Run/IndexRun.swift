package import SyncCore

/// Decides which streams of an indexed source must run. Fetches the source's index (the service's list of its streams),
/// unless the mirror already has all requested streams from the current build (the version of the service's data).
package struct IndexRun: Sendable {
  private let source: any IndexedSource
  private let fetcher: Fetcher
  private let store: any IndexStore
  private let clock: any SyncClock
  private let observer: RunObserver

  /// Sends no request yet. `observer` gets the waits and the report, as events of the stream `StoredIndex.stream`.
  package init(
    source: any IndexedSource, fetcher: Fetcher, store: any IndexStore, clock: any SyncClock,
    observer: @escaping RunObserver
  ) {
    self.source = source
    self.fetcher = fetcher
    self.store = store
    self.clock = clock
    self.observer = observer
  }

  /// The streams that must run, and the ledger's report about the index.
  package struct StreamPlan: Sendable {
    /// The report of the requests for build and index. It has the error of a failed request, unless the run was
    /// cancelled.
    package let report: RunReport
    /// The current build. `nil` if the service named none, or if the index was of another build.
    package let build: String?
    /// The requested streams that must run. Empty if a request failed.
    package let streams: [String]
    /// The requested streams whose mirrored documents are of the current build.
    package let unchanged: [String]
    /// The requested names that the index does not have. Empty if the index was not fetched.
    package let unknown: [String]
    /// The names in the fetched index, or else the names that the mirror knows.
    package let indexed: [String]
  }

  /// Asks the service for its build and, if necessary, for its index, and records the result in the ledger.
  /// - Parameters:
  ///   - requested: The names of the requested streams. `nil` means all streams.
  ///   - isFull: Whether streams of the current build run too.
  /// - Throws: The error of the store. An error of the service is in the report.
  package func selectStreams(requested: [String]?, isFull: Bool) async throws -> StreamPlan {
    let startedAt = clock.now()
    let stored = try await store.index(of: source.id, origin: source.origin)
    var answers = IndexAnswers()
    var failure: SyncError?
    do throws(SyncError) {
      try await fetchAnswers(&answers, requested: requested ?? stored.streams, stored: stored, isFull: isFull)
    } catch {
      failure = error
    }

    let isInterrupted = failure != nil && Task.isCancelled
    let look = IndexLook(
      source: source.id, origin: source.origin, build: answers.build, streams: answers.streams,
      counters: answers.counters, duration: clock.now() - startedAt, error: isInterrupted ? nil : failure,
      isInterrupted: isInterrupted)
    let report = try await finishing(clock) { [store] in try await store.record(look) }
    observer(.finished(report))

    let indexed = answers.streams ?? stored.streams
    let available = Set(indexed)
    let requested = requested ?? indexed
    let unchanged = isFull || answers.build == nil ? [] : requested.filter { stored.builds[$0] == answers.build }
    return StreamPlan(
      report: report,
      build: answers.isMixed ? nil : answers.build,
      streams: failure == nil ? requested.filter { available.contains($0) && !unchanged.contains($0) } : [],
      unchanged: unchanged,
      unknown: answers.streams == nil ? [] : requested.filter { !available.contains($0) },
      indexed: indexed)
  }

  /// The service's answers about its build and its index.
  private struct IndexAnswers {
    var build: String?
    /// The names of the streams. `nil` if the index was not needed or not read.
    var streams: [String]?
    /// Whether the index is of another build. A cache can return such an index, which can lack streams.
    var isMixed = false
    /// The cost of all requests, also of a failed request.
    var counters = RunCounters()
  }

  /// Requests the build, and then the index unless the mirror has the build of all `requested` streams.
  private func fetchAnswers(
    _ answers: inout IndexAnswers, requested: [String], stored: StoredIndex, isFull: Bool
  ) async throws(SyncError) {
    answers.build = try await answer(to: source.buildRequest, &answers.counters) { try source.build($0, to: $1) }
    // A cache can answer that the build page does not exist, so the other addresses of the page are requested too.
    for url in source.buildRequest.alternatives where answers.build == nil {
      answers.build = try await answer(to: UpstreamRequest(url: url), &answers.counters) {
        try source.build($0, to: $1)
      }
    }

    let build = answers.build
    let isMirrored = build != nil && !requested.isEmpty && requested.allSatisfy { stored.builds[$0] == build }
    guard isFull || !isMirrored else { return }
    let index = try await answer(to: source.indexRequest, &answers.counters) {
      (streams: try source.streams($0, to: $1), build: source.build(of: $0))
    }
    answers.streams = index.streams
    if let build, index.build ?? build != build { answers.isMixed = true }
  }

  /// Sends a request and adds its cost to `counters`.
  /// - Throws: The request's error. A cancellation becomes `SyncError` `.tryLater`.
  private func answer<Answer: Sendable>(
    to request: UpstreamRequest, _ counters: inout RunCounters,
    _ read: @escaping @Sendable (UpstreamResponse, UpstreamRequest) throws -> Answer
  ) async throws(SyncError) -> Answer {
    let stream = StreamID(source: source.id, name: StoredIndex.stream)
    let fetched = await fetcher.fetch(
      request, retries: RunRetries(), onWait: { [observer] in observer(.waiting(stream, $0)) }, read: read)
    counters += fetched.cost
    switch fetched.result {
    case .answer(let answer): return answer
    case .exhausted(let error): throw error
    case .stopped(let error): throw (error as? SyncError) ?? SyncError(.tryLater, "stopped")
    }
  }
}
