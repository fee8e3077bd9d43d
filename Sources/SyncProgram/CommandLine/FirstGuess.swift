import ArgumentParser
import SyncCore

/// Rewrites command lines that users are likely to try, including old names, to existing commands and options.
struct FirstGuess {
  let guesses: [Guess]

  init() { guesses = Guess.shared + Guess.ofSources + Registry.sources.flatMap { $0.guesses } }

  /// Returns the arguments to parse for the typed arguments.
  /// - Throws: `SyncError` `.usage` for an unknown command. The parser would report a later word instead.
  func arguments(for typed: [String]) throws(SyncError) -> [String] {
    var rest = typed[...]
    let early = Self.takeEarlyOptions(of: &rest)
    guard let first = rest.first, !first.hasPrefix("-") else { return typed }
    let isHelp = first.lowercased() == "help"
    if isHelp { rest.removeFirst() }

    var search = Search(in: self, Array(rest), after: early, isHelp: isHelp)
    while try search.step() {}

    if search.isHelp { return ["help"] + search.path + search.words }
    // The options after `db psql` are for psql, so they are not changed.
    if search.path == ["db", "psql"] { return search.path + early + Self.query(search.words) }
    let end = search.words.firstIndex(of: "--") ?? search.words.endIndex
    let options = named(shortened(early + search.words[..<end], search.command), search.command)
    return search.path + options + search.words[end...]
  }

  /// Joins the words of a query after `db psql`, and passes them to psql as a command.
  private static func query(_ words: [String]) -> [String] {
    guard let start = words.firstIndex(where: { !["--owner", "--write"].contains($0) }), !words[start].hasPrefix("-")
    else { return words }
    let query = words[start...].prefix { !$0.hasPrefix("-") }
    return words[..<start] + ["-c", query.joined(separator: " ")] + words[query.endIndex...]
  }

  /// Options with a value that users type before the command.
  static let earlyOptions: Set = [
    "--config", "--format", "--columns", "--limit", "--source", "--stream", "--log-format", "-n", "-o", "--output",
  ]
  private static let earlyFlags = Set(["--no-header", "--help", "-h"] + OutputFormat.allCases.map { "--\($0)" })

  /// Removes the options before the command, and returns them with their values.
  private static func takeEarlyOptions(of rest: inout ArraySlice<String>) -> [String] {
    var options: [String] = []
    while let word = rest.first {
      let isJoined = word.split(separator: "=").first.map { earlyOptions.contains(String($0)) } ?? false
      guard isJoined || earlyFlags.contains(word) else { break }
      let count = earlyOptions.contains(word) ? 2 : 1
      options += rest.prefix(count)
      rest = rest.dropFirst(count)
    }
    return options
  }

  static func subcommand(_ word: String, of commands: [any ParsableCommand.Type]) -> (any ParsableCommand.Type)? {
    commands.first { $0._commandName == word.lowercased() }
  }
}
