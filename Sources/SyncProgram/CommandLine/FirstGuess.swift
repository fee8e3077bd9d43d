import ArgumentParser
import SyncCore
import SyncPostgres

/// Finds the commands that a user can mean by words that no command has. It rewrites nothing: the user types one of the
/// commands that the hint names.
struct FirstGuess {
  /// What is wrong with a command line, with the commands to type instead.
  struct Fault: Sendable {
    let message: String
    let hint: String
    /// The typed words, if they can be a title.
    var title: String?

    var error: SyncError { SyncError(.usage, message, hint: hint) }
  }

  private let guesses: [Guess]

  init() { guesses = Registry.sources.flatMap { $0.guesses } + Guess.shared }

  /// Returns the fault of a command line with an unknown command, or with a word or an option that a guess is about.
  ///
  /// Returns `nil` for all other command lines, which the parser accepts or refuses.
  /// - Parameter isAccepted: Whether the parser accepts the command line. Describing a command takes longer than
  ///   parsing its words, so only command lines that the parser refuses are compared with the command's options.
  func fault(of arguments: [String], isAccepted: Bool = false) -> Fault? {
    guard let first = arguments.first else { return nil }
    if first.hasPrefix("-") { return earlyOption(in: arguments) }
    let isHelp = first == "help"
    var rest = arguments[...].dropFirst(isHelp ? 1 : 0)
    var path: [String] = []
    var command: any ParsableCommand.Type = Syncctl.self
    while let word = rest.first, !word.hasPrefix("-"), !command.configuration.subcommands.isEmpty {
      guard let next = Self.subcommand(word, of: command.configuration.subcommands) else {
        return unknown(Array(rest), below: path, of: command, isHelp: isHelp, isAccepted: isAccepted)
      }
      rest.removeFirst()
      command = next
      path.append(next._commandName)
    }
    // The arguments after `db psql` are for psql.
    if isHelp || path == ["db", "psql"] { return nil }
    let described = command.configuration.defaultSubcommand ?? command
    return excess(Array(rest), below: path, of: described, isAccepted: isAccepted)
  }

  /// Returns the subcommand with this name or alias.
  static func subcommand(_ word: String, of commands: [any ParsableCommand.Type]) -> (any ParsableCommand.Type)? {
    commands.first { $0._commandName == word || $0.configuration.aliases.contains(word) }
  }

  // MARK: Unknown words

  /// - Parameter words: The unknown word and all words after it.
  private func unknown(
    _ words: [String], below path: [String], of command: any ParsableCommand.Type, isHelp: Bool, isAccepted: Bool
  ) -> Fault? {
    let typed = Array(words.prefix { !$0.hasPrefix("-") })
    // A sentence in quotes is one argument.
    let sentence = typed.count == 1 ? typed[0].split(separator: " ").map(String.init) : typed
    let plain = sentence.isEmpty ? typed : sentence
    let names = command.configuration.subcommands.map { $0._commandName }
    func fault(_ hint: String, title: String? = nil) -> Fault {
      Fault(message: Self.message(words[0], path), hint: hint, title: title)
    }

    if path.isEmpty, let object = Self.object(of: plain, names), guess(plain, over: 1) == nil {
      return fault(Guess.hint([object]))
    }
    if let hint = guess(path + plain, over: path.count, isHelp: isHelp) { return fault(hint) }
    if let near = Self.near(words[0], names) {
      let begin = (isHelp ? ["help"] : []) + path + [near]
      let typed = Self.accepts(begin + words.dropFirst()) ? begin + words.dropFirst() : begin
      return fault("did you mean \((["syncctl"] + typed).map(Self.shown).joined(separator: " "))?")
    }
    // The default command can have arguments, such as the title after `anime`.
    if let standard = command.configuration.defaultSubcommand, !isHelp {
      if isAccepted || CommandOptions(standard)?.hasArguments == true { return nil }
      if let fault = excess(words, below: path, of: standard, isAccepted: false) { return fault }
    }
    if let hint = guess(path + plain, over: path.count, asLastResort: true) { return fault(hint) }
    if path.isEmpty, let hint = intent(of: plain) { return fault(hint) }

    let help = "\((["syncctl"] + path).joined(separator: " ")) --help lists the commands"
    guard path.isEmpty, !isHelp else { return fault(help) }
    return fault(
      "\(help); for a title: syncctl search \(plain.map(Self.shown).joined(separator: " "))",
      title: plain.joined(separator: " "))
  }

  /// Returns the hint for words of which no guess and no name of a command is the first.
  private func intent(of words: [String]) -> String? {
    var commands = Self.intents(of: words)
    // The last word can be the command, as in `pikachu evolution`.
    if commands.isEmpty, words.count > 1 {
      commands = Self.intents(of: words.suffix(1) + words.dropLast()).filter {
        Self.accepts($0.split(separator: " ").map(String.init))
      }
    }
    if !commands.isEmpty { return Guess.hint(commands) }
    // A word of at least four letters can be a guess's word with one typing error.
    guard words.count == 1, words[0].count > 3 else { return nil }
    let known = guesses.compactMap { $0.phrase.count == 1 ? $0.phrase[0] : nil }
    return Suggestion.nearest(to: words[0].lowercased(), among: known, edits: 1).flatMap { guess([$0], over: 0) }
  }

  /// Whether the program accepts these words after its name.
  private static func accepts(_ words: [String]) -> Bool {
    do {
      _ = try Syncctl.parseAsRoot(words)
      return true
    } catch {
      // The parser throws for --help, too.
      return Syncctl.exitCode(for: error) == .success
    }
  }

  private static let verbs: Set = [
    "get", "show", "describe", "view", "display", "list", "ls", "print", "inspect", "explain",
  ]

  /// Returns the command that a verb of other programs and the name of a command mean, as in `get jobs`.
  private static func object(of words: [String], _ names: [String]) -> String? {
    guard words.count > 1, verbs.contains(words[0].lowercased()) else { return nil }
    let name = named(words[1].lowercased(), names)
    let typed = name.map { [$0] + words.dropFirst(2) }
    return typed.flatMap { accepts($0) ? $0.map(shown).joined(separator: " ") : name }
  }

  private static func message(_ word: String, _ path: [String]) -> String {
    let command = (["syncctl"] + path + [Excerpt.of(word, scalars: 40)]).joined(separator: " ")
    return "there is no \(word.hasPrefix("-") ? "option" : "command") \(command)"
  }

  private static func excess(_ word: String, _ path: [String]) -> String {
    "\((["syncctl"] + path).joined(separator: " ")) takes no argument \(Excerpt.of(word, scalars: 40))"
  }

  private static func shown(_ word: String) -> String { Excerpt.of(word, scalars: 40).shellWord }

  /// Returns the name that is written in another case or number, or with a typing error.
  private static func near(_ word: String, _ names: [String]) -> String? {
    let lower = word.lowercased()
    return named(lower, names) ?? Suggestion.nearest(to: lower, among: names)
  }

  /// Returns the name that is the word, or its singular or plural.
  private static func named(_ lower: String, _ names: [String]) -> String? {
    names.first { $0 == lower || "\($0)s" == lower || $0 == "\(lower)s" }
  }

  /// Returns the hint of the guess whose phrase has the most words of the beginning of `words`; `nil` without a phrase
  /// of more than `least` words.
  /// - Parameter isHelp: Whether the user asks for help about the words. The hint then names the help of the commands.
  private func guess(
    _ words: [String], over least: Int, asLastResort: Bool = false, isHelp: Bool = false
  ) -> String? {
    let matching = guesses.filter {
      $0.phrase.count > least && $0.isLastResort == asLastResort && $0.matches(words)
    }
    guard let longest = matching.max(by: { $0.phrase.count < $1.phrase.count }) else { return nil }
    let commands = isHelp ? longest.commands(for: words) : []
    if !commands.isEmpty {
      return Guess.hint(commands.map { "help \($0.prefix { $0 != " " })" }.distinct())
    }
    return longest.hint(for: words, accepts: Self.accepts)
  }

  /// Returns up to four commands that the words can mean: those of a source or a report of this name, and commands of
  /// this name in a group of commands.
  private static func intents(of words: [String]) -> [String] {
    let lower = words[0].lowercased()
    var commands: [String] = []
    if let source = words.map({ $0.lowercased() }).first(where: Registry.names.contains) {
      commands += ["run --source \(source)", "status --source \(source)"]
    }
    if Reports.all.contains(where: { $0.name == lower }) { commands.append("report \(lower)") }
    commands += paths(to: lower, words.dropFirst().map(shown).joined(separator: " "))
    return Array(commands.distinct().prefix(4))
  }

  /// Returns the commands with this name in groups of commands.
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

  // MARK: Words and options after a command

  /// Returns the fault of a command's first word or option that a guess is about, or of a word after a command without
  /// arguments that names a value of its options.
  private func excess(
    _ words: [String], below path: [String], of command: any ParsableCommand.Type, isAccepted: Bool
  ) -> Fault? {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    let options = isAccepted ? nil : CommandOptions(command)
    if !isAccepted, let fault = unknownOption(words[..<end], below: path, options) { return fault }

    // Most first words of a command with arguments are arguments, but a guess can be about one, such as `report list`.
    let plain = Array(words.prefix { !$0.hasPrefix("-") })
    if words.isEmpty, !isAccepted, let hint = guess(path, over: path.count - 1) {
      return Fault(message: "\((["syncctl"] + path).joined(separator: " ")) needs an argument", hint: hint)
    }
    if let word = plain.first, let hint = guess(path + plain, over: path.count),
      (options ?? CommandOptions(command))?.hasArguments == true
    {
      return Fault(message: Self.excess(word, path), hint: hint)
    }
    guard let options, !options.hasArguments else { return nil }

    var rest = words[..<end]
    while let word = rest.popFirst() {
      if word.hasPrefix("-") {
        // The parser reports an unknown option, whose value must not be taken for an argument.
        guard options.options.contains(String(word.prefix { $0 != "=" })) || Self.isJoined(word, options) else {
          return nil
        }
        if !word.contains("="), options.takesValue(word) { rest = rest.dropFirst() }
        continue
      }
      if let hint = guess(path + [word] + rest, over: path.count) {
        return Fault(message: Self.message(word, path), hint: hint)
      }
      guard let meaning = options.options(meaning: word) else {
        let hint = guess(path + [word] + rest, over: path.count, asLastResort: true)
        return hint.map { Fault(message: Self.excess(word, path), hint: $0) }
      }
      let others = words.filter { $0 != word }
      let typed = (["syncctl"] + path + meaning + others).map(Self.shown).joined(separator: " ")
      return Fault(message: Self.excess(word, path), hint: "did you mean \(typed)?")
    }
    return nil
  }

  /// Returns the fault of an option that a guess is about and that the command does not have.
  private func unknownOption(
    _ words: ArraySlice<String>, below path: [String], _ options: CommandOptions?
  ) -> Fault? {
    for index in words.indices where words[index].hasPrefix("-") {
      let parts = words[index].split(separator: "=", maxSplits: 1).map(String.init)
      guard let option = parts.first, options?.options.contains(option) != true,
        let hint = guess(path + parts + words[index...].dropFirst(), over: path.count)
      else { continue }
      return Fault(message: Self.message(option, path), hint: hint)
    }
    return nil
  }

  /// Whether the word is a short option with its value, such as `-n5`.
  private static func isJoined(_ word: String, _ options: CommandOptions) -> Bool {
    !word.hasPrefix("--") && options.takesValue(String(word.prefix(2)))
  }

  /// The options that need no command. Shells ask for completions with `---completion`.
  private static let ownOptions: Set = [
    "-h", "--help", "--help-hidden", "--version", "---completion", "--generate-completion-script",
    "--experimental-dump-help",
  ]

  /// Returns the fault of options before the command.
  private func earlyOption(in arguments: [String]) -> Fault? {
    let options = arguments.prefix { $0.hasPrefix("-") }
    guard options.allSatisfy({ option in !Self.ownOptions.contains(String(option.prefix { $0 != "=" })) }) else {
      return nil
    }
    let commands = Syncctl.configuration.subcommands
    guard let index = arguments.firstIndex(where: { Self.subcommand($0, of: commands) != nil }) else {
      // An unknown word after options is looked up like a first word.
      let rest = arguments.dropFirst(options.count)
      return rest.isEmpty ? nil : fault(of: Array(rest) + Array(options))
    }
    let command = Array(arguments[index...])
    let early = arguments[..<index]
    let whole = command + Array(early)
    let typed = Self.accepts(whole) ? whole : command
    return Fault(
      message: "options follow the command",
      hint: "did you mean \((["syncctl"] + typed).map(Self.shown).joined(separator: " "))?")
  }

  /// Returns the option that replaces an unknown option of a command; `nil` if the command has none.
  /// - Parameter command: The command with `syncctl`.
  static func replacement(for option: String, of command: String) -> String? {
    var type: any ParsableCommand.Type = Syncctl.self
    for word in command.split(separator: " ").dropFirst() {
      type = subcommand(String(word), of: type.configuration.subcommands) ?? type
    }
    guard let options = CommandOptions(type)?.options else { return nil }
    return Guess.options.first { typed, means in
      typed.split(separator: " ").contains(Substring(option)) && options.contains(String(means.prefix { $0 != " " }))
    }?.1
  }
}
