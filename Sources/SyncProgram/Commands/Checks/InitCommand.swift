import ArgumentParser
import Foundation
import SyncCore

struct InitCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "init", abstract: "Write a commented configuration file, with jobs that keep the mirror fresh.",
      discussion: """
        The settings are the defaults; change them as needed. The file is the one that the other commands read: \
        SYNCCTL_CONFIG, or else ./syncctl.yaml. An existing file is overwritten only with --force.

        Examples:
          syncctl init
          syncctl init --source \(Registry.names.first ?? "NAME") --file mirror.yaml
          syncctl init --stdout | less
        """)
  }

  @Option(help: Registry.sourceHelp, completion: Completion.sources)
  var source: [String] = []

  @Option(name: [.long, .customLong("config")], help: ArgumentHelp("The file to write.", valueName: "file"))
  var file: String?

  @Flag(help: "Overwrite the file if it exists.")
  var force = false

  @Flag(name: .customLong("stdout"), help: "Print the configuration instead of writing a file.")
  var printsOnly = false

  func run() async throws {
    let streams = StandardStreams()
    let sources = try Registry.chosen(source).filter { $0.sample != nil }
    let text = SampleFile(sources: sources).text
    if printsOnly {
      guard file == nil, !force else {
        throw SyncError(
          .usage, "--stdout cannot be combined with --file or --force", hint: "omit --stdout, or --file and --force")
      }
      return try streams.print(rendered: text)
    }
    let environment = ProcessInfo.processInfo.environment
    let variable = environment["SYNCCTL_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    let path = file ?? variable ?? "./syncctl.yaml"
    do throws(OutputError) {
      try WholeFile.write(text, to: path, overwrites: force)
    } catch {
      throw Self.refusal(of: Excerpt.of(path), error)
    }
    streams.note("written: \(path)")
    streams.note("next:")
    let isFound = ConfigurationFile.locate(flag: nil, environment: environment)?.value == path
    for line in Self.steps(sources, option: isFound ? "" : " --config \(path.shellWord)") { streams.note(line) }
  }

  private static func refusal(of path: String, _ error: OutputError) -> SyncError {
    switch error.code {
    case EEXIST:
      SyncError(
        .usage, "\(path) already exists", hint: "choose another file with --file, or give --force to overwrite it")
    case let code:
      SyncError(
        [EACCES, EPERM, EROFS].contains(code) ? .permission : .usage, "\(path) cannot be written: \(error.reason)",
        hint: "choose a file in a folder that you can write to, or give --stdout")
    }
  }

  private static func steps(_ sources: [SourceDefinition], option: String) -> [String] {
    var steps = [("doctor", "check the database, the mirror and the services")]
    for source in sources { steps.append(("run --source \(source.name)", "mirror \(source.help.content)")) }
    steps.append(("worker --list", "show when the jobs are due"))
    steps.append(("worker", "run them until a signal ends it"))
    let lines = steps.map { command, purpose in (command: "syncctl \(command)\(option)", purpose: purpose) }
    let width = lines.map { TerminalText.displayWidth($0.command) }.max() ?? 0
    return lines.map { "  \(TerminalText.pad($0.command, to: width))  \($0.purpose)" }
  }
}
