import Foundation
package import SyncCore
package import SyncEngine
package import SyncPostgres

/// The part of a run that belongs to one source. `Source.run` uses it to request, read and publish streams.
///
/// A source first creates a fetcher for each server, and passes the fetcher to `mirror`. Reports and errors of streams
/// are collected in `outcome`, so `mirror` does not throw them.
package struct SourceRun {
  struct Parts: Sendable {
    var database: Database
    let budgetDatabase: Database
    var transport: any Transport
    var store: any WalkStore
    let clock: SystemClock
    let replayClock: ReplayClock?
  }

  let runner: Runner
  let parts: Parts
  var outcome: Runner.Results
  var together = ItemTally()
  var doubtful: [(run: StreamRun, walk: StreamRun.UnpublishedWalk)] = []

  package var database: Database { parts.database }
  package var isFull: Bool { runner.isFull }
  /// Whether the user confirmed the walk that a guard stopped. The run then resumes this walk.
  package var isConfirmed: Bool { runner.confirms != nil }
  package var isReplay: Bool { parts.replayClock != nil }
  package var refreshes: Bool { runner.refreshes }
  /// The current time, or the time of the recording in a replay, in seconds since 1970.
  package var now: Int64 { Int64((runner.recordingMode?.replay?.startedAt ?? Date()).timeIntervalSince1970) }
  /// The current month in UTC, or the month of the recording in a replay.
  package var month: (year: Int, month: Int) {
    let month = CivilMonth.of(day: floorDivide(now, 86_400)).month
    return (Int(month.year), Int(month.month))
  }

  /// Returns a fetcher for the server of `baseURL`. Its permits are shared with all processes that use the database. A
  /// replay needs no permits.
  /// - Parameters:
  ///   - limits: The rate limits of the server; empty for none.
  ///   - tokens: The access tokens of the requests. A replay needs none.
  package func fetcher(for baseURL: String, limits: [RateWindow], tokens: AccessTokens? = nil) -> Fetcher {
    guard let tokens, !isReplay else { return Fetcher(for: baseURL, limits: limits, parts) }
    let isSameServer = Origin.server(of: tokens.url) == Origin.server(of: baseURL)
    let tokenFetcher = Fetcher(for: tokens.url, limits: isSameServer ? limits : [], parts)
    var authorized = parts
    authorized.transport = AuthorizedTransport(parts.transport, tokens, requestedWith: tokenFetcher)
    return Fetcher(for: baseURL, limits: limits, authorized)
  }

  /// Reads and publishes the streams one after the other. After an error, the next stream is read unless the error
  /// stops the run.
  /// - Parameter concurrency: The number of simultaneous requests for a stream's documents.
  package mutating func mirror(_ streams: [any PagedStream], with fetcher: Fetcher, concurrency: Int = 1) async throws {
    var options = StreamRun.Options()
    options.maxPages = runner.maxPages
    options.timeout = runner.configuration.runs.timeout.value
    options.waitsForLease = runner.waits
    options.confirms = runner.confirms
    for stream in streams where !Task.isCancelled && !outcome.isStopped && !hasFailed {
      let earlier = outcome.earlier[stream.description.id]
      if let earlier, earlier.status.isEnd { continue }
      options.isFull = isFull && earlier == nil
      let run = StreamRun(
        stream: stream, fetcher: fetcher, store: parts.store, clock: parts.clock, concurrency: concurrency,
        observer: runner.observer)
      do {
        var walk = try await run.readList(options)
        if walk.mustRestart {
          let ended = try await run.publish(walk)
          runner.reporter.announcer.note("\(ended.error?.message ?? "the walk cannot continue"); a new walk starts")
          walk = try await run.readList(options)
        }
        try await publish(run, walk, stream.description.absence)
      } catch let error as SyncError {
        outcome.refusals.append((stream.description.id, error))
      }
      if fetcher.isGivenUp { break }
    }
  }

  /// Publishes the walk, or keeps it for `publishDoubtful`.
  private mutating func publish(
    _ run: StreamRun, _ walk: StreamRun.UnpublishedWalk, _ absence: Absence
  ) async throws {
    guard absence.isJudgedWithOthers else {
      outcome.reports.append(try await run.publish(walk))
      return
    }
    together.add(walk.counters)
    if walk.isDoubtful {
      doubtful.append((run, walk))
    } else {
      outcome.reports.append(try await run.publish(walk, judged: ItemTally()))
    }
  }

  /// Call it after all walks, because unusable items are judged by their share in all streams together.
  mutating func publishDoubtful() async throws {
    for (run, walk) in doubtful {
      do {
        outcome.reports.append(try await run.publish(walk, judged: together))
      } catch let error as SyncError {
        outcome.refusals.append((run.stream.description.id, error))
      }
    }
    doubtful = []
  }

  private var hasFailed: Bool { runner.printer?.hasFailed ?? false }

  /// Asks the service which of the selected streams have changed, and adds the report to the outcome.
  /// - Returns: The names of the streams that must run, and the build of the service's data. No stream is returned if a
  ///   request failed; the report then has the error.
  /// - Throws: `SyncError` `.usage` for a selected stream that the service does not have.
  package mutating func changed(
    _ selection: StreamSelection, of source: any IndexedSource, with fetcher: Fetcher
  ) async throws -> (streams: [String], build: String?) {
    let index = IndexRun(
      source: source, fetcher: fetcher,
      store: PostgresIndexStore(database, isDry: runner.isDry, job: runner.job, invocation: runner.invocation),
      clock: parts.clock, observer: runner.observer)
    let requested: [String]? = if case .named(let names) = selection { names } else { nil }
    let found = try await index.selectStreams(requested: requested, isFull: isFull || isConfirmed)
    outcome.reports.append(found.report)
    if let name = found.unknown.first {
      throw SyncError(
        .usage, "\(source.id) has no stream \(Excerpt.of(name, scalars: 60))",
        hint: Suggestion.hint(for: name, among: found.indexed))
    }
    if let build = found.build, !found.unchanged.isEmpty {
      let names = found.unchanged.count == 1 ? found.unchanged[0] : "\(found.unchanged.count) streams"
      runner.reporter.announcer.note(
        "\(source.id): \(names) unchanged: the data is still of build \(Excerpt.of(build, scalars: 12))")
    }
    if let configured = runner.configuration.sources.first(where: { $0.id == source.id }) {
      await runner.announceCosts(of: [(configured, found.streams)], in: database)
    }
    return (found.streams, found.build)
  }
}

extension Fetcher {
  /// - Parameter isInteractive: Whether a user waits. If so, requests fail early, without long waits or retries.
  init(for baseURL: String, limits: [RateWindow], _ parts: SourceRun.Parts, isInteractive: Bool = false) {
    let longestWait = isInteractive ? Limits.longestInteractivePermitWait : Limits.longestPermitWait
    let budget: any RateBudget =
      parts.replayClock == nil
      ? PostgresRateBudget(parts.budgetDatabase, origin: Origin.server(of: baseURL), windows: limits)
      : UnlimitedBudget()
    let waiting: any SyncClock = parts.replayClock ?? parts.clock
    // An error's text is stored and read later, so times in the text contain the date and the zone. A replay shows
    // durations, because its clock skips waits.
    var moment: (@Sendable (Duration) -> String)?
    if parts.replayClock == nil {
      moment = { "at \(HumanFormat.clock(Date() + $0 / .seconds(1), now: Date(timeIntervalSince1970: 0)))" }
    }
    self.init(
      transport: parts.transport,
      limiter: RateLimiter(budget: budget, clock: waiting, longestWait: longestWait, moment: moment),
      policy: RetryPolicy(attempts: isInteractive ? 1 : Limits.requestAttempts), clock: parts.clock, waiting: waiting,
      chance: { Double.random(in: 0..<1) })
  }
}
