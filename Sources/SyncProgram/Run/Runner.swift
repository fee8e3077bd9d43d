import Foundation
package import SyncCore
import SyncEngine
import SyncHTTP
import SyncPostgres

/// A run of the chosen streams, for the command `run`, a job, or a command that fetches data for a waiting user.
///
/// `runAll` runs the sources concurrently. `runSource` runs one source: `Source.mirror` chooses its streams,
/// `SourceRun.update` takes them one after the other, and for each stream `StreamRun.readList` reads the list and
/// `StreamRun.publish` publishes it.
package struct Runner: Sendable {
  let configuration: Configuration
  let choice: StreamChoice
  let settings: RunSettings
  var printer: ChangePrinter?
  let reporter: RunReporter
  let clock: SystemClock
  var recording: AnswerRecording?

  private var isDry: Bool { printer != nil }

  /// Runs all chosen sources, after it announced their services and costs. If no source can continue, throws the error
  /// or returns it as a refusal.
  func runAll() async throws -> RunResults {
    announceServices()
    return try await withDatabase { try await runAll(in: $0) }
  }

  /// Runs all chosen sources with this connection and further connections of the same role.
  func runAll(in database: Database) async throws -> RunResults {
    let chosen = choice.of(configuration.sources)
    return try await withParts(in: database) { parts in
      var whole = RunResults()
      if let job = settings.job { whole.earlier = try await Runs.latest(of: job, in: database) }
      await announceCosts(of: chosen, in: database)
      for results in try await runConcurrently(chosen, parts, earlier: whole.earlier) { whole.add(results) }
      if !isDry, !whole.isOver { await tidy(database) }
      return whole
    }
  }

  /// Runs the sources concurrently, because their rate limits are independent. If a source fails, the others continue.
  private func runConcurrently(
    _ chosen: [(source: any Source, selection: StreamSelection)], _ parts: SourceRun.Parts,
    earlier: [StreamID: Runs.Ended]
  ) async throws -> [RunResults] {
    // Opens the connection for request permits first, because the sources can use up all free connections.
    if chosen.count > 1 { _ = try await parts.budgetDatabase.address() }
    let results = await withTaskGroup(of: (Int, Result<RunResults, any Error>).self) { group in
      for (place, (source, selection)) in chosen.enumerated() {
        group.addTask {
          do {
            guard place > 0 else { return (place, .success(try await runSource(source, selection, parts, earlier))) }
            return try await parts.database.withOwn { database in
              var own = parts
              own.database = database
              own.store = store(database)
              return (place, .success(try await runSource(source, selection, own, earlier)))
            }
          } catch {
            return (place, .failure(error))
          }
        }
      }
      return await group.reduce(into: [Int: Result<RunResults, any Error>]()) { $0[$1.0] = $1.1 }
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

  /// Runs one source with its own parts. An error of the source is a refusal in the results, unless the user named
  /// only this source and made a mistake.
  private func runSource(
    _ source: any Source, _ selection: StreamSelection, _ parts: SourceRun.Parts, _ earlier: [StreamID: Runs.Ended]
  ) async throws -> RunResults {
    var run = SourceRun(settings: settings, parts: parts, results: RunResults(earlier: earlier))
    guard !Task.isCancelled else { return run.results }
    defer { reporter.progress?.end(source.id) }
    do {
      if settings.isFull, !isDry { try await heal(source, selection, parts.database) }
      try await source.mirror(selection, &run)
    } catch let error as SyncError where error.code != .usage || choice.onlySource == nil {
      run.results.refusals.append((nil, error))
    } catch is CancellationError {
    }
    try await run.publishDoubtful()
    return run.results
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
    in database: Database, _ body: (SourceRun.Parts) async throws -> R
  ) async throws -> R {
    try await database.withAnother(statementTimeout: Limits.permitStatementTimeout) { budgetDatabase in
      try await withTransport { transport in
        try await body(
          SourceRun.Parts(
            database: database, budgetDatabase: budgetDatabase, transport: transport,
            store: store(database), printer: printer, reporter: reporter, clock: clock))
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

  private func store(_ database: Database) -> any WalkStore {
    let options = settings.storeOptions
    guard let printer else { return PostgresWalkStore(database, options: options) }
    return DryRunStore(
      database, options: options, report: { changes in try printer.print(changes) }, note: reporter.announcer.note)
  }

  /// Runs streams for a waiting user: each request has one attempt and no long wait. Creates and migrates the mirror if
  /// necessary. The results contain the errors of streams.
  /// - Parameter service: The service that all streams request. Its rate limits apply.
  /// - Throws: `SyncError` if the database cannot be used.
  package static func fetch(
    _ streams: [any PagedStream], from service: Service, _ configuration: Configuration, said: StandardStreams
  ) async throws -> RunResults {
    let runner = Runner(
      configuration: configuration, choice: StreamChoice(), settings: RunSettings(configuration.runs),
      reporter: RunReporter(announcer: Announcer(said), observe: { _ in }), clock: SystemClock())
    return try await runner.withDatabase(namesIt: false) { database in
      try await runner.withParts(in: database) { parts in
        var run = SourceRun(settings: runner.settings, parts: parts, results: RunResults())
        let fetcher = Fetcher(for: service.baseURL, limits: service.limits, parts, isInteractive: true)
        try await run.update(streams, with: fetcher)
        try await run.publishDoubtful()
        return run.results
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
