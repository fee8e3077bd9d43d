import EmbeddedSQL
import SyncCore
import Testing

@testable import SyncPostgres

@Suite struct ReportFileTests {
  private static func names(_ text: String) -> [String] {
    var scanner = SQLScanner(text)
    var names: [String] = []
    while let (token, range) = scanner.next() {
      if token == .parameter { names.append(String(scanner.text(range).dropFirst())) }
    }
    return names
  }

  @Test(
    "a parameter is one outside of literals, quoted names, comments, dollar quotes and casts",
    arguments: [
      ("SELECT :a, :b_2+:a", ["a", "b_2", "a"]), ("SELECT 'x :a', \":b\" , :c", ["c"]),
      ("SELECT 'it''s :a', :b", ["b"]), ("SELECT E'\\' :a', :b", ["b"]), ("SELECT '\\', :b", ["b"]),
      ("SELECT E'x'\n  '\\' :a', :b", ["b"]), ("SELECT e'\\\\', :b", ["b"]), ("SELECT \"a\"\":b\", :c", ["c"]),
      ("SELECT 1 -- :a\n, :b", ["b"]), ("SELECT /* :a /* :b */ :c */ :d", ["d"]), ("SELECT $$ :a $$, :b", ["b"]),
      ("SELECT $t$ :a $$ :b $t$, :c", ["c"]), ("SELECT x::text, y::time", []), ("SELECT :a::text", ["a"]),
      ("SELECT a$1, b$$ FROM c, :d", ["d"]), ("SELECT f(a := 1, b => :b)", ["b"]), ("SELECT a[1 : 2], 1e5, 'x'", []),
      ("SELECT name_e'x', :b", ["b"]), ("SELECT é:a", ["a"]), ("SELECT ':a", []),
      ("SELECT $$ :a", []), ("SELECT :1, E'\\", []),
    ] as [(String, [String])])
  func parameters(_ text: String, _ expected: [String]) { #expect(Self.names(text) == expected) }

  @Test("what replaces a parameter is cast to its type, and a place leads back to the file")
  func replacement() throws {
    let file = "-- parameter: a integer\n-- parameter: b text = 'x'\nSELECT :a,\n  ':a', :b, nonsense;\n-- end\n"
    let report = try Report(name: "x", file: file)
    let query = "SELECT $1::bigint,\n  ':a', $2::text, nonsense;\n-- end\n"
    #expect(report.sql.hasSuffix("'x'\n" + query))
    let location = report.location(of: report.sql.unicodeScalars.count - "nonsense;\n-- end\n".count)
    #expect(location.words == ", line 4, column 13")
    #expect(location.exhibit == ["  ':a', :b, nonsense;", "            ^"])
    #expect(report.location(of: 1000).words == ", line 6, column 1")
  }

  @Test(
    "a file that is no report says where and why",
    arguments: [
      ("-- parameter: a text\nSELECT 1", 1, "a is not used"), ("-- x\nSELECT 1,\n :a", 3, ":a is not declared"),
      ("-- a\nSELECT '\0'", 2, "NUL"), ("SELECT $1", 1, "$1 is not declared"),
      ("-- paramter: a text\nSELECT 1", 1, "no paramter"), ("-- parameter: a txt\nSELECT :a", 1, "not a type"),
      ("-- parameter: a integer =\nSELECT :a", 1, "default"), ("-- parameter: A text\nSELECT :A", 1, "not a name"),
      ("-- parameter: a text = 'b\nSELECT :a", 1, "no quote"), ("-- parameter: a text b\nSELECT :a", 1, "declaration"),
      ("-- parameter: a integer = 7 (1)\nSELECT :a", 1, "bounds"),
      ("-- parameter: a integer (1..5\nSELECT :a", 1, "bounds"),
      ("-- parameter: a date (1..5)\nSELECT :a", 1, "bounds"), ("-- parameter: a choice\nSELECT :a", 1, "bounds"),
      ("-- parameter: format text\nSELECT :format", 1, "option of syncctl"),
      ("-- parameter: a text\n-- parameter: a text\nSELECT :a", 2, "twice"),
    ])
  func faults(_ text: String, _ line: Int, _ words: String) {
    let error = #expect(throws: SyncError.self) { _ = try Report(name: "x", file: text) }
    let message = error?.message
    #expect(message?.hasPrefix("x, line \(line): ") == true && message?.contains(words) == true, "\(message ?? "")")
  }

  @Test("an editor's byte order mark and ends of lines change nothing")
  func lineEnds() throws {
    let file = "-- title: T\n-- parameter: a text = x |\n--   A\nSELECT :a"
    let other = try Report(name: "x", file: "\u{FEFF}" + file.replacing("\n", with: "\r\n"))
    let plain = try Report(name: "x", file: file)
    #expect(other.parameters == plain.parameters)
    #expect(other.parameters.first?.help == "A" && other.title == "T")
  }

  @Test("a header declares types, defaults, bounds and help, and other comments are comments")
  func header() throws {
    let report = try Report(
      name: "x",
      file: """
        -- title: A title
        -- Note: this is mine.
        -- description: What it
        --   shows.
        -- parameter: genre text = 'It''s (a) | b' | Which one
        -- parameter: n integer = 20 (1..1000) | How many
        -- parameter: share number = 0.5 (0..1)
        -- parameter: day date
        -- parameter: since time = 7d
        -- parameter: on boolean = false
        -- parameter: kind choice = anime (anime, manga)
        -- parameter: some_thing text = null
        -- narrow: a, b
        SELECT :genre, :n, :share, :day, :since, :on, :kind, :some_thing;
        """)
    #expect(report.title == "A title" && report.description == "What it shows." && report.spare == ["a", "b"])
    let standards = ["It's (a) | b", "20", "0.5", nil, "7d", "false", "anime", nil]
    #expect(report.parameters.map(\.standard) == standards)
    #expect(report.parameters.filter(\.isRequired).map(\.name) == ["day"])
    #expect(report.parameters.map(\.option).last == "some-thing" && report.parameters[0].help == "Which one")
    #expect(report.parameters[1].range == "1 to 1000" && report.parameters[6].range == "anime, manga")
    #expect(
      report.parameters.map(\.literal) == [
        "'It''s (a) | b'::text", "'20'::bigint", "'0.5'::numeric", nil, "(now() - '604800 seconds'::interval)",
        "'false'::boolean", "'anime'::text", "NULL::text",
      ])
    #expect(report.view == nil, "a parameter has no default")
    #expect(try Report(name: "x", file: "-- source: unheard-of\nSELECT 1").view == nil)
    #expect(try Report(name: "x", file: "-- source: jikan\nSELECT 1").view?.objects == ["report.x"])
  }

  @Test("every report of the program has a whole header")
  func own() {
    #expect(EmbeddedSQL.paths(in: "reports") == Reports.all.map { "reports/\($0.name).sql" })
    for report in Reports.all {
      #expect(!report.title.isEmpty && !report.description.isEmpty, "\(report.name)")
      #expect(report.parameters.allSatisfy { !$0.help.isEmpty }, "\(report.name)")
      #expect(report.source.map { ["jikan", "pokeapi", "itunes"].contains($0) } ?? true, "\(report.name)")
      #expect(report.view != nil, "\(report.name)")
    }
  }
}
