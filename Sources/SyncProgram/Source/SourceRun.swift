import Foundation
package import SyncCore
package import SyncEngine
package import SyncPostgres

/// The part of a run that belongs to one source, between `Runner.runSource` and `StreamRun`. `Source.mirror` uses it to
/// request, read and publish streams.
///
/// A source first creates a fetcher for each server, and passes the fetcher to `update`. Reports and errors of streams
/// are collected in `results`, so `update` does not throw them.
package struct SourceRun {
  struct Parts: Sendable {
    var database: Database
    let budgetDatabase: Database
    var transport: any Transport
    var store: any WalkStore
    /// The printer of a dry run's changes; `nil` in a run that writes.
    let printer: ChangePrinter?
    let reporter: RunReporter
    let clock: SystemClock
  }

  let settings: RunSettings
  let parts: Parts
  var results: RunResults
  var together = ItemTally()
  var doubtful: [(run: StreamRun, walk: StreamRun.UnpublishedWalk)] = []

  package var database: Database { parts.database }
  package var isFull: Bool { settings.isFull }
  /// Whether the user confirmed the walk that a guard stopped. The run then resumes this walk.
  package var isConfirmed: Bool { settings.confirms != nil }
  package var refreshes: Bool { settings.refreshes }
  /// The current time in seconds since 1970.
  package var now: Int64 { Int64(Date().timeIntervalSince1970) }
  /// The current month in UTC.
  package var month: (year: Int, month: Int) {
    let month = CivilMonth.of(day: floorDivide(now, 86_400)).month
    return (Int(month.year), Int(month.month))
  }

  /// Returns a fetcher for the server of `baseURL`. Its permits are shared with all processes that use the database.
  /// - Parameters:
  ///   - limits: The rate limits of the server; empty for none.
  ///   - tokens: The access tokens of the requests; `nil` for requests without a token.
  package func fetcher(for baseURL: String, limits: [RateWindow], tokens: AccessTokens? = nil) -> Fetcher {
    guard let tokens else { return Fetcher(for: baseURL, limits: limits, parts) }
    let isSameServer = Origin.server(of: tokens.url) == Origin.server(of: baseURL)
    let tokenFetcher = Fetcher(for: tokens.url, limits: isSameServer ? limits : [], parts)
    var authorized = parts
    authorized.transport = AuthorizedTransport(parts.transport, tokens, requestedWith: tokenFetcher)
    return Fetcher(for: baseURL, limits: limits, authorized)
  }

  /// Reads and publishes the streams one after the other. After an error, the next stream is read unless the error
  /// stops the run. Skips streams that ended in an earlier attempt of the same run of a job. Can be called several
  /// times.
  /// - Parameters:
  ///   - fetcher: The fetcher for the streams' server, from `fetcher(for:limits:tokens:)`.
  ///   - concurrency: The number of simultaneous requests for a stream's documents.
  /// - Throws: Only errors other than `SyncError`, such as `CancellationError`.
  package mutating func update(_ streams: [any PagedStream], with fetcher: Fetcher, concurrency: Int = 1) async throws {
    var options = StreamRun.Options()
    options.maxPages = settings.maxPages
    options.timeout = settings.timeout
    options.waitsForLease = settings.waitsForLease
    options.confirms = settings.confirms
    for stream in streams where !Task.isCancelled && !results.isStopped && !hasFailed {
      let earlier = results.earlier[stream.description.id]
      if let earlier, earlier.status.isEnd { continue }
      options.isFull = isFull && earlier == nil
      let run = StreamRun(
        stream: stream, fetcher: fetcher, store: parts.store, clock: parts.clock, concurrency: concurrency,
        observer: parts.reporter.observe)
      do {
        var walk = try await run.readList(options)
        if walk.mustRestart {
          let ended = try await run.publish(walk)
          parts.reporter.announcer.note("\(ended.error?.message ?? "the walk cannot continue"); a new walk starts")
          walk = try await run.readList(options)
        }
        try await publishOrKeep(run, walk, stream.description.absence)
      } catch let error as SyncError {
        results.refusals.append((stream.description.id, error))
      }
      if fetcher.isGivenUp { break }
    }
  }

  /// Publishes the walk, or keeps it for `publishDoubtful`.
  private mutating func publishOrKeep(
    _ run: StreamRun, _ walk: StreamRun.UnpublishedWalk, _ absence: Absence
  ) async throws {
    guard absence.isJudgedWithOthers else {
      results.reports.append(try await run.publish(walk))
      return
    }
    together.add(walk.counters)
    if walk.isDoubtful {
      doubtful.append((run, walk))
    } else {
      results.reports.append(try await run.publish(walk, judged: ItemTally()))
    }
  }

  /// Call it after all walks, because unusable items are judged by their share in all streams together.
  mutating func publishDoubtful() async throws {
    for (run, walk) in doubtful {
      do {
        results.reports.append(try await run.publish(walk, judged: together))
      } catch let error as SyncError {
        results.refusals.append((run.stream.description.id, error))
      }
    }
    doubtful = []
  }

  /// Adds the reason why a stream of this run cannot be read. Other streams are read nevertheless.
  package mutating func refuse(_ stream: StreamID, because error: SyncError) {
    results.refusals.append((stream, error))
  }

  /// Prints what a stream of several lists costs at least, if it takes long.
  /// - Parameters:
  ///   - requests: The number of lists to request.
  ///   - unchanged: The number of lists that are not requested, because nothing has changed.
  ///   - limits: The rate limits of the service.
  package func announce(_ requests: Int, unchanged: Int, of stream: StreamID, within limits: [RateWindow]) {
    let duration = RunCost.time(for: requests, within: limits)
    guard settings.maxPages == nil, duration >= Limits.shortestReportedRunTime || unchanged > 0 else { return }
    let others = "\(HumanFormat.counted(unchanged, "list")) unchanged"
    guard requests > 0 else { return parts.reporter.announcer.note("\(stream): no request, \(others)") }
    let count = HumanFormat.counted(requests, "request")
    let cost = "at least \(count), about \(HumanFormat.estimate(duration))"
    parts.reporter.announcer.note("\(stream): \(cost)\(unchanged > 0 ? ", \(others)" : "")")
  }

  /// Prints a warning about a stream of this run.
  package func warn(_ text: String) { parts.reporter.announcer.warn(text) }

  private var hasFailed: Bool { parts.printer?.hasFailed ?? false }

  /// Asks the service for its build, an identifier of the version of its data, and if necessary for its index, the
  /// list of its streams. Announces the cost of the selected streams that have changed, and adds the report of these
  /// requests to the results. Call it before `update`.
  /// - Parameter services: The services that the streams' requests go to.
  /// - Returns: The names of the streams that must run, and the build; `nil` if the service named none, or if the index
  ///   was of another build. A stream that was mirrored from this build is omitted, unless the run is full or
  ///   confirmed. No stream is returned if a request failed; the report then has the error.
  /// - Throws: `SyncError` `.usage` for a selected stream that the service does not have.
  package mutating func changed(
    _ selection: StreamSelection, of source: any IndexedSource, at services: [Service], with fetcher: Fetcher
  ) async throws -> (streams: [String], build: String?) {
    let index = IndexRun(
      source: source, fetcher: fetcher,
      store: PostgresIndexStore(
        database, isDry: parts.printer != nil, job: settings.job, invocation: settings.invocation),
      clock: parts.clock, observer: parts.reporter.observe)
    let requested: [String]? = if case .named(let names) = selection { names } else { nil }
    let found = try await index.selectStreams(requested: requested, isFull: isFull || isConfirmed)
    results.reports.append(found.report)
    if let name = found.unknown.first {
      throw SyncError(
        .usage, "\(source.id) has no stream \(Excerpt.of(name, scalars: 60))",
        hint: Suggestion.hint(for: name, among: found.indexed))
    }
    if let build = found.build, !found.unchanged.isEmpty {
      let names = found.unchanged.count == 1 ? found.unchanged[0] : "\(found.unchanged.count) streams"
      parts.reporter.announcer.note(
        "\(source.id): \(names) unchanged: the data is still of build \(Excerpt.of(build, scalars: 12))")
    }
    await RunCost.announce(
      of: [(source.id, found.streams, services.map(\.limits))], settings, in: database, to: parts.reporter)
    return (found.streams, found.build)
  }
}

extension Fetcher {
  /// - Parameter isInteractive: Whether a user waits. If so, requests fail early, without long waits or retries.
  init(for baseURL: String, limits: [RateWindow], _ parts: SourceRun.Parts, isInteractive: Bool = false) {
    let longestWait = isInteractive ? Limits.longestInteractivePermitWait : Limits.longestPermitWait
    let budget = PostgresRateBudget(parts.budgetDatabase, origin: Origin.server(of: baseURL), windows: limits)
    self.init(
      transport: parts.transport,
      limiter: RateLimiter(
        budget: budget, clock: parts.clock, longestWait: longestWait,
        // An error's text is stored and read later, so times in the text contain the date and the zone.
        moment: { "at \(HumanFormat.clock(Date() + $0 / .seconds(1), now: Date(timeIntervalSince1970: 0)))" }),
      policy: RetryPolicy(attempts: isInteractive ? 1 : Limits.requestAttempts), clock: parts.clock,
      chance: { Double.random(in: 0..<1) })
  }
}
