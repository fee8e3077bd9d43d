import SyncCore
import SyncPostgres
import Testing

@testable import ITunesSource
@testable import SyncProgram

@Suite struct OutputITunesTests {
  @Test func pagesAreCounted() {
    func remark(_ number: Int?, of size: Int?, _ total: Int) -> String? {
      PageRequest(number: number, size: size).remark(total: total)
    }
    #expect(remark(1, of: 10, 48) == "page 1 of 5, 48 results")
    #expect(remark(5, of: 10, 50) == "page 5 of 5, 50 results")
    #expect(remark(2, of: 1, 1234) == "page 2 of 1,234, 1,234 results")
    for total in [0, 1, 10] { #expect(remark(1, of: 10, total) == nil) }
    #expect(remark(nil, of: 10, 48) == nil && remark(1, of: nil, 50_000) == nil)
  }

  private static func column(_ name: String, _ type: RowSet.CellType = .text) -> RowSet.Column {
    .init(name: name, type: type)
  }

  private static let rows = RowSet(
    columns: [
      column("position", .integer), column("country"), column("class"), column("id", .integer), column("kind"),
      column("title"), column("artist_name"), column("collection_name"), column("price", .decimal), column("currency"),
      column("is_sold_singly", .bool), column("release_date"), column("genres", .json),
    ],
    rows: [
      [
        "1", "tw", "track", "1440833098", "song", "晴天 (現場版)", "周杰倫", "葉惠美 (20週年紀念版)", "15.00", "TWD", "t",
        "2003-07-31", #"["國語流行樂","音樂"]"#,
      ],
      ["2", "tw", "track", "7", "song", "Bridge", "Various Artists", "Best of", nil, "TWD", "f", "1874-01-01", "[]"],
      ["3", "tw", "collection", "8", nil, "葉惠美", "周杰倫", "葉惠美", "150.50", "TWD", nil, "2003-07-31", "[]"],
      ["4", "tw", "app", "9", "software", "Safe\u{1B}[31m", nil, nil, "0.00", "TWD", "t", nil, "[]"],
      ["5", "tw", "artist", "10", nil, "五月天", "五月天", nil, nil, nil, nil, nil, "[]"],
    ])

  private static func table(_ width: Int?) -> [String] {
    let listing = Listing.itunes(rows, emptyMessage: "")
    return listing.text(as: .table, RenderingOptions(width: width)).split(separator: "\n").map(String.init)
  }

  @Test func tablesLineUpWithWideNamesAndANarrowOneLeavesOutTheKindFirst() {
    #expect(
      Self.table(100) == [
        "title           artist           album                  kind           price  release             id",
        "晴天 (現場版)   周杰倫           葉惠美 (20週年紀念版)  song          15 TWD  2003-07-31  1440833098",
        "Bridge          Various Artists  Best of                song      album only  1874-01-01           7",
        "葉惠美          周杰倫           –                      album     150.50 TWD  2003-07-31           8",
        "Safe\\u{1B}[31m  –                –                      software        free  –                    9",
        "五月天          五月天           –                      artist             –  –                   10",
      ])
    #expect(Self.table(80).first?.contains("kind") == false)
    #expect(Self.table(80).first?.contains("price") == true)
    #expect(Self.table(40).first.map { $0.split(separator: " ").map(String.init) } == ["title", "artist", "id"])
  }

  @Test(arguments: [40, 60, 80, 100])
  func tablesFitTheTerminal(width: Int) throws {
    let lines = Self.table(width)
    #expect(lines.count == 6)
    #expect(lines.allSatisfy { TerminalText.displayWidth($0) <= width }, "\(lines)")
    // The last column contains the ids. A look-up needs an id, so this column is never omitted.
    #expect(Set(lines.map { TerminalText.displayWidth($0) }).count == 1)
    #expect(lines.dropFirst().allSatisfy { Int($0.split(separator: " ").last ?? "") != nil })
  }

  @Test func machineFormatsKeepEverything() {
    let json = Listing.itunes(Self.rows, emptyMessage: "").form(in: .json)
    #expect(json.columns.map(\.key) == Self.rows.columns.map(\.name))
    #expect(json.rows.first?.last == .json(#"["國語流行樂","音樂"]"#))
    let csv = Listing.itunes(Self.rows, emptyMessage: "").form(in: .csv)
    #expect(csv.rows.first?.last == .text("國語流行樂, 音樂"))
    #expect(csv.rows.first?[8] == .number("15.00"))
  }

  private static func item(_ changes: [String: String?] = [:]) -> ITunesItemText {
    let usual: [String: String?] = [
      "country": "tw", "class": "track", "id": "1440833098", "kind": "song", "title": "晴天",
      "artist_name": "周杰倫", "collection_name": "葉惠美", "price": "15.00", "currency": "TWD", "is_sold_singly": "t",
      "release_date": "2003-07-31", "track_time_ms": "269000", "disc_number": "1", "disc_count": "2",
      "track_number": "3", "track_count": "11", "explicitness": "notExplicit", "genres": #"["國語流行樂","音樂"]"#,
      "preview_url": "https://audio.example/preview/0123456789012345678901234567890123456789.m4a",
      "artist_view_url": "https://music.example/artist/1", "collection_view_url": "https://music.example/album/2",
      "track_view_url": "https://music.example/song/3",
    ]
    let cells = usual.merging(changes) { $1 }
    let names = Array(cells.keys)
    return ITunesItemText(row: NamedRow(names.map { column($0) }, names.map { cells[$0] ?? nil }))
  }

  @Test func anItemInFull() {
    #expect(
      Self.item(["explicitness": "explicit"]).lines(width: 100) == [
        "晴天", "song, explicit", "artist          周杰倫", "album           葉惠美", "released        2003-07-31",
        "price           15 TWD", "length          4:29", "place           track 3 of 11, disc 1 of 2",
        "genre           國語流行樂, 音樂", "id              1440833098 in tw",
        "preview         https://audio.example/preview/0123456789012345678901234567890123456789.m4a",
        "album page      https://music.example/album/2", "page            https://music.example/song/3",
        "artist page     https://music.example/artist/1",
      ])
  }

  @Test(arguments: [20, 40, 60, 100])
  func itemsFitTheTerminalAndAddressesStayWhole(width: Int) {
    let long = String(repeating: "很長的名字", count: 30)
    let lines = Self.item(["title": long, "collection_name": "\(long) – disc"]).lines(width: width)
    for line in lines where !line.contains("https://") {
      #expect(TerminalText.displayWidth(line) <= width, "\(line)")
    }
    for url in [
      "https://audio.example/preview/0123456789012345678901234567890123456789.m4a", "https://music.example/song/3",
    ] { #expect(lines.contains { $0.hasSuffix(url) }) }
    #expect(lines.joined().filter { $0 == "很" }.count == 60)
  }

  @Test func oddItems() {
    let podcast = Self.item([
      "class": "podcast", "kind": "podcast", "track_time_ms": "1573", "collection_name": "晴天", "price": "0.00",
      "collection_view_url": "https://music.example/song/3", "feed_url": "https://feed.example/rss",
    ]).lines(width: nil)
    // Three lines are omitted: a podcast's length is not in milliseconds, and its album and page repeat other lines.
    #expect(!podcast.contains { $0.hasPrefix("length") || $0.hasPrefix("album") || $0.hasPrefix("page") })
    #expect(podcast.contains("latest episode  2003-07-31") && podcast.contains("price           free"))
    #expect(podcast.contains("feed            https://feed.example/rss"))
    let gone = Self.item(["vanished_at": "2026-11-21T04:00:00Z", "price": nil, "is_sold_singly": "f"]).lines(width: nil)
    #expect(gone.contains { $0.hasPrefix("removed         upstream, 2026-11-21T04:00:00Z") })
    #expect(gone.contains("price           album only"))
    #expect(ITunesItemText(row: NamedRow([Self.column("id")], ["5"])).lines(width: 40).first == "5")
    let hostile = Self.item(["title": "a\u{1B}[2Jb", "track_view_url": "https://x/\u{07}"]).lines(width: 60)
    #expect(hostile.allSatisfy { !$0.unicodeScalars.contains(where: \.isUnsafe) })
    #expect(ITunesText.length(milliseconds: 3_723_000) == "1:02:03" && ITunesText.length(milliseconds: 999) == "0:00")
  }
}
