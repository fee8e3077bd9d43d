import Foundation
import SyncPostgres
import Testing

@testable import PokeAPISource
@testable import SyncProgram

@Suite struct OutputPokedexTests {
  @Test func barsAreInProportion() {
    let lines = StatBars.lines([("HP", 255), ("attack", 128), ("speed", 1), ("luck", nil)], total: 384, width: nil)
    #expect(
      lines == [
        "HP      255  " + String(repeating: "#", count: 51), "attack  128  " + String(repeating: "#", count: 26),
        "speed     1  #", "luck      –", "total   384",
      ])
    #expect(StatBars.cells(0, of: 51) == 0)
    #expect(StatBars.cells(-5, of: 51) == 0)
    #expect(StatBars.cells(.max, of: 51) == 51)
    #expect((1...255).allSatisfy { (1...51).contains(StatBars.cells($0, of: 51)) })
  }

  @Test(arguments: [5, 20, 24, 40, 60, 120])
  func barsFit(width: Int) {
    let lines = StatBars.lines([("special attack", 255), ("HP", 3)], total: 258, width: width)
    #expect(lines.allSatisfy { TerminalText.displayWidth($0) <= max(width, 19) })
    #expect(lines.contains { $0.contains("#") } == (width >= 31))
  }

  @Test func multipliersAreGroupedTheStrongestFirst() {
    let groups = MatchupGroups([
      ("1", "Normal"), ("0", "Ground"), ("0.25", "Bug"), ("4", "Rock"), ("0.5", "Steel"), ("2", "Water"),
      ("2", "Electric"),
    ])
    #expect(
      groups.lines(width: nil) == [
        "4×  Rock", "2×  Water, Electric", "1×  Normal", "½×  Steel", "¼×  Bug", "0×  Ground",
      ])
    #expect(!groups.lines(width: nil, leavesOutUsual: true).contains("1×  Normal"))
    #expect(MatchupGroups([]).lines(width: 40) == [])
  }

  private static func text(_ name: String) -> RowSet.Column { .init(name: name, type: .text) }
  private static func int(_ name: String) -> RowSet.Column { .init(name: name, type: .integer) }

  private static let rows = RowSet(
    columns: [
      int("id"), text("name"), text("language"), text("slug"), .init(name: "is_form", type: .bool),
      .init(name: "types", type: .json), .init(name: "type_names", type: .json), int("hp"), int("attack"),
      int("defense"), int("special_attack"), int("special_defense"), int("speed"), int("total"), int("generation"),
      .init(name: "owned", type: .bool),
    ],
    rows: [
      [
        "1", "妙蛙種子", "zh-hant", "bulbasaur", "f", #"["grass","poison"]"#, #"["草","毒"]"#, "45", "49", "49", "65",
        "65", "45", "318", "1", "t",
      ],
      [
        "25", "ピカチュウ", "ja", "pikachu", "f", #"["electric"]"#, #"["でんき"]"#, "35", "55", "40", "50", "50",
        "90", "320", "1", "f",
      ],
      [
        "10001", "Deoxys\u{1B}[31m", "en", "deoxys-attack", "t", "[]", "[]", nil, "180", "20", "180", "20", "150",
        nil, nil, "f",
      ],
    ])

  private static func table(_ width: Int?, showsForms: Bool = false) -> [String] {
    let listing = Listing.pokemon(rows, emptyMessage: "", showsForms: showsForms)
    return listing.text(as: .table, RenderingOptions(width: width)).split(separator: "\n").map(String.init)
  }

  @Test func tablesLineUpWithWideNamesAndANarrowOneLeavesTheSingleStatsOutFirst() {
    #expect(
      Self.table(120) == [
        "   id  name              types   HP  Atk  Def  SpA  SpD  Spe  total  owned",
        "    1  妙蛙種子          草, 毒  45   49   49   65   65   45    318  yes",
        "   25  ピカチュウ        でんき  35   55   40   50   50   90    320  no",
        "10001  Deoxys\\u{1B}[31m           –  180   20  180   20  150      –  no",
      ])
    #expect(Self.table(60).first == "   id  name              types   total  owned")
    #expect(Self.table(nil, showsForms: true).first?.contains("slug           form") == true)
  }

  @Test func joinedListsChangeNothingElse() {
    let listing = Listing(
      columns: [Column("names")], rows: [[.json(#"["a","b"]"#)]], emptyMessage: "none", envelope: "moves"
    ).laidOut(hiding: ["id"], leaving: ["names"])
    let joined = listing.withJoinedLists
    #expect(joined.rows == [[.text("a, b")]])
    #expect(joined.layout == listing.layout && joined.envelope == "moves" && joined.emptyMessage == "none")
  }

  @Test(arguments: [40, 60, 80, 120])
  func tablesFitTheTerminal(width: Int) throws {
    for showsForms in [false, true] {
      let lines = Self.table(width, showsForms: showsForms)
      #expect(lines.count == 4)
      #expect(lines.allSatisfy { TerminalText.displayWidth($0) <= width }, "\(lines)")
      let owned = try #require(lines.first?.range(of: "owned")).lowerBound
      let column = TerminalText.displayWidth(String(lines[0][..<owned]))
      for line in lines.dropFirst() {
        let last = try #require(line.split(separator: " ").last)
        #expect(TerminalText.displayWidth(line) - last.count == column, "\(line)")
      }
    }
  }

  @Test func machineFormatsKeepEverything() {
    let csv = Listing.pokemon(Self.rows, emptyMessage: "", showsForms: false).form(in: .csv)
    #expect(csv.columns.map(\.key) == Self.rows.columns.map(\.name))
    #expect(csv.rows.first?[5] == .text("grass, poison"))
    let json = Listing.pokemon(Self.rows, emptyMessage: "", showsForms: false).form(in: .json)
    #expect(json.rows.first?[5] == .json(#"["grass","poison"]"#))
  }

  private static let entry = NamedRow(
    [
      "id", "name", "slug", "genus", "generation", "type_names", "stats", "total", "abilities", "height_m", "weight_kg",
      "sprite_url", "description", "description_version", "evolution", "forms", "species_id", "is_legendary", "owned",
      "language", "genus_language", "description_language",
    ].map(text),
    [
      "386", "デオキシス", "deoxys-normal", "DNAポケモン", "3", #"["エスパー"]"#,
      #"{"hp": 50, "attack": 150, "defense": 50, "special_attack": 150, "special_defense": 50, "speed": 150}"#, "600",
      #"[{"slug": "pressure", "name": "プレッシャー", "is_hidden": false}, {"slug": "x", "name": null, "is_hidden": true}]"#,
      "1.7", "60.8", "https://example.org/sprites/pokemon/386.png", "宇宙ウィルスから　誕生した　ポケモン。", "alpha-sapphire",
      "[]", #"[{"id": 10001, "slug": "deoxys-attack", "name": "デオキシス"}]"#, "386", "t", "f", "ja", "ja", "ja-hrkt",
    ])

  @Test func documentsTellTheirPriceTheirEffectAndTheirPokemon() {
    let item = NamedRow(
      ["id", "name", "slug", "category_name", "sell_price", "currency", "price_version_group", "effect", "held_by"]
        .map(Self.text),
      [
        "457", "Sport Ball", "sport-ball", "Special balls", "150", "poke-dollar", "sword-shield",
        "Catches.\n\n* Bug\u{1B}[31m", #"[{"id": 1, "slug": "a", "name": "A", "rarity": 5}, {"id": 2, "slug": "b-c"}]"#,
      ])
    let text = PokedexDocumentText(kind: .item, row: item)
    #expect(
      text.lines(width: 40) == [
        "#457 Sport Ball (sport-ball)", "Special balls", "", "price          not for sale, sells for",
        "               150 poke-dollar", "               (sword-shield)", "", "Catches.", "* Bug\\u{1B}[31m", "",
        "held by 2 Pokémon", "A (5 %), ?",
      ])
    #expect(text.lines(width: 20).allSatisfy { TerminalText.displayWidth($0) <= 20 })
    let rows = RowSet(
      columns: [Self.int("id"), .init(name: "pokemon", type: .json)],
      rows: [["26", #"[{"id": 92, "slug": "gastly", "is_hidden": false}, {"id": 7, "slug": "x", "is_hidden": true}]"#]])
    let ability = PokedexDocumentText(kind: .ability, row: rows.namedRows[0])
    #expect(ability.flat(Listing(rows, emptyMessage: "")).rows == [[.int(26), .text("gastly, x (hidden)")]])
  }

  @Test func anEntryTellsEverything() {
    #expect(
      PokedexEntryText(row: Self.entry).lines(width: 60) == [
        "#386 デオキシス (deoxys-normal)", "DNAポケモン, エスパー, generation 3, legendary", "",
        "HP                50  #######", "attack           150  ######################",
        "defense           50  #######", "special attack   150  ######################",
        "special defense   50  #######", "speed            150  ######################", "total            600", "",
        "abilities       プレッシャー, ? (hidden)", "size            1.7 m, 60.8 kg",
        "picture         https://example.org/sprites/pokemon/386.png", "",
        "宇宙ウィルスから　誕生した　ポケモン。 (alpha-sapphire)", "", "evolution", "デオキシス", "", "other forms",
        "10001  デオキシス (deoxys-attack)",
      ])
  }

  @Test(arguments: [24, 40, 60, 120])
  func anEntryFits(width: Int) {
    for line in PokedexEntryText(row: Self.entry).lines(width: width) where !line.hasPrefix("https:") {
      #expect(TerminalText.displayWidth(line) <= width, "\(line)")
    }
  }

  @Test func anEntryOfNothingIsShownAllTheSame() {
    let row = NamedRow([Self.text("id"), Self.text("stats"), Self.text("evolution")], ["7", "[1]", "{"])
    #expect(PokedexEntryText(row: row).lines(width: 40).prefix(3) == ["#7", "", "HP               –"])
    #expect(PokedexEntryText(row: row).lines(width: nil).last == "total            –")
  }

  @Test func otherLanguagesAreNamed() {
    #expect(
      PokedexEntryText.otherLanguages(Self.entry, wanted: "ja")
        == "missing in ja, so shown: the description in ja-hrkt")
    #expect(PokedexEntryText.otherLanguages(NamedRow([], []), wanted: "ja") == nil)
  }
}
