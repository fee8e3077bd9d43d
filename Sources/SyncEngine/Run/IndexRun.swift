package import SyncCore

/// Decides which streams of an indexed source must run. Fetches the source's index, unless the mirror already has all
/// requested streams from the current build.
package struct IndexRun: Sendable {
  private let source: any IndexedSource
  private let fetcher: Fetcher
  private let store: any IndexStore
  private let clock: any SyncClock
  private let observer: RunObserver

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
    var counters = RunCounters()
    var build: String?
    var index: [String]?
    var failure: SyncError?
    var isMixed = false
    do throws(SyncError) {
      build = try await answer(to: source.buildRequest, &counters) { try source.build($0, to: $1) }
      // A cache can answer that the build page does not exist, so the other addresses of the page are requested too.
      for url in source.buildRequest.alternatives where build == nil {
        build = try await answer(to: UpstreamRequest(url: url), &counters) { try source.build($0, to: $1) }
      }
      let requestedNames = requested ?? stored.streams
      let isMirrored =
        build != nil && !requestedNames.isEmpty && requestedNames.allSatisfy { stored.builds[$0] == build }
      if isFull || !isMirrored {
        let found = try await answer(to: source.indexRequest, &counters) {
          (streams: try source.streams($0, to: $1), build: source.build(of: $0))
        }
        index = found.streams
        // A cache can return an index of another build. Such an index can lack streams.
        if let build, found.build ?? build != build { isMixed = true }
      }
    } catch {
      failure = error
    }
    let isInterrupted = failure != nil && Task.isCancelled
    let look = IndexLook(
      source: source.id, origin: source.origin, build: build, streams: index, counters: counters,
      duration: clock.now() - startedAt, error: isInterrupted ? nil : failure, isInterrupted: isInterrupted)
    let report = try await finishing(clock) { [store] in try await store.record(look) }
    observer(.finished(report))
    let all = index ?? stored.streams
    let requestedNames = requested ?? all
    let unchanged = isFull || build == nil ? [] : requestedNames.filter { stored.builds[$0] == build }
    let indexed = Set(all)
    return StreamPlan(
      report: report, build: isMixed ? nil : build,
      streams: failure == nil ? requestedNames.filter { indexed.contains($0) && !unchanged.contains($0) } : [],
      unchanged: unchanged, unknown: index == nil ? [] : requestedNames.filter { !indexed.contains($0) }, indexed: all)
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
