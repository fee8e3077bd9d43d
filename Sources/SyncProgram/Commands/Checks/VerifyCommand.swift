import ArgumentParser
import SyncCore
import SyncPostgres
import Synchronization

struct VerifyCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "verify", abstract: "Compare the mirror with its documents, hashes and runs, and repair it.",
      discussion: """
        Recomputes every document's hash, columns and derived rows, compares published lists with the runs that \
        published them, and checks that the histories of rankings and runs are consistent. Prints a line for each \
        difference. Sends no requests, and writes only with --repair. Runs can continue meanwhile.

        Exits with 0 without differences, and with 1 otherwise.

        --repair recomputes columns and derived rows of documents whose hash is right. The next run fetches and \
        writes the other documents, counters and lists. No stream of the source may run during a repair (status \
        75). More differences than usual need --confirm (status 86).

        To compare the mirror with the service, use run --full --dry-run, which prints the differences; run --full \
        writes them.

        Examples:
          syncctl verify
          syncctl verify --source \(Registry.names[0]) --format json
          syncctl verify --source \(Registry.names[0]) --repair
        """)
  }

  @OptionGroup var choice: StreamFilterOptions

  @Flag(help: "Repair what can be repaired.")
  var repair = false

  @Flag(help: "Repair even if more differs than usual.")
  var confirm = false

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    if confirm, !repair { throw SyncError(.usage, "--confirm requires --repair", hint: "add --repair, or omit it") }
    if output.columns != nil {
      throw SyncError(.usage, "verify does not support --columns", hint: "omit it; --format json has everything")
    }
    let configuration = try common.configuration()
    let choice = try StreamChoice(sources: choice.source, names: choice.stream, among: configuration.sources)
    let streams = StandardStreams()
    let work = VerificationWork(
      configuration: configuration, choice: choice, repairs: repair, isConfirmed: confirm,
      announcer: Announcer(streams), clock: SystemClock())
    let printer = Mutex(DifferencePrinter(streams, output))
    let (records, signal) = try await Signals.stopping(
      onFirst: { streams.note("stopping …") },
      { try await work.run { difference in try printer.withLock { try $0.print(difference) } } })
    try printer.withLock { printer in
      try printer.finish(checked: VerificationRecord.checked(records), VerificationRecord.summary(records))
    }
    if let signal { throw ExitStatus(value: signal) }
    if records.contains(where: { $0.outcome.differences > 0 }) { throw ExitStatus(value: 1) }
  }
}
