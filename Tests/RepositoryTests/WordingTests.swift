import Foundation
import Testing

/// Texts are written in plain modern technical English, as in the manual of PostgreSQL.
@Suite("Wording")
struct WordingTests {
  /// A regular expression of words, in which a space stands for any white space, and what to write instead.
  private struct Phrase {
    let pattern: String
    let instead: String

    func expression() throws -> NSRegularExpression { try Self.expression(of: [self]) }

    static func expression(of phrases: [Phrase]) throws -> NSRegularExpression {
      let pattern = phrases.map(\.pattern).joined(separator: "|").replacingOccurrences(of: " ", with: #"\s+"#)
      return try NSRegularExpression(pattern: #"\b(?:\#(pattern))\b"#, options: .caseInsensitive)
    }
  }

  private static let phrases = [
    Phrase(pattern: "(go|goes|going|gone|went) on(?! (the|a)\\b)", instead: "resume, continue"),
    Phrase(pattern: "(ask|asks|asked|asking) for", instead: "request, fetch, require"),
    Phrase(pattern: "anew", instead: "again, from scratch"),
    Phrase(pattern: "(leave|leaves|leaving|left) ((it|them|that|one) )?(away|out)", instead: "omit"),
    Phrase(pattern: "(is|are|was|were|has|have|had|be|been) gone", instead: "missing, removed, ended"),
    Phrase(pattern: "(try|tries|tried|trying) ((it|them) )?once more", instead: "retry"),
    Phrase(pattern: "(tries|tried|trying) ((it|them) )?again", instead: "retry"),
    Phrase(pattern: "once more", instead: "again"),
    Phrase(pattern: "else than", instead: "other than"),
    Phrase(pattern: "be had", instead: "available"),
    Phrase(pattern: "for ever", instead: "forever"),
    Phrase(
      pattern: "behind ((the|its|their) )?(page|end|last|first|cap|cursor|colon|comma|quote|fence|commit|it|them)",
      instead: "after"),
    Phrase(pattern: "beside", instead: "next to, with"),
    Phrase(pattern: "but for", instead: "except"),
    Phrase(pattern: "amid", instead: "during"),
    Phrase(pattern: "as ever", instead: "as always"),
    Phrase(pattern: "(vouch|vouches|vouched)", instead: "prove"),
    Phrase(pattern: "(mend|mends|mended)", instead: "fix"),
    Phrase(pattern: "(let|lets|letting) go of", instead: "release"),
    Phrase(pattern: "(put|puts) right", instead: "correct"),
    Phrase(pattern: "(bear|bears) (it|that|being)", instead: "allow"),
    Phrase(pattern: "(become|becomes|became|comes|came) of", instead: "result, outcome"),
    Phrase(pattern: "(told|tell|tells) (them )?apart", instead: "distinguish"),
    Phrase(pattern: "(stand|stands|stood) (there|behind|twice|alone)", instead: "is"),
    Phrase(pattern: "throw-away", instead: "temporary"),
  ]

  /// Landed migrations are never edited, the sentences are a story, and this file has all phrases.
  private static let exempt = [
    "sql/migrations/0001_baseline.sql",
    "Tools/UpstreamSimulator/Jikan/JikanSentences.swift", "Tests/RepositoryTests/WordingTests.swift",
  ]

  private static func texts() throws -> [Repository.SourceFile] {
    let files =
      try ["docs", "scripts", "deploy", "Benchmarks", "Plugins"].flatMap { try Repository.files($0) }
      + ["Sources", "Tools", "Tests"].flatMap { try Repository.files($0, ["swift"]) }
      + Repository.files("sql", ["sql"])
      + [
        "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Makefile", "Dockerfile", "docker-compose.yml",
        "Tests/faults.txt",
      ].map(Repository.file)
    return files.filter { file in !exempt.contains { file.path.hasPrefix($0) } }
  }

  /// The lines without indentation and comment marks, so that a phrase is found across a line end.
  private static func plain(_ file: Repository.SourceFile) -> String {
    file.lines.map { line in
      line.trimmingPrefix { $0 == " " }.trimmingPrefix { "/#-".contains($0) }.trimmingPrefix { $0 == " " }
    }.joined(separator: "\n")
  }

  @Test("no text uses phrases that have a plainer word")
  func phrases() throws {
    let any = try Phrase.expression(of: Self.phrases)
    let files = try Self.texts()
    try #require(files.count > 300)
    for file in files {
      let text = Self.plain(file)
      let whole = NSRange(text.startIndex..., in: text)
      guard any.firstMatch(in: text, range: whole) != nil else { continue }
      for phrase in Self.phrases {
        for match in try phrase.expression().matches(in: text, range: whole) {
          guard let range = Range(match.range, in: text) else { continue }
          let line = text[..<range.lowerBound].count { $0 == "\n" } + 1
          let found = text[range].replacingOccurrences(of: "\n", with: " ")
          Issue.record("\(file):\(line): \"\(found)\"; write: \(phrase.instead)")
        }
      }
    }
  }
}
