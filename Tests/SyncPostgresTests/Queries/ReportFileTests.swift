import EmbeddedSQL
import SyncCore
import Testing

@testable import SyncPostgres

/// Files of reports: the header, and the query taken apart.
@Suite struct ReportFileTests {
  private static func names(_ text: String) throws -> [String] { try ReportText(text).parameters.map(\.name) }

  private static func fault(_ text: String) -> ReportFault? {
    do throws(ReportFault) {
      _ = try Report(name: "x", file: text)
      return nil
    } catch {
      return error
    }
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
      ("SELECT $$ :a", []), ("SELECT :1", []),
    ] as [(String, [String])])
  func parameters(_ text: String, _ expected: [String]) throws {
    #expect(try Self.names(text) == expected)
  }

  @Test("what replaces a parameter is cast to its type, and a place leads back to the file")
  func replacement() throws {
    let file = "-- parameter: a integer\n-- parameter: b text = 'x'\nSELECT :a,\n  ':a', :b, nonsense;\n-- end\n"
    let report = try Report(name: "x", file: file)
    let sql = report.text.sql(report.placeholder)
    #expect(sql == "SELECT $1::bigint,\n  ':a', $2::text, nonsense")
    let character = sql.unicodeScalars.count - "nonsense".count
    let place = report.text.place(of: character, in: report.placeholder)
    #expect(report.text.shown(place).words == ", line 4, column 13")
    #expect(report.text.shown(place).exhibit == ["  ':a', :b, nonsense;", "            ^"])
  }

  @Test(
    "a file that is no report says where and why",
    arguments: [
      ("", 1, "no statement"), ("-- parameter: a text\nSELECT 1", 1, "a is not used"),
      ("-- x\nSELECT 1,\n :a", 3, ":a is not declared"), ("SELECT 1; SELECT 2", 1, "second statement"),
      ("-- a\nSELECT '\0'", 2, "NUL"),
      ("DELETE FROM a", 1, "begins with SELECT"), ("-- a\nCOMMIT", 2, "begins with SELECT"), ("SELECT $1", 1, "$1"),
      ("-- paramter: a text\nSELECT 1", 1, "no paramter"), ("-- parameter: a txt\nSELECT :a", 1, "not a type"),
      ("-- parameter: a integer = x\nSELECT :a", 1, "default"), ("-- parameter: A text\nSELECT :A", 1, "not a name"),
      ("-- parameter: a integer = 7 (1..5)\nSELECT :a", 1, "out of bounds"),
      ("-- parameter: a integer = 7 (5..1)\nSELECT :a", 1, "bounds"),
      ("-- parameter: a choice\nSELECT :a", 1, "bounds"),
      ("-- parameter: format text\nSELECT :format", 1, "option of syncctl"),
      ("-- parameter: a text\n-- parameter: a text\nSELECT :a", 2, "twice"),
      ("-- title: a\n-- title: b\nSELECT 1", 2, "twice"),
      ("-- parameter: a choice = d (b, c)\nSELECT :a", 1, "there is no d"),
    ])
  func faults(_ text: String, _ line: Int, _ words: String) {
    let fault = Self.fault(text)
    #expect(fault?.line == line && fault?.message.contains(words) == true, "\(String(describing: fault))")
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
    let standards = ["It's (a) | b", "20", "0.5", nil, "7d", "false", "anime", "null"]
    #expect(report.parameters.map(\.standardText) == standards)
    #expect(report.parameters.map(\.option).last == "some-thing" && report.parameters[0].help == "Which one")
    #expect(report.parameters[1].range == "1 to 1000" && report.parameters[6].range == "anime, manga")
    #expect(
      report.parameters.map(\.literal) == [
        "'It''s (a) | b'::text", "'20'::bigint", "'0.5'::numeric", nil, "(now() - '604800 seconds'::interval)",
        "'false'::boolean", "'anime'::text", "NULL::text",
      ])
    #expect(report.view == nil, "a parameter has no default")
    #expect(try Report(name: "x", file: "-- source: unheard-of\nSELECT 1").view == nil)
    #expect(try Report(name: "x", file: "-- source: jikan\nSELECT 1").view?.objects.map(\.name) == ["report.x"])
  }

  @Test(
    "values are checked by their types",
    arguments: [
      ("integer", "5", true), ("integer", "1.5", false), ("integer", "9223372036854775808", false),
      ("number", "-1.5", true),
      ("number", "nan", false), ("number", "1e5", false), ("date", "2026-02-29", false), ("date", "2026-02-28", true),
      ("date", "7d", false), ("time", "7d", true), ("time", "soon", false),
      ("boolean", "YES", true), ("boolean", "1", false),
      ("choice (a, b)", "b", true), ("choice (a, b)", "c", false), ("text", "'; DROP", true), ("text", "a\u{0}", false),
    ])
  func values(_ type: String, _ word: String, _ isRight: Bool) throws {
    let parts = type.split(separator: " ", maxSplits: 1)
    let bounds = parts.count > 1 ? " = a \(parts[1])" : ""
    let report = try Report(name: "x", file: "-- parameter: a \(parts[0])\(bounds)\nSELECT :a")
    #expect(((try? report.parameters[0].value(word)) != nil) == isRight)
  }

  @Test("every report of the program has a whole header")
  func own() throws {
    #expect(Reports.paths.count == Reports.all.count)
    for path in Reports.paths {
      let report = try Report(name: Reports.name(of: path), file: try #require(EmbeddedSQL.text(path)))
      #expect(!report.title.isEmpty && !report.description.isEmpty, "\(path)")
      #expect(report.parameters.allSatisfy { !$0.help.isEmpty }, "\(path)")
      #expect(report.source.map { ["jikan", "pokeapi", "itunes"].contains($0) } ?? true, "\(path)")
      #expect(report.view != nil, "\(path)")
    }
  }
}
