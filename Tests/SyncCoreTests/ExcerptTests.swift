import SyncCore
import Testing

@Suite("Excerpts of foreign text")
struct ExcerptTests {
  @Test("harmless text stays as it is, whatever its script", arguments: ["", "plain", "葬送のフリーレン", "Café 😀", "€ ½"])
  func harmless(text: String) {
    #expect(Excerpt.of(text) == text)
    #expect(Excerpt.of(Array(text.utf8)) == text)
  }

  @Test(
    "nothing a terminal would act on gets through",
    arguments: [
      "\u{1B}[31m", "a\nb", "a\r\nb", "\u{0}", "\u{7F}", "\u{85}", "\u{9B}31m", "\u{202E}evil", "\u{2066}x", "\u{200B}",
      "\u{FEFF}", "\u{2028}", "\u{2029}", "\u{E000}", "\u{E0041}", "\u{7}", "\t",
    ])
  func hostile(text: String) {
    let excerpt = Excerpt.of(text)
    #expect(
      excerpt.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: false
        default: true
        }
      })
    #expect(excerpt.unicodeScalars.count == text.unicodeScalars.count)
  }

  @Test("user and password of a URL are omitted, also where the limit cuts the text")
  func userInfo() {
    #expect(Excerpt.of("host \"postgres://u:a/b?c@d@h/db\" is unknown") == "host \"postgres://***@h/db\" is unknown")
    #expect(Excerpt.of("postgres://u:secret@h/db", scalars: 16) == "postgres://***@h…")
    #expect(Excerpt.of("a@b https://h/v1 http://u@h a@b") == "a@b https://h/v1 http://***@h a@b")
  }

  @Test("200 scalars and a sign that there was more; exactly 200 have no sign")
  func bounds() {
    #expect(Excerpt.of(String(repeating: "a", count: 200)) == String(repeating: "a", count: 200))
    #expect(Excerpt.of(String(repeating: "a", count: 201)) == String(repeating: "a", count: 200) + "…")
    #expect(Excerpt.of("abc", scalars: 2) == "ab…")
    #expect(Excerpt.of(Array("😀😀😀".utf8), scalars: 2) == "😀😀…")
    #expect(Excerpt.of(Array("😀😀".utf8), scalars: 2) == "😀😀")
    // The limit counts scalars, because one character can have a million combining marks.
    #expect(Excerpt.of("e" + String(repeating: "\u{301}", count: 1_000_000)).unicodeScalars.count == 201)
  }

  @Test("bytes that are no UTF-8 are shown as such, and only the needed ones are read")
  func bytes() {
    #expect(Excerpt.of([0x61, 0xFF, 0x62]) == "a\u{FFFD}b")
    #expect(Excerpt.of([0xED, 0xA0, 0x80]).unicodeScalars.allSatisfy { $0 == "\u{FFFD}" })
    let endless = sequence(first: UInt8(0x61)) { _ in 0x61 }
    #expect(Excerpt.of(endless) == String(repeating: "a", count: 200) + "…")
  }
}
