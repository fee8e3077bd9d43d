import Testing

@testable import SyncProgram

@Suite struct OutputTextLayoutTests {
  private static let texts = [
    "When several of these POKéMON gather, their electricity could build and cause lightning storms.",
    "在出生後的一段時間內，牠會吸收背上種子裡儲存著的營養成長。", "不安定な　遺伝子の　おかげで　さまざまな　進化の　可能性を　秘めている　特殊な　ポケモン。",
    "초전자포 POKéMON 전기를 모으는 성질이 있다.", "https://example.org/a/very/long/address/without/any/place/to/break/it",
    "", " ", "e\u{301}\u{301} 👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", "、、、、、、、、、、、、、、、、、、、、、、、、、、、、、、、、、、、、、、、、、、、、、、、、",
  ]

  @Test(arguments: [2, 3, 7, 12, 40, 60, 120])
  func noLineIsWiderThanAskedAndNothingButSpacesIsLost(width: Int) {
    for text in Self.texts {
      let lines = TextLayout.wrap(text, to: width)
      for line in lines {
        #expect(TerminalText.displayWidth(line) <= width, "\(line)")
        #expect(line.last != " " && line.last != "\u{3000}")
      }
      let letters = text.filter { !" \u{3000}".contains($0) }
      #expect(lines.joined().filter { !" \u{3000}".contains($0) } == letters)
    }
  }

  @Test func englishBreaksAtSpaces() {
    #expect(TextLayout.wrap("level up with high friendship", to: 15) == ["level up with", "high friendship"])
    #expect(TextLayout.wrap("level up", to: nil) == ["level up"])
    #expect(TextLayout.wrap("", to: 10) == [""])
  }

  @Test func aCommandAtTheEndOfAdviceIsCopiedWhole() {
    let command = "syncctl run --source jikan --stream anime-catalog --confirm-vanish 43ed8a54"
    let broken = [#"syncctl run --source jikan \"#, "  --stream anime-catalog \\", "  --confirm-vanish 43ed8a54"]
    #expect(TextLayout.advice(command, to: 40) == broken)
    #expect(TextLayout.advice(command, to: 20) == TextLayout.wrap(command, to: 20))
    #expect(TextLayout.advice("x; if it is gone: \(command)", to: 40) == ["x; if it is gone:"] + broken)
    #expect(TextLayout.advice("x; if it is gone: \(command)", to: 80) == ["x; if it is gone:", command])
    for prose in ["1 item: syncctl runs show 3f2a --quarantine lists them all", "syncctl status shows how it is"] {
      #expect(TextLayout.advice(prose, to: 30) == TextLayout.wrap(prose, to: 30))
    }
  }

  @Test func chineseBreaksAnywhereButBeforePunctuation() {
    #expect(TextLayout.wrap("一二三四五。六", to: 10) == ["一二三四", "五。六"])
    #expect(TextLayout.wrap("一二三四五六", to: 10) == ["一二三四五", "六"])
    #expect(TextLayout.wrap("にげあし, てきおう", to: 8) == ["にげあ", "し, てき", "おう"])
  }

  @Test func hostileTextIsMeasuredAsItIsShown() {
    let lines = TextLayout.wrap("a\u{1B}[31mred\u{202E}b", to: 10)
    #expect(lines.allSatisfy { TerminalText.displayWidth($0) <= 10 && !$0.unicodeScalars.contains("\u{1B}") })
    #expect(lines.joined() == "a\\u{1B}[31mred\\u{202E}b")
  }

  @Test func listsKeepTheirWordsWhole() {
    #expect(TextLayout.list(["ゴースト", "エスパー", "あく"], to: 20) == ["ゴースト, エスパー,", "あく"])
    #expect(TextLayout.list(["Ghost", "Psychic"], to: nil) == ["Ghost, Psychic"])
    #expect(TextLayout.list([], to: 10) == [""])
    #expect(TextLayout.list(["abcdef", "gh"], to: 4) == ["abcd", "ef,", "gh"])
  }

  @Test func labelsStandBesideTheirText() {
    let lines = TextLayout.labelled("4×", labelWidth: 2, width: 20) {
      TextLayout.list(["Electric", "Water", "Rock"], to: $0)
    }
    #expect(lines == ["4×  Electric, Water,", "    Rock"])
    let narrow = TextLayout.labelled("a long label", labelWidth: 14, width: 20) {
      TextLayout.wrap("other words", to: $0)
    }
    #expect(narrow == ["a long label", "  other words"])
  }
}
