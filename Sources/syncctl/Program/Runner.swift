import SyncCore
import SyncEngine
import SyncHTTP
import SyncPostgres
import SyncSources

/// Puts the parts of a run together: database, transport, limits, one stream after the other.
struct Runner: Sendable {
  let configuration: Configuration
  let lists: [JikanList]
  let maxPages: Int?
  let isFull: Bool
  let waits: Bool
  let adoptsOrigin: Bool
  /// The run whose walk the guard stopped and which a person has looked at; the beginning of its id.
  let confirms: String?
  /// Is told what would be written, in place of the mirror; nil if it is to be written.
  let planned: ChangePrinter?
  let streams: StandardStreams
  let progress: ProgressReporter
  let clock: SystemClock

  /// What became of the streams.
  struct Outcome: Sendable {
    /// Runs that were opened, in order.
    var reports: [RunReport] = []
    /// Why the other streams could not be: their lease is held, their rows are of another origin.
    var refusals: [SyncError] = []
  }

  /// - Throws: `SyncError` when not even the database can be had.
  func run() async throws -> Outcome {
    let jikan = configuration.jikan
    streams.note(announcement(jikan))
    let options = PostgresWalkStore.Options(
      adoptsOrigin: adoptsOrigin, leaseTTL: configuration.runs.leaseTTL.value,
      resumeAge: configuration.runs.resumeWithin.value)
    return try await withDatabase { database in
      try await database.withAnother { budgetDatabase in
        try await HTTPTransport.with(userAgent: Version.userAgent) { transport in
          let budget = PostgresRateBudget(
            budgetDatabase, origin: Origin.server(of: jikan.baseURL.value), windows: jikan.rateLimits.value)
          let fetcher = Fetcher(
            transport: transport, limiter: RateLimiter(budget: budget, clock: clock),
            clock: clock, chance: { Double.random(in: 0..<1) })
          return try await runAll(fetcher, store(database, options))
        }
      }
    }
  }

  /// A dry run finds its database as it is: making one, or bringing its schema up to date, would be to write.
  private func withDatabase<R: Sendable>(_ body: (Database) async throws -> R) async throws -> R {
    let context = Context(configuration: configuration)
    guard planned != nil else { return try await context.withMirror(said: { streams.note($0) }, body) }
    streams.note("dry run: nothing is written")
    return try await context.withExistingMirror(
      options: context.runOptions { streams.note($0) }, hint: "syncctl migrate prepares it for a dry run", body)
  }

  private func store(_ database: Database, _ options: PostgresWalkStore.Options) -> any WalkStore {
    guard let planned else { return PostgresWalkStore(database, options: options) }
    return DryRunStore(database, options: options, report: planned.print, note: { streams.note($0) })
  }

  /// One stream after the other; what stops one does not stop the next, unless it says so.
  private func runAll(_ fetcher: Fetcher, _ store: any WalkStore) async throws -> Outcome {
    var options = StreamRun.Options()
    options.maxPages = maxPages
    options.isFull = isFull
    options.waitsForLease = waits
    options.confirms = confirms
    var outcome = Outcome()
    for list in lists where !Task.isCancelled && !(planned?.hasFailed ?? false) {
      let stream = JikanStream(
        list, provider: configuration.jikan.provider.value, baseURL: configuration.jikan.baseURL.value,
        topListPublishing: configuration.history.publishing)
      let run = StreamRun(
        stream: stream, fetcher: fetcher, store: store, clock: clock,
        observer: { event in
          if case .waitingForLease(_, let error) = event { streams.note("\(error.message); waiting for its end …") }
          ProgressEvent(event).map(progress.report)
        })
      do {
        let report = try await run.run(options)
        outcome.reports.append(report)
        if report.error?.disposition == .stopRun { break }
      } catch let error as SyncError {
        outcome.refusals.append(error)
        if error.disposition == .stopRun { break }
      }
    }
    return outcome
  }

  private func announcement(_ jikan: JikanConfiguration) -> String {
    let limits = jikan.rateLimits.value.map(\.description).joined(separator: ", ")
    return "jikan: \(jikan.provider.value.rawValue) at \(jikan.baseURL.value), "
      + (limits.isEmpty ? "no rate limit (loopback)" : "at most \(limits)")
  }
}

extension ProgressEvent {
  fileprivate init?(_ event: RunEvent) {
    switch event {
    case .waitingForLease: return nil
    case .opened(let stream, let pages):
      self.init(stream: stream.name, kind: .started(page: pages, rows: 0))
    case .page(let stream, let number, let advertised, let counters):
      self.init(
        stream: stream.name,
        kind: .pageDone(page: number, lastPage: advertised, rows: counters.rowsSeen))
    case .retrying(let stream, let error, let delay):
      self.init(stream: stream.name, kind: .waiting(duration: delay, reason: error.message))
    case .finished(let report):
      self.init(stream: report.stream.name, kind: .finished(status: report.status.rawValue))
    }
  }
}
