import ArgumentParser
import SyncCore

extension FirstGuess {
  /// The search for the command of a command line, from the program down to a command without subcommands.
  struct Search {
    private let rules: FirstGuess
    /// The options before the command.
    private let early: [String]
    /// Whether the command's help is printed.
    private(set) var isHelp: Bool
    /// The words after the commands that have been found.
    private(set) var words: [String]
    /// The names of the commands that have been found, without `syncctl`.
    private(set) var path: [String] = []
    /// The last command that has been found.
    private(set) var command: any ParsableCommand.Type = Syncctl.self

    init(in rules: FirstGuess, _ words: [String], after early: [String], isHelp: Bool) {
      self.rules = rules
      self.words = words
      self.early = early
      self.isHelp = isHelp
    }

    private var subcommands: [any ParsableCommand.Type] { command.configuration.subcommands }

    /// Finds the next subcommand, or replaces the next words by their meaning.
    /// - Returns: Whether another step is necessary.
    /// - Throws: `SyncError` `.usage` if the next word has no meaning, or several.
    mutating func step() throws(SyncError) -> Bool {
      let isKnown = words.first.map { FirstGuess.subcommand($0, of: subcommands) != nil } ?? false
      if !isKnown, let replacement = rules.moved(words, of: path) ?? rules.meaning(of: words, below: path) {
        restart(replacement)
        return true
      }
      if !isHelp { try rules.checkAdvice(on: subcommands.isEmpty ? early + words : Array(words.prefix(1)), path) }
      guard !subcommands.isEmpty else { return false }
      guard let word = words.first, !word.hasPrefix("-") else { return descendToDefault() }
      return try interpret(word)
    }

    private mutating func restart(_ words: [String]) {
      self.words = words
      path = []
      command = Syncctl.self
    }

    private mutating func descend(to next: any ParsableCommand.Type) {
      command = next
      path.append(next._commandName)
    }

    /// Finds the default subcommand, unless the user asks for the help of the group.
    private mutating func descendToDefault() -> Bool {
      let isAboutGroup = isHelp || !Set(["-h", "--help"]).isDisjoint(with: early + words.prefix(1))
      guard !isAboutGroup, let standard = command.configuration.defaultSubcommand else { return false }
      descend(to: standard)
      return true
    }

    /// - Parameter word: The first of `words`, which is not an option.
    private mutating func interpret(_ word: String) throws(SyncError) -> Bool {
      if let next = FirstGuess.subcommand(word, of: subcommands) {
        words.removeFirst()
        descend(to: next)
      } else if let meaning = rules.meaning(of: word, among: subcommands) {
        words = meaning + words.dropFirst()
      } else if word.lowercased() == "help", words.count == 1 {
        isHelp = true
        words = []
        return false
      } else if let owner = CommandOptions.owner(of: word, below: command) {
        descend(to: owner)
      } else if path.isEmpty, let commands = rules.intents(of: words) {
        throw FirstGuess.unknown(word, path, hint: "did you mean \(commands.map { "syncctl \($0)" }.joinedByOr)?")
      } else if let near = Suggestion.nearest(to: word.lowercased(), among: subcommands.map { $0._commandName }) {
        throw FirstGuess.unknown(word, path, hint: "did you mean \(near)?")
      } else if let subcommand = rules.argumentsOwner(path, word) {
        let isSwapped =
          words.count > 1 && words[1] != subcommand && FirstGuess.subcommand(words[1], of: subcommands) != nil
        if isSwapped { words.swapAt(0, 1) } else { words.insert(subcommand, at: 0) }
      } else {
        throw FirstGuess.unknown(word, path, hint: unknownHint(word))
      }
      return true
    }

    /// The hint for a word without a meaning.
    private func unknownHint(_ word: String) -> String {
      let plainWords = words.prefix { !$0.hasPrefix("-") }
      if path == ["jobs"] { return jobHint(Array(plainWords)) }

      let group = (["syncctl"] + path).joined(separator: " ")
      let canBeName = !isHelp && !(path.isEmpty && Guess.verbs.contains(word.lowercased()))
      let lookups = canBeName ? rules.lookups(of: word, as: plainWords.joined(separator: " "), below: path) : []
      let others = lookups.isEmpty ? "" : "; \(lookups.distinct().joinedByOr) looks it up"
      return "\(group) --help lists the commands\(others)"
    }

    /// The hint for words after `jobs`, of which the last can be the name of a job.
    private func jobHint(_ plainWords: [String]) -> String {
      let names = plainWords.filter {
        FirstGuess.subcommand($0, of: subcommands) == nil && !Guess.verbs.contains($0.lowercased())
      }
      let name = Excerpt.of(names.last ?? "NAME", scalars: 40)
      let commands = ["jobs pause", "jobs resume", "jobs trigger", "runs --job"].map { "syncctl \($0) \(name)" }
      return "did you mean \(commands.joinedByOr)? syncctl jobs lists the jobs"
    }
  }
}
