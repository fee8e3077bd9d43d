import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import JikanSource
@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)))
struct JikanTitleTests {
  private static func titled(_ id: Int64, _ title: String, _ others: [String] = [], members: Int = 10) -> Media {
    Media(id).with([
      "title": "\"\(title)\"", "members": "\(members)",
      "titles": "[" + ([title] + others).map { #"{"type":"Synonym","title":"\#($0)"}"# }.joined(separator: ",") + "]",
    ])
  }

  private static let items = [
    titled(1, "Cowboy Bebop", ["カウボーイビバップ"], members: 900), titled(2, "Cowboy Bebop: Tengoku no Tobira"),
    titled(3, "Naruto", ["NARUTO -ナルト-"], members: 500), titled(4, "Boruto: Naruto Next Generations"),
    titled(5, "Naruto: Shippuuden", ["Naruto"], members: 800), titled(6, "Naru Taru"),
    titled(7, "Steins;Gate", ["シュタインズ・ゲート"]), titled(8, "Monster"), titled(9, "Monstre Sacré"),
    titled(10, "100% Ma_tch"), titled(11, "銀魂"), titled(12, "Fullmetal Alchemist: Brotherhood", ["FMAB"]),
    titled(13, "Same", members: 1), titled(14, "Same", members: 2), titled(15, "Same 2nd Season", members: 9),
  ]

  @Test("the best match comes first", .mirror)
  func order() async throws {
    try await WalkedList.run(mirror, [Self.items])
    for (words, expected) in [
      ("cowboy bebop", [1, 2]), ("COWBOY  BEBOP", [1, 2]), ("bebop cowboy", [1, 2]), ("カウボーイビバップ", [1]),
      ("カウボーイ", [1]), ("cowboybebop", [1, 2]), ("naruto", [3, 5, 4]), ("ナルト", [3]), ("naruro", [3, 5, 4]),
      ("steins gate", [7]), ("steinsgate", [7]), ("stiens gate", [7]), ("シュタインズゲート", [7]), ("monstr", [8, 9]),
      ("monstre sacre", [9]), ("100%", [10]), ("ma_tch", [10]), ("銀魂", [11]), ("fmab", [12]),
      ("fullmetal alchemist brotherhod", [12]), ("same", [14, 13, 15]), ("%", []), ("zzzzzz", []), ("", []),
    ] as [(String, [Int64])] {
      let found = try await JikanTitles.search(words, kind: "anime", in: mirror.database)
      #expect(found.map(\.id) == expected, "\(words)")
      #expect(try await JikanTitles.search(words, kind: "manga", in: mirror.database).isEmpty)
      let rows = try await JikanTitles.rows(found, kind: "anime", in: mirror.database)
      #expect(rows.rows.compactMap { $0[2].flatMap { Int64($0) } } == expected, "\(words)")
    }
  }

  private static let joined = [
    titled(20, "K-On!", ["けいおん！"], members: 900), titled(21, "K-On! Movie", members: 400),
    titled(22, "Kono Subarashii Sekai ni Shukufuku wo!", ["Konosuba"], members: 1000),
    titled(23, "Satoshi Kon's World"), titled(24, "R.O.D: Read or Die", members: 50),
    titled(25, "R.O.D the TV", members: 40), titled(26, "One Piece", members: 2000),
    titled(27, "One Piece Film: Gold", members: 300), titled(28, "Fullmetal Alchemist", members: 800),
    titled(29, "Fullmetal Alchemist: Brotherhood", members: 1500), titled(30, "Naruto", members: 500),
    titled(31, "Boruto: Naruto Next Generations", members: 100), titled(32, "Monster", members: 700),
    titled(33, "Boku no Ko Nante", members: 9000), titled(34, "Hero Dai", members: 9000),
    titled(35, "Attack on Titan", members: 3000),
  ]

  @Test("words are found without their spaces, and with letters swapped anywhere", .mirror)
  func joinedAndSwapped() async throws {
    try await WalkedList.run(mirror, [Self.joined])
    for (words, expected) in [
      ("kon", [20, 23, 21, 22]), ("K-ON", [20, 21, 23, 35, 22]), ("rod", [24, 25]), ("r.o.d", [24, 25, 34, 23, 29]),
      ("onepiece", [26, 27]), ("onepiecefilm", [27]), ("one piece", [26, 27]), ("onep iece", [26, 27]),
      ("fullmetalalchemist", [28, 29]), ("fullmetalalchemistbrotherhood", [29]), ("narutonext", [31]),
      ("onepice", [26, 27]), ("attackontitn", [35]), ("Naurto", [30, 31]), ("Mosnter", [32]), ("one picee", [26, 27]),
      ("fulmletaallcehmist", [28, 29]),
    ] as [(String, [Int64])] {
      let found = try await JikanTitles.search(words, kind: "anime", in: mirror.database)
      #expect(found.map(\.id) == expected, "\(words)")
    }
    for (words, fit) in [
      ("kon", JikanTitles.Fit.mainTitle), ("rod", .part), ("narutonext", .part), ("naurto", .similar),
      ("onepice", .similar),
    ] { #expect(try await JikanTitles.search(words, kind: "anime", in: mirror.database).first?.fit == fit, "\(words)") }
  }

  @Test("a title that is not the main one is shown, as the upstream writes it; what was removed comes last", .mirror)
  func rows() async throws {
    try await WalkedList.run(mirror, [Self.items])
    try await mirror.execute("UPDATE jikan.media SET vanished_at = now() WHERE mal_id = 14")
    let japanese = try await JikanTitles.search("シュタインズゲート", kind: "anime", in: mirror.database)
    let rows = try await JikanTitles.rows(japanese, kind: "anime", in: mirror.database)
    #expect(rows.columns.prefix(5).map(\.name) == ["position", "kind", "mal_id", "title", "match"])
    #expect(rows.rows.first?.prefix(5) == ["1", "anime", "7", "Steins;Gate", "シュタインズ・ゲート"])
    let same = try await JikanTitles.search("same", kind: "anime", in: mirror.database)
    #expect(same.map(\.id) == [13, 14, 15])
    #expect(same.map(\.fit) == [.mainTitle, .mainTitle, .part])
    for (words, fit) in [("narut", JikanTitles.Fit.part), ("naruro", .similar), ("stein gate", .part)] {
      #expect(try await JikanTitles.search(words, kind: "anime", in: mirror.database).first?.fit == fit, "\(words)")
    }
  }

  @Test("edits: letters inserted, removed, replaced, swapped; in a part of a text")
  func edits() {
    for (one, other, expected) in [
      ("", "", 0), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "abcd", 1), ("abc", "xbc", 1), ("ca", "abc", 3),
      ("naruto", "naurto", 1), ("", "ab", 2),
    ] {
      let (letters, others) = (Array(one.unicodeScalars), Array(other.unicodeScalars))
      #expect(EditDistance.between(letters, others) == expected, "\(one) \(other)")
      #expect(EditDistance.between(others, letters) == expected, "\(other) \(one)")
    }
    for (text, part, expected) in [("boruto: naruto next", "naruro", 1), ("xx", "", 0), ("", "ab", 2)] {
      #expect(EditDistance.toPart(of: Array(text.unicodeScalars), Array(part.unicodeScalars)) == expected)
    }
  }

  private static func swapped(_ letters: [Unicode.Scalar], from start: Int = 1, _ count: Int) -> [[Unicode.Scalar]] {
    guard count > 0 else { return [letters] }
    return [letters]
      + (start..<max(start, letters.count)).flatMap { place in
        var other = letters
        other.swapAt(place - 1, place)
        return swapped(other, from: place + 2, count - 1)
      }
  }

  @Test("of a title with so few errors, one of the pieces is found")
  func pieces() {
    for (title, edits) in [("naruto", 1), ("monster", 1), ("cowboybebop", 2), ("onepiecefilmgold", 3), ("鋼の錬金術師", 1)] {
      let letters = Array(title.unicodeScalars)
      let typed = Self.swapped(letters, edits) + letters.indices.map { Array(letters[..<$0] + letters[($0 + 1)...]) }
      for word in typed.map({ String(String.UnicodeScalarView($0)) }) {
        let words = SearchWords(folded: word)
        #expect(words.allowedEdits == edits, "\(word)")
        #expect(words.anyPatterns.contains { title.contains($0.dropFirst().dropLast()) }, "\(word)")
      }
    }
    #expect(SearchWords(folded: "cowboy bebop").anyPatterns == SearchWords(folded: "cowboybebop").anyPatterns)
    #expect(SearchWords(folded: #"a%_\"#).allPatterns == [#"%a\%\_\\%"#])
    // Spaces do not count as letters, so they allow no additional edits.
    #expect(SearchWords(folded: "!         !").anyPatterns == ["%!!%"])
    #expect(SearchWords(folded: "k z n").allowedEdits == 0)
  }
}
