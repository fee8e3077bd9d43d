import Foundation
import SyncPostgres
import Testing

@testable import SyncProgram

@Suite struct OutputListingTests {
  static let titles = Listing(
    columns: [
      Column("mal_id", title: "ID"), Column("title", title: "Title", fit: .cut(least: 6)),
      Column("score", title: "Score"), Column("airing", title: "Airing"),
    ],
    rows: [
      [.int(5114), .text("鋼の錬金術師 FULLMETAL ALCHEMIST"), .number("9.10"), .bool(false)],
      [.int(57555), .text("劇場版 チェンソーマン レゼ篇 👨‍👩‍👧 family cut"), .number("9.07"), .bool(true)],
      [.int(1), .text("Cowboy Bebop"), .null, .bool(false)],
    ])

  @Test func tableFitsFortyAndEighty() {
    let expected = """
         ID  Title               Score  Airing
       5114  鋼の錬金術師 FULL…   9.10  no
      57555  劇場版 チェンソー…   9.07  yes
          1  Cowboy Bebop            –  no

      """
    #expect(render(Self.titles, .table, width: 40) == expected)
    let wide = """
         ID  Title                                       Score  Airing
       5114  鋼の錬金術師 FULLMETAL ALCHEMIST             9.10  no
      57555  劇場版 チェンソーマン レゼ篇 👨‍👩‍👧 family cut   9.07  yes
          1  Cowboy Bebop                                    –  no

      """
    #expect(render(Self.titles, .table, width: 80) == wide)
  }

  @Test(arguments: [20, 25, 30, 40, 55, 79])
  func linesNeverExceedTheTerminalWhereTheColumnsAllow(width: Int) {
    let lines = render(Self.titles, .table, width: width).split(separator: "\n")
    let fixed = 5 + 5 + 6 + 3 * 2
    for line in lines { #expect(TerminalText.displayWidth(String(line)) <= max(width, fixed + 6)) }
  }

  @Test func pipedTableIsAsWideAsItNeedsToBe() {
    let long = String(repeating: "長", count: 200)
    let listing = Listing(columns: [Column("title", fit: .cut(least: 6))], rows: [[.text(long)]])
    #expect(render(listing, .table) == "title\n\(long)\n")
  }

  @Test("a section's heading counts its rows, including those beyond the limit")
  func sections() {
    var listing = Listing(
      columns: [Column("id"), Column("section")],
      rows: [[.int(1), .text("fell")], [.int(2), .text("new")], [.int(3), .text("fell")]]
    ).laidOut(hiding: ["section"]).sectioned(by: "section", ["new", "fell", "left"])
    listing.sectionTotals = ["fell": 1_200, "left": 7]
    #expect(render(listing, .table) == "id\nnew (1)\n 2\nfell (1,200)\n 1\n 3\nleft (7)\n")
  }

  @Test func narrowingIsSharedByTheWidestColumns() {
    let listing = Listing(
      columns: [Column("a", fit: .cut(least: 6)), Column("b", fit: .cut(least: 6)), Column("c", fit: .cut(least: 6))],
      rows: [[.text(String(repeating: "a", count: 60)), .text(String(repeating: "b", count: 30)), .text("short")]])
    let line = render(listing, .table, width: 40).split(separator: "\n")[1]
    let widths = line.split(separator: " ").map(\.count)
    #expect(widths.reduce(0, +) == 36 && abs(widths[0] - widths[1]) <= 1 && widths[2] == 5)
  }

  @Test("a text that has too little room beside its row is below it")
  func below() {
    let error = "504 of 2004 items of the mirror were not in the catalogue; none of them was marked"
    let listing = Listing(
      columns: [Column("id"), Column("stream"), Column("status"), Column("rows"), Column("error", fit: .wrapped)],
      rows: [
        [.text("349710e7"), .text("anime-catalog"), .text("held"), .int(2004), .text(error)],
        [.text("5b1c0789"), .text("top-anime"), .text("complete"), .int(30_377), .null],
      ]
    ).laidOut(below: "error", leaving: ["rows"])
    #expect(
      render(listing, .table, width: 60) == """
        id        stream         status      rows
        349710e7  anime-catalog  held       2,004
          504 of 2004 items of the mirror were not in the catalogue;
          none of them was marked
        5b1c0789  top-anime      complete  30,377

        """)
    let wide = render(listing, .table, width: 100).split(separator: "\n")
    #expect(wide[0].hasSuffix("  error") && wide[1].contains(" 504 of 2004 items of the mirror were not in the"))
    #expect(render(listing, .table).split(separator: "\n").count == 3)
  }

  @Test("counts have separators and scores two decimals in tables alone; ids and years are as they are")
  func numbers() {
    let keys = ["members", "total", "mal_id", "year", "previous_score", "my_score"]
    let listing = Listing(
      columns: keys.map { Column($0) },
      rows: [[.int(1_000_000), .number("12345"), .int(57_555), .number("2026"), .number("8.7"), .int(8)]])
    let table = render(listing, .table).split(separator: "\n")[1].split(separator: " ")
    #expect(table == ["1,000,000", "12,345", "57555", "2026", "8.70", "8"])
    let turned = render(listing.turned, .table).split(separator: "\n").dropFirst().compactMap {
      $0.split(separator: " ").last
    }
    #expect(turned == table)
    #expect(render(listing, .csv).hasSuffix("1000000,12345,57555,2026,8.7,8\r\n"))
  }

  @Test func headerIsStyledOnlyWithColour() {
    let listing = Listing(columns: [Column("a")], rows: [[.text("x")]])
    #expect(render(listing, .table, RenderingOptions(width: 80, hasColour: true)) == "\u{1B}[1;4ma\u{1B}[0m\nx\n")
  }

  @Test func jsonKeepsColumnOrderAndExactNumbers() {
    let expected = """
      [
        {"mal_id":5114,"title":"鋼の錬金術師 FULLMETAL ALCHEMIST","score":9.10,"airing":false},
        {"mal_id":57555,"title":"劇場版 チェンソーマン レゼ篇 👨‍👩‍👧 family cut","score":9.07,"airing":true},
        {"mal_id":1,"title":"Cowboy Bebop","score":null,"airing":false}
      ]

      """
    #expect(render(Self.titles, .json) == expected)
  }

  @Test func envelopeHoldsTheRows() throws {
    let columns = [Column("id"), Column("certificate")]
    let row: [Cell] = [.text("r1"), .json("{\"holes\": [1,\n 2], \"note\": \"a\u{9B}b\"}")]
    let text = render(Listing(columns: columns, rows: [row], envelope: "runs"), .json)
    #expect(
      text == "{\"runs\":[\n  {\"id\":\"r1\",\"certificate\":{\"holes\": [1,  2], \"note\": \"a\\u009bb\"}}\n]}\n")
    #expect(render(Listing(columns: columns, envelope: "runs"), .json) == "{\"runs\":[]}\n")
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: [[String: Any]]]
    #expect((parsed?["runs"]?[0]["certificate"] as? [String: Any])?["note"] as? String == "a\u{9B}b")
  }

  @Test(arguments: [
    ("0", true), ("-0.5", true), ("12345678901234567890.0123", true), ("1e400", true), ("1E-7", true),
    ("", false), ("-", false), ("007", false), (".5", false), ("1.", false), ("1e", false), ("NaN", false),
    ("Infinity", false), ("1 ", false), ("+1", false), ("1\u{301}", false), ("１", false),
  ])
  func numbersFollowTheGrammarOfJSON(text: String, isNumber: Bool) {
    #expect(JSONText.isNumber(text) == isNumber)
    let listing = Listing(columns: [Column("n")], rows: [[.number(text)]])
    let expected = isNumber ? text : "\"\(text)\""
    #expect(render(listing, .ndjson) == "{\"n\":\(expected)}\n")
  }

  @Test func emptyListings() {
    let listing = Listing(columns: [Column("a"), Column("b")])
    #expect(render(listing, .table) == "")
    #expect(render(listing, .json) == "[]\n")
    #expect(render(listing, .ndjson) == "")
    #expect(render(listing, .csv) == "a,b\r\n")
  }

  @Test func equalKeysAreNumbered() {
    let listing = Listing(columns: [Column("count"), Column("count"), Column("count_2"), Column("count")])
    #expect(listing.columns.map(\.key) == ["count", "count_2", "count_2_2", "count_3"])
  }

  @Test(
    arguments: [
      (Cell.text("a,b"), "\"a,b\""), (.text("say \"hi\""), "\"say \"\"hi\"\"\""), (.text("a\r\nb"), "\"a\r\nb\""),
      (.text(""), "\"\""), (.null, ""), (.text("=1+1"), "'=1+1"), (.text("+1"), "'+1"), (.text("-1"), "'-1"),
      (.text("@SUM(A1)"), "'@SUM(A1)"), (.text("\t=1"), "'\t=1"), (.text("\r=1"), "\"'\r=1\""),
      (.text("＝1"), "'＝1"), (.text("＋1"), "'＋1"), (.text("－1"), "'－1"), (.text("＠x"), "'＠x"),
      (.text("=\u{301}1"), "'=\u{301}1"), (.text("a=1"), "a=1"), (.int(-5), "-5"), (.number("-5.50"), "-5.50"),
      (.number("-cmd|'/c calc'!A0"), "'-cmd|'/c calc'!A0"), (.bool(true), "true"), (.json("[1,2]"), "\"[1,2]\""),
      (.json("-1"), "-1"), (.time("2026-08-01T03:15:00Z"), "2026-08-01T03:15:00Z"), (.time("-infinity"), "-infinity"),
      (.number("-Infinity"), "-Infinity"), (.literal("-1 days"), "-1 days"), (.text("-1 days"), "'-1 days"),
      (.literal("-$1,000.00"), "\"-$1,000.00\""),
    ] as [(Cell, String)])
  func csvFields(cell: Cell, expected: String) {
    let listing = Listing(columns: [Column("x")], rows: [[cell]])
    #expect(Array(render(listing, .csv).utf8) == Array("x\r\n\(expected)\r\n".utf8))
  }

  /// The test sets `now` to 1,700,000,000, which is 2023-11-14T22:13:20Z.
  @Test(arguments: [
    ("2023-11-14T22:10:20.5Z", "2023-11-14T22:10:20Z", "3 min ago"), ("infinity", "infinity", "infinity"),
    ("0044-03-15T10:00:00.5Z BC", "0044-03-15T10:00:00Z BC", "0044-03-15T10:00:00Z BC"),
    ("12023-11-14T22:13:20Z", "12023-11-14T22:13:20Z", "in 3652425 d"),
    ("2023-11-14 22:10:20.5+09", "2023-11-14 22:10:20+09", "2023-11-14 22:10:20+09"),
  ])
  func timesInTables(time: String, toTheSecond: String, onATerminal: String) {
    func table(_ column: Column, now: Int64? = nil) -> String {
      Listing(columns: [column], rows: [[.time(time)]])
        .text(as: .table, RenderingOptions(hasHeader: false, now: now))
    }
    #expect(table(Column("t")) == toTheSecond + "\n")
    #expect(table(Column("t", hasFractions: true)) == time + "\n")
    #expect(table(Column("t", isExact: true), now: 1_700_000_000) == toTheSecond + "\n")
    #expect(table(Column("t"), now: 1_700_000_000) == onATerminal + "\n")
  }

  @Test func csvIsMadeSafeForATerminalOnlyThere() {
    let listing = Listing(columns: [Column("x")], rows: [[.text("a\u{1B}[2J\nb")]])
    #expect(render(listing, .csv) == "x\r\n\"a\u{1B}[2J\nb\"\r\n")
    #expect(render(listing, .csv, RenderingOptions(width: 80, isTerminal: true)) == "x\r\na\\u{1B}[2J\\u{A}b\r\n")
  }

  @Test("a job that a guard stopped is held in a table and failed in other formats")
  func heldJob() {
    let stored = RowSet(
      columns: [
        .init(name: "job", type: .text), .init(name: "last_outcome", type: .text), .init(name: "held", type: .bool),
      ], rows: [["daily", "failed", "t"], ["charts", "failed", "f"]])
    let table = render(JobsCommand.List.listing(stored, [], at: 0), .table).split(separator: "\n")
    #expect(table.map { $0.contains(" held") } == [false, true, false], "\(table)")
    #expect(render(JobsCommand.List.listing(stored, [], at: 0), .csv).contains("daily,failed,"))
  }

  @Test("a job is late by the database's clock")
  func lateJob() {
    let stored = RowSet(
      columns: ["job", "state", "due_at", "run_id"].map { .init(name: $0, type: $0 == "due_at" ? .time : .text) },
      rows: [["daily", "waiting", "2000-01-01T00:00:00Z", nil]])
    let table = { (now: Int64) in render(JobsCommand.List.listing(stored, [], at: now), .table) }
    #expect(table(946_684_800 + 420).contains("late 7 m") && table(946_684_800).contains("waiting"))
  }

  private func render(_ listing: Listing, _ format: OutputFormat, width: Int? = nil) -> String {
    render(listing, format, RenderingOptions(width: width))
  }

  private func render(_ listing: Listing, _ format: OutputFormat, _ options: RenderingOptions) -> String {
    listing.text(as: format, options)
  }
}
