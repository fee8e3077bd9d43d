import SyncCore
import SyncTestKit
import Testing

@testable import JikanSource

@Suite("Reading a list of Jikan's genres")
struct JikanGenreTests {
  private func page(_ items: [String]) throws -> Page {
    try Reader(.genres(JikanGenreList(kind: .anime, facet: .themes)))
      .page("{\"data\":[\(items.joined(separator: ","))]}".utf8)
  }

  private func genre(_ members: String = "", id: Int = 1) -> String {
    "{\"mal_id\":\(id),\"name\":\"Action\"\(members.isEmpty ? "" : ",")\(members)}"
  }

  @Test("items in order, and no claim")
  func items() throws {
    let page = try page([
      genre(#""url":"https://myanimelist.net/anime/genre/2/Action","count":4462"#, id: 2), genre(id: 1),
      genre(#""url":null,"count":null"#, id: 3),
    ])
    #expect(page.items.map(\.key) == [2, 1, 3])
    #expect(page.rejected.isEmpty)
    #expect(page.claim == PageClaim())
  }

  @Test("the count is hashed apart")
  func count() throws {
    let items = try page([genre(#""count":1"#), genre(#""count":2"#), #"{"mal_id":1,"name":"Drama","count":2}"#]).items
    #expect(items[0].contentHash == items[1].contentHash)
    #expect(items[0].counterHash != items[1].counterHash)
    #expect(items[1].contentHash != items[2].contentHash)
    #expect(items[1].counterHash == items[2].counterHash)
    #expect(items.map { String(decoding: $0.counters, as: UTF8.self) } == [1, 2, 2].map { "{\"count\":\($0)}" })
  }

  @Test(
    "what cannot become a column costs no more than that",
    arguments: [
      (#"{"mal_id":7}"#, "name", "missing"), (#"{"mal_id":7,"name":null}"#, "name", "null"),
      (#"{"mal_id":7,"name":true}"#, "name", "true"), (#"{"mal_id":7,"name":"A","url":[]}"#, "url", "[]"),
      (#"{"mal_id":7,"name":"A","count":"many"}"#, "count", "\"many\""),
      (#"{"mal_id":7,"name":"A","count":9999999999}"#, "count", "9999999999"),
    ])
  func misfits(text: String, path: String, example: String) throws {
    let items = try page([genre(), text]).items
    #expect(items.map(\.key) == [1, 7])
    #expect(items.flatMap(\.misfits) == [Misfit(path: path, example: example)])
  }

  @Test("a genre needs an id", arguments: [#"{"mal_id":0,"name":"A"}"#, #"{"name":"A"}"#])
  func rejected(text: String) throws {
    let page = try page([genre(), text])
    #expect(page.items.map(\.key) == [1])
    #expect(page.rejected.map(\.key) == [nil] && page.rejected.map(\.reason) == ["no_id"])
    #expect(page.rejected.first?.detail.hasPrefix("mal_id:") == true, "\(page.rejected)")
  }
}
