import ArgumentParser

/// The meanings of options by the guesses.
extension FirstGuess {
  /// Replaces short and old spellings of options by the options of the command.
  func shortened(_ words: [String], _ command: any ParsableCommand.Type) -> [String] {
    func takes(_ option: String, insteadOf typed: [String]) -> Bool {
      words.contains { word in typed.contains { word.hasPrefix($0) } }
        && CommandOptions(command)?.takesValue(option) == true
    }
    let takesLimit = takes("--limit", insteadOf: ["-n"])
    let takesFormat = takes("--format", insteadOf: ["-o", "--output"] + OutputFormat.allCases.map { "--\($0)" })

    var rest = words[...]
    var options: [String] = []
    while let word = rest.popFirst() {
      var parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let value = (parts.count == 2 ? parts[1] : rest.first ?? "").lowercased()
      if takesLimit, parts[0] == "-n", Int(value) != nil { parts[0] = "--limit" }
      if takesFormat, ["-o", "--output"].contains(parts[0]), OutputFormat(rawValue: value) != nil {
        options += ["--format", value]
        if parts.count == 1 { rest.removeFirst() }
      } else if takesFormat, word.hasPrefix("--"), let format = OutputFormat(rawValue: String(word.dropFirst(2))) {
        options += ["--format", format.rawValue]
      } else if takesLimit, word.hasPrefix("-n"), let count = Int(word.dropFirst(2)) {
        options += ["--limit", "\(count)"]
      } else {
        let meaning = option(meaning: parts[0], in: command)
        parts[0] = meaning[0]
        if meaning.last == "DAYS", parts.count == 1, Int(value) != nil { rest[rest.startIndex] += "d" }
        // The parser would read a negative number as an option, so `=` joins the number to its option.
        if parts.count == 1, parts[0].hasPrefix("--"), let next = rest.first, next.hasPrefix("-"), Int(next) != nil {
          parts.append(rest.removeFirst())
        }
        options += [parts.joined(separator: "=")] + meaning.dropFirst().filter { $0 != "DAYS" }
      }
    }
    return options
  }

  /// Returns the option that the command has instead of the typed one, with its value. The word DAYS stands for a value
  /// without a unit.
  private func option(meaning typed: String, in command: any ParsableCommand.Type) -> [String] {
    for case .option(typed, let means) in guesses {
      let words = means.split(separator: " ").map(String.init)
      if let names = CommandOptions(command)?.options, names.contains(words[0]), !names.contains(typed) { return words }
    }
    return [typed]
  }

  /// Puts the options before words that name values of options.
  func named(_ words: [String], _ command: any ParsableCommand.Type) -> [String] {
    let values = zip(words.dropFirst(), words).filter { !$0.hasPrefix("-") && Self.earlyOptions.contains($1) }.count
    guard words.count(where: { !$0.hasPrefix("-") }) > values, let commandOptions = CommandOptions(command) else {
      return words
    }
    var rest = words[...]
    var options: [String] = []
    while let word = rest.popFirst() {
      if word.hasPrefix("-") {
        options.append(word)
        if commandOptions.takesValue(word), let value = rest.popFirst() { options.append(value) }
      } else if let meaning = commandOptions.options(meaning: word),
        !options.contains(meaning[0]) || commandOptions.isRepeating(meaning[0])
      {
        options += meaning
      } else {
        options += commandOptions.takesValue("--stream") ? ["--stream", word] : [word]
      }
    }
    return options
  }

  private static let replacements = [
    "-n": "--limit 20", "--page": "--limit 0, which shows all", "-o": "--format json", "--output": "--format json",
  ]

  /// Returns the option and value that the command has instead of an unknown option; `nil` if it has none.
  /// - Parameter command: The command with `syncctl`.
  static func replacement(for option: String, of command: String) -> String? {
    var type: any ParsableCommand.Type = Syncctl.self
    for word in command.split(separator: " ").dropFirst() {
      type = subcommand(String(word), of: type.configuration.subcommands) ?? type
    }
    guard let replacement = replacements[option], let options = CommandOptions(type) else { return nil }
    return options.takesValue(String(replacement.prefix { $0 != " " })) ? replacement : nil
  }
}
