import ArgumentParser
import Foundation
import SyncCore

/// The command line program.
package enum Program {
  /// Runs the command of the process's arguments. Prints its errors and exits with their status.
  ///
  /// The caller binds `Registry.sources` and `Registry.kinds` first. The function returns only if the command succeeds.
  package static func main() async {
    ProcessLimits.openStandardStreams()
    ProcessLimits.raiseDescriptorLimit()
    ProcessLimits.returnLargeBlocks()
    // With SIGPIPE, a write to a closed pipe would end the process in the middle of a page.
    signal(SIGPIPE, SIG_IGN)
    // Without handlers, a process with PID 1 would ignore these signals. `Signals` later replaces the handlers.
    for number in [SIGTERM, SIGINT] { signal(number) { _exit(128 + $0) } }
    let arguments = Array(CommandLine.arguments.dropFirst())
    // Help and errors of usage name the declared sources too.
    await Registry.withDeclared(arguments, ProcessInfo.processInfo.environment) {
      await run(arguments, StandardStreams())
    }
  }

  private static func run(_ arguments: [String], _ streams: StandardStreams) async {
    do {
      try refuseSecrets(in: arguments)
      if arguments == ["-V"] || arguments == ["-v"] { return try streams.print(line: Version.text) }
      if arguments.isEmpty { return try await Overview.print(to: streams) }
      if arguments == ["help", "exit"] {
        return try streams.print(lines: ExitStatus.help(streams.renderingOptions.width))
      }

      let parsed: Result<any ParsableCommand, any Error>
      do {
        parsed = .success(try await Syncctl.asyncParseAsRoot(composed(arguments)))
      } catch {
        parsed = .failure(error)
      }
      if let fault = FirstGuess().fault(of: arguments, isAccepted: (try? parsed.get()) != nil) {
        let titles = streams.error.isTerminal ? await TitleSuggestion.lines(for: fault) : []
        throw SyncError(.usage, fault.message, hint: fault.hint, exhibit: titles)
      }
      var command = try parsed.get()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch let error as OutputError where error.isClosedPipe {
      exit(0)
    } catch let error as OutputError {
      fail(error, streams)
    } catch let error as SyncError {
      streams.fail(error.message, hint: error.hint)
      for line in error.exhibit { streams.note("  " + line) }
      exit(error.code.exitStatus)
    } catch let status as ExitStatus {
      exit(status.value)
    } catch {
      do {
        try CommandLineText.print(error, to: streams)
      } catch {
        if !error.isClosedPipe { fail(error, streams) }
      }
      exit(Syncctl.exitCode(for: error).rawValue)
    }
  }

  private static func fail(_ error: OutputError, _ streams: StandardStreams) -> Never {
    streams.fail("\(error)")
    exit(74)
  }

  /// Converts the arguments to NFC, the form of names in the mirror, because arguments on macOS can be decomposed.
  /// Paths, notes and the arguments of psql are not changed.
  static func composed(_ arguments: [String]) -> [String] {
    if arguments.first == "db" { return arguments }
    return arguments.indices.map { index in
      let argument = arguments[index]
      if argument.utf8.allSatisfy({ $0 < 0x80 }) { return argument }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let isJoined = argument.hasPrefix("--") && parts.count == 2
      let option = isJoined ? String(parts[0]) : index > 0 ? arguments[index - 1] : ""
      let isKept = uncomposed.contains(option) || isPath(isJoined ? String(parts[1]) : argument)
      return isKept ? argument : argument.precomposedStringWithCanonicalMapping
    }
  }

  private static let uncomposed: Set = ["--config", "--file", "--metrics-file", "--note", "--record"]

  private static func isPath(_ word: String) -> Bool {
    let folder = word.lastIndex(of: "/").map { String(word[...$0]) }
    return [word, folder ?? ""].contains { !$0.isEmpty && FileManager.default.fileExists(atPath: $0) }
  }

  /// Rejects passwords and database URLs, because every user of the machine can read the command line.
  private static func refuseSecrets(in arguments: some Sequence<String>) throws {
    for (index, argument) in arguments.enumerated() {
      guard
        ["postgres://", "postgresql://", "password="].contains(where: argument.contains)
          || (argument.contains("://") && argument.contains("@"))
      else { continue }
      throw SyncError(
        .usage, "argument \(index + 1) is a database URL, or contains a password",
        hint: "give the URL as SYNCCTL_DATABASE_URL or in the configuration file; other users can see arguments")
    }
  }
}

struct Syncctl: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "syncctl",
      abstract: "Keeps a faithful copy of public JSON APIs in your own PostgreSQL, and answers questions about it.",
      discussion: """
        First steps:
        \(firstSteps)
          syncctl init                      write a configuration file, with jobs
          syncctl status                    how fresh the mirror is
          syncctl worker                    keep it fresh, by configured jobs

        Without a configured database, the mirror is in a PostgreSQL that syncctl starts itself (syncctl db \
        status). Set SYNCCTL_DATABASE_URL to use another database.

        -n 5 means --limit 5; --json, --csv, --ndjson and -o json set --format.

        syncctl help exit lists the exit statuses.
        """, version: Version.text,
      groupedSubcommands: [
        CommandGroup(
          name: "Mirror",
          subcommands: [
            RunCommand.self, WorkerCommand.self, JobsCommand.self, StatusCommand.self, RunsCommand.self,
            ConfirmCommand.self, VerifyCommand.self,
          ]),
        CommandGroup(
          name: "Ask",
          subcommands: [SearchCommand.self, RankingsCommand.self] + Registry.sources.flatMap { $0.commands } + [
            FavoritesCommand.self, ReportCommand.self, WebCommand.self,
          ]),
        CommandGroup(
          name: "Operate",
          subcommands: [
            InitCommand.self, DoctorCommand.self, ConfigCommand.self, HealthCommand.self,
            LimitsCommand.self, DBCommand.self, MigrateCommand.self, VersionCommand.self,
          ] + Registry.kinds.flatMap { $0.commands }),
      ])
  }

  private static var firstSteps: String {
    Registry.sources.map { source in
      "  \(TerminalText.pad("syncctl run --source \(source.name)", to: 33)) mirror \(source.help.content)"
    }.joined(separator: "\n")
  }
}
