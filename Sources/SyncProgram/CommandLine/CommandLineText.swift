import ArgumentParser
import Foundation
import SyncCore

enum CommandLineText {
  static func print(_ error: any Error, to streams: StandardStreams) throws(OutputError) {
    // The parser does not know the terminal's width, so `flowed` breaks the lines.
    let text = Syncctl.fullMessage(for: error, columns: 10_000)
    guard Syncctl.exitCode(for: error).isSuccess else {
      let fault = CommandLineFault(text)
      return streams.fail(fault.message, hint: fault.hint)
    }
    let isHelp = text.hasPrefix("OVERVIEW: ") || text.hasPrefix("USAGE: ")
    let width = streams.renderingOptions.width ?? streams.output.fixedColumns ?? pipedWidth
    let output =
      if isHelp {
        flowed(text, to: width)
      } else if text.hasPrefix("#!/bin/bash") {
        BashCompletion.script(text)
      } else if text.hasPrefix("#compdef ") {
        ZshCompletion.script(text)
      } else {
        text
      }
    try streams.print(rendered: output + "\n")
  }

  private static let pipedWidth = 80

  static func flowed(_ help: String, to width: Int) -> String {
    joined(withoutFormerNames(help), below: width).flatMap { line -> [String] in
      let line = line.hasSuffix(" SUBCOMMANDS:") ? line.dropLast(13) + ":" : line
      guard line.utf8.count > width else { return [line] }
      let (head, text, indent) = parts(of: line, width)
      let isCommand = text.hasPrefix("syncctl ") && head.allSatisfy { $0 == " " } && !text.contains("  ")
      let lines = isCommand ? command(text, to: width - indent - 2) : TextLayout.wrap(text, to: width - indent)
      return lines.enumerated().map { index, part in
        index == 0 ? head + part : String(repeating: " ", count: indent) + part
      }
    }.joined(separator: "\n")
  }

  /// Removes the aliases of commands and the former names of options, which stay valid.
  private static func withoutFormerNames(_ help: String) -> String {
    let names = #/(?<start>(?:^|\n)\ \ [a-z][a-z-]*)(?<others>(?:,\ [a-z][a-z-]*)+)(?<gap>\ *)/#
    let options = #/(?<start>--(?:sort|type))(?<others>,\ --(?:by|subtype))(?<value>\ <[a-z-]+>)(?<gap>\ *)/#
    return help.replacing(names) { match in
      let (start, others, gap) = (match.output.start, match.output.others, match.output.gap)
      return start + blanks(for: others, before: gap) + gap
    }.replacing(options) { match in
      let (start, others, gap) = (match.output.start, match.output.others, match.output.gap)
      return start + match.output.value + blanks(for: others, before: gap) + gap
    }
  }

  /// Returns blanks in place of removed text, so that the text after the gap keeps its column; empty without a gap.
  private static func blanks(for removed: Substring, before gap: Substring) -> String {
    gap.isEmpty ? "" : String(repeating: " ", count: removed.count)
  }

  private static func joined(_ help: String, below width: Int) -> [String] {
    var lines: [String] = []
    for line in help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      let blanks = line.prefix { $0 == " " }.count
      if blanks > 4, blanks < line.count, let last = lines.last, max(last.count, line.count) > width,
        explanation(in: last) == blanks
      {
        lines[lines.count - 1] += " " + line.dropFirst(blanks)
      } else {
        lines.append(line)
      }
    }
    return lines
  }

  private static func explanation(in line: String) -> Int? {
    let blanks = line.prefix { $0 == " " }.count
    guard blanks > 0, let gap = line.dropFirst(blanks).firstMatch(of: /\ \ +/) else { return nil }
    return line.distance(from: line.startIndex, to: gap.range.upperBound)
  }

  static func command(_ text: String, to width: Int) -> [String] {
    var pieces: [String] = []
    var quote: Character?
    for word in text.split(separator: " ", omittingEmptySubsequences: false).map(String.init) {
      if pieces.isEmpty || (quote == nil && (word == "|" || word.count > 1 && word.hasPrefix("-"))) {
        pieces.append(word)
      } else {
        pieces[pieces.count - 1] += " " + word
      }
      for character in word where character == "'" || character == "\"" {
        if quote == nil { quote = character } else if quote == character { quote = nil }
      }
    }
    let lines = pieces.reduce(into: [String]()) { lines, piece in
      if let last = lines.last, last.count + 1 + piece.count <= width {
        lines[lines.count - 1] += " " + piece
      } else {
        lines.append(piece)
      }
    }
    return lines.enumerated().map { $0 == lines.count - 1 ? $1 : $1 + " \\" }
  }

  private static func parts(of line: String, _ width: Int) -> (head: String, text: String, indent: Int) {
    let blanks = line.prefix { $0 == " " }.count
    if line.hasPrefix("USAGE: ") { return ("USAGE: ", String(line.dropFirst(7)), 7) }
    guard blanks > 0 else { return ("", line, 0) }
    if let indent = explanation(in: line), indent <= width / 2 {
      return (String(line.prefix(indent)), String(line.dropFirst(indent)), indent)
    }
    let isExplanation = blanks > 4
    return (String(repeating: " ", count: blanks), String(line.dropFirst(blanks)), isExplanation ? blanks : blanks + 4)
  }
}

struct CommandLineFault {
  let message: String
  let hint: String?

  init(_ text: String) {
    let lines = text.split(separator: "\n").map(String.init)
    let said = lines.prefix { !$0.hasPrefix("Usage: ") && !$0.hasPrefix("Help: ") }.joined(separator: " ")
    var message = said.hasPrefix("Error: ") ? String(said.dropFirst("Error: ".count)) : said
    message = message.prefix(1).lowercased() + message.dropFirst()
    var hint: String?
    if let range = message.range(of: ". Did you mean ") {
      // The parser also suggests options that differ by three letters. Such hints are dropped.
      let words = message.matches(of: /'-*(.*?)'/).map { String($0.output.1) }
      if Suggestion.nearest(to: words.first ?? "", among: Array(words.dropFirst())) != nil {
        hint = "did you mean \(message[range.upperBound...])"
      }
      message = String(message[..<range.lowerBound])
    }
    if let range = message.range(of: ". Please provide one of "), let word = message.firstMatch(of: /'(.*?)'/) {
      let words = message[range.upperBound...].matches(of: /'(.*?)'/).map { String($0.output.1) }
      hint = Suggestion.choice(for: String(word.output.1), among: words)
      message = String(message[..<range.lowerBound])
    }
    let command = (lines.last?.firstMatch(of: /See '(.*) --help'/)?.output.1).map(String.init)
    if let command, let option = message.firstMatch(of: /^unknown option '(.*)'$/).map({ String($0.output.1) }) {
      message = "\(command) has no option \(option)"
      hint = hint ?? FirstGuess.replacement(for: option, of: command).map { "use \($0)" }
    }
    self.message = message.hasSuffix(".") ? String(message.dropLast()) : message
    let usage = lines.first { message.hasPrefix("missing expected argument") && $0.hasPrefix("Usage: ") }?.dropFirst(7)
    self.hint = hint ?? usage.map(String.init) ?? command.map { "\($0) --help shows its options" }
  }
}
