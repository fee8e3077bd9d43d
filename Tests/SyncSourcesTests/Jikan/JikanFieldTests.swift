import SyncCore
import SyncSources
import Testing

/// What happens to an item with a field of the wrong type.
@Suite("Fields of Jikan's items that become columns")
struct JikanFieldTests {
  enum Column: CaseIterable {
    case words, whole, decimal, flag, date, object
  }

  /// Every member that becomes a column, and how a value of it is put into an item.
  static let fields: [(name: String, column: Column)] =
    [
      "title_english", "title_japanese", "type", "source", "status", "rating", "season", "url", "synopsis",
      "images.jpg.image_url",
    ].map { ($0, .words) }
    + ["episodes", "chapters", "volumes", "year", "scored_by", "rank", "popularity", "members", "favorites"].map {
      ($0, .whole)
    }
    + ["score"].map { ($0, .decimal) } + ["airing", "publishing", "approved"].map { ($0, .flag) }
    + ["aired.from"].map { ($0, .date) } + ["aired", "published", "images", "images.jpg"].map { ($0, .object) }

  /// What an upstream may send in place of a value, the columns that accept it, and why others do not.
  static let values: [(json: String, columns: Set<Column>, reason: String)] = [
    ("null", Set(Column.allCases), ""),
    ("12", [.words, .whole, .decimal], "wrong_type"),
    ("-3", [.words, .whole, .decimal], "wrong_type"),
    ("12.0", [.words, .whole, .decimal], "wrong_type"),
    ("1.2e1", [.words, .whole, .decimal], "wrong_type"),
    ("1.5", [.words, .decimal], "wrong_type"),
    ("9007199254740993", [.words, .decimal], "wrong_type"),
    ("9223372036854775808", [.words, .decimal], "wrong_type"),
    ("\"12\"", [.words, .whole, .decimal], "wrong_type"),
    ("\"12.0\"", [.words, .whole, .decimal], "wrong_type"),
    ("\"1.5\"", [.words, .decimal], "wrong_type"),
    ("\"2147483648\"", [.words, .decimal], "wrong_type"),
    ("\"\"", [.words], "wrong_type"),
    ("\"NaN\"", [.words], "wrong_type"),
    ("\"0x1F\"", [.words], "wrong_type"),
    ("\"1,234\"", [.words], "wrong_type"),
    ("\"1e400\"", [.words], "wrong_type"),
    ("\"true\"", [.words, .flag], "wrong_type"),
    ("\"yes\"", [.words], "wrong_type"),
    ("\"2020-01-31\"", [.words, .date], "wrong_type"),
    ("true", [.flag], "wrong_type"),
    ("false", [.flag], "wrong_type"),
    ("{}", [.object], "wrong_type"),
    ("{\"a\":1}", [.object], "wrong_type"),
    ("[]", [], "wrong_type"),
    ("[1]", [], "wrong_type"),
    ("1e400", [], "wrong_type"),
  ]

  private static func member(_ path: String, _ json: String) -> String {
    path.split(separator: ".").reversed().reduce(json) { value, name in
      value == json ? "\"\(name)\":\(value)" : "\"\(name)\":{\(value)}"
    }
  }

  @Test("another type is converted if nothing is lost; otherwise only that item is rejected, by its path")
  func types() throws {
    for field in Self.fields {
      for value in Self.values {
        let note: Comment = "\(field.name): \(value.json)"
        let page = try Reader().page(items: [
          item(id: 1), item(Self.member(field.name, value.json), id: 2), item(id: 3),
        ])
        if value.columns.contains(field.column) {
          #expect(page.items.map(\.key) == [1, 2, 3], "\(field.name): \(value.json): \(page.rejected)")
          continue
        }
        #expect(page.items.map(\.key) == [1, 3], note)
        let rejected = try #require(page.rejected.first, note)
        #expect(rejected.key == 2, "the id is known, so the item counts as seen")
        #expect(rejected.detail.hasPrefix("\(field.name):"), "\(field.name): \(value.json): \(rejected.detail)")
        #expect(
          [value.reason, "out_of_range", "bad_date"].contains(rejected.reason),
          "\(field.name): \(value.json): \(rejected.reason)")
        #expect(rejected.excerpt.contains("\"mal_id\":2"), note)
      }
    }
  }

  @Test(
    "the reason distinguishes a number that does not fit from an invalid one",
    arguments: [
      ("episodes", "1.5", "out_of_range"), ("members", "9999999999", "out_of_range"),
      ("rank", "-99999999999999999999", "out_of_range"), ("score", "1e400", "out_of_range"),
      ("year", "9007199254740993", "out_of_range"), ("episodes", "\"12 of 24\"", "wrong_type"),
      ("score", "\"\"", "wrong_type"), ("aired.from", "\"soon\"", "bad_date"), ("aired.from", "2020", "wrong_type"),
      ("title_english", "[]", "wrong_type"), ("airing", "1", "wrong_type"), ("airing", "\"yes\"", "wrong_type"),
    ])
  func reasons(field: String, value: String, reason: String) throws {
    let rejected = try Reader().page(items: [item(Self.member(field, value))]).rejected
    #expect(rejected.map(\.reason) == [reason], "\(rejected)")
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
        + #""mal_id":9007199254740993,"title":12}"#
    )
  }

  @Test("titles: text or a number")
  func titles() throws {
    let page = try Reader().page(items: [
      #"{"mal_id":1,"title":12}"#, #"{"mal_id":2,"title":""}"#, #"{"mal_id":3,"title":true}"#,
      #"{"mal_id":4,"title":[]}"#, #"{"mal_id":5,"title":null}"#,
    ])
    #expect(page.items.map(\.key) == [1, 2])
    #expect(page.rejected.map(\.key) == [3, 4, 5])
    #expect(page.rejected.map(\.reason) == ["wrong_type", "wrong_type", "null"])
  }
}
