import SyncCore
import SyncSources
import Testing

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
    "what cannot become a column is rejected, with its reason",
    arguments: [
      (#"{"mal_id":7}"#, 7, "missing", "name:"), (#"{"mal_id":7,"name":null}"#, 7, "null", "name:"),
      (#"{"mal_id":7,"name":true}"#, 7, "wrong_type", "name:"),
      (#"{"mal_id":7,"name":"A","url":[]}"#, 7, "wrong_type", "url:"),
      (#"{"mal_id":7,"name":"A","count":"many"}"#, 7, "wrong_type", "count:"),
      (#"{"mal_id":7,"name":"A","count":9999999999}"#, 7, "out_of_range", "count:"),
      (#"{"mal_id":0,"name":"A"}"#, nil, "no_id", "mal_id:"), (#"{"name":"A"}"#, nil, "no_id", "mal_id:"),
    ] as [(String, Int64?, String, String)])
  func rejected(text: String, key: Int64?, reason: String, path: String) throws {
    let page = try page([genre(), text])
    #expect(page.items.map(\.key) == [1])
    #expect(page.rejected.map(\.key) == [key])
    #expect(page.rejected.first?.reason == reason)
    #expect(page.rejected.first?.detail.hasPrefix(path) == true, "\(page.rejected)")
  }
}
