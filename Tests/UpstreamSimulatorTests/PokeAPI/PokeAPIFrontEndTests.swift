import Foundation
import SyncTestKit
import Testing

@testable import UpstreamSimulator

@Suite("PokeAPI over a socket", .computesLong, .timeLimit(.minutes(10)))
struct PokeAPIFrontEndTests {
  @Test("the index names every endpoint found and meta, with absolute links")
  func index() async throws {
    try await PokeAPIFixture.served { client, _ in
      for path in ["/api/v2", "/api/v2/", "/API/V2/"] {
        let answer = try await client.get(path)
        #expect(answer.status == 200)
        guard case .object(let members) = try answer.json() else { Issue.record("no object"); return }
        #expect(Set(members.keys) == ["item", "machine", "meta", "move-ailment", "pokemon"])
        #expect(members["move-ailment"]?.text == "\(client.base)/api/v2/move-ailment/")
      }
      let meta = try await client.get("/api/v2/meta/")
      #expect(meta.text == #"{"deploy_date":"1786004122","hash":"abc","tag":null}"#)
      #expect(meta.header("Content-Type") == "application/json; charset=utf-8")
      #expect(meta.header("Cache-Control") == "public, max-age=86400, s-maxage=86400")
      #expect(meta.header("X-PokeAPI-Hash") == "abc" && meta.header("X-PokeAPI-Deploy-Date") == "1786004122")
      #expect(meta.header("ETag") == nil)
    }
  }

  @Test("next is followed to the end: its limit shrinks, its path is in lower case and gets no slash")
  func next() async throws {
    try await PokeAPIFixture.served { client, _ in
      let first = try await client.list("/api/v2/Pokemon")
      #expect(first.count == 45 && first.results.count == 20 && first.previous == nil)
      #expect(first.next == "\(client.base)/api/v2/pokemon?offset=20&limit=20")
      #expect(first.results.first == .init(name: "p1", url: "\(client.base)/api/v2/pokemon/1/"))
      let second = try await client.list(#require(first.next))
      #expect(second.next == "\(client.base)/api/v2/pokemon?offset=40&limit=5")
      let last = try await client.list(#require(second.next))
      #expect(last.results.compactMap(\.name) == ["p41", "p42", "p43", "p44", "p45"] && last.next == nil)
      // `previous` does not lead back to the second page, because the last page has a smaller limit.
      #expect(last.previous == "\(client.base)/api/v2/pokemon?offset=35&limit=5")
    }
  }

  @Test(
    "what a page's numbers mean",
    arguments: [
      ("", 20, 1), ("?limit=0", 20, 1), ("?limit=abc&offset=x", 20, 1), ("?limit=3x&offset=%2040", 3, 41),
      ("?limit=100000", 45, 1), ("?offset=44", 1, 45), ("?offset=45", 0, 0), ("?offset=99999999999999999999", 0, 0),
      ("?offset=-3&limit=2", 2, 43), ("?offset=2&limit=-1", 0, 0), ("?q=p7&limit=1", 1, 1),
    ])
  func numbers(query: String, count: Int, first: Int) async throws {
    try await PokeAPIFixture.served { client, _ in
      let page = try await client.list("/api/v2/pokemon\(query)")
      #expect(page.count == 45 && page.results.count == count)
      #expect(page.results.first?.name == (first > 0 ? "p\(first)" : nil))
      if count == 0 || count == 45 { #expect(page.next == nil) }
      let slashed = try await client.list("/api/v2/pokemon/\(query)")
      #expect(slashed.results == page.results)
      #expect(slashed.next == page.next?.replacing("pokemon?", with: "pokemon/?"))
    }
  }

  @Test("a document by number and by name, with and without a slash, in any case; rows without names have none")
  func documents() async throws {
    try await PokeAPIFixture.served { client, _ in
      let paths = ["pokemon/7", "pokemon/7/", "pokemon/p7", "Pokemon/P7/"]
      for path in paths {
        let answer = try await client.get("/api/v2/\(path)")
        #expect(answer.status == 200 && answer.header("X-PokeAPI-Hash") == "abc")
        let document = try answer.json()
        #expect(document["id"]?.number == 7)
        #expect(document["species"]?["url"]?.text == "\(client.base)/api/v2/pokemon/1/")
        #expect(document["text"]?.text == #"say "/api/v2/""#)
      }
      #expect(try await client.get("/api/v2/item/roseli-berry").json()["id"]?.number == 723)
      #expect(try await client.get("/api/v2/item/2279/").json()["name"]?.text == "roseli-berry")
      #expect(try await client.get("/api/v2/move-ailment/-1/").json()["name"]?.text == "unknown")
      let machines = try await client.list("/api/v2/machine")
      #expect(machines.results == [1, 2].map { .init(name: nil, url: "\(client.base)/api/v2/machine/\($0)/") })
      #expect(try await !client.get("/api/v2/machine").text.contains("name"))
      let encounters = try await client.get("/api/v2/pokemon/p7/encounters/").json()
      #expect(encounters.elements.first?["location_area"]?["url"]?.text == "\(client.base)/api/v2/location-area/1/")
    }
  }

  @Test("refusals are texts, and caches keep those of what is missing")
  func refusals() async throws {
    try await PokeAPIFixture.served { client, _ in
      for path in ["pokemon/46", "pokemon/nobody/", "pokemon/07", "pokemon/1/encounters", "item/723/encounters"] {
        let answer = try await client.get("/api/v2/\(path)")
        #expect(answer.status == 404 && answer.text == "Not Found", "\(path)")
        #expect(answer.header("Content-Type") == "text/plain; charset=utf-8")
        #expect(answer.header("Cache-Control") == "public, max-age=432000, s-maxage=432000")
        #expect(answer.header("X-PokeAPI-Hash") == nil)
      }
      for path in ["nothing", "nothing/1", "pokemon/a.b", "pokemon/a%20b", "pokemon/7/forms", "pokemon/7/encounters/1"]
      {
        let answer = try await client.get("/api/v2/\(path)")
        #expect(answer.status == 400 && answer.text == "Bad Request", "\(path)")
        #expect(answer.header("Cache-Control") == nil)
      }
    }
  }

  @Test("links are made absolute where a string begins with the path, and nowhere else")
  func links() {
    let text = #"{"a":"/api/v2/x/1/","b":"see /api/v2/","c":["/api/v2/"],"d":"\"/api/v2/"}"#
    let absolute = PokeAPILinks.absolute(Array(text.utf8), base: "http://h")
    #expect(
      String(decoding: absolute, as: UTF8.self)
        == #"{"a":"http://h/api/v2/x/1/","b":"see /api/v2/","c":["http://h/api/v2/"],"d":"\"/api/v2/"}"#)
    for short in ["", "/", "\"/api/v2"] {
      #expect(PokeAPILinks.absolute(Array(short.utf8), base: "http://h") == Array(short.utf8))
    }
  }
}
