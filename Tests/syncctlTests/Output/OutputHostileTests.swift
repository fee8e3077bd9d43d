import Foundation
import SyncCore
import SyncTestKit
import Testing

@testable import SyncProgram

@Suite struct OutputHostileTests {
  private static let count = 2_000 * testFactor
  private static let seed: UInt64 = 0x5EED
  private static let pieces = [
    "\u{1B}[31m", "\u{1B}]52;c;ZXZpbA==\u{7}", "\u{9B}2J", "\u{1B}P", "\u{9D}0;title\u{9C}", "\r\n", "\n", "\r", "\t",
    "\u{0}", "\u{8}\u{8}", "\u{7F}", "\u{85}", "\u{202E}", "\u{2066}", "\u{200F}", "\u{61C}", "\u{2028}", "\u{2029}",
    "\u{E0041}", "\u{FEFF}", "\u{AD}", "=cmd|'/c calc'!A0", "+1", "-1", "@SUM", "＝1", "\"", "\"\"", "'", ",", "\\",
    "\\u{1B}", "{", "}", "進撃の巨人", "ﾊﾝｶｸ", "Ａ", "👨‍👩‍👧", "👍🏽", "🇯🇵", "\u{1F1EF}", "\u{301}", "\u{FE0F}", "\u{200D}",
    "\u{200B}", "❤", "क्", "\u{1161}", "\u{1112}", "\u{D7B0}", "กำ", "\u{FFFF}", "\u{10FFFF}", " ", "plain text", "…",
    "–", "</script>",
  ]

  private static let strings: [String] = {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      var text = ""
      for _ in 0..<Int.random(in: 0...8, using: &generator) {
        if Bool.random(using: &generator) {
          text += pieces.randomElement(using: &generator) ?? ""
        } else if let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator)) {
          text.unicodeScalars.append(scalar)
        } else {
          text.unicodeScalars.append(Unicode.Scalar(UInt8.random(in: 0...255, using: &generator)))
        }
      }
      return text
    }
  }()

  private static var listing: Listing {
    Listing(
      columns: [
        Column("id"), Column("left", fit: .cut(least: 6)), Column("right", fit: .cut(least: 6)),
        Column("end", title: "end"),
      ],
      rows: strings.enumerated().map { index, text in
        [.int(Int64(index)), .text(text), .text(strings[count - 1 - index]), .text("|")]
      })
  }

  @Test(arguments: [nil, 40, 80])
  func tablesAreHarmlessAndLineUp(width: Int?) throws {
    var text = Self.listing.text(as: .table, RenderingOptions(width: width, hasColour: true))
    let style = ["\u{1B}[1;4m", "\u{1B}[0m"]
    #expect(text.hasPrefix(style[0]))
    text = style.reduce(text) { $0.replacing($1, with: "") }
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == Self.count + 2 && lines.last?.isEmpty == true)
    let expected = lines.first.map { TerminalText.displayWidth(String(String.UnicodeScalarView($0))) - 2 }
    for (index, line) in lines.dropLast().enumerated() {
      let bad = line.filter { Self.isForbidden($0) }
      #expect(bad.isEmpty, "row \(index) of seed \(Self.seed)")
      let string = String(String.UnicodeScalarView(line))
      let columns = TerminalText.displayWidth(string) - (index == 0 ? 2 : 0)
      #expect(columns == expected, "row \(index) of seed \(Self.seed): \(string.debugDescription)")
      if let width { #expect(columns <= width) }
    }
  }

  @Test(arguments: [true, false])
  func jsonKeepsTheDataAndIsHarmless(hasLines: Bool) throws {
    var text = Self.listing.text(as: hasLines ? .ndjson : .json)
    #expect(!text.unicodeScalars.contains { $0 != "\n" && Self.isForbidden($0) })
    if hasLines { text = "[\(text.split(separator: "\n").joined(separator: ","))]" }
    let rows = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    #expect(rows.count == Self.count)
    for (row, string) in zip(rows, Self.strings) {
      #expect((row["left"] as? String).map { Array($0.unicodeScalars) } == Array(string.unicodeScalars))
    }
  }

  @Test func csvParsesBackToTheDataWithTheGuard() throws {
    let records = CSVReader.records(Self.listing.text(as: .csv))
    #expect(records.count == Self.count + 1)
    for (record, string) in zip(records.dropFirst(), Self.strings) {
      #expect(record.fields.count == 4 && !record.isBroken)
      let shown = string.unicodeScalars.drop { $0.properties.isWhitespace || $0.isUnsafe }.first ?? " "
      let guarded =
        "\t\r\n".unicodeScalars.contains(string.unicodeScalars.first ?? " ")
        || "=+-@＝＋－＠".unicodeScalars.contains(shown)
      let expected = (guarded ? "'" : "") + string
      #expect(Array((record.fields[1] ?? "none").unicodeScalars) == Array(expected.unicodeScalars))
    }
  }

  @Test func csvOnATerminalIsHarmless() {
    let text = Self.listing.text(as: .csv, RenderingOptions(width: 80, isTerminal: true))
    #expect(!text.unicodeScalars.contains { $0 != "\n" && $0 != "\r" && Self.isForbidden($0) })
    #expect(text.utf8.filter { $0 == UInt8(ascii: "\n") }.count == Self.count + 1)
    #expect(text.utf8.filter { $0 == UInt8(ascii: "\r") }.count == Self.count + 1)
  }

  @Test func progressIsHarmless() {
    var state = ProgressState(mode: .bars, namesSources: true)
    for (index, string) in Self.strings.prefix(2000).enumerated() {
      let now: Duration = .seconds(index)
      let wait = ProgressEvent.Step.waiting(duration: .seconds(9), end: Date(), text: string)
      let page = ProgressEvent.Step.pageDone(page: 1, lastPage: nil, rows: 1, requests: 1)
      let steps = index.isMultiple(of: 2) ? [page, wait] : [page]
      for step in steps { _ = state.handle(ProgressEvent(source: "s", stream: string, step: step), now: now) }
      for line in state.block(size: TerminalSize(columns: 60, rows: 10), now: now) {
        #expect(!line.unicodeScalars.contains(where: Self.isForbidden))
        #expect(TerminalText.displayWidth(line) < 60)
      }
      _ = state.handle(ProgressEvent(source: "s", stream: string, step: .finished(status: "failed")), now: now)
    }
  }

  static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    if scalar.properties.generalCategory == .control { return true }
    if scalar.properties.isBidiControl || value == 0x2028 || value == 0x2029 { return true }
    let mayJoin = value == 0x200D || scalar.properties.isVariationSelector && !(0x180B...0x180F).contains(value)
    return scalar.properties.isDefaultIgnorableCodePoint && !mayJoin
  }
}
