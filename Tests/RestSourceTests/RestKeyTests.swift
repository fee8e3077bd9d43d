import JSONScan
import LibPQ
import PostgresTestKit
import SyncCore
import SyncProgram
import Testing

@testable import RestSource
@testable import SyncPostgres

@Suite("The keys of items", .timeLimit(.minutes(5)))
struct RestKeyTests {
  private static func resource(_ key: String, _ types: String) throws -> Declaration.Resource {
    try DeclarationText.resource("name: a\nprimary_key: \(key)\ncolumns: { \(types) }")
  }

  private static func entries(_ items: [String], _ resource: Declaration.Resource) throws -> [Page.Entry] {
    let response = UpstreamResponse(status: 200, headers: [:], body: Array("[\(items.joined(separator: ","))]".utf8))
    let page = try RestReader(resource).page(response, to: UpstreamRequest(url: "https://a.example"), isFirst: true)
    guard case .items(let entries, _) = page else { return [] }
    return entries
  }

  private static func keys(_ values: [String], _ type: String) throws -> [Int64?] {
    let resource = try resource("[id, n]", "id: \(type), n: text")
    return try entries(values.map { #"{"id":\#($0),"n":"x"}"# }, resource).map(\.key)
  }

  @Test(
    "the value of a member decides, not its spelling",
    arguments: [
      (
        "text",
        [["1", "1.0", "1e0", "10e-1"], ["0", "-0"], [#""a""#], [#""A""#], [#""01""#], [#"" 1""#], [#""1.0""#]]
      ),
      ("bigint", [["1", "1.0", "1e0"], ["12", "12.0"], ["-1"], [#""a""#], [#""1.5""#]]),
      ("integer", [["1", "1.0"], ["2147483648"], [#""a""#]]),
      (
        "uuid",
        [
          [#""a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11""#, #""A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11""#],
          [#""a0eebc999c0b4ef8bb6d6bb9bd380a11""#], [#""A""#], [#""a""#],
        ]
      ),
    ])
  func values(type: String, groups: [[String]]) throws {
    let keys = try groups.map { try Self.keys($0, type) }
    for (group, keys) in zip(groups, keys) { #expect(Set(keys).count == 1 && keys[0] != nil, "\(group) \(keys)") }
    #expect(Set(keys.map(\.first)).count == groups.count, "different values have the same key")
  }

  @Test("a text and a number with the same value have the same key", arguments: ["text", "bigint", "integer"])
  func jsonTypes(type: String) throws {
    let resource = try Self.resource("[id, n]", "id: \(type), n: text")
    let one = try Self.entries([#"{"id":7,"n":"x"}"#], resource).map(\.key)
    #expect(try Self.entries([#"{"id":"7","n":"x"}"#], resource).map(\.key) == one)
  }

  @Test("the usual spellings have the hash that earlier versions stored")
  func unchanged() throws {
    for (key, types, item, members) in [
      ("id", "id: text", #"{"id":"a\/é\u0001\"b"}"#, #"["a/é\u0001\"b"]"#),
      ("[shop, id]", "id: bigint", #"{"shop":"x","id":12}"#, #"["x",12]"#),
      (
        "id", "id: uuid", #"{"id":"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"}"#,
        #"["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"]"#
      ),
    ] {
      let found = try Self.entries([item], try Self.resource(key, types)).map(\.key)
      #expect(found == [RestKey.hash(Array(members.utf8))], "\(item)")
    }
    #expect(try Self.entries([#"{"id":12}"#], try DeclarationText.resource("name: a")).map(\.key) == [12])
  }

  @Test("a number key that is sent as a text is rejected with its key, and names the declaration that takes texts")
  func textForNumber() throws {
    let resource = try DeclarationText.resource("name: a")
    for (value, key, reason, words) in [
      (#""12""#, 12, "key_type", "declare columns: { id: text }"), ("0", nil, "no_id", "declare columns: { id: text }"),
      ("-1", nil, "no_id", "declare columns: { id: text }"), (#""a1""#, nil, "no_id", "declare columns: { id: text }"),
      ("1.5", nil, "no_id", "not a whole number above 0"), ("null", nil, "no_id", "id: missing"),
    ] as [(String, Int64?, String, String)] {
      guard case .rejected(let item)? = try Self.entries([#"{"id":\#(value)}"#], resource).first else {
        Issue.record("\(value) was accepted")
        continue
      }
      #expect(item.key == key && item.reason == reason && item.detail.contains(words), "\(value): \(item)")
    }
    let nested = try DeclarationText.resource("name: a\nprimary_key: meta.id")
    guard case .rejected(let item)? = try Self.entries([#"{"meta":{"id":"x"}}"#], nested).first else {
      Issue.record("accepted")
      return
    }
    #expect(item.detail.contains("declare columns: { meta__id: { path: meta.id, type: text } }"), "\(item.detail)")
  }

  @Test("of two spellings in one page, the later one is rejected with its key")
  func mixedPage() throws {
    let resource = try Self.resource("id", "id: text")
    let entries = try Self.entries([#"{"id":1}"#, #"{"id":"1"}"#, #"{"id":1.0}"#], resource)
    let rejected = entries.compactMap { if case .rejected(let item) = $0 { item } else { nil } }
    #expect(rejected.map(\.reason) == ["key_type"] && rejected.map(\.key) == [entries[0].key])
    #expect(entries.map(\.key) == [entries[0].key, entries[0].key, entries[0].key])
  }

  @Test(
    "members of any name and path are read",
    arguments: [
      ("objectID", #"{"objectID":7,"object_id":8}"#), ("Id", #"{"Id":7,"id":8}"#), ("item-id", #"{"item-id":7}"#),
      ("attributes.id", #"{"id":8,"attributes":{"id":7}}"#), ("[[a.b]]", #"{"a.b":7,"a":{"b":8}}"#),
      (#"[["a\"b"]]"#, #"{"a\"b":7}"#), (#"[[data, "x\\y"]]"#, #"{"data":{"x\\y":7}}"#), ("'@id'", #"{"@id":7}"#),
    ])
  func names(key: String, item: String) throws {
    #expect(try Self.entries([item], try DeclarationText.resource("name: a\nprimary_key: \(key)")).map(\.key) == [7])
  }

  @Test("a word of a favorite finds the item, however the service spells its id")
  func words() throws {
    let text = ColumnType(.text)
    let resource = try Self.resource("id", "id: text")
    #expect(try Self.entries([#"{"id":7}"#], resource).map(\.key) == [RestKey.value(ofText: "7", text)])
    #expect(try Self.entries([#"{"id":"a\\b"}"#], resource).map(\.key) == [RestKey.value(ofText: #"a\b"#, text)])
    #expect(RestKey.value(ofText: "", text) == nil)
  }

  @Test("lookups ask for the canonical text at the declared path")
  func lookups() throws {
    let declaration = try DeclarationText.read(
      """
      client: { base_url: https://api.example.org, paginator: single_page }
      resources: [{ name: a, primary_key: [attributes.id, itemId], lookup: "a/{attributes.id}/{itemId}" }]
      """)
    let lookup = try #require(RestStream(declaration.resources[0], of: declaration).lookup)
    let request = lookup.request(for: MissingItem(key: 7, members: ["{itemId}", "é"]))
    #expect(request.url == "https://api.example.org/a/%7BitemId%7D/%C3%A9")
  }

  @Test("the database computes the same keys and texts as the program")
  func agreement() async throws {
    let values = [
      "1", "1.0", "-0", "1e2", "9223372036854775807", "9223372036854775808", "1.5", #""1""#, #""1.0""#, #"" 1 ""#,
      #""01""#, #""a""#, #""A""#, #""é進\"\\\n\t\b\f\r\u0001\u001f/""#, #""e\u0301""#, #"""#, #"" ""#, "true", "[]",
      "{}",
      #""A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11""#, #""a0eebc999c0b4ef8bb6d6bb9bd380a11""#, "0", "-7",
    ].map { $0 == "\"" ? "\"\"" : $0 }
    let server = try await ThrowawayPostgres.shared()
    let made = try await server.makeProductDatabase()
    try await Database.with(made.settings, applicationName: "keys") { database in
      for type in ["text", "bigint", "integer", "uuid"] {
        let hashes = try await database.rows(
          """
          SELECT sync.key_hash(ARRAY[sync.key_json(value::jsonb, $2::text), sync.key_json('"x"', 'text')])
          FROM unnest($1::text[]) WITH ORDINALITY AS v (value, place) ORDER BY place
          """, [.texts(values), .text(type)]
        ).rows.map { $0[0] }
        for (value, hash) in zip(values, hashes) {
          let found = try Self.keys([value], type)[0]
          #expect(found.map { "\($0)" } == hash, "\(type) \(value)")
        }
      }
    }
    try await server.drop(made)
  }
}
