import Foundation
import SyncCore
import SyncTestKit
import Testing

@testable import RestSource
@testable import SyncProgram

@Suite("Every command that the program prints is one that it accepts", .boundSources)
struct PrintedCommandTests {
  /// A value for each interpolation in a printed command.
  private static let samples: [String: String] = [
    "id": "1", "run": "374a9d92", "run.id": "374a9d92", "later.id": "374a9d92", "later.id.prefix(8)": "374a9d92",
    "walk.runID.prefix(8)": "374a9d92", "report.id.prefix(8)": "374a9d92", "held.shortID": "374a9d92",
    "held.run.shortID": "374a9d92", "$0.run.shortID": "374a9d92", "kind.rawValue": "anime",
    "Media.kind.rawValue": "anime", "Media.words": "bebop", "Media.title": "bebop", "stream": "top-anime",
    "filter": "airing", "season.stream": "seasons:now", "name": "jikan", "source": "jikan", "source.name": "jikan",
    "name.source": "jikan", "option": " --stream top-anime", "kind": "anime", "word": "daily", "job": "daily",
    "Registry.names[0]": "jikan", #"Registry.names.first ?? "NAME""#: "jikan",
    #"Registry.names.first ?? "SOURCE""#: "jikan", #"run["source"] ?? """#: "jikan",
    "names.first ?? StreamChoice.allSources": "jikan", "$0": "jikan", "verb": "add", "$0.arguments": "jikan anime 5114",
    "verb.rawValue": "pause", "name.shellWord": "daily", "collectionOption": " --collection owned",
  ]

  private static let folder: URL = {
    var folder = URL(filePath: #filePath)
    for _ in 1...4 { folder.deleteLastPathComponent() }
    return folder
  }()

  /// The commands of tables, which the program prints after `syncctl`.
  private static var tables: [(place: String, text: String)] {
    let guesses = (Registry.sources.flatMap(\.guesses) + Guess.shared).flatMap { guess in
      guess.commands(for: guess.phrase.map { FirstGuessTests.samples[$0] ?? $0 })
    }
    let examples = Registry.sources.flatMap { $0.help.runs + $0.help.rankings }
    return (guesses + examples).map { (place: "a table", text: "syncctl \($0)") }
  }

  private static func texts() throws -> [(place: String, text: String)] {
    var texts: [(String, String)] = []
    for (part, suffix) in [("Sources", ".swift"), ("web", ".mustache"), ("sql", ".sql")] {
      let files = try FileManager.default.subpathsOfDirectory(atPath: folder.appending(path: part).path)
      for path in files.sorted() where path.hasSuffix(suffix) {
        let text = try String(contentsOf: folder.appending(path: part).appending(path: path), encoding: .utf8)
        // These files print commands of tables (`syncctl \($0)`).
        let isTable = path.contains("CommandLine/FirstGuess") || path.hasSuffix("Source/Registry.swift")
        guard text.contains("syncctl "), !isTable else { continue }
        let lines = text.split(separator: "\n").filter { !$0.contains(/^--|^COMMENT ON/) }
        let literals = suffix == ".swift" ? SwiftLiterals(text).texts : [lines.joined(separator: "\n")]
        texts += literals.map { (path, $0) }
      }
    }
    return texts
  }

  @Test func everyLiteral() throws {
    try Registry.$kinds.withValue([RestKind.self]) {
      let arguments = Set(Self.samples.values)
      var count = 0
      // `COMMAND` stands for the name of any command, and `N` for a number.
      for (place, text) in try Self.texts() + Self.tables
      where text.contains("syncctl ") && !text.contains("[<options>]") {
        count += 1
        var filled = text.replacing("COMMAND", with: "status").replacing("-pages N", with: "-pages 2")
        for (expression, sample) in Self.samples {
          filled = filled.replacing("\(SwiftLiterals.open)\(expression)\(SwiftLiterals.close)", with: sample)
        }
        for fault in PrintedCommands.faults(in: filled, arguments: arguments) {
          Issue.record("\(place): \(fault)")
        }
      }
      #expect(count > 200)
    }
  }

  @Test(
    "commands that end with status 64 are noticed",
    arguments: [
      "run again; syncctl confrim 374a9d92", "syncctl verify --repare repairs it",
      "did you mean syncctl favorites import?", "x (syncctl itunes search)",
      "syncctl run --source jikan --stream top-anime --confirm-vanish",
    ])
  func refused(text: String) { #expect(!PrintedCommands.faults(in: text).isEmpty) }

  @Test func misspeltSubcommands() {
    #expect(!PrintedCommands.faults(in: "syncctl jobs triggr daily runs it", arguments: ["daily"]).isEmpty)
  }

  @Test(
    "prose after a command is no argument",
    arguments: [
      "syncctl runs lists them", "syncctl migrate --status lists them): restore",
      "see syncctl status, or syncctl help exit",
      "syncctl starts it", "if they are gone: syncctl confirm 374a9d92", "syncctl run \\\n    --source jikan",
    ])
  func accepted(text: String) { #expect(PrintedCommands.faults(in: text) == []) }
}

/// The string literals of a Swift file. Interpolations stay, between `open` and `close`.
private struct SwiftLiterals {
  static let open = "\u{E000}"
  static let close = "\u{E001}"

  private(set) var texts: [String] = []

  init(_ source: String) {
    var lines = source.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let line = lines.popFirst() {
      if line.trimmingPrefix(/\s*/).hasPrefix("//") { continue }
      if line.hasSuffix(#"""""#) {
        let block = lines.prefix { !$0.trimmingPrefix(/\s*/).hasPrefix(#"""""#) }
        lines = lines.dropFirst(block.count)
        texts.append(Self.marked(block.joined(separator: "\n").replacing("\\\n", with: "")))
      } else {
        texts += Self.literals(of: line)
      }
    }
  }

  private static func literals(of line: Substring) -> [String] {
    var found: [String] = []
    var rest = line
    while let quote = rest.firstIndex(of: "\"") {
      rest = rest[rest.index(after: quote)...]
      guard let end = end(of: rest) else { return found }
      found.append(marked(String(rest[..<end])))
      rest = rest[rest.index(after: end)...]
    }
    return found
  }

  /// Returns the place of the quote that ends a literal; `nil` if the line has none.
  private static func end(of text: Substring) -> Substring.Index? {
    var depth = 0
    var place = text.startIndex
    while place < text.endIndex {
      let isEscape = text[place] == "\\"
      let next = text.index(after: place)
      if isEscape, next < text.endIndex {
        if text[next] == "(" { depth += 1 }
        place = text.index(after: next)
        continue
      }
      if depth > 0 {
        if text[place] == "(" { depth += 1 }
        if text[place] == ")" { depth -= 1 }
      } else if text[place] == "\"" {
        return place
      }
      place = next
    }
    return nil
  }

  /// Replaces `\(expression)` by the expression between marks, and other escapes by their characters.
  private static func marked(_ text: String) -> String {
    var marked = ""
    var rest = text[...]
    while let slash = rest.firstIndex(of: "\\") {
      marked += rest[..<slash]
      rest = rest[rest.index(after: slash)...]
      guard rest.first == "(" else {
        let character = rest.popFirst()
        marked += character == "n" ? "\n" : character.map(String.init) ?? ""
        continue
      }
      rest.removeFirst()
      var depth = 1
      let end = rest.firstIndex { character in
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        return depth == 0
      }
      guard let end else { break }
      marked += open + rest[..<end] + close
      rest = rest[rest.index(after: end)...]
    }
    return marked + rest
  }
}
