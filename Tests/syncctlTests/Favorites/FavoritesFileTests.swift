import PostgresTestKit
import SyncCore
import SyncPostgres
import Testing

@testable import JikanSource
@testable import PokeAPISource
@testable import SyncProgram

@Suite(.boundSources)
struct FavoritesFileTests {
  private static let records = [
    Favorites.Record(
      collection: "favorites", item: .jikan(kind: "anime", id: 5114), note: "again \"now\",\nand then",
      addedAt: "2026-11-21T04:00:00.123456Z"),
    Favorites.Record(
      collection: "わたしの", item: .pokeapi(endpoint: "pokemon", id: -1), note: "", addedAt: "2026-11-21T04:00:00Z"),
    Favorites.Record(collection: "owned", item: .pokeapi(endpoint: "move", id: 85), note: nil, addedAt: nil),
  ]

  @Test(
    "every format of a file reads the same",
    arguments: [
      #"""
      {"collection":"favorites","source":"jikan","kind":"anime","id":5114,"note":"again \"now\",\nand then",\#
      "added_at":"2026-11-21T04:00:00.123456Z"}
      {"collection":"わたしの","source":"pokeapi","kind":"pokemon","id":-1,"note":"",\#
      "added_at":"2026-11-21T04:00:00Z","more":[1]}

      {"id":85,"kind":"move","source":"pokeapi","collection":"owned","note":null}
      """#,
      #"""
      [{"collection":"favorites","source":"jikan","kind":"anime","id":5114,"note":"again \"now\",\nand then",\#
      "added_at":"2026-11-21T04:00:00.123456Z"},
      {"collection":"わたしの","source":"pokeapi","kind":"pokemon","id":-1,"note":"","added_at":"2026-11-21T04:00:00Z"},
      {"collection":"owned","source":"pokeapi","kind":"move","id":85}]
      """#,
      """
      \u{FEFF}collection,source,kind,id,note,added_at
      favorites,jikan,anime,5114,"again ""now"",
      and then",2026-11-21T04:00:00.123456Z
      わたしの,pokeapi,pokemon,-1,"",2026-11-21T04:00:00Z

      owned,pokeapi,move,85,,
      """,
    ])
  func forms(text: String) throws {
    let contents = try FavoritesFile.read(text)
    #expect(contents.faults == [])
    #expect(contents.records == Self.records)
    // Only JSON files are also tested with CR LF, because the other formats do not escape line ends inside notes.
    if !text.contains("note\":") { return }
    #expect(try FavoritesFile.read(text.replacing("\n", with: "\r\n")).records == Self.records)
  }

  @Test func badLinesAreNamedAndTheOthersKept() throws {
    let good = #"{"collection":"a","source":"jikan","kind":"manga","id":2}"#
    let contents = try FavoritesFile.read(
      [
        good, "{", #"{"collection":"a","source":"jikan","kind":"manga"}"#,
        #"{"collection":"a","source":"jikan","kind":"book","id":2}"#,
        #"{"collection":"a","source":"x\u001b[31m","kind":"manga","id":2}"#,
        #"{"collection":"","source":"jikan","kind":"manga","id":2}"#,
        #"{"collection":"a","source":"pokeapi","kind":"../x","id":2}"#,
        #"{"collection":"a","source":"jikan","kind":"manga","id":2,"added_at":"2026-02-31T00:00:00Z"}"#,
        #"{"collection":"a","source":"jikan","kind":"manga","id":2,"added_at":"7d"}"#,
        #"{"collection":"a","source":"jikan","kind":"manga","id":2,"note":"a\u0000b"}"#,
        #"{"collection":"a","source":"jikan","kind":"manga","id":"2"}"#, #"{"collection":"a","id":1.5}"#, "[1]", good,
      ].joined(separator: "\n"))
    #expect(contents.records.map(\.item) == [.jikan(kind: "manga", id: 2), .jikan(kind: "manga", id: 2)])
    #expect(contents.faults.map { $0.prefix { $0 != ":" } } == (2...13).map { "line \($0)" })
    #expect(contents.faults.allSatisfy { !$0.unicodeScalars.contains("\u{1B}") })
  }

  @Test func badItemsOfAnArrayAndBadRecordsOfCSV() throws {
    let array = try FavoritesFile.read(#"[1, {"collection":"a","source":"jikan","kind":"anime","id":1}, null, {}]"#)
    #expect(array.records.count == 1)
    #expect(array.faults.map { $0.prefix { $0 != ":" } } == ["item 1", "item 3", "item 4"])
    let csv = try FavoritesFile.read(
      "kind,id,source,collection\nanime,1,jikan,a\nanime,x,jikan,a\nanime,1\nanime,1,jikan,\"a\"b\nanime,2,jikan,\"a")
    #expect(csv.records.map(\.item.id) == [1])
    #expect(csv.faults.map { $0.prefix { $0 != ":" } } == ["line 3", "line 4", "line 5", "line 6"])
  }

  @Test(arguments: ["[1", "no header\n1", "id,kind\n1,anime"])
  func whatIsNoSuchFileIsRefused(text: String) { #expect(throws: SyncError.self) { try FavoritesFile.read(text) } }

  @Test func nothingIsNothing() throws {
    #expect(try FavoritesFile.read(" \n") == FavoritesFile.Contents())
    #expect(try FavoritesFile.read("[]") == FavoritesFile.Contents())
    #expect(try FavoritesFile.read("collection,source,kind,id,note,added_at\r\n") == FavoritesFile.Contents())
  }

  @Test func whatTheListingsWriteIsReadBack() throws {
    let fields = ["", "a,b", "\"q\"", "line\r\nend\n", "=1+1", "周杰倫 🧡", "'", "\t"]
    let listing = Listing(
      columns: fields.indices.map { Column("c\($0)") } + [Column("none")], rows: [fields.map { .text($0) } + [.null]])
    let records = CSVReader.records(listing.text(as: .csv, RenderingOptions(guardsFormulas: false)))
    try #require(records.count == 2)
    #expect(
      records[1].fields.dropLast().map { Array(($0 ?? "none").unicodeScalars) }
        == fields.map { Array($0.unicodeScalars) })
    #expect(records[1].fields.last == .some(nil))
    #expect(!records[1].isBroken)
  }
}
