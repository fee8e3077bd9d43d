import SyncCore
import Testing

@testable import PokeAPISource
@testable import SyncProgram

@Suite struct OutputLanguageChoiceTests {
  static let known = [
    "ja-hrkt", "ja-roma", "ko", "zh-hant", "fr", "de", "es", "it", "en", "cs", "ja", "zh-hans", "pt-br", "es-419",
  ]

  @Test(
    "words of --lang",
    arguments: [
      ("en", "en"), ("EN", "en"), ("zh-Hant", "zh-hant"), ("zh_hant", "zh-hant"), ("ZH-HANS", "zh-hans"),
      ("zh-TW", "zh-hant"), ("zh_HK.UTF-8", "zh-hant"), ("zh-Hant-MO", "zh-hant"), ("zh_CN", "zh-hans"),
      ("zh-SG", "zh-hans"), ("zh", "zh-hans"), ("ja", "ja"), ("ja_JP.eucJP", "ja"), ("ja-Hrkt", "ja-hrkt"),
      ("ko-KR", "ko"), ("fr_CH", "fr"), ("de_AT@euro", "de"), ("es", "es"), ("es_ES", "es"), ("es-MX", "es-419"),
      ("es-419", "es-419"), ("pt", "pt-br"), ("pt-PT", "pt-br"), ("en-GB", "en"),
    ])
  func words(word: String, language: String) throws {
    #expect(try LanguageChoice.named(word, known: Self.known).language == language)
  }

  @Test(arguments: ["xx", "", "tlh", "zhx", "e", "-", "\u{1B}[31m"])
  func unknownWordsListTheKnownOnes(word: String) {
    let error = #expect(throws: SyncError.self) { try LanguageChoice.named(word, known: Self.known) }
    #expect(error?.code == .usage)
    #expect(error?.hint?.contains("zh-hant, fr") == true)
    #expect(error?.message.unicodeScalars.contains("\u{1B}") == false)
  }

  @Test(
    "the locale",
    arguments: [
      (["LANG": "zh_TW.UTF-8"], "zh-hant"), (["LANG": "C"], "en"), (["LANG": "C.UTF-8"], "en"),
      (["LANG": "POSIX"], "en"), ([:], "en"), (["LANG": ""], "en"), (["LANG": "ja_JP", "LC_MESSAGES": "ko_KR"], "ko"),
      (["LANG": "ja_JP", "LC_MESSAGES": "ko_KR", "LC_ALL": "zh_CN"], "zh-hans"),
      (["LANG": "ja_JP", "LC_ALL": ""], "ja"), (["LC_ALL": "C", "LANG": "ja_JP"], "en"),
    ] as [([String: String], String)])
  func locale(environment: [String: String], language: String) {
    let choice = LanguageChoice.ofLocale(known: Self.known) { environment[$0] }
    #expect(choice.language == language)
    #expect(choice.remark == nil)
  }

  @Test func aLocaleThatIsNotThereIsEnglishAndSaysSo() {
    let choice = LanguageChoice.ofLocale(known: Self.known) { $0 == "LANG" ? "nl_NL.UTF-8" : nil }
    #expect(choice.language == "en")
    #expect(choice.remark?.contains("nl_NL.UTF-8") == true)
  }

  @Test func theNearestTakesThePlaceAndWithoutKnownLanguagesTheWordItself() throws {
    let preferences = { (word: String) throws in try LanguageChoice.named(word, known: Self.known).preferences }
    #expect(try preferences("zh-hant") == ["zh-hant", "zh-hans", "en"])
    #expect(try preferences("ja") == ["ja", "ja-hrkt", "ja-roma", "en"])
    #expect(try preferences("ja-hrkt") == ["ja-hrkt", "ja", "ja-roma", "en"])
    #expect(try preferences("es-mx") == ["es-419", "es", "en"])
    #expect(try preferences("en") == ["en"])
    #expect(try preferences("ko") == ["ko", "en"])
    #expect(try LanguageChoice.named("zh_Hant", known: []).preferences == ["zh-hant", "en"])
  }
}
