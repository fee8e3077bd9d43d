import SyncCore
import SyncTestKit
import Testing

@testable import JikanSource

@Suite("Fields of Jikan's items that become columns")
struct JikanFieldTests {
  enum Column: CaseIterable {
    case words, whole, decimal, flag, date, object
  }

  static let fields: [(name: String, column: Column)] =
    [
      "title_english", "title_japanese", "type", "source", "status", "rating", "season", "url", "synopsis",
      "images.jpg.image_url",
    ].map { ($0, .words) }
    + ["episodes", "chapters", "volumes", "year", "scored_by", "rank", "popularity", "members", "favorites"].map {
      ($0, .whole)
    } + ["score"].map { ($0, .decimal) } + ["airing", "publishing", "approved"].map { ($0, .flag) }
    + ["aired.from"].map { ($0, .date) } + ["aired", "published", "images", "images.jpg"].map { ($0, .object) }

  static let values: [(json: String, columns: Set<Column>)] = [
    ("null", Set(Column.allCases)), ("12", [.words, .whole, .decimal]), ("-3", [.words, .whole, .decimal]),
    ("12.0", [.words, .whole, .decimal]), ("1.2e1", [.words, .whole, .decimal]), ("1.5", [.words, .decimal]),
    ("2147483647", [.words, .whole, .decimal]), ("-2147483648", [.words, .decimal]),
    ("9999999999", [.words, .decimal]), ("9007199254740993", [.words]), ("9223372036854775808", [.words]),
    ("1e400", [.words]), ("\"12\"", [.words, .whole, .decimal]), ("\" 12 \"", [.words, .whole, .decimal]),
    ("\"12.0\"", [.words, .whole, .decimal]), ("\"1.5\"", [.words, .decimal]), ("\"2147483648\"", [.words, .decimal]),
    ("\"\"", [.words]), ("\"NaN\"", [.words]), ("\"0x1F\"", [.words]), ("\"012\"", [.words]), ("\"+1\"", [.words]),
    ("\"1.\"", [.words]), ("\"1e\"", [.words]), ("\"1,234\"", [.words]), ("\"12 of 24\"", [.words]),
    ("\"1e400\"", [.words]), ("\"true\"", [.words, .flag]), ("\"yes\"", [.words]), ("\"2020-01-31\"", [.words, .date]),
    ("\"2000-00-00\"", [.words]), ("\"-0001-11-30T00:00:00+00:00\"", [.words]), ("true", [.flag]), ("false", [.flag]),
    ("{}", [.object]), ("{\"a\":1}", [.object]), ("[]", []), ("[1]", []),
  ]

  private static func member(_ path: String, _ json: String) -> String {
    path.split(separator: ".").reversed().reduce(json) { value, name in
      value == json ? "\"\(name)\":\(value)" : "\"\(name)\":{\(value)}"
    }
  }

  @Test("another type is converted if nothing is lost; otherwise the item is taken, and the member named")
  func types() throws {
    for field in Self.fields {
      for value in Self.values {
        let page = try Reader().page(items: [
          item(id: 1), item(Self.member(field.name, value.json), id: 2), item(id: 3),
        ])
        let note: Comment = "\(field.name): \(value.json): \(page.rejected)"
        #expect(page.items.map(\.key) == [1, 2, 3], note)
        let fits = value.columns.contains(field.column)
        #expect(
          page.items.map(\.misfits) == [[], fits ? [] : [Misfit(path: field.name, example: value.json)], []], note)
        #expect(String(decoding: page.items[1].document, as: UTF8.self).contains(value.json), note)
      }
    }
  }

  @Test("counters are hashed as their columns hold them")
  func counters() throws {
    func hash(_ members: String) throws -> Int64? {
      try Reader().page(items: [item(#""members":\#(members),"score":8.5"#)]).items.first?.counterHash
    }
    let (twelve, none) = (try hash("12"), try hash("null"))
    for text in ["\"12\"", "\" 12.0 \"", "1.2e1"] { #expect(try hash(text) == twelve, "\(text)") }
    for text in ["9999999999", "[]", "\"many\""] { #expect(try hash(text) == none, "\(text)") }
    #expect(try hash("13") != twelve)
    #expect(twelve != none)
  }

  @Test("the document keeps what was sent: numbers beyond every range, digit by digit")
  func exactNumbers() throws {
    let members = #""a":1e400,"b":9007199254740993,"c":[0.1,1.0,1e2,-99999999999999999999.5],"title":12"#
    let page = try Reader().page(items: ["{\"mal_id\":9007199254740993,\(members)}"])
    let item = try #require(page.items.first)
    #expect(item.key == 9_007_199_254_740_993)
    #expect(
      String(decoding: item.document, as: UTF8.self)
        == #"{"a":1e400,"b":9007199254740993,"c":[0.1,1.0,1e2,-99999999999999999999.5],"#
        + #""mal_id":9007199254740993,"title":12}"#)
  }

  @Test("titles: text or a number; an item without one is taken")
  func titles() throws {
    let page = try Reader().page(items: [
      #"{"mal_id":1,"title":12}"#, #"{"mal_id":2,"title":""}"#, #"{"mal_id":3,"title":true}"#,
      #"{"mal_id":4,"title":[]}"#, #"{"mal_id":5,"title":null}"#, #"{"mal_id":6}"#, #"{"mal_id":7,"year":2000}"#,
    ])
    #expect(page.items.map(\.key) == [1, 2, 3, 4, 5, 6, 7])
    #expect(page.items.prefix(2).allSatisfy { $0.misfits.isEmpty })
    #expect(page.items.dropFirst(2).flatMap(\.misfits).map(\.path) == Array(repeating: "title", count: 5))
    #expect(page.items.dropFirst(2).flatMap(\.misfits).map(\.example) == ["true", "[]", "null", "missing", "missing"])
  }
}
