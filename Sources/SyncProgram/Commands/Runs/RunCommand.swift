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

      --record stores every response in a folder, errors included, but no headers with credentials. It can be \
      combined with --dry-run. The program upstream-sim of this project serves a recording to other runs.
        syncctl run --stream top-anime --full --record /tmp/top-anime
        upstream-sim --recorded /tmp/top-anime
      """
    return CommandConfiguration(
      commandName: "run", abstract: "Mirror one source or all of them.", discussion: discussion)
  }

  @OptionGroup var choice: StreamFilterOptions

  @Option(
    help: ArgumentHelp("Run the streams of this job of the configuration, now and here.", valueName: "name"),
    completion: Completion.jobs)
  var job: String?

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

  @Option(help: ArgumentHelp("Write the metrics of the run to this file, for node_exporter.", valueName: "file"))
  var metricsFile: String?

  @OptionGroup var output: FormatOptions
  @OptionGroup var log: LogOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    try checkArguments()
    let configuration = try common.configuration()
    let job = try chosenJob(configuration)
    let choice = try job?.choice ?? streams(among: configuration)
    let clock = SystemClock()
    let format = log.format(configuration.telemetry)
    let telemetry = Telemetry(configuration.telemetry, format: format ?? .text, clock: clock)
    do {
      try await run(choice, of: job, configuration, telemetry, isLogged: format != nil, clock)
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
    guard record != nil, confirmVanish != nil else { return }
    throw SyncError(
      .usage, "--confirm-vanish resumes a run of this database, which cannot be recorded",
      hint: "omit --confirm-vanish, or run it without a recording")
  }

  /// Returns the job of `--job`; `nil` without the option.
  /// - Throws: `SyncError` `.usage` for an unknown job, a job that runs no streams, and options that choose others.
  private func chosenJob(_ configuration: Configuration) throws(SyncError) -> ConfiguredJob? {
    guard let job else { return nil }
    guard choice.source.isEmpty, choice.stream.isEmpty, confirmVanish == nil else {
      throw SyncError(
        .usage, "--job chooses the sources and streams itself", hint: "omit --source, --stream and --confirm-vanish")
    }
    let names = configuration.jobs.map(\.name)
    guard let found = configuration.jobs.first(where: { $0.name == job }) else {
      throw SyncError(
        .usage, "there is no job \(Excerpt.of(job, scalars: 60))",
        hint: names.isEmpty
          ? "the configuration file has no jobs; syncctl init writes one with jobs"
          : Suggestion.choice(for: job, among: names))
    }
    if found.verifies {
      throw SyncError(
        .usage, "the job \(found.name) verifies and runs no streams", hint: "syncctl verify does the same")
    }
    return found
  }

  private func streams(among configuration: Configuration) throws(SyncError) -> StreamChoice {
    let jobs = configuration.jobs.map(\.name)
    for word in choice.stream
    where jobs.contains(word) && !configuration.sources.contains(where: { $0.knowsStream(word) }) {
      throw SyncError(.usage, "\(word) is a job and no stream", hint: "syncctl jobs trigger \(word) runs it")
    }
    let streams = try StreamChoice(sources: choice.source, names: choice.stream, among: configuration.sources)
    try streams.checkConfirmation(of: confirmVanish, isFull: full)
    if refresh, !streams.canRefresh(configuration.sources) { throw Self.noRefresh }
    return streams
  }

  private func settings(_ configuration: Configuration, of job: ConfiguredJob?) -> RunSettings {
    var settings = RunSettings(configuration.runs)
    settings.maxPages = maxPages
    settings.isFull = full || job?.isFull == true
    settings.waitsForLease = wait
    settings.adoptsOrigin = adoptOrigin
    settings.refreshes = refresh || job?.refreshes == true
    settings.confirms = confirmVanish
    return settings
  }

  /// Creates the recording of the run; `nil` without `--record`.
  private func recording(
    _ choice: StreamChoice, _ configuration: Configuration, _ settings: RunSettings
  ) throws(SyncError) -> AnswerRecording? {
    guard let record else { return nil }
    let manifest = RecordingManifest(
      configuration, choice, isFull: settings.isFull, refreshes: settings.refreshes, maxPages: maxPages)
    return try AnswerRecording(in: RecordingFolder(record), manifest: manifest)
  }

  private static var noRefresh: SyncError {
    let names = Registry.refreshable
    return SyncError(
      .usage, "--refresh works only for \(names.joinedByOr), in a run of its own",
      hint: "give --source \(names.first ?? "") --refresh")
  }

  private func run(
    _ choice: StreamChoice, of job: ConfiguredJob?, _ configuration: Configuration, _ telemetry: Telemetry,
    isLogged: Bool, _ clock: SystemClock
  ) async throws {
    let settings = settings(configuration, of: job)
    let streams = StandardStreams()
    let namesSources = choice.onlySource == nil
    let progress = ProgressReporter(streams: streams, namesSources: namesSources, now: clock.now)
    defer { progress.finish() }
    let reporter =
      isLogged
      ? telemetry.reporter()
      : telemetry.counting(RunReporter(streams, progress, namesSources: namesSources))
    let file = try MetricsFile(path: metricsFile, configuration.telemetry)
    let printer =
      dryRun
      ? ChangePrinter(
        streams: streams, output: output, names: choice.streams(among: configuration.sources).map(\.name))
      : nil
    let recording = try recording(choice, configuration, settings)
    let runner = Runner(
      configuration: configuration, choice: choice, settings: settings, printer: printer,
      reporter: reporter, clock: clock, recording: recording)
    let (outcome, signal) = try await AnswerRecording.ending(recording, reporter.announcer) {
      try await Signals.stopping(
        onFirst: { reporter.announcer.note("stopping: the current page is finished or rolled back …") },
        { try await runner.runAll() })
    }
    progress.finish()
    if !dryRun { await tell(outcome, configuration, telemetry, file, reporter.announcer, clock) }
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
    _ outcome: RunResults, _ configuration: Configuration, _ telemetry: Telemetry, _ file: MetricsFile?,
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
