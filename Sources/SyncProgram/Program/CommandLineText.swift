import ArgumentParser
import Foundation
import SyncCore

/// What the parser says: help, the version, a completion script, or what is wrong with the command line.
struct CommandLineText {
  private let error: any Error

  init(_ error: any Error) {
    self.error = error
  }

  func print(to streams: StandardStreams) {
    // As wide as it is written: it is broken here, where the terminal's width and the form of the lines are known.
    let text = Syncctl.fullMessage(for: error, columns: 10_000)
    guard Syncctl.exitCode(for: error).isSuccess else {
      let fault = CommandLineFault(text)
      return streams.fail(fault.message, hint: fault.hint)
    }
    let isHelp = text.hasPrefix("OVERVIEW: ") || text.hasPrefix("USAGE: ")
    let width = streams.renderingOptions.width ?? Self.pipedWidth
    // A reader that has ended wants no more of it.
    try? streams.print(rendered: (isHelp ? Self.flowed(text, to: width) : text) + "\n")
  }

  private static let pipedWidth = 80

  /// Help broken at spaces. A line that continues is indented like its text: below the explanation of an option or a
  /// command, and in an example below its comment.
  static func flowed(_ help: String, to width: Int) -> String {
    help.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
      // Of a group of commands, its name says enough.
      let line = line.hasSuffix(" SUBCOMMANDS:") ? line.dropLast(13) + ":" : String(line)
      guard line.utf8.count > width else { return [line] }
      let (head, text, indent) = parts(of: line, width)
      let isCommand = text.hasPrefix("syncctl ") && !text.contains("  ")
      let lines = TextLayout.wrap(text, to: width - indent - (isCommand ? 2 : 0))
      if isCommand {
        // As a shell reads it.
        return lines.enumerated().map { index, part in
          String(repeating: " ", count: index == 0 ? head.count : indent) + part
            + (index == lines.count - 1 ? "" : " \\")
        }
      }
      return lines.enumerated().map { index, part in
        index == 0 ? head + part : String(repeating: " ", count: indent) + part
      }
    }.joined(separator: "\n")
  }

  /// The label of a line with the blanks after it, the text, and how far the lines are indented that continue it.
  private static func parts(of line: String, _ width: Int) -> (head: String, text: String, indent: Int) {
    let blanks = line.prefix { $0 == " " }.count
    if line.hasPrefix("USAGE: ") { return ("USAGE: ", String(line.dropFirst(7)), 7) }
    guard blanks > 0 else { return ("", line, 0) }
    if let gap = line.dropFirst(blanks).firstMatch(of: /\ \ +/) {
      let indent = line.distance(from: line.startIndex, to: gap.range.upperBound)
      if indent <= width / 2 {
        return (String(line[..<gap.range.upperBound]), String(line[gap.range.upperBound...]), indent)
      }
    }
    // An explanation on its own lines, or an example.
    let isExplanation = blanks > 4
    return (
      String(repeating: " ", count: blanks), String(line.dropFirst(blanks)), isExplanation ? blanks : blanks + 4
    )
  }
}

/// A fault of the command line, in the form of all other errors.
struct CommandLineFault {
  let message: String
  let hint: String?

  /// - Parameter text: the parser's message with the usage.
  init(_ text: String) {
    let lines = text.split(separator: "\n").map(String.init)
    let said = lines.prefix { !$0.hasPrefix("Usage: ") && !$0.hasPrefix("Help: ") }.joined(separator: " ")
    var message = said.hasPrefix("Error: ") ? String(said.dropFirst("Error: ".count)) : said
    message = message.prefix(1).lowercased() + message.dropFirst()
    var hints: [String] = []
    if let range = message.range(of: ". Did you mean ") {
      hints.append("did you mean \(message[range.upperBound...])")
      message = String(message[..<range.lowerBound])
    }
    if let range = message.range(of: ". Please provide one of "), let word = message.firstMatch(of: /'(.*?)'/) {
      let known = message[range.upperBound...].matches(of: /'(.*?)'/).map { String($0.output.1) }
      hints.append(Suggestion.choice(for: String(word.output.1), among: known))
      message = String(message[..<range.lowerBound])
    }
    // See 'syncctl run --help' for more information.
    let command = lines.last?.firstMatch(of: /See '(.*) --help'/).map { String($0.output.1) }
    if hints.isEmpty, let command, let word = message.firstMatch(of: /^unexpected argument '(.*)'$/)?.output.1,
      let parent = Self.group(of: command),
      let near = Suggestion.nearest(to: String(word), among: Self.subcommands(of: parent))
    {
      message = "there is no command \(parent) \(word)"
      hints.append("did you mean \(near)?")
    }
    if hints.isEmpty, let command { hints.append("\(command) --help shows what it takes") }
    self.message = message.hasSuffix(".") ? String(message.dropLast()) : message
    hint = hints.first
  }

  /// The command that has subcommands: this one, or the one whose default it is.
  private static func group(of path: String) -> String? {
    if !subcommands(of: path).isEmpty { return path }
    return path.split(separator: " ").count > 2 ? path.split(separator: " ").dropLast().joined(separator: " ") : nil
  }

  /// - Parameter path: of a command, as in `syncctl runs`.
  private static func subcommands(of path: String) -> [String] {
    var command: any ParsableCommand.Type = Syncctl.self
    for name in path.split(separator: " ").dropFirst() {
      guard let next = command.configuration.subcommands.first(where: { $0._commandName == name }) else { return [] }
      command = next
    }
    return command.configuration.subcommands.map { $0._commandName }
  }
}
