import ArgumentParser
import SyncCore

/// The meanings of words by the guesses.
extension FirstGuess {
  /// Returns the words that replace a command's name, if the first of them is a subcommand.
  func meaning(of word: String, among commands: [any ParsableCommand.Type]) -> [String]? {
    let lower = word.lowercased()
    for case .word(lower, let means) in guesses
    where means.first.flatMap({ Self.subcommand($0, of: commands) }) != nil {
      return means
    }
    let names = commands.map { $0._commandName }
    return names.first { $0 + "s" == lower || $0 == lower + "s" }.map { [$0] }
  }

  /// Returns the command line that replaces the words after the path.
  func meaning(of words: [String], below path: [String]) -> [String]? {
    guard let word = words.first else { return nil }
    let typed = path + [word.lowercased()]
    let rest = words.dropFirst()
    let plainWords = Array(rest.prefix { !$0.hasPrefix("-") })
    for case .path(typed, let fits, let means) in guesses where fits(plainWords) { return means + rest }
    return nil
  }

  /// Returns the subcommand that has the word as an argument.
  func argumentsOwner(_ path: [String], _ word: String) -> String? {
    for case .arguments(let command, false, let fits) in guesses where command.dropLast() == path[...] && fits(word) {
      return command.last
    }
    return nil
  }

  /// Returns the command line of an option that is now a command.
  func moved(_ words: [String], of path: [String]) -> [String]? {
    for case .command(let option, path, let hasValue, let means) in guesses {
      let split = words.flatMap {
        $0.hasPrefix(option + "=") ? [option, String($0.dropFirst(option.count + 1))] : [$0]
      }
      guard let index = split.firstIndex(of: option), !hasValue || index + 1 < split.count else { continue }
      let next = hasValue ? index + 2 : index + 1
      return means + split[(index + 1)..<next] + split[..<index] + split[next...]
    }
    return nil
  }

  /// Returns the commands that look up a name.
  /// - Parameters:
  ///   - word: The first word of the name.
  ///   - name: The whole name.
  func lookups(of word: String, as name: String, below path: [String]) -> [String] {
    let shown = Excerpt.of(name, scalars: 40)
    var lookups: [String] = []
    for case .arguments(let owner, let onlyNamed, let fits) in guesses where owner.count == 2 && fits(word) {
      guard path.isEmpty || onlyNamed && path == [owner[0]], !owner[1].hasPrefix("-") else { continue }
      lookups.append("syncctl \(onlyNamed ? owner.joined(separator: " ") : owner[0]) \(shown)")
    }
    return lookups
  }

  static func unknown(_ word: String, _ path: [String], hint: String) -> SyncError {
    let command = (["syncctl"] + path + [Excerpt.of(word, scalars: 40)]).joined(separator: " ")
    return SyncError(.usage, "there is no \(word.hasPrefix("-") ? "option" : "command") \(command)", hint: hint)
  }

  /// - Throws: `SyncError` `.usage` for a word that a guess has advice on.
  func checkAdvice(on words: [String], _ path: [String]) throws(SyncError) {
    for case .advice(let typed, let hint) in guesses {
      for word in words where typed.contains((path + [word.prefix { $0 != "=" }.lowercased()]).joined(separator: " ")) {
        throw Self.unknown(word, path, hint: hint)
      }
    }
  }

  /// Returns up to four commands, without `syncctl`, that the words can mean; `nil` without such commands.
  func intents(of words: [String]) -> [String]? {
    let lower = words[0].lowercased()
    let rest = Excerpt.of(words.dropFirst().prefix { !$0.hasPrefix("-") }.joined(separator: " "), scalars: 40)
    var commands: [String] = []
    for case .intent(lower, let means) in guesses { commands += means }
    if Registry.names.contains(lower) { commands.append("run \(lower)") }
    if commands.count < 2 { commands += Self.paths(to: lower, rest) }
    for case .word(lower, let means) in guesses where commands.isEmpty { commands = Self.paths(to: means[0], rest) }
    return commands.isEmpty ? nil : Array(commands.distinct().prefix(4))
  }

  /// Returns the commands with this name.
  /// - Parameter rest: The typed arguments.
  private static func paths(
    to name: String, _ rest: String, below command: any ParsableCommand.Type = Syncctl.self
  ) -> [String] {
    command.configuration.subcommands.flatMap { next -> [String] in
      let nextName = next._commandName
      if ![nextName, nextName + "s"].contains(name) {
        return paths(to: name, rest, below: next).map { "\(nextName) \($0)" }
      }
      let words = CommandOptions(next).map { $0.words(rest) } ?? rest
      return [words.isEmpty ? nextName : "\(nextName) \(words)"]
    }
  }
}
