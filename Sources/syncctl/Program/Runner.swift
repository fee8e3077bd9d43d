import SyncCore
import SyncEngine
import SyncHTTP
import SyncPostgres
import SyncSources

/// Puts the parts of a run together: database, transport, limits, one source and one stream after the other.
struct Runner: Sendable {
  let configuration: Configuration
  let choice: StreamChoice
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

    /// Something has happened after which no stream can go on.
    var isStopped: Bool { (reports.compactMap(\.error) + refusals).contains { $0.disposition == .stopRun } }
  }

  /// What all sources of a run share.
  private struct Parts: Sendable {
    let database: Database
    /// Permits need a connection of their own: see `PostgresRateBudget`.
    let budgetDatabase: Database
    let transport: HTTPTransport
    let store: any WalkStore

    func fetcher(for baseURL: String, _ windows: [RateWindow], _ clock: SystemClock) -> Fetcher {
      let budget = PostgresRateBudget(budgetDatabase, origin: Origin.server(of: baseURL), windows: windows)
      return Fetcher(
        transport: transport, limiter: RateLimiter(budget: budget, clock: clock), clock: clock,
        chance: { Double.random(in: 0..<1) })
    }
  }

  /// - Throws: `SyncError` when not even the database can be had.
  func run() async throws -> Outcome {
    let (jikan, pokeapi) = (configuration.jikan, configuration.pokeapi)
    if !choice.jikan.isEmpty {
      announce("jikan: \(jikan.provider.value.rawValue)", jikan.baseURL.value, jikan.rateLimits.value)
    }
    if choice.pokeapi != .none { announce("pokeapi:", pokeapi.baseURL.value, pokeapi.rateLimits.value) }
    let options = PostgresWalkStore.Options(
      adoptsOrigin: adoptsOrigin, leaseTTL: configuration.runs.leaseTTL.value,
      resumeAge: configuration.runs.resumeWithin.value)
    return try await withDatabase { database in
      try await database.withAnother { budgetDatabase in
        try await HTTPTransport.with(userAgent: Version.userAgent) { transport in
          let parts = Parts(
            database: database, budgetDatabase: budgetDatabase, transport: transport, store: store(database, options))
          var outcome = Outcome()
          if !choice.jikan.isEmpty { try await runJikan(parts, &outcome) }
          if choice.pokeapi != .none, !outcome.isStopped, !Task.isCancelled { try await runPokeAPI(parts, &outcome) }
          return outcome
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

  private func runJikan(_ parts: Parts, _ outcome: inout Outcome) async throws {
    let jikan = configuration.jikan
    let lists = choice.jikan.map { list in
      JikanStream(
        list, provider: jikan.provider.value, baseURL: jikan.baseURL.value,
        topListPublishing: configuration.history.publishing)
    }
    let fetcher = parts.fetcher(for: jikan.baseURL.value, jikan.rateLimits.value, clock)
    try await runAll(lists, fetcher, parts.store, &outcome)
  }

  private func runPokeAPI(_ parts: Parts, _ outcome: inout Outcome) async throws {
    let pokeapi = configuration.pokeapi
    let fetcher = parts.fetcher(for: pokeapi.baseURL.value, pokeapi.rateLimits.value, clock)
    let index = IndexRun(
      source: PokeAPI(baseURL: pokeapi.baseURL.value), fetcher: fetcher,
      store: PostgresIndexStore(parts.database, isDry: planned != nil), clock: clock)
    let wanted: [String]? = if case .named(let names) = choice.pokeapi { names } else { nil }
    // What a person has confirmed is gone on with, whatever the build.
    let found = try await index.look(wanted: wanted, isFull: isFull || confirms != nil)
    outcome.reports.append(found.report)
    if let name = found.unknown.first { throw StreamChoice.unknownEndpoint(name, among: found.known) }
    if let build = found.build, !found.unchanged.isEmpty {
      let names = found.unchanged.count == 1 ? found.unchanged[0] : "\(found.unchanged.count) streams"
      streams.note("pokeapi: \(names) as mirrored, the data is that of build \(Excerpt.of(build, scalars: 12)) still")
    }
    let endpoints = found.streams.map { name in
      PokeAPIStream(
        name, baseURL: pokeapi.baseURL.value, pageSize: pokeapi.pageSize.value, ttl: pokeapi.ttl.value,
        build: found.build)
    }
    try await runAll(endpoints, fetcher, parts.store, concurrency: pokeapi.concurrency.value, &outcome)
  }

  /// One stream after the other; what stops one does not stop the next, unless it says so.
  private func runAll(
    _ list: [some PagedStream], _ fetcher: Fetcher, _ store: any WalkStore, concurrency: Int = 1,
    _ outcome: inout Outcome
  ) async throws {
    var options = StreamRun.Options()
    options.maxPages = maxPages
    options.isFull = isFull
    options.waitsForLease = waits
    options.confirms = confirms
    for stream in list where !Task.isCancelled && !outcome.isStopped && !(planned?.hasFailed ?? false) {
      let run = StreamRun(
        stream: stream, fetcher: fetcher, store: store, clock: clock, concurrency: concurrency,
        observer: { event in
          if case .waitingForLease(_, let error) = event { streams.note("\(error.message); waiting for its end …") }
          ProgressEvent(event).map(progress.report)
        })
      do {
        outcome.reports.append(try await run.run(options))
      } catch let error as SyncError {
        outcome.refusals.append(error)
      }
    }
  }

  private func announce(_ service: String, _ baseURL: String, _ windows: [RateWindow]) {
    let limits = windows.map(\.description).joined(separator: ", ")
    streams.note(
      "\(service) at \(baseURL), \(limits.isEmpty ? "no rate limit (loopback)" : "at most \(limits)")")
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
    case .documents(let stream, let had, let count, let counters):
      self.init(stream: stream.name, kind: .documentsDone(had: had, of: count, rows: counters.rowsSeen))
    case .retrying(let stream, let error, let delay):
      self.init(stream: stream.name, kind: .waiting(duration: delay, reason: error.message))
    case .finished(let report):
      self.init(stream: report.stream.name, kind: .finished(status: report.status.rawValue))
    }
  }
}
