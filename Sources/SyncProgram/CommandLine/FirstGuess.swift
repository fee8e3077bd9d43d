import ArgumentParser
import Foundation
import SyncCore

/// Rewrites command lines that users are likely to try, including old names, to existing commands and options.
struct FirstGuess {
  private let guesses: [Guess]

  init() { guesses = Guess.shared + Guess.ofSources + Registry.sources.flatMap { $0.guesses } }

  /// - Throws: `SyncError` `.usage` for an unknown command. The parser would report a later word instead.
  func arguments(for arguments: [String]) throws(SyncError) -> [String] {
    var rest = arguments[...]
    let early = Self.takeEarlyOptions(of: &rest)
    guard let first = rest.first, !first.hasPrefix("-") else { return arguments }
    let isHelp = first.lowercased() == "help"
    if isHelp { rest.removeFirst() }
    var words = Array(rest)
    var path: [String] = []
    var command: any ParsableCommand.Type = Syncctl.self
    func restart(_ new: [String]) { (words, path, command) = (new, [], Syncctl.self) }
    func descend(to next: any ParsableCommand.Type) { (command, path) = (next, path + [next._commandName]) }
    while true {
      let subcommands = command.configuration.subcommands
      let isSubcommand = words.first.map { Self.subcommand($0, of: subcommands) != nil } ?? false
      if !isSubcommand, let other = moved(words, of: path) ?? meaning(of: words, below: path) {
        restart(other)
        continue
      }
      if !isHelp { try checkAdvice(on: subcommands.isEmpty ? early + words : Array(words.prefix(1)), path) }
      guard !subcommands.isEmpty else { break }
      guard let word = words.first, !word.hasPrefix("-") else {
        let isAboutGroup = isHelp || !Set(["-h", "--help"]).isDisjoint(with: early + words.prefix(1))
        guard !isAboutGroup, let standard = command.configuration.defaultSubcommand else { break }
        descend(to: standard)
        continue
      }
      if let next = Self.subcommand(word, of: subcommands) {
        words.removeFirst()
        descend(to: next)
      } else if let meant = meaning(of: word, among: subcommands) {
        words = meant + words.dropFirst()
      } else if word.lowercased() == "help", words.count == 1 {
        return ["help"] + path
      } else if let owner = Self.owner(of: word, below: command) {
        descend(to: owner)
      } else if path.isEmpty, let meant = intents(of: words) {
        throw Self.unknown(word, path, hint: "did you mean \(meant.map { "syncctl \($0)" }.joinedByOr)?")
      } else if let near = Suggestion.nearest(to: word.lowercased(), among: subcommands.map { $0._commandName }) {
        throw Self.unknown(word, path, hint: "did you mean \(near)?")
      } else if let subcommand = argumentsOwner(path, word) {
        let isSwapped = words.count > 1 && words[1] != subcommand && Self.subcommand(words[1], of: subcommands) != nil
        if isSwapped { words.swapAt(0, 1) } else { words.insert(subcommand, at: 0) }
      } else {
        let group = (["syncctl"] + path).joined(separator: " ")
        let plain = words.prefix { !$0.hasPrefix("-") }
        if path == ["jobs"] {
          let names = plain.filter {
            Self.subcommand($0, of: subcommands) == nil && !Guess.verbs.contains($0.lowercased())
          }
          let name = Excerpt.of(names.last ?? "NAME", scalars: 40)
          let commands = ["jobs pause", "jobs resume", "jobs trigger", "runs --job"].map { "syncctl \($0) \(name)" }
          throw Self.unknown(word, path, hint: "did you mean \(commands.joinedByOr)? syncctl jobs lists the jobs")
        }
        let typed = Excerpt.of(plain.joined(separator: " "), scalars: 40)
        let canBeName = !isHelp && !(path.isEmpty && Guess.verbs.contains(word.lowercased()))
        var lookups: [String] = []
        for case .arguments(let owner, let onlyNamed, let fits) in guesses
        where owner.count == 2 && fits(word) && canBeName {
          guard path.isEmpty || onlyNamed && path == [owner[0]], !owner[1].hasPrefix("-") else { continue }
          lookups.append("syncctl \(onlyNamed ? owner.joined(separator: " ") : owner[0]) \(typed)")
        }
        let others = lookups.isEmpty ? "" : "; \(lookups.distinct().joinedByOr) looks it up"
        throw Self.unknown(word, path, hint: "\(group) --help lists the commands\(others)")
      }
    }
    if isHelp { return ["help"] + path + words }
    // The options after `db psql` are for psql, so they are not changed.
    if path == ["db", "psql"] { return path + early + Self.query(words) }
    let end = words.firstIndex(of: "--") ?? words.endIndex
    let options = named(shortened(early + words[..<end], command), command)
    return path + options + words[end...]
  }

  private static func query(_ words: [String]) -> [String] {
    guard let start = words.firstIndex(where: { !["--owner", "--write"].contains($0) }), !words[start].hasPrefix("-")
    else { return words }
    let query = words[start...].prefix { !$0.hasPrefix("-") }
    return words[..<start] + ["-c", query.joined(separator: " ")] + words[query.endIndex...]
  }

  private static func subcommand(_ word: String, of subcommands: [any ParsableCommand.Type]) -> (
    any ParsableCommand.Type
  )? {
    subcommands.first { $0._commandName == word.lowercased() }
  }

  private func meaning(of word: String, among subcommands: [any ParsableCommand.Type]) -> [String]? {
    let lower = word.lowercased()
    for case .word(lower, let means) in guesses
    where means.first.flatMap({ Self.subcommand($0, of: subcommands) }) != nil {
      return means
    }
    let names = subcommands.map { $0._commandName }
    return names.first { $0 + "s" == lower || $0 == lower + "s" }.map { [$0] }
  }

  private func meaning(of words: [String], below path: [String]) -> [String]? {
    guard let word = words.first else { return nil }
    let (typed, rest) = (path + [word.lowercased()], words.dropFirst())
    let others = rest.prefix { !$0.hasPrefix("-") }
    for case .path(typed, let fits, let means) in guesses where fits(Array(others)) { return means + rest }
    return nil
  }

  private func argumentsOwner(_ path: [String], _ word: String) -> String? {
    for case .arguments(let command, false, let fits) in guesses where command.dropLast() == path[...] && fits(word) {
      return command.last
    }
    return nil
  }

  private static func owner(of word: String, below command: any ParsableCommand.Type) -> (any ParsableCommand.Type)? {
    let configuration = command.configuration
    if command == Syncctl.self { return nil }
    if let standard = configuration.defaultSubcommand, Declaration(standard)?.options(meaning: word) != nil {
      return standard
    }
    let owners = configuration.subcommands.filter { Declaration($0)?.options(meaning: word)?.count == 2 }
    return owners.count == 1 ? owners[0] : nil
  }

  private func moved(_ words: [String], of path: [String]) -> [String]? {
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

  private static let earlyOptions: Set = [
    "--config", "--format", "--columns", "--limit", "--source", "--stream", "--log-format", "-n", "-o", "--output",
  ]
  private static let earlyFlags = Set(["--no-header", "--help", "-h"] + OutputFormat.allCases.map { "--\($0)" })

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

  private func shortened(_ words: [String], _ command: any ParsableCommand.Type) -> [String] {
    func takes(_ option: String, insteadOf typed: [String]) -> Bool {
      words.contains { word in typed.contains { word.hasPrefix($0) } }
        && Declaration(command)?.takesValue(option) == true
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
        let meant = option(meaning: parts[0], in: command)
        parts[0] = meant[0]
        if meant.last == "DAYS", parts.count == 1, Int(value) != nil { rest[rest.startIndex] += "d" }
        // The parser would read a negative number as an option, so `=` joins the number to its option.
        if parts.count == 1, parts[0].hasPrefix("--"), let next = rest.first, next.hasPrefix("-"), Int(next) != nil {
          parts.append(rest.removeFirst())
        }
        options += [parts.joined(separator: "=")] + meant.dropFirst().filter { $0 != "DAYS" }
      }
    }
    return options
  }

  private func option(meaning typed: String, in command: any ParsableCommand.Type) -> [String] {
    for case .option(typed, let means) in guesses {
      let words = means.split(separator: " ").map(String.init)
      if let names = Declaration(command)?.options, names.contains(words[0]), !names.contains(typed) { return words }
    }
    return [typed]
  }

  private func named(_ words: [String], _ command: any ParsableCommand.Type) -> [String] {
    let values = zip(words.dropFirst(), words).filter { !$0.hasPrefix("-") && Self.earlyOptions.contains($1) }.count
    guard words.count(where: { !$0.hasPrefix("-") }) > values, let declaration = Declaration(command) else {
      return words
    }
    var rest = words[...]
    var options: [String] = []
    while let word = rest.popFirst() {
      if word.hasPrefix("-") {
        options.append(word)
        if declaration.takesValue(word), let value = rest.popFirst() { options.append(value) }
      } else if let meant = declaration.options(meaning: word),
        !options.contains(meant[0]) || declaration.isRepeating(meant[0])
      {
        options += meant
      } else {
        options += declaration.takesValue("--stream") ? ["--stream", word] : [word]
      }
    }
    return options
  }

  private static let replacements = [
    "-n": "--limit 20", "--page": "--limit 0, which shows all", "-o": "--format json", "--output": "--format json",
  ]

  static func replacement(for option: String, of command: String) -> String? {
    var type: any ParsableCommand.Type = Syncctl.self
    for word in command.split(separator: " ").dropFirst() {
      type = subcommand(String(word), of: type.configuration.subcommands) ?? type
    }
    guard let meant = replacements[option], let declaration = Declaration(type) else { return nil }
    return declaration.takesValue(String(meant.prefix { $0 != " " })) ? meant : nil
  }

  private static func unknown(_ word: String, _ path: [String], hint: String) -> SyncError {
    let command = (["syncctl"] + path + [Excerpt.of(word, scalars: 40)]).joined(separator: " ")
    return SyncError(.usage, "there is no \(word.hasPrefix("-") ? "option" : "command") \(command)", hint: hint)
  }

  private func checkAdvice(on words: [String], _ path: [String]) throws(SyncError) {
    for case .advice(let typed, let hint) in guesses {
      for word in words where typed.contains((path + [word.prefix { $0 != "=" }.lowercased()]).joined(separator: " ")) {
        throw Self.unknown(word, path, hint: hint)
      }
    }
  }

  private func intents(of words: [String]) -> [String]? {
    let lower = words[0].lowercased()
    let rest = Excerpt.of(words.dropFirst().prefix { !$0.hasPrefix("-") }.joined(separator: " "), scalars: 40)
    var commands: [String] = []
    for case .intent(lower, let meant) in guesses { commands += meant }
    if Registry.names.contains(lower) { commands.append("run \(lower)") }
    if commands.count < 2 { commands += Self.paths(to: lower, rest) }
    for case .word(lower, let meant) in guesses where commands.isEmpty { commands = Self.paths(to: meant[0], rest) }
    return commands.isEmpty ? nil : Array(commands.distinct().prefix(4))
  }

  private static func paths(
    to name: String, _ rest: String, below command: any ParsableCommand.Type = Syncctl.self
  ) -> [String] {
    command.configuration.subcommands.flatMap { next -> [String] in
      let command = next._commandName
      if ![command, command + "s"].contains(name) {
        return paths(to: name, rest, below: next).map { "\(command) \($0)" }
      }
      let words = Declaration(next).map { $0.words(rest) } ?? rest
      return [words.isEmpty ? command : "\(command) \(words)"]
    }
  }
}

private struct Declaration {
  private let arguments: [Argument]

  init?(_ command: any ParsableCommand.Type) {
    guard command.configuration.subcommands.isEmpty,
      let dump = try? JSONDecoder().decode(Dump.self, from: Data(command._dumpHelp().utf8))
    else { return nil }
    arguments = dump.command.arguments
  }

  var options: Set<String> { Set(arguments.flatMap { $0.options }) }

  private var positionals: [Argument] { arguments.filter { $0.kind == "positional" } }

  func words(_ typed: String) -> String {
    if !typed.isEmpty { return positionals.isEmpty ? "" : typed }
    let required = positionals.filter { !$0.isOptional }.compactMap { $0.valueName?.prefix { $0 != "|" }.uppercased() }
    return required.joined(separator: " ")
  }

  func takesValue(_ option: String) -> Bool { arguments.contains { $0.kind == "option" && $0.option == option } }

  func isRepeating(_ option: String) -> Bool { arguments.contains { $0.isRepeating && $0.option == option } }

  func options(meaning word: String) -> [String]? {
    if !positionals.isEmpty { return nil }
    let lower = word.lowercased()
    if arguments.contains(where: { $0.kind == "flag" && $0.option == "--\(lower)" }) { return ["--\(lower)"] }
    for name in [lower, lower.hasSuffix("s") ? String(lower.dropLast()) : lower] {
      let found = arguments.compactMap { argument -> [String]? in
        let value = argument.completionKind?["list"]?.values?.first { $0.lowercased() == name }
        return value.flatMap { value in argument.option.map { [$0, value] } }
      }
      if !found.isEmpty { return found.count == 1 ? found[0] : nil }
    }
    return (1900...2100).contains(Int(lower) ?? 0) && takesValue("--year") ? ["--year", lower] : nil
  }

  private struct Dump: Decodable { let command: Command }
  private struct Command: Decodable { let arguments: [Argument] }
  private struct Completion: Decodable { let values: [String]? }

  private struct Argument: Decodable {
    let kind: String
    let isRepeating: Bool
    let isOptional: Bool
    let valueName: String?
    let names: [[String: String]]?
    let completionKind: [String: Completion]?

    var options: [String] {
      (names ?? []).compactMap { name in name["name"].map { (name["kind"] == "long" ? "--" : "-") + $0 } }
    }

    var option: String? { names?.first { $0["kind"] == "long" }?["name"].map { "--\($0)" } }
  }
}
