import SyncTestKit
import Testing

@testable import UpstreamSimulator

@Suite("What is wrong with a PokeAPI, and what has changed in it", .computesLong, .timeLimit(.minutes(10)))
struct PokeAPISettingsTests {
  @Test("a fault that a cache keeps is that of one form of the address, or of both; unknown members")
  func chosen() async throws {
    try await PokeAPIFixture.served { client, upstream in
      upstream.settings.cachedAt = [
        PokeAPIAddress("pokemon", 1): .init(.ok, at: .both), PokeAPIAddress("pokemon", 2): .init(.notFound, at: .slash),
        PokeAPIAddress("pokemon", 3): .init(.forbidden, at: .slash),
        PokeAPIAddress("pokemon-encounters", 7): .init(.ok, at: .slash),
      ]
      let both = [try await client.get("/api/v2/pokemon/1/"), try await client.get("/api/v2/pokemon/1")]
      #expect(both.allSatisfy { $0.status == 200 && $0.text == "OK" })
      #expect(try await client.get("/api/v2/pokemon/2/").status == 404)
      #expect(try await client.get("/api/v2/pokemon/2").status == 200)
      #expect(try await client.get("/api/v2/pokemon/7/encounters/").text == "OK")
      #expect(try await client.get("/api/v2/pokemon/7/encounters").text.hasPrefix("["))
      let third = [try await client.get("/api/v2/pokemon/3/").status, try await client.get("/api/v2/pokemon/3").status]
      #expect(third == [403, 200])
      let fault = try await client.get("/api/v2/pokemon/3/")
      #expect(fault.text == "Forbidden" && fault.header("Content-Type") == "text/plain; charset=utf-8")
      #expect(fault.header("Cache-Control") == "public, max-age=432000, s-maxage=432000")
      // The cached error belongs to the address with the id. An address with a query or a name gets the document.
      for path in ["3/?_=1", "p3/"] { #expect(try await client.get("/api/v2/pokemon/\(path)").text.hasPrefix("{")) }
      #expect(try await client.list("/api/v2/pokemon").count == 45)
      upstream.settings.unknown = [PokeAPIAddress("pokemon", 4)]
      #expect(try await client.get("/api/v2/pokemon/4").json()["future_member"]?["is_new"] == .bool(true))
    }
  }

  @Test("another order of arrays and lists, another spelling, and the same meaning")
  func spellings() async throws {
    try await PokeAPIFixture.served { client, upstream in
      let before = try await client.get("/api/v2/pokemon/1/")
      var meanings: [JSONValue] = []
      for id in 1...45 { meanings.append(try await client.get("/api/v2/pokemon/\(id)/").json().sorted) }
      let rows = try await client.list("/api/v2/pokemon?limit=100").results
      upstream.settings.shuffle = 1
      upstream.settings.spelling = 1
      let after = try await client.get("/api/v2/pokemon/1/")
      #expect(try after.body != before.body && after.json() != before.json())
      for id in 1...45 {
        #expect(try await client.get("/api/v2/pokemon/\(id)/").json().sorted == meanings[id - 1], "\(id)")
      }
      #expect(try await client.get("/api/v2/pokemon/1/").body == after.body)
      let shuffled = try await client.list("/api/v2/pokemon?limit=100").results
      #expect(shuffled != rows && Set(shuffled.map(\.url)) == Set(rows.map(\.url)))
      upstream.settings.shuffle = 2
      #expect(try await client.get("/api/v2/pokemon/1/").json() != after.json())
    }
  }
}
