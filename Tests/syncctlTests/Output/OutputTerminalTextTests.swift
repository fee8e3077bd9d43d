import Testing

@testable import SyncProgram

@Suite struct OutputTerminalTextTests {
  /// The flags of England, Scotland and Wales.
  static let flags = """
    \u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}\
    \u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}\
    \u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}
    """

  @Test(arguments: [
    ("plain", "plain"), ("進撃の巨人 👨‍👩‍👧", "進撃の巨人 👨‍👩‍👧"), ("\u{1B}[31mred", "\\u{1B}[31mred"), ("\u{9B}2J", "\\u{9B}2J"),
    ("a\r\nb\tc\u{0}", "a\\u{D}\\u{A}b\\u{9}c\\u{0}"), ("\u{7F}\u{85}", "\\u{7F}\\u{85}"),
    ("abc\u{202E}fed\u{2066}\u{61C}\u{200F}", "abc\\u{202E}fed\\u{2066}\\u{61C}\\u{200F}"),
    ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"), ("A\u{E0041}\u{E007F}", "A\\u{E0041}\\u{E007F}"),
    ("soft\u{AD}hyphen\u{FEFF}", "soft\\u{AD}hyphen\\u{FEFF}"),
    ("zwsp\u{200B}zwnj\u{200C}", "zwsp\\u{200B}zwnj\\u{200C}"),
    ("\u{34F}\u{115F}\u{1160}\u{17B4}\u{180B}\u{3164}", "\\u{34F}\\u{115F}\\u{1160}\\u{17B4}\\u{180B}\\u{3164}"),
    ("葛\u{E0100}飾", "葛\u{E0100}飾"), ("a\u{E0100}", "a\\u{E0100}"), ("葛\u{FE00}\u{FE00}", "葛\u{FE00}\\u{FE00}"),
    (
      "❤\u{FE0F} 1\u{FE0F}\u{20E3} 👩\u{200D}❤\u{FE0F}\u{200D}👩",
      "❤\u{FE0F} 1\u{FE0F}\u{20E3} 👩\u{200D}❤\u{FE0F}\u{200D}👩"
    ),
    ("a\u{200D}b 1\u{200D}2\u{FE0F}", "a\\u{200D}b 1\\u{200D}2\u{FE0F}"), ("\u{FE0F}a\u{FE0E}", "\\u{FE0F}a\\u{FE0E}"),
    ("ක\u{DCA}\u{200D}ර", "ක\u{DCA}\u{200D}ර"), ("👩\u{200D}", "👩\\u{200D}"),
  ])
  func unsafeScalarsBecomeVisible(text: String, expected: String) {
    // The test compares scalars, because `==` on strings compares canonical equivalence.
    #expect(Array(TerminalText.safe(text).unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test func tagsAreKeptInFlagsAlone() {
    let cases: [(text: String, expected: String)] = [
      (Self.flags, Self.flags), ("a\u{E0067}\(Self.flags)\u{E007F}", "a\\u{E0067}\(Self.flags)\\u{E007F}"),
      ("\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}", "\u{1F3F4}\\u{E0067}\\u{E0062}\\u{E007F}"),
    ]
    for (text, expected) in cases {
      #expect(Array(TerminalText.safe(text).unicodeScalars) == Array(expected.unicodeScalars))
    }
    let gated = TerminalText.gated("\(Self.flags)\u{1B}")
    #expect(Array(gated.unicodeScalars) == Array((Self.flags + #"\u001b"#).unicodeScalars))
    #expect(TerminalText.displayWidth(Self.flags) == 6)
  }

  @Test func everyScalarOfTheForbiddenRangesIsEscaped() throws {
    let ranges: [ClosedRange<UInt32>] = [
      0...0x1F, 0x7F...0x9F, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x61C...0x61C, 0x2028...0x2029,
      0xE0000...0xE007F,
    ]
    for value in ranges.joined() {
      let scalar = try #require(Unicode.Scalar(value))
      let safe = TerminalText.safe("x" + String(scalar) + "語")
      #expect(!safe.unicodeScalars.contains(scalar), "U+\(String(value, radix: 16))")
    }
  }

  @Test(arguments: [
    ("", 0), ("abc", 3), ("進撃の巨人", 10), ("ﾊﾝｶｸ", 4), ("Ａ", 2), ("e\u{301}", 1), ("か\u{3099}", 2),
    ("👨‍👩‍👧", 2), ("👍🏽", 2), ("🇯🇵", 2), ("🇯🇵🇹🇼", 4), ("❤", 1), ("❤\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2),
    ("☺🏽", 2), ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("…–", 2), ("क्ष", 2), ("\u{200B}", 0), (" \u{301}", 1),
    ("🏴‍☠️", 2), ("กำ", 2),
  ])
  func displayWidthCountsColumns(text: String, width: Int) { #expect(TerminalText.displayWidth(text) == width) }

  @Test(arguments: [
    ("進撃の巨人", 10, "進撃の巨人"), ("進撃の巨人", 9, "進撃の巨…"), ("進撃の巨人", 8, "進撃の…"), ("進撃", 1, "…"), ("進撃", 0, ""),
    ("👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…"), ("👨‍👩‍👧👨‍👩‍👧", 2, "…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("abcdef", 4, "abc…"),
  ])
  func truncationKeepsClustersWhole(text: String, width: Int, expected: String) {
    let cut = TerminalText.truncate(text, to: width)
    #expect(cut == expected)
    #expect(TerminalText.displayWidth(cut) <= width)
  }

  @Test func paddingFillsToTheWidth() {
    #expect(TerminalText.pad("巨人", to: 6) == "巨人  ")
    #expect(TerminalText.pad("7", to: 3, trailing: true) == "  7")
    #expect(TerminalText.pad("too wide", to: 3) == "too wide")
  }
}
