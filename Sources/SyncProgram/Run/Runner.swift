import Foundation
package import SyncCore
import SyncEngine
import SyncHTTP
import SyncPostgres

/// A run of the chosen streams, for the command `run`, a job, or a command that fetches data for a waiting user.
///
/// Streams of a source run one after the other. Sources run concurrently.
package struct Runner: Sendable {
  let configuration: Configuration
  let choice: StreamChoice
  var maxPages: Int?
  var isFull = false
  var waits = false
  var adoptsOrigin = false
  var refreshes = false
  var confirms: String?
  var printer: ChangePrinter?
  let reporter: RunReporter
  let clock: SystemClock
  var recording: AnswerRecording?
  var job: JobRunKey?
  let invocation = UUID().uuidString.lowercased()

  var isDry: Bool { printer != nil }

  /// The reports and errors of a run's streams.
  ///
  /// If a worker takes over a job's run, `earlier` has the streams that ended before.
  package struct Results: Sendable {
    package var reports: [RunReport] = []
    var earlier: [StreamID: Runs.Ended] = [:]
    /// Errors of streams that did not run, for example because their lease is held, and errors of whole sources.
    package var refusals: [(stream: StreamID?, error: SyncError)] = []

    var isStopped: Bool { !stops.isEmpty }
    /// Whether no source can continue, because the database, the schema or the disk failed.
    var isOver: Bool { stops.contains { $0.code != .upstream && $0.code != .tryLater } }

    var errors: [SyncError] { reports.compactMap(\.error) + refusals.map { $0.error } }

    var isFresh: Bool {
      let all = reports.map(\.isFresh) + earlier.values.filter(\.status.isEnd).map(\.isFresh)
      return refusals.isEmpty && !all.isEmpty && !all.contains(false)
    }

    private var stops: [SyncError] { errors.filter { $0.disposition == .stopRun } + repeatedRefusals }

    /// The errors of streams that a source's service refused with the same answer as an earlier stream of the source.
    private var repeatedRefusals: [SyncError] {
      var earlier: [SourceID: Set<[UInt8]>] = [:]
      let ofStreams =
        reports.map { ($0.stream.source, $0.error) } + refusals.map { ($0.stream?.source, Optional($0.error)) }
      return ofStreams.compactMap { source, error in
        guard let source, let error, case .refused(let answer) = error.disposition else { return nil }
        return earlier[source, default: []].insert(answer).inserted ? nil : error
      }
    }

    fileprivate mutating func add(_ other: Results) {
      reports += other.reports
      let known = Set(refusals.map { $0.error.message })
      refusals += other.refusals.filter { !known.contains($0.error.message) }
    }
  }

  func run() async throws -> Results {
    announceServices()
    let chosen = choice.of(configuration.sources)
    let options = PostgresWalkStore.Options(
      adoptsOrigin: adoptsOrigin, leaseTTL: configuration.runs.leaseTTL.value,
      resumeAge: configuration.runs.resumeWithin.value, job: job, invocation: invocation)
    return try await withDatabase { database in
      try await withParts(options, in: database) { parts in
        var whole = Results()
        if let job { whole.earlier = try await Runs.latest(of: job, in: database) }
        await announceCosts(chosen, in: database)
        for outcome in try await run(chosen, parts, options, earlier: whole.earlier) { whole.add(outcome) }
        if !isDry, !whole.isOver { await tidy(database) }
        return whole
      }
    }
  }

  /// Runs the sources concurrently, because their rate limits are independent. If a source fails, the others continue.
  private func run(
    _ chosen: [(source: any Source, selection: StreamSelection)], _ parts: SourceRun.Parts,
    _ options: PostgresWalkStore.Options, earlier: [StreamID: Runs.Ended]
  ) async throws -> [Results] {
    // Opens the connection for request permits first, because the sources can use up all free connections.
    if chosen.count > 1 { _ = try await parts.budgetDatabase.address() }
    let results = await withTaskGroup(of: (Int, Result<Results, any Error>).self) { group in
      for (place, (source, selection)) in chosen.enumerated() {
        group.addTask {
          do {
            guard place > 0 else { return (place, .success(try await run(source, selection, parts, earlier))) }
            return try await parts.database.withOwn { database in
              var own = parts
              own.database = database
              own.store = store(database, options)
              return (place, .success(try await run(source, selection, own, earlier)))
            }
          } catch {
            return (place, .failure(error))
          }
        }
      }
      return await group.reduce(into: [Int: Result<Results, any Error>]()) { $0[$1.0] = $1.1 }
    }
    return try chosen.indices.compactMap { try results[$0]?.get() }
  }

  private func tidy(_ database: Database) async {
    guard !Task.isCancelled else { return }
    do {
      try await Upkeep.analyzeNewTables(in: database)
      try await Upkeep.dropOldRows(in: database)
    } catch {
      reporter.announcer.note("old rows were not deleted: \(error)")
    }
  }

  private func run(
    _ source: any Source, _ selection: StreamSelection, _ parts: SourceRun.Parts, _ earlier: [StreamID: Runs.Ended]
  ) async throws -> Results {
    var run = SourceRun(runner: self, parts: parts, outcome: Results(earlier: earlier))
    guard !Task.isCancelled else { return run.outcome }
    do {
      if isFull, !isDry { try await heal(source, selection, parts.database) }
      try await source.run(selection, &run)
    } catch let error as SyncError where error.code != .usage || choice.onlySource == nil {
      run.outcome.refusals.append((nil, error))
    } catch is CancellationError {
    }
    try await run.publishDoubtful()
    return run.outcome
  }

  /// Repairs stored rows before a full run, because the run compares only hashes and would miss a damaged row. The rows
  /// are not repaired if another process runs one of the streams.
  private func heal(_ source: any Source, _ selection: StreamSelection, _ database: Database) async throws {
    let work = VerificationWork(
      configuration: configuration, choice: choice, repairs: true, isConfirmed: true, isPartial: true,
      announcer: reporter.announcer, clock: clock)
    do {
      let found = try await work.verify(source, selection, in: database) { _ in }.outcome.differences
      if found > 0 { reporter.announcer.warn("\(source.name): \(found) values or rows were wrong") }
    } catch let error as SyncError where error.code == .leaseHeld {
      reporter.announcer.note("\(source.name): stored rows are not repaired: \(error.message)")
    } catch  where Task.isCancelled {
      reporter.announcer.note("\(source.name): interrupted while stored rows were verified; nothing was requested")
    }
  }

  private func withParts<R: Sendable>(
    _ options: PostgresWalkStore.Options, in database: Database, _ body: (SourceRun.Parts) async throws -> R
  ) async throws -> R {
    try await database.withAnother(statementTimeout: Limits.permitStatementTimeout) { budgetDatabase in
      try await withTransport { transport in
        try await body(
          SourceRun.Parts(
            database: database, budgetDatabase: budgetDatabase, transport: transport,
            store: store(database, options), clock: clock))
      }
    }
  }

  private func withTransport<R: Sendable>(_ body: (any Transport) async throws -> R) async throws -> R {
    try await HTTPTransport.with(userAgent: Version.userAgent, proxies: .current()) { transport in
      let metered = reporter.metered(transport)
      guard let recording else { return try await body(metered) }
      return try await body(
        RecordingTransport(
          metered, to: recording, keeping: Registry.sources.reduce(into: []) { $0.formUnion($1.headers) }))
    }
  }

  private func withDatabase<R: Sendable>(namesIt: Bool = true, _ body: (Database) async throws -> R) async throws -> R {
    let context = Context(configuration: configuration)
    guard isDry else {
      return try await context.withMirror(said: reporter.announcer.note, namesDatabase: namesIt, body)
    }
    reporter.announcer.note("dry run: nothing is written")
    return try await context.withExistingMirror(
      .edit, options: context.runOptions(reporter.announcer.note), hint: "syncctl migrate prepares it for a dry run",
      body)
  }

  private func store(_ database: Database, _ options: PostgresWalkStore.Options) -> any WalkStore {
    guard let printer else { return PostgresWalkStore(database, options: options) }
    return DryRunStore(
      database, options: options, report: { changes in try printer.print(changes) }, note: reporter.announcer.note)
  }

  /// Runs streams for a waiting user: each request has one attempt and no long wait. The outcome contains the errors.
  package static func fetch(
    _ streams: [any PagedStream], from service: Service, _ configuration: Configuration, said: StandardStreams
  ) async throws -> Results {
    let runner = Runner(
      configuration: configuration, choice: StreamChoice(),
      reporter: RunReporter(announcer: Announcer(said), observe: { _ in }), clock: SystemClock())
    let options = PostgresWalkStore.Options(leaseTTL: configuration.runs.leaseTTL.value, invocation: runner.invocation)
    return try await runner.withDatabase(namesIt: false) { database in
      try await runner.withParts(options, in: database) { parts in
        var run = SourceRun(runner: runner, parts: parts, outcome: Results())
        let fetcher = Fetcher(for: service.baseURL, limits: service.limits, parts, isInteractive: true)
        try await run.mirror(streams, with: fetcher)
        try await run.publishDoubtful()
        return run.outcome
      }
    }
  }

  private func announceServices() {
    for service in choice.of(configuration.sources).flatMap(\.source.services) {
      let limits = service.limits.map(\.description).joined(separator: ", ")
      reporter.announcer.note(
        "\(service.name) at \(service.baseURL), " + (limits.isEmpty ? "no rate limit (loopback)" : "at most \(limits)")
          + (service.remark.map { " (\($0))" } ?? ""))
    }
  }
}
