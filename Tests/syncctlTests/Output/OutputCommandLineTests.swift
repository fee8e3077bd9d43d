import ArgumentParser
import SyncCore
import SyncTestKit
import Testing

@testable import SyncProgram

@Suite(.boundSources)
struct OutputCommandLineTests {
  @Test("arguments are composed, except paths and what psql receives")
  func composition() throws {
    let folder = try TemporaryFolder()
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    let path = "\(folder.path)/\(decomposed)"
    let cases: [(words: [String], expected: [String])] = [
      (["pokedex", "show", decomposed], ["pokedex", "show", composed]),
      (["rankings", "jikan", "--genre=\(decomposed)"], ["rankings", "jikan", "--genre=\(composed)"]),
      (["report", path, "--a", "b/\(decomposed)"], ["report", path, "--a", "b/\(composed)"]),
      (["run", "--record=\(path)"], ["run", "--record=\(path)"]),
      (["run", "--record", decomposed, decomposed], ["run", "--record", decomposed, composed]),
      (["favorites", "add", "--note=\(decomposed)"], ["favorites", "add", "--note=\(decomposed)"]),
      (["db", "backup", decomposed], ["db", "backup", decomposed]),
      (["db", "psql", "-c", decomposed], ["db", "psql", "-c", decomposed]),
    ]
    for (words, expected) in cases {
      // The test compares bytes, because `==` on strings compares canonical equivalence.
      #expect(Program.composed(words).map { Array($0.utf8) } == expected.map { Array($0.utf8) })
    }
  }

  @Test(arguments: [60, 80, 100, 120, 200])
  func helpFitsTheTerminal(width: Int) {
    for command in Self.commands(below: Syncctl.self) {
      let help = CommandLineText.flowed(Syncctl.helpMessage(for: command, columns: 10_000), to: width)
      for line in help.split(separator: "\n") {
        #expect(TerminalText.displayWidth(String(line)) <= width, "\(command._commandName): \(line)")
      }
    }
  }

  @Test func anOptionNamesItsDefaultOnce() {
    for command in Self.commands(below: Syncctl.self) {
      for line in Syncctl.helpMessage(for: command, columns: 10_000).split(separator: "\n") {
        let count = line.ranges(of: "default: ").count
        #expect(count < 2, "\(command._commandName): \(line)")
      }
    }
  }

  @Test func everyExitStatusIsExplained() {
    let lines = ExitStatus.help(60)
    #expect(lines.allSatisfy { TerminalText.displayWidth($0) <= 60 })
    let codes: [SyncError.Code] = [
      .missing, .usage, .upstream, .database, .tryLater, .permission, .configuration, .guarded,
    ]
    for code in codes { #expect(lines.contains { $0.hasPrefix("\(code.exitStatus) ") }, "\(code)") }
  }

  @Test func everyCommandHelpsWithAnExample() {
    let commands = Self.commands(below: Syncctl.self).dropFirst()
    #expect(commands.count > 15)
    for command in commands {
      #expect(Syncctl.helpMessage(for: command).contains("Example"), "\(command._commandName)")
    }
  }

  @Test(arguments: [
    ("OVERVIEW: Shows a list.", "OVERVIEW: Shows a list."), ("ASK SUBCOMMANDS:", "ASK:"),
    (
      "  --kind <kind>           One of the kinds that there are, or all of them.",
      "  --kind <kind>           One of the kinds that there are,\n                          or all of them."
    ),
    (
      "  syncctl things show --kind of-a-long-name --collection another-long-name --limit 5",
      "  syncctl things show --kind of-a-long-name \\\n      --collection another-long-name --limit 5"
    ),
    (
      "  syncctl things add one two three --note 'again and --again in winter'",
      "  syncctl things add one two three \\\n      --note 'again and --again in winter'"
    ),
    (
      "  things      all that there is of these and of those, too,\n"
        + "              by their names, by their numbers, and by their places",
      "  things      all that there is of these and of those, too,\n"
        + "              by their names, by their numbers, and by their\n              places"
    ),
    (
      "  syncctl things          the same in a few words more than there is room",
      "  syncctl things          the same in a few words more than\n                          there is room"
    ),
  ])
  func helpContinuesBelowItsText(line: String, expected: String) {
    #expect(CommandLineText.flowed(line, to: 60) == expected)
  }

  @Test(arguments: [
    (["run", "--soruce", "x"], "syncctl run has no option --soruce", "did you mean '--source'?"),
    (
      ["status", "--format", "tabel"], "the value 'tabel' is invalid for '--format <format>'",
      "did you mean table? known: table, json"
    ),
    (["run", "--foo"], "syncctl run has no option --foo", "syncctl run --help"),
    (["doctor", "-n", "5"], "syncctl doctor has no option -n", "syncctl doctor --help"),
    (["runs", "list", "--top", "9"], "syncctl runs list has no option --top", "use --limit"),
    (["version", "--json"], "syncctl version has no option --json", "syncctl version --help"),
    (["status", "--output", "json"], "syncctl status has no option --output", "use --format json"),
    (
      ["rankings", "movers", "anime", "--page", "2"], "syncctl rankings movers anime has no option --page",
      "use --limit 0"
    ),
    (
      ["rankings", "history", "anime"], "missing expected argument '<id|title>'",
      "syncctl rankings history anime <id|title>"
    ),
    (["pokedex", "type"], "missing expected argument '<name>'", "syncctl pokedex type <name>"),
  ])
  func faultsHaveTheFormOfOtherErrors(words: [String], message: String, hint: String) {
    let error = #expect(throws: (any Error).self) { try Syncctl.parseAsRoot(words) }
    let fault = error.map { CommandLineFault(Syncctl.fullMessage(for: $0, columns: 10_000)) }
    #expect(fault?.message.contains(message) == true, "\(fault?.message ?? "")")
    #expect(fault?.hint?.contains(hint) == true, "\(fault?.hint ?? "")")
  }

  @Test(arguments: [
    (["rnu", "--source", "jikan"], "syncctl rnu", "did you mean syncctl run --source jikan?"),
    (["runs", "shw"], "syncctl runs shw", "did you mean syncctl runs show?"),
    (["jobs", "triger", "daily"], "syncctl jobs triger", "did you mean syncctl jobs trigger daily?"),
    (["help", "statsu"], "syncctl statsu", "did you mean syncctl help status?"),
    (["db", "xyzzy"], "syncctl db xyzzy", "syncctl db --help"),
  ])
  func aMisspeltCommandIsToldBeforeWhatFollows(words: [String], command: String, hint: String) {
    let fault = FirstGuess().fault(of: words)
    #expect(fault?.message == "there is no command \(command)")
    #expect(fault?.hint.contains(hint) == true, "\(fault?.hint ?? "")")
  }

  @Test(arguments: [
    ["run", "--source", "x"], ["report", "x"], ["runs", "list", "--limit", "5"], ["help", "run"], ["-h"], [],
  ])
  func otherWordsAreTheParsers(words: [String]) { #expect(FirstGuess().fault(of: words) == nil) }

  private static func commands(below command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    [command] + command.configuration.subcommands.flatMap(commands)
  }
}
