import SyncCore
import Testing

@testable import PokeAPISource

@Suite("PokeAPI's index, and which build of the data it is")
struct PokeAPIIndexTests {
  private let source = PokeAPI(baseURL: "http://test/api/v2")

  private func streams(
    _ body: String, status: Int = 200, headers: [String: String] = PokeAPIStreamReader.json
  ) throws -> [String] {
    try source.streams(
      UpstreamResponse(status: status, headers: headers, body: Array(body.utf8)), to: source.indexRequest)
  }

  private func build(
    _ body: String, status: Int = 200, headers: [String: String] = PokeAPIStreamReader.json
  ) throws -> String? {
    try source.build(
      UpstreamResponse(status: status, headers: headers, body: Array(body.utf8)), to: source.buildRequest)
  }

  @Test("its name, and its requests, in both forms of each address")
  func requests() {
    #expect(source.id == .pokeapi && source.origin == "http://test/api/v2")
    #expect(forms(source.buildRequest) == ["http://test/api/v2/meta/", "http://test/api/v2/meta"])
    #expect(forms(source.indexRequest) == ["http://test/api/v2/", "http://test/api/v2"])
  }

  @Test("every endpoint is a stream, in the order of names; encounters come last where there are pokemon")
  func endpoints() throws {
    let body = #"""
      {"pokemon-form":"https://x/api/v2/pokemon-form/","pokemon":"https://x/api/v2/pokemon/","meta":"/api/v2/meta/",
       "a-new-one2":"/api/v2/a-new-one2","ability":"https:\/\/x\/api\/v2\/ability\/"}
      """#
    #expect(try streams(body) == ["a-new-one2", "ability", "pokemon", "pokemon-form", "pokemon-encounters"])
    #expect(try streams(#"{"move":"/api/v2/move/"}"#) == ["move"])
  }

  @Test("an index that names the encounters itself gives them once")
  func encounters() throws {
    let body = #"{"pokemon":"/pokemon/","pokemon-encounters":"/pokemon-encounters/","type":"/type/"}"#
    #expect(try streams(body) == ["pokemon", "type", "pokemon-encounters"])
  }

  @Test(
    "a name that cannot be an endpoint's is refused, and nothing is mirrored by it",
    arguments: ["Pokemon", "po_ke", "é", "poke mon", "..", "a\\u001b[31m", "index", "%2e", "a;b", "a'b", "a.b"])
  func oddNames(name: String) throws {
    let error = try #require(throws: SyncError.self) {
      try streams("{\"ability\":\"/ability/\",\"\(name)\":\"/api/v2/\(name)/\"}")
    }
    #expect(error.disposition == .stopStream && error.code == .upstream)
    #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 })
    #expect(!PokeAPI.isStreamName(name) && PokeAPI.isStreamName("pokemon-encounters"))
  }

  @Test("a name is short, and there are no more than a thousand")
  func bounds() throws {
    func body(_ names: [String]) -> String { "{\(names.map { "\"\($0)\":\"/\($0)/\"" }.joined(separator: ","))}" }
    let (long, many) = (String(repeating: "a", count: 100), (1...1000).map { "e\($0)" })
    #expect(try streams(body([long])) == [long])
    #expect(throws: SyncError.self) { try streams(body([long + "a"])) }
    #expect(try streams(body(many)).count == 1000)
    #expect(throws: SyncError.self) { try streams(body(many + ["e"])) }
    #expect(throws: SyncError.self, "no endpoint") { try streams("{}") }
    #expect(throws: SyncError.self, "no endpoint") { try streams(#"{"meta":"/meta/"}"#) }
  }

  @Test(
    "a body that is no index may be a cached fault, and is retried",
    arguments: [
      "OK", "", "null", "[]", "<html>", #"{"detail":"Not found."}"#, #"{"ability":7}"#, #"{"ability":null}"#,
      #"{"ability":{}}"#, #"{"ability":"/api/v2/berry/"}"#, #"{"ability":"/api/v2/ability/""#,
    ])
  func noIndex(body: String) throws {
    let error = try #require(throws: SyncError.self) { try streams(body) }
    #expect(error.disposition == .retry(after: nil))
    #expect(error.message.contains("http://test/api/v2/ answered 200 with "))
    #expect(error.hint?.isEmpty == false)
  }

  @Test("an index that is not there may be a cached fault too")
  func missingIndex() throws {
    let error = try #require(throws: SyncError.self) { try streams("Not Found", status: 404) }
    #expect(error.disposition == .retry(after: nil) && error.message.contains("answered 404"))
  }

  @Test(
    "the build is the hash of the data; a service that does not say is of no build",
    arguments: [
      (#"{"deploy_date":"1786004122","hash":"0d8fe2bf23d53f44","tag":null}"#, "0d8fe2bf23d53f44"),
      (#"{"deploy_date":"1"}"#, nil), (#"{"hash":null}"#, nil), (#"{"hash":7}"#, nil), (#"{"hash":""}"#, nil),
      (#"{"hash":"a b"}"#, nil), (#"{"hash":"\u001b[31m"}"#, nil), (#"{"hash":["a"]}"#, nil), ("[]", nil),
      ("null", nil), ("{}", nil),
    ] as [(String, String?)])
  func hash(body: String, hash: String?) throws { #expect(try build(body) == hash) }

  @Test("nor is one that has no such page", arguments: [400, 404])
  func noPage(status: Int) throws {
    for headers in [[:], PokeAPIStreamReader.json] {
      #expect(try build("Not Found", status: status, headers: headers) == nil)
    }
  }

  @Test("trouble is no answer to that", arguments: [301, 401, 403, 429, 500, 503])
  func trouble(status: Int) {
    #expect(throws: SyncError.self) { try build(#"{"hash":"a"}"#, status: status) }
    #expect(throws: SyncError.self) { try streams(#"{"ability":"/ability/"}"#, status: status) }
  }

  @Test("nor is a cached fault")
  func cachedFault() throws {
    for (body, headers) in [
      ("OK", ["content-type": "text/plain; charset=utf-8"]), ("OK", PokeAPIStreamReader.json), ("", [:]),
      (#"{"hash":"a"}"#, [:]),
    ] {
      let error = try #require(throws: SyncError.self) { try build(body, headers: headers) }
      #expect(error.disposition == .retry(after: nil))
    }
  }
}
