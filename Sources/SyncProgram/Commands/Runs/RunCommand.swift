import ArgumentParser
import Foundation
import Logging
import SyncCore
import SyncEngine
import SyncHTTP
import SyncPostgres
import SyncSources
import SyncTelemetry

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Mirror one source or all of them.",
    discussion: """
      Examples:
        syncctl run --source jikan
        syncctl run --source jikan --stream top-anime --max-pages 2
        syncctl run --source jikan --stream top-anime:tv --format json
        syncctl run --stream anime-catalog --stream manga-catalog
        syncctl run --stream seasons --stream seasons:2024:spring --stream genres
        syncctl run --stream manga-catalog --confirm-vanish 5f0c1a2b
        syncctl run --stream anime-catalog --dry-run
        syncctl run --source pokeapi
        syncctl run --source pokeapi --stream pokemon --stream type --full
        syncctl run --source itunes --refresh
        syncctl run --source jikan --log-format json --metrics-file /var/lib/node-exporter/jikan.prom

      A run that was stopped, by a signal, a crash or --max-pages, is gone on with
      by the next one for six hours.

      The streams of jikan:
        top-anime      the default, with top-manga; each also narrowed by a type
        top-manga      (top-anime:tv, …), a filter (top-manga:publishing, …) or both
        anime-catalog  every anime or manga there is, in the order of ids; the only
        manga-catalog  streams that find out what is gone
        seasons        now and upcoming; or seasons:now, seasons:2024:spring, …
        schedules      what is on air; or schedules:monday, …, :other, :unknown
        genres         all lists of genres; or genres:anime, genres:manga:themes, …

      The streams of pokeapi are its endpoints, as its index names them (pokemon,
      pokemon-species, move, item, type, …), and pokemon-encounters; all of them
      without --stream. If it says that its data is the one that was mirrored,
      nothing else is asked for; documents younger than the time to live are not
      asked for again (sources.pokeapi.ttl, 20h). With --full all of them are.

      The streams of itunes are what the configuration names: search:NAME,
      lookup:NAME, chart:NAME; without one, four charts. With --refresh everything
      that the mirror has of iTunes is looked up again, 200 a call; what is missing
      twice in a row is marked as vanished.

      Status 86 because more would disappear than is usual: nothing was taken away.
      Look at the upstream; if it is right, let it happen with --confirm-vanish and
      the run's id.

      With --dry-run the pages are asked for as ever, and nothing is written: what
      would be inserted, updated and marked as vanished is printed, item by item,
      and at the end the summary of a run. The rate limits count its requests too.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var output: FormatOptions
  @OptionGroup var log: LogOptions

  @Option(name: .long, help: "jikan, pokeapi, itunes, or all.")
  var source = "all"

  @Option(name: .long, help: ArgumentHelp("A stream to run; may be given several times.", valueName: "name"))
  var stream: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp("Read at most this many pages of each stream, or batches of documents.", valueName: "n"))
  var maxPages: Int?

  @Flag(name: .long, help: "Start a new walk that asks for everything, even if one could be gone on with.")
  var full = false

  @Flag(name: .long, help: "Of iTunes, ask for everything again that the mirror has.")
  var refresh = false

  @Flag(name: .long, help: "Wait while another process is at work on a stream, instead of ending with status 75.")
  var wait = false

  @Flag(name: .long, help: "Take over rows that came from another base URL.")
  var adoptOrigin = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Go on with the walk of a run that ended with status 86, and let things disappear.",
      valueName: "run"))
  var confirmVanish: String?

  @Flag(name: .long, help: "Write nothing, and print what a run would change.")
  var dryRun = false

  @Option(
    name: .long,
    help: ArgumentHelp("Leave the metrics of the run in this file, for node_exporter.", valueName: "file"))
  var metricsFile: String?

  func run() async throws {
    if let maxPages, maxPages < 1 {
      throw SyncError(.usage, "--max-pages \(maxPages): there is nothing to do", hint: "give 1 or more")
    }
    let choice = try StreamChoice(source: source, names: stream)
    try choice.checkConfirmation(of: confirmVanish, isFull: full)
    if refresh, choice.itunes == .none || confirmVanish != nil {
      throw SyncError(
        .usage, "--refresh is for iTunes, and for a run of its own", hint: "give --source itunes --refresh")
    }
    let configuration = try common.configuration()
    let clock = SystemClock()
    let format = log.format(configuration.telemetry)
    let telemetry = Telemetry(configuration.telemetry, format: format ?? .text, clock: clock)
    do {
      try await run(choice, configuration, telemetry, isLogged: format != nil, clock)
    } catch let error as SyncError where format != nil {
      telemetry.log.critical("\(error)")
      throw ExitStatus(value: error.code.exitStatus)
    }
  }

  /// - Parameter isLogged: what is said is records of a log, and not for a person at a terminal.
  private func run(
    _ choice: StreamChoice, _ configuration: Configuration, _ telemetry: Telemetry, isLogged: Bool, _ clock: SystemClock
  ) async throws {
    let streams = StandardStreams()
    let progress = ProgressReporter(streams: streams, now: clock.now)
    defer { progress.finish() }
    let voice = isLogged ? telemetry.voice() : telemetry.counting(RunVoice(streams, progress))
    let file = try MetricsFile(path: metricsFile, configuration.telemetry)
    let printer = dryRun ? ChangePrinter(streams: streams, format: output.format, names: choice.names) : nil
    let runner = Runner(
      configuration: configuration, choice: choice, maxPages: maxPages, isFull: full, waits: wait,
      adoptsOrigin: adoptOrigin, refreshes: refresh, confirms: confirmVanish, planned: printer, voice: voice,
      clock: clock)
    let (outcome, signal) = try await Signals.stopping(
      onFirst: { voice.announcer.note("stopping: the page in hand is finished or rolled back …") },
      { try await runner.run() })
    progress.finish()
    if !dryRun { await tell(outcome, configuration, telemetry, file, voice.announcer, clock) }
    let listing = RunSummary.listing(outcome.reports).shown(
      as: output.format, without: RunSummary.hiddenInTables(outcome.reports))
    if let printer {
      guard try printer.finish(listing) else { return }
    } else {
      try streams.printUnlessClosed(listing, as: output.format)
    }
    // The log has a record of each end already.
    for report in outcome.reports where !isLogged { RunSummary.explain(report, isPlanned: dryRun, to: voice.announcer) }
    for error in outcome.refusals { voice.announcer.fail("\(error)") }
    if let signal { throw ExitStatus(value: signal) }
    let status = RunSummary.exitStatus(outcome)
    if status != 0 { throw ExitStatus(value: status) }
  }

  /// Tells those who watch from outside.
  private func tell(
    _ outcome: Runner.Outcome, _ configuration: Configuration, _ telemetry: Telemetry, _ file: MetricsFile?,
    _ announcer: Announcer, _ clock: SystemClock
  ) async {
    if outcome.isCertified, let heartbeat = configuration.telemetry.heartbeat,
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
      announcer.warn("the metrics are not written: \(error)")
    }
  }
}
