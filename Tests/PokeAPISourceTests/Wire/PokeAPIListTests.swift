import SyncCore
import SyncTestKit
import Testing

@testable import PokeAPISource

@Suite("Lists of PokeAPI: names, requests, and what they say")
struct PokeAPIListTests {
  @Test("a stream is one endpoint, stored by its name")
  func description() throws {
    let description = PokeAPIStreamReader("move-ailment", pageSize: 1000, build: "0d8f").stream.description
    #expect(description.id == StreamID(source: .pokeapi, name: "move-ailment"))
    #expect(description.provider == "pokeapi" && description.origin == "http://test/api/v2")
    #expect(description.pageSize == 1000 && description.build == "0d8f" && description.mappingVersion == 3)
    #expect(description.method == .documents(ttl: .seconds(72_000)))
    #expect(description.absence == .questionsItem(.wholeList))
    #expect(description.sql == StreamSQL(folder: "pokeapi", scope: ["move-ailment"]))
    let encounters = PokeAPIStreamReader("pokemon-encounters").stream.description
    #expect(encounters.id.name == "pokemon-encounters" && encounters.sql.scope == ["pokemon-encounters"])
  }

  @Test("pages are requested by offset and limit, with and without a slash; encounters have the list of their pokemon")
  func requests() throws {
    func urls(_ endpoint: String, page: Int, size: Int) -> [String] {
      forms(PokeAPIStreamReader(endpoint).stream.request(PageAddress(page: page, size: size)))
    }
    #expect(
      urls("move", page: 1, size: 1000) == [
        "http://test/api/v2/move?offset=0&limit=1000", "http://test/api/v2/move/?offset=0&limit=1000",
      ])
    #expect(urls("pokemon", page: 4, size: 20).first == "http://test/api/v2/pokemon?offset=60&limit=20")
    #expect(urls("pokemon-encounters", page: 2, size: 20) == urls("pokemon", page: 2, size: 20))
  }

  @Test("a document is requested in the form of the service's links, then without the slash, then past every cache")
  func documentRequests() throws {
    func urls(_ endpoint: String, _ key: Int64) throws -> [String] {
      forms(try #require(PokeAPIStreamReader(endpoint).stream.lookup).request(key: key))
    }
    #expect(
      try urls("move-ailment", -1) == [
        "http://test/api/v2/move-ailment/-1/", "http://test/api/v2/move-ailment/-1",
        "http://test/api/v2/move-ailment/-1/?_=1",
      ])
    #expect(
      try urls("pokemon-encounters", 10_001) == [
        "http://test/api/v2/pokemon/10001/encounters", "http://test/api/v2/pokemon/10001/encounters/",
        "http://test/api/v2/pokemon/10001/encounters?_=1",
      ])
  }

  @Test(
    "an id is the end of the link, absolute or relative, with whatever follows it",
    arguments: [
      ("https://pokeapi.co/api/v2/pokemon/25/", 25), ("/api/v2/pokemon/25/", 25), ("/api/v2/pokemon/25", 25),
      ("https://pokeapi.co/api/v2/pokemon/10326", 10_326), ("https://pokeapi.co/api/v2/pokemon/-1/", -1),
      ("/api/v2/pokemon/0/", 0), ("https:\\/\\/pokeapi.co\\/api\\/v2\\/pokemon\\/25\\/", 25),
      ("https://pokeapi.co/api/v2/pokemon/25/?_=1", 25), ("/api/v2/pokemon/25?x=/pokemon/7/", 25),
      ("/api/v2/pokemon/25/#top", 25), ("pokemon/25", 25), ("//host:8080/pokemon/25//", 25),
      ("/api/v2/pokemon/9007199254740993/", 9_007_199_254_740_993),
    ] as [(String, Int64)])
  func links(link: String, id: Int64) throws {
    for endpoint in ["pokemon", "pokemon-encounters"] {
      let page = try PokeAPIStreamReader(endpoint).page(links: [link])
      #expect(page.listed == [id] && page.entries.count == 1)
    }
  }

  @Test(
    "a row whose id cannot be read is rejected without a key",
    arguments: [
      #"{"url":"https://pokeapi.co/api/v2/move/25/"}"#, #"{"url":"https://pokeapi.co/api/v2/pokemon/"}"#,
      #"{"url":"/api/v2/pokemon/pikachu/"}"#, #"{"url":"/api/v2/pokemon/25/encounters"}"#,
      #"{"url":"/api/v2/pokemon/+25/"}"#, #"{"url":"/api/v2/pokemon/025/"}"#, #"{"url":"/api/v2/pokemon/1e2/"}"#,
      #"{"url":"/api/v2/pokemon/25.0/"}"#, #"{"url":"/api/v2/pokemon/-0/"}"#, #"{"url":"/api/v2/pokemon/２５/"}"#,
      #"{"url":"/api/v2/pokemon/9223372036854775808/"}"#, #"{"url":"25"}"#, #"{"url":""}"#, #"{"url":"/"}"#,
      #"{"url":"/api/v2/pokemon-form/25/"}"#, #"{"url":"/api/v2/pokemon\\/25\u0000/"}"#,
      #"{"url":25}"#, #"{"url":null}"#, #"{"url":["/api/v2/pokemon/25/"]}"#, #"{"name":"pikachu"}"#, "{}", "7", "null",
      #""/api/v2/pokemon/25/""#, #"[{"url":"/api/v2/pokemon/25/"}]"#, #"{"url":"/api/v2/pokemon/25/",}"#,
    ])
  func rejected(row: String) throws {
    let body =
      "{\"count\":3,\"next\":null,\"results\":[{\"url\":\"/a/pokemon/1/\"},\(row),{\"url\":\"/a/pokemon/2/\"}]}"
    let page = try PokeAPIStreamReader().page(body.utf8)
    #expect(page.entries.map(\.key) == [1, nil, 2])
    #expect(page.rejected.count == 1 && page.rejected.first?.key == nil)
    #expect(["no_id", "syntax"].contains(page.rejected.first?.reason))
    #expect(page.rejected.first?.detail.isEmpty == false && page.rejected.first?.excerpt.isEmpty == false)
  }

  @Test("rows keep their order and their repeats, names may be missing or twice")
  func rows() throws {
    let page = try PokeAPIStreamReader("item").page(
      #"""
      {"count":2223,"next":"https://pokeapi.co/api/v2/item?offset=20&limit=20","previous":null,"results":[
       {"name":"roseli-berry","url":"https://pokeapi.co/api/v2/item/723/"},{"url":"https://pokeapi.co/api/v2/item/5/"},
       {"name":null,"url":"https://pokeapi.co/api/v2/item/5/","new":[]},
       {"name":"roseli-berry","url":"https://pokeapi.co/api/v2/item/2279/"}]}
      """#.utf8)
    #expect(page.listed == [723, 5, 5, 2279] && page.entries.count == 4)
    #expect(page.claim == PageClaim(total: 2223, lastPage: 112, hasNext: true))
  }

  @Test(
    "what the list claims: the last page by its count, whether there is more by next",
    arguments: [
      (
        #""count":1351,"next":"http://x/pokemon?offset=1340&limit=11""#,
        PageClaim(total: 1351, lastPage: 68, hasNext: true)
      ),
      (#""count":1360,"next":null"#, PageClaim(total: 1360, lastPage: 68, hasNext: false)),
      (#""count":1361,"next":null"#, PageClaim(total: 1361, lastPage: 69, hasNext: false)),
      (#""count":0,"next":null"#, PageClaim(total: 0, lastPage: 1, hasNext: false)),
      (#""count":20"#, PageClaim(total: 20, lastPage: 1)), (#""next":null"#, PageClaim(hasNext: false)),
      (#""count":"20","next":"x""#, PageClaim(hasNext: true)), (#""count":-1,"next":false"#, PageClaim(hasNext: true)),
      (#""count":9223372036854775807"#, PageClaim()), (#""count":1e400"#, PageClaim()), (#""x":1"#, PageClaim()),
    ])
  func claims(members: String, claim: PageClaim) throws {
    #expect(try PokeAPIStreamReader().page(links: [], rest: members).claim == claim)
  }

  @Test("a page size that is none divides by nothing")
  func noPageSize() throws {
    #expect(try PokeAPIStreamReader(pageSize: 0).page(links: [], rest: #""count":3"#).claim.total == 3)
  }

  @Test(
    "a body that is no list may be a cached fault, and is retried",
    arguments: [
      "OK", "", "null", "7", "[]", "{}", #"{"results":{}}"#, #"{"results":null}"#, #"{"results":[}"#,
      #"{"count":1,"results":[{"url":"/a/pokemon/1/"}"#, "<html>",
    ])
  func noList(body: String) throws {
    let error = try #require(throws: SyncError.self) { try PokeAPIStreamReader().answer(body.utf8) }
    #expect(error.disposition == .retry(after: nil) && error.code == .upstream)
    #expect(error.message.contains("http://test/api/v2/pokemon?offset=0&limit=20 answered 200 with "))
  }
}
