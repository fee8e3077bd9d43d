import ArgumentParser
import SyncCore
import SyncEngine
import SyncPostgres
import Synchronization

struct VerifyCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "verify",
      abstract: "Compare the mirror with its documents, hashes and walks, and repair it.",
      discussion: """
        Without an option nothing is requested and nothing is written: every document is hashed again, columns and \
        derived rows are made from it again, published lists are compared with the walk that they are from, and the \
        history and the ledger with themselves. A line is printed for each difference. Runs may work meanwhile.

        --upstream walks the streams that are mirrored again as well, and compares all that they bring; --sample \
        requests some of their pages and documents. Nothing is written, and the rate limits count these requests too. \
        Positions of lists are not compared. The upstream changes: run first, or what changed since is a difference.

        Exits with 0 if there is no difference, and with 1 if there is one, or if the upstream could not be read \
        completely.

        --repair makes columns and derived rows from documents that have their hash. Other documents, counters and \
        lists are written again by the next run, which fetches exactly those. No stream of the source may run \
        meanwhile (status 75). More differences than usual need --confirm (status 86). With --upstream, the streams \
        are run in full after that: what differs from the upstream is written at once.

        Examples:
          syncctl verify
          syncctl verify --source \(Registry.names[0]) --format json
          syncctl verify --source \(Registry.names[0]) --repair
          syncctl verify --source \(Registry.names[0]) --sample 100
          syncctl verify --source \(Registry.names[0]) --upstream
        """)
  }

  @Option(
    name: .long, help: "\(Registry.names.joined(separator: ", ")), or all (the default).",
    completion: Completion.sources)
  var source: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Only what this stream brings; may be given several times.", valueName: "name"),
    completion: Completion.streams)
  var stream: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Compare so many pages and documents of each source with the upstream, chosen at random, or such a share.",
      valueName: "n|p%"))
  var sample: String?

  @Flag(name: .long, help: "Compare all that is mirrored with the upstream.")
  var upstream = false

  @Flag(name: .long, help: "Repair what can be repaired.")
  var repair = false

  @Flag(name: .long, help: "Repair even more than usual.")
  var confirm = false

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    if confirm, !repair { throw SyncError(.usage, "--confirm is for --repair", hint: "add --repair, or omit it") }
    if output.columns != nil {
      throw SyncError(.usage, "--columns is not for verify", hint: "omit it; --format json has everything")
    }
    let extent = try extent()
    let configuration = try common.configuration()
    let choice = try StreamChoice(source: source, names: stream, among: configuration.sources)
    let streams = StandardStreams()
    let clock = SystemClock()
    let progress = ProgressReporter(streams: streams, now: clock.now)
    defer { progress.finish() }
    let reporter = RunReporter(streams, progress)
    let work = VerificationWork(
      configuration: configuration, choice: choice, extent: extent, repairs: repair, isConfirmed: confirm,
      reporter: reporter, clock: clock)
    let printer = Mutex(DifferencePrinter(streams, output))
    let (outcome, signal) = try await Signals.stopping(
      onFirst: { streams.note("stopping …") },
      { try await work.run { difference in try printer.withLock { try $0.print(difference) } } })
    progress.finish()
    let records = outcome.records
    try printer.withLock { printer in
      try printer.finish(checked: VerificationRecord.checked(records), VerificationRecord.summary(records))
    }
    let isComplete = extent == .local || outcome.upstream.isSteady
    tell(outcome.upstream, isComplete: isComplete, reporter.announcer)
    if let signal { throw ExitStatus(value: signal) }
    let status = RunSummary.exitStatus(outcome.upstream)
    if status != 0 { throw ExitStatus(value: status) }
    if !isComplete || records.contains(where: { $0.outcome.differences > 0 }) { throw ExitStatus(value: 1) }
  }

  private func extent() throws(SyncError) -> VerificationWork.Extent {
    guard let sample else { return upstream ? .upstream : .local }
    guard !upstream else {
      throw SyncError(.usage, "--sample and --upstream exclude each other", hint: "omit one of them")
    }
    guard let size = SampleSize(sample) else {
      throw SyncError(
        .usage, "--sample \(Excerpt.of(sample, scalars: 40)) is no size",
        hint: "give a number of pages and documents (20), or a share of them (5%)")
    }
    return .sample(size)
  }

  private func tell(_ outcome: Runner.Outcome, isComplete: Bool, _ announcer: Announcer) {
    for report in outcome.reports {
      RunSummary.explain(report, isPlanned: !(repair && upstream), to: announcer)
    }
    for error in outcome.refusals { announcer.fail(error.message, error.hint) }
    if !isComplete { announcer.warn("the upstream was not read completely: the mirror may differ from it in more") }
  }
}
