import ArgumentParser
import Foundation
import Logging
import SyncCore
import SyncEngine
import SyncHTTP
import SyncPostgres
import SyncTelemetry

struct RunCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    let help = Registry.sources.map { $0.help }
    let discussion = """
      Examples:
      \(Registry.examples(help.flatMap(\.runs)))

      The next run resumes a run that a signal, a crash or --max-pages stopped less than six hours ago.

      \(help.map(\.streams).joined(separator: "\n\n"))

      Without --source, a stream is looked up in all sources. Sources run in parallel, because each has its own rate \
      limits; the streams of a source run one after the other. If a source fails, the others continue.

      Exit status 86: more items than usual would be removed, so none was. Check the upstream; if it is right, \
      syncctl confirm ID carries it out.

      --dry-run fetches pages as usual, but writes nothing. It prints each item that would be inserted, updated or \
      marked as removed upstream, then the summary of the run. Its requests count against the rate limits.

      --record stores every response in a folder, errors included, but no headers with credentials. --replay \
      repeats that run without a network and without waiting, with the recorded streams and settings; --source \
      and --stream select some of the streams. The database should be empty, or as before the recorded run. Both \
      options can be combined with --dry-run.
        syncctl run --stream top-anime --full --record /tmp/top-anime
        syncctl run --replay /tmp/top-anime
      """
    return CommandConfiguration(
      commandName: "run", abstract: "Mirror one source or all of them.", discussion: discussion)
  }

  @OptionGroup var choice: StreamFilterOptions

  @Option(help: ArgumentHelp("Read at most this many pages, or batches of documents, of each stream.", valueName: "n"))
  var maxPages: Int?

  @Flag(help: "Start again and fetch everything, even if a run could be resumed.")
  var full = false

  @Flag(help: "Fetch everything again that the mirror has from \(Registry.refreshable.joinedByOr).")
  var refresh = false

  @Flag(help: "Wait while another process runs a stream, instead of ending with status 75.")
  var wait = false

  @Flag(help: "Take over rows that came from another base URL.")
  var adoptOrigin = false

  @Option(
    help: ArgumentHelp(
      "Resume a run that ended with status 86, and mark the items as removed upstream.", valueName: "run"))
  var confirmVanish: String?

  @Flag(help: "Write nothing, and print what a run would change.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "Record every response in this folder, which must not have a recording yet.", valueName: "folder"),
    completion: .directory)
  var record: String?

  @Option(
    help: ArgumentHelp(
      "Replay the recording in this folder instead of using the network.", valueName: "folder"),
    completion: .directory)
  var replay: String?

  @Option(help: ArgumentHelp("Write the metrics of the run to this file, for node_exporter.", valueName: "file"))
  var metricsFile: String?

  @OptionGroup var output: FormatOptions
  @OptionGroup var log: LogOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    try checkArguments()
    let configuration = try common.configuration()
    let request =
      try replay.map { try Request(of: RecordingFolder($0), self, configuration) } ?? Request(self, configuration)
    let clock = SystemClock()
    let format = log.format(configuration.telemetry)
    let telemetry = Telemetry(configuration.telemetry, format: format ?? .text, clock: clock)
    do {
      try await run(request, telemetry, isLogged: format != nil, clock)
    } catch let error as SyncError where format != nil {
      telemetry.log.critical("\(error)")
      throw ExitStatus(value: error.code.exitStatus)
    }
  }

  private func checkArguments() throws(SyncError) {
    if let maxPages, maxPages < 1 {
      throw SyncError(.usage, "--max-pages \(maxPages): there is nothing to do", hint: "give 1 or more")
    }
    if dryRun, output.columns != nil {
      throw SyncError(.usage, "--dry-run does not support --columns", hint: "omit it; --format json has everything")
    }
    try output.check(RunSummary.listing([]))
    try checkRecording()
    let canRefresh = try Registry.chosen(choice.source).contains { $0.canRefresh } && confirmVanish == nil
    if full || choice.stream.isEmpty { try StreamChoice().checkConfirmation(of: confirmVanish, isFull: full) }
    if refresh, !canRefresh { throw Self.noRefresh }
  }

  private func checkRecording() throws(SyncError) {
    guard record != nil || replay != nil else { return }
    if record != nil, replay != nil {
      throw SyncError(
        .usage, "--record and --replay cannot be combined", hint: "a copy of the folder is the same recording")
    }
    if confirmVanish != nil {
      throw SyncError(
        .usage, "--confirm-vanish resumes a run of this database, which cannot be recorded or replayed",
        hint: "omit --confirm-vanish, or run it without a recording")
    }
    let given = [("--full", full), ("--refresh", refresh), ("--max-pages", maxPages != nil)]
    if replay != nil, let option = given.first(where: \.1)?.0 {
      throw SyncError(.usage, "a replay takes \(option) from the recorded run", hint: "omit \(option)")
    }
  }

  private static var noRefresh: SyncError {
    let names = Registry.refreshable
    return SyncError(
      .usage, "--refresh works only for \(names.joinedByOr), in a run of its own",
      hint: "give --source \(names.first ?? "") --refresh")
  }

  private func run(_ request: Request, _ telemetry: Telemetry, isLogged: Bool, _ clock: SystemClock) async throws {
    let (choice, configuration) = (request.choice, request.configuration)
    let streams = StandardStreams()
    let progress = ProgressReporter(streams: streams, now: clock.now)
    defer { progress.finish() }
    let reporter =
      isLogged
      ? telemetry.reporter()
      : telemetry.counting(RunReporter(streams, progress, namesSources: choice.onlySource == nil))
    let file = try MetricsFile(path: metricsFile, configuration.telemetry)
    let printer =
      dryRun
      ? ChangePrinter(
        streams: streams, output: output, names: choice.streams(among: configuration.sources).map(\.name))
      : nil
    let runner = Runner(
      configuration: configuration, choice: choice, maxPages: request.maxPages, isFull: request.isFull, waits: wait,
      adoptsOrigin: adoptOrigin, refreshes: request.refreshes, confirms: confirmVanish, printer: printer,
      reporter: reporter, clock: clock, recordingMode: try request.recordingMode(record))
    let (outcome, signal) = try await RecordingMode.keeping(runner.recordingMode, reporter.announcer) {
      try await Signals.stopping(
        onFirst: { reporter.announcer.note("stopping: the current page is finished or rolled back …") },
        { try await runner.run() })
    }
    progress.finish()
    if !dryRun, replay == nil { await tell(outcome, configuration, telemetry, file, reporter.announcer, clock) }
    let listing = RunSummary.listing(outcome.reports).inTables(\.showingReasons)
    if let printer {
      guard try printer.finish(listing) else { return }
    } else {
      try streams.printUnlessClosed(listing, output)
    }
    if !isLogged {
      let sources = configuration.sources
      let quiet = outcome.reports.map(\.stream).filter { stream in
        sources.contains { $0.id == stream.source && !$0.expectsItems(stream.name) }
      }
      RunSummary.explain(outcome.reports, isPlanned: dryRun, quiet: Set(quiet), to: reporter.announcer)
    }
    RunSummary.explain(outcome.refusals, to: reporter.announcer)
    if let signal { throw ExitStatus(value: signal) }
    let status = RunSummary.exitStatus(outcome)
    if status != 0 { throw ExitStatus(value: status) }
  }

  private func tell(
    _ outcome: Runner.Results, _ configuration: Configuration, _ telemetry: Telemetry, _ file: MetricsFile?,
    _ announcer: Announcer, _ clock: SystemClock
  ) async {
    if outcome.isFresh, let heartbeat = configuration.telemetry.heartbeat,
      let problem = await Heartbeat.beat(heartbeat, clock: clock)
    {
      announcer.warn(problem)
    }
    guard let file else { return }
    do {
      try await Context(configuration: configuration).withExistingMirror {
        try await file.write(telemetry, configuration, $0)
      }
    } catch {
      announcer.warn("the metrics were not written: \(error)")
    }
  }
}

extension RunCommand {
  private struct Request: Sendable {
    let configuration: Configuration
    let choice: StreamChoice
    let maxPages: Int?
    let isFull: Bool
    let refreshes: Bool
    private let replay: Replay?

    init(_ command: RunCommand, _ configuration: Configuration) throws(SyncError) {
      self.configuration = configuration
      let given = command.choice
      let jobs = configuration.jobs.map(\.name)
      for word in given.stream
      where jobs.contains(word) && !configuration.sources.contains(where: { $0.knowsStream(word) }) {
        throw SyncError(.usage, "\(word) is a job and no stream", hint: "syncctl jobs trigger \(word) runs it")
      }
      choice = try StreamChoice(sources: given.source, names: given.stream, among: configuration.sources)
      try choice.checkConfirmation(of: command.confirmVanish, isFull: command.full)
      if command.refresh, !choice.canRefresh(configuration.sources) { throw RunCommand.noRefresh }
      maxPages = command.maxPages
      isFull = command.full
      refreshes = command.refresh
      replay = nil
    }

    init(of folder: RecordingFolder, _ command: RunCommand, _ local: Configuration) throws(SyncError) {
      let recorded = try RecordedRun(of: folder)
      configuration = try recorded.configuration(over: local, path: folder.manifestPath)
      choice = try recorded.choice(command.choice, configuration)
      maxPages = recorded.maxPages
      isFull = recorded.full
      refreshes = recorded.refresh
      replay = Replay(transport: try ReplayTransport(of: folder), of: recorded)
    }

    func recordingMode(_ record: String?) throws -> RecordingMode? {
      if let replay { return .replay(replay) }
      guard let record else { return nil }
      let run = RecordedRun(configuration, choice, full: isFull, refresh: refreshes, maxPages: maxPages)
      return .recording(try AnswerRecording(in: RecordingFolder(record), manifest: try run.manifest()))
    }
  }
}
