import ArgumentParser
import Foundation
import SyncCore
import SyncTestKit
import Synchronization
import Testing

@testable import SyncProgram

/// The commands that a message tells the user to run: `syncctl` and the words up to the end of the clause.
///
/// Prose follows many commands (`syncctl runs lists them`), so a command is the longest beginning that the program
/// accepts. An option or an argument after this beginning means that the command would end with status 64.
enum PrintedCommands {
  /// Words that follow the program's name in sentences about the program.
  private static let prose: Set<String> = [
    "as", "at", "changes", "computed", "did", "does", "first", "has", "is", "keeps", "knows", "must", "only", "peer",
    "schemas", "sends", "started", "starts", "stored", "that", "the", "with", "needs", "cannot", "can", "will", "if",
    "prints", "shows", "holds",
  ]

  /// Returns a sentence for each command in `text` that the program would refuse.
  /// - Parameter arguments: Words that are arguments, wherever they appear.
  static func faults(in text: String, arguments: Set<String> = []) -> [String] {
    let text = text.replacing(/\\\n\s*/, with: " ")
    return text.matches(of: /(?:^|[\s(`"])syncctl ([^\n]+)/.anchorsMatchLineEndings()).flatMap { match -> [String] in
      let rest = String(match.output.1)
      return [fault(in: clause(rest), arguments)].compactMap(\.self) + faults(in: rest, arguments: arguments)
    }
  }

  /// Returns the commands in `text` without the program's name, each once, in their order. Prose after a command is not
  /// part of the command.
  static func commands(in text: String) -> [String] {
    let lines = text.replacing(/\\\n\s*/, with: " ")
    var found: [String] = []
    for match in lines.matches(of: #/(?:^|[\s(`"])syncctl\x20/#.anchorsMatchLineEndings()) {
      let words = clause(String(lines[match.range.upperBound...].prefix { $0 != "\n" }))
      guard let first = words.first, isCommand(first) else { continue }
      guard let count = acceptedCount(words) else { continue }
      let command = words.prefix(count).joined(separator: " ")
      if !found.contains(command) { found.append(command) }
    }
    return found
  }

  private static func fault(in words: [String], _ arguments: Set<String>) -> String? {
    guard let first = words.first else { return nil }
    let command = words.joined(separator: " ")
    guard isCommand(first) else {
      let isProse = prose.contains(first) || !first.allSatisfy { $0.isASCII && $0.isLetter || $0 == "-" }
      return isProse ? nil : "syncctl \(command): \(first) is not a command"
    }
    guard let count = acceptedCount(words) else { return "syncctl \(command): refused" }
    guard words.count > count else { return nil }
    let next = words[count]
    let isArgument =
      next.hasPrefix("-") || arguments.contains { next == $0 || next.hasPrefix("\u{E000}") }
      || next.contains(/^[A-Z]{2,}$/) || subcommands(of: words.prefix(count)).contains(next)
    // A misspelt subcommand is read as prose, but not if an argument follows it.
    let follows = words.dropFirst(count + 1).first.map(arguments.contains) ?? false
    return isArgument || follows ? "syncctl \(command): refused from \(next)" : nil
  }

  private static func subcommands(of words: ArraySlice<String>) -> [String] {
    var types = Syncctl.configuration.groupedSubcommands.flatMap(\.subcommands)
    for word in words { types = types.first { $0._commandName == word }?.configuration.subcommands ?? [] }
    return types.map { $0._commandName }
  }

  private static func isCommand(_ word: String) -> Bool {
    if word == "help" || word.hasPrefix("--") { return true }
    return Syncctl.configuration.groupedSubcommands.flatMap(\.subcommands).contains { type in
      type._commandName == word || type.configuration.aliases.contains(word)
    }
  }

  /// The longest command is found without parsing all the prose that follows it: no command needs more than six words
  /// after a beginning that is a command itself. Most commands have no prose after them.
  private static func acceptedCount(_ words: [String]) -> Int? {
    if words.count <= 7, isKnown(words[...]) { return words.count }
    var accepted: Int?
    for count in 1...words.count where count - (accepted ?? 0) <= 7 {
      if isKnown(words.prefix(count)) { accepted = count }
    }
    return accepted
  }

  /// Parsing takes tens of milliseconds in a debug build, and many sentences name the same commands.
  private static let known = Mutex<[ArraySlice<String>: Bool]>([:])

  private static func isKnown(_ words: ArraySlice<String>) -> Bool {
    if let known = known.withLock({ $0[words] }) { return known }
    let isAccepted = accepts(Array(words))
    known.withLock { $0[words] = isAccepted }
    return isAccepted
  }

  private static func accepts(_ words: [String]) -> Bool {
    if words == ["help", "exit"] { return true }
    var isAccepted = true
    do {
      _ = try Syncctl.parseAsRoot(Program.composed(words))
    } catch {
      isAccepted = false
      // The parser throws for --help, too.
      guard Syncctl.exitCode(for: error) == .success else { return false }
    }
    return FirstGuess().fault(of: words, isAccepted: isAccepted) == nil
  }

  /// Splits the beginning of `text` as a shell does, up to the end of the sentence's clause.
  private static func clause(_ text: String) -> [String] {
    var words: [String] = []
    var rest = text[...]
    while true {
      rest = rest.drop { $0 == " " }
      guard let first = rest.first, !"(→|>&`".contains(first), !rest.hasPrefix("  ") else { return words }
      if first == "\"" || first == "'" {
        rest.removeFirst()
        guard let end = rest.firstIndex(of: first) else { return words }
        words.append(String(rest[..<end]))
        rest = rest[rest.index(after: end)...]
        continue
      }
      let word = rest.prefix { !" \"`".contains($0) }
      rest = rest.dropFirst(word.count)
      let trimmed = word.reversed().drop { ",;:.)?!".contains($0) }.reversed()
      if !trimmed.isEmpty { words.append(String(trimmed)) }
      if trimmed.count < word.count || words.count == 24 || rest.hasPrefix("   ") { return words }
    }
  }
}

extension Mirror {
  /// Runs the commands that `result` prints, and returns their results.
  /// - Parameter expected: the commands that must be printed, without `syncctl`, and the status that each must have.
  @discardableResult
  func follow(
    _ result: ProgramResult, _ expected: KeyValuePairs<String, Int32>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [ProgramResult] {
    let printed = PrintedCommands.commands(in: result.standardOutput + "\n" + result.standardError)
    // The parser reads prose after a command as arguments, if the command accepts any number of these.
    let isExpected =
      printed.count == expected.count
      && zip(printed, expected).allSatisfy { ($0 + " ").hasPrefix($1.key + " ") }
    #expect(isExpected, "\(printed)\n\(result.standardError)", sourceLocation: sourceLocation)
    var results: [ProgramResult] = []
    for (command, status) in expected {
      // No printed command has a quoted word here.
      let followed = try await syncctl(command.split(separator: " ").map(String.init))
      #expect(
        followed.end == .exit(status), "\(command): \(followed.standardError)", sourceLocation: sourceLocation)
      results.append(followed)
    }
    return results
  }
}
