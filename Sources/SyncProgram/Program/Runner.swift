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
  /// Ask for everything again that the mirror has of iTunes.
  let refreshes: Bool
  /// The run whose walk the guard stopped and which a person has looked at; the beginning of its id.
  let confirms: String?
  /// Is told what would be written, in place of the mirror; nil if it is to be written.
  let planned: ChangePrinter?
  let voice: RunVoice
  let clock: SystemClock
  /// Whose run it is part of; nil for one that a person has started.
  var job: JobRunKey?

  /// What became of the streams.
  struct Outcome: Sendable {
    /// Runs that were opened, in order.
    var reports: [RunReport] = []
    /// How far earlier tries of the same run of a job have come.
    var earlier: [StreamID: RunStatus] = [:]
    /// Why the other streams could not be: their lease is held, their rows are of another origin.
    var refusals: [SyncError] = []

    /// Something has happened after which no stream of the source can go on.
    var isStopped: Bool { !stops.isEmpty }
    /// No source can.
    var isOver: Bool { stops.contains { $0.code != .upstream && $0.code != .tryLater } }

    var errors: [SyncError] { reports.compactMap(\.error) + refusals }

    /// Every stream was walked completely, and there was one.
    var isCertified: Bool {
      let all = reports.map(\.status) + earlier.values.filter(\.isEnd)
      return refusals.isEmpty && !all.isEmpty && all.allSatisfy { $0 == .complete }
    }

    private var stops: [SyncError] { errors.filter { $0.disposition == .stopRun } }
  }

  /// What all sources of a run share.
  private struct Parts: Sendable {
    let database: Database
    /// Permits need a connection of their own: see `PostgresRateBudget`.
    let budgetDatabase: Database
    let transport: any Transport
    let store: any WalkStore

    /// - Parameter patience: how long a request may wait for its permit, and how often it is sent.
    func fetcher(
      for baseURL: String, _ windows: [RateWindow], _ clock: SystemClock, patience: Patience = .ofCron
    ) -> Fetcher {
      let budget = PostgresRateBudget(budgetDatabase, origin: Origin.server(of: baseURL), windows: windows)
      return Fetcher(
        transport: transport,
        limiter: RateLimiter(budget: budget, clock: clock, longestWait: patience.longestWait),
        policy: RetryPolicy(attempts: patience.attempts), clock: clock, chance: { Double.random(in: 0..<1) })
    }
  }

  /// How long somebody waits for an answer.
  struct Patience: Sendable {
    let attempts: Int
    let longestWait: Duration

    static let ofCron = Patience(attempts: Limits.requestAttempts, longestWait: Limits.longestPermitWait)
    /// A person at a terminal would rather be told.
    static let ofAPerson = Patience(attempts: 1, longestWait: Limits.longestPermitWaitOfAPerson)
  }

  /// - Throws: `SyncError` when not even the database can be had.
  func run() async throws -> Outcome {
    let (jikan, pokeapi, itunes) = (configuration.jikan, configuration.pokeapi, configuration.itunes)
    if !choice.jikan.isEmpty {
      announce("jikan: \(jikan.provider.value.rawValue)", jikan.baseURL.value, jikan.rateLimits.value)
    }
    if choice.pokeapi != .none { announce("pokeapi:", pokeapi.baseURL.value, pokeapi.rateLimits.value) }
    if choice.itunes != .none {
      _ = try choice.itunesStreams(of: itunes)
      announce("itunes:", itunes.baseURL.value, itunes.rateLimits.value)
    }
    let options = PostgresWalkStore.Options(
      adoptsOrigin: adoptsOrigin, leaseTTL: configuration.runs.leaseTTL.value,
      resumeAge: configuration.runs.resumeWithin.value, job: job)
    return try await withParts(options) { parts in
      var whole = Outcome()
      if let job { whole.earlier = try await Runs.latest(of: job, in: parts.database) }
      if !choice.jikan.isEmpty { try await run(&whole) { try await runJikan(parts, &$0) } }
      if choice.pokeapi != .none { try await run(&whole) { try await runPokeAPI(parts, &$0) } }
      if choice.itunes != .none { try await run(&whole) { try await runITunes(parts, &$0) } }
      return whole
    }
  }

  /// Runs one source. What ends it, a budget that is spent or a service that is away, does not end the next one; what
  /// all of them need, does.
  private func run(_ whole: inout Outcome, _ source: (inout Outcome) async throws -> Void) async throws {
    guard !Task.isCancelled, !whole.isOver else { return }
    var outcome = Outcome()
    outcome.earlier = whole.earlier
    do {
      try await source(&outcome)
    } catch let error as SyncError where error.code != .usage {
      outcome.refusals.append(error)
    } catch is CancellationError {
      // What was done before is told all the same.
    }
    whole.reports += outcome.reports
    whole.refusals += outcome.refusals
  }

  private func withParts<R: Sendable>(
    _ options: PostgresWalkStore.Options, _ body: (Parts) async throws -> R
  ) async throws -> R {
    try await withDatabase { database in
      try await database.withAnother(statementTimeout: Limits.permitStatementTimeout) { budgetDatabase in
        try await HTTPTransport.with(userAgent: Version.userAgent) { transport in
          try await body(
            Parts(
              database: database, budgetDatabase: budgetDatabase, transport: voice.metered(transport),
              store: store(database, options)))
        }
      }
    }
  }

  /// A dry run finds its database as it is: making one, or bringing its schema up to date, would be to write.
  private func withDatabase<R: Sendable>(_ body: (Database) async throws -> R) async throws -> R {
    let context = Context(configuration: configuration)
    guard planned != nil else { return try await context.withMirror(said: voice.announcer.note, body) }
    voice.announcer.note("dry run: nothing is written")
    return try await context.withExistingMirror(
      options: context.runOptions(voice.announcer.note), hint: "syncctl migrate prepares it for a dry run", body)
  }

  private func store(_ database: Database, _ options: PostgresWalkStore.Options) -> any WalkStore {
    guard let planned else { return PostgresWalkStore(database, options: options) }
    return DryRunStore(database, options: options, report: planned.print, note: voice.announcer.note)
  }

  private func runJikan(_ parts: Parts, _ outcome: inout Outcome) async throws {
    let jikan = configuration.jikan
    let day = clock.day
    let lists = choice.jikan.map { list in
      JikanStream(
        list, provider: jikan.provider.value, baseURL: jikan.baseURL.value,
        topListPublishing: configuration.history.publishing, today: JikanSeason(year: day.year, month: day.month))
    }
    let fetcher = parts.fetcher(for: jikan.baseURL.value, jikan.rateLimits.value, clock)
    try await runAll(lists, fetcher, parts.store, &outcome)
  }

  private func runPokeAPI(_ parts: Parts, _ outcome: inout Outcome) async throws {
    let pokeapi = configuration.pokeapi
    let fetcher = parts.fetcher(for: pokeapi.baseURL.value, pokeapi.rateLimits.value, clock)
    let index = IndexRun(
      source: PokeAPI(baseURL: pokeapi.baseURL.value), fetcher: fetcher,
      store: PostgresIndexStore(parts.database, isDry: planned != nil, job: job), clock: clock)
    let wanted: [String]? = if case .named(let names) = choice.pokeapi { names } else { nil }
    // What a person has confirmed is gone on with, whatever the build.
    let found = try await index.look(wanted: wanted, isFull: isFull || confirms != nil)
    outcome.reports.append(found.report)
    if let name = found.unknown.first { throw StreamChoice.unknownEndpoint(name, among: found.known) }
    if let build = found.build, !found.unchanged.isEmpty {
      let names = found.unchanged.count == 1 ? found.unchanged[0] : "\(found.unchanged.count) streams"
      voice.announcer.note(
        "pokeapi: \(names) as mirrored, the data is that of build \(Excerpt.of(build, scalars: 12)) still")
    }
    let endpoints = found.streams.map { name in
      PokeAPIStream(
        name, baseURL: pokeapi.baseURL.value, pageSize: pokeapi.pageSize.value, ttl: pokeapi.ttl.value,
        build: found.build)
    }
    try await runAll(endpoints, fetcher, parts.store, concurrency: pokeapi.concurrency.value, &outcome)
  }

  private func runITunes(_ parts: Parts, _ outcome: inout Outcome) async throws {
    let itunes = configuration.itunes
    var list = try choice.itunesStreams(of: itunes)
    if refreshes {
      for scope in try await ITunesQueries.storedScopes(in: parts.database).items {
        guard let country = scope.first else { continue }
        let ids = try await ITunesQueries.knownIDs(country: country, in: parts.database)
        guard !ids.isEmpty else { continue }
        list.append(ITunesStream(try ITunesLookup(refreshing: ids, country: country), baseURL: itunes.baseURL.value))
      }
    }
    // One budget for each of the two hosts.
    let searches = parts.fetcher(for: itunes.baseURL.value, itunes.rateLimits.value, clock)
    let charts = parts.fetcher(for: itunes.chartsBaseURL.value, itunes.chartLimits.value, clock)
    for stream in list where !outcome.isStopped && !Task.isCancelled {
      let isChart = stream.isChart && itunes.chartsBaseURL.value != itunes.baseURL.value
      try await runAll([stream], isChart ? charts : searches, parts.store, &outcome)
    }
  }

  /// One stream after the other; what stops one does not stop the next, unless it says so.
  private func runAll(
    _ list: [some PagedStream], _ fetcher: Fetcher, _ store: any WalkStore, concurrency: Int = 1,
    _ outcome: inout Outcome
  ) async throws {
    var options = StreamRun.Options()
    options.maxPages = maxPages
    options.isFull = isFull
    options.timeout = configuration.runs.timeout.value
    options.waitsForLease = waits
    options.confirms = confirms
    for stream in list where !Task.isCancelled && !outcome.isStopped && !(planned?.hasFailed ?? false) {
      let earlier = outcome.earlier[stream.description.id]
      if let earlier, earlier.isEnd { continue }
      // What an earlier try has begun is gone on with.
      options.isFull = isFull && earlier == nil
      let run = StreamRun(
        stream: stream, fetcher: fetcher, store: store, clock: clock, concurrency: concurrency,
        observer: voice.observe)
      try await Self.run(run, options, &outcome)
      // What would be said of each stream that is left has been said.
      if fetcher.isGivenUp { break }
    }
  }

  private static func run(_ run: StreamRun, _ options: StreamRun.Options, _ outcome: inout Outcome) async throws {
    do {
      outcome.reports.append(try await run.run(options))
    } catch let error as SyncError {
      outcome.refusals.append(error)
    }
  }

  /// Runs streams of iTunes for a command that shows what they bring: one attempt each, no long waits.
  ///
  /// The error of a stream that failed is in its report or among the refusals.
  static func fetch(
    _ streams: [ITunesStream], _ configuration: Configuration, said: StandardStreams
  ) async throws -> Outcome {
    let clock = SystemClock()
    let runner = Runner(
      configuration: configuration, choice: StreamChoice(), maxPages: nil, isFull: false, waits: false,
      adoptsOrigin: false, refreshes: false, confirms: nil, planned: nil,
      voice: RunVoice(announcer: Announcer(said), observe: { _ in }), clock: clock)
    let itunes = configuration.itunes
    let options = PostgresWalkStore.Options(leaseTTL: configuration.runs.leaseTTL.value)
    return try await runner.withParts(options) { parts in
      var outcome = Outcome()
      let fetcher = parts.fetcher(for: itunes.baseURL.value, itunes.rateLimits.value, clock, patience: .ofAPerson)
      var options = StreamRun.Options()
      options.timeout = configuration.runs.timeout.value
      for stream in streams {
        let run = StreamRun(stream: stream, fetcher: fetcher, store: parts.store, clock: clock, observer: { _ in })
        try await Self.run(run, options, &outcome)
      }
      return outcome
    }
  }

  private func announce(_ service: String, _ baseURL: String, _ windows: [RateWindow]) {
    let limits = windows.map(\.description).joined(separator: ", ")
    voice.announcer.note(
      "\(service) at \(baseURL), \(limits.isEmpty ? "no rate limit (loopback)" : "at most \(limits)")")
  }
}
