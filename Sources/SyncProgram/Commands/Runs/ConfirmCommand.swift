import ArgumentParser
import Foundation
import SyncCore
import SyncPostgres

struct ConfirmCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "confirm", abstract: "Carry out what a safety guard stopped.",
    usage: "syncctl confirm <id> [<options>]",
    discussion: """
      A run that exits with status 86 changed nothing, because its list would lose more than usual. This command \
      resumes that run without the guard, like run --confirm-vanish. Look at the upstream first: syncctl runs show \
      ID --all lists the items. A terminal shows what would happen and asks; without a terminal there is no question.

      Examples:
        syncctl confirm 374a9d92
        syncctl confirm 374a9d92 --yes --format json
      """)

  @Argument(help: "The run's id, or the beginning of it.")
  var id: String

  @Flag(help: "Do not ask on a terminal.")
  var yes = false

  @OptionGroup var output: FormatOptions
  @OptionGroup var log: LogOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let streams = StandardStreams()
    let configuration = try common.configuration()
    let findings = try await Context(configuration: configuration).withExistingMirror { database in
      try await HeldFindings.read(id, configuration, in: database)
    }
    let held = findings.run
    try Self.check(held, configuration)
    streams.note(held.error.components(separatedBy: "; ").first ?? held.error)
    if let summary = findings.summary { streams.note(summary) }
    streams.note(findings.consequence)
    guard yes || !Self.canAsk(streams) || Self.hasConsent(streams) else {
      return streams.note("nothing was changed")
    }
    var run = try await RunCommand.asyncParse(
      ["--source=\(held.source)", "--stream=\(held.stream)", "--confirm-vanish=\(held.id)"])
    run.output = output
    run.log = log
    run.common = common
    try await run.run()
  }

  /// - Throws: `SyncError` if the run cannot be confirmed with this configuration.
  static func check(_ held: HeldRun, _ configuration: Configuration) throws(SyncError) {
    guard held.isConfirmable else {
      throw SyncError(
        .guarded, "run \(held.shortID) cannot be confirmed: its unusable items are no copy of the upstream",
        hint: "syncctl runs show \(held.shortID) --quarantine lists the reasons; look for a newer syncctl")
    }
    let source = configuration.sources.first { $0.name == held.source }
    guard source?.description(of: held.stream) != nil else {
      throw SyncError(
        .configuration, "\(held.source)/\(held.stream) is not configured, so run \(held.shortID) cannot be resumed",
        hint: "configure the stream again; what a command asks once is asked again by that command")
    }
  }

  /// Returns the runner that resumes a held run without the guard, like `run --confirm-vanish`.
  static func runner(
    _ held: HeldRun, _ configuration: Configuration, _ reporter: RunReporter, _ clock: SystemClock
  ) throws(SyncError) -> Runner {
    let choice = try StreamChoice(sources: [held.source], names: [held.stream], among: configuration.sources)
    try choice.checkConfirmation(of: held.id, isFull: false)
    var settings = RunSettings(configuration.runs)
    settings.confirms = held.id
    return Runner(configuration: configuration, choice: choice, settings: settings, reporter: reporter, clock: clock)
  }

  private static func canAsk(_ streams: StandardStreams) -> Bool {
    streams.error.isTerminal && SystemTerminal.isTerminal(0)
  }

  private static func hasConsent(_ streams: StandardStreams) -> Bool {
    streams.note("continue? [y/N]")
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
    return ["y", "yes"].contains(answer)
  }
}
