import Foundation
import SyncTestKit
import Testing

@testable import UpstreamSimulator

@Suite("The handmade PokeAPI", .computesLong, .timeLimit(.minutes(10)))
struct PokeWorldTests {
  private let world = PokeWorld.shared

  private func document(_ endpoint: String, _ id: Int) throws -> JSONValue {
    try JSONValue(#require(world.document(PokeAPIAddress(endpoint, id)), "\(endpoint)/\(id)"))
  }

  @Test("everything listed exists under its number and name, and no link is dead")
  func whole() throws {
    var known: Set<String> = []
    for (endpoint, rows) in world.lists {
      for row in rows { known.insert("\(SimulatedPokeAPI.path)/\(endpoint)/\(row.id)/") }
    }
    let pokemon = try #require(world.lists["pokemon"]).map(\.id)
    for id in pokemon { known.insert("\(SimulatedPokeAPI.path)/pokemon/\(id)/encounters") }
    var dead: Set<String> = []
    for (endpoint, rows) in world.lists {
      #expect(!rows.isEmpty && rows.map(\.id) == rows.map(\.id).sorted(), "\(endpoint)")
      for row in rows {
        let bytes = try #require(world.document(PokeAPIAddress(endpoint, row.id)), "\(endpoint)/\(row.id)")
        let document = try JSONValue(bytes)
        #expect(
          document["id"]?.number == Double(row.id) && document["name"]?.text == row.name, "\(endpoint)/\(row.id)")
        dead.formUnion(links(bytes).subtracting(known))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(!["\"@", "\"$", "{}"].contains { text.contains($0) }, "\(endpoint)/\(row.id)")
      }
    }
    for id in pokemon {
      let encounters = try #require(world.document(PokeAPIAddress(PokeAPIAddress.encounters, id)))
      dead.formUnion(links(encounters).subtracting(known))
    }
    #expect(dead.isEmpty, "\(dead.sorted().prefix(10))")
    #expect(world.lists.count == 49 && world.lists["pokemon-species"]?.count == 60 && pokemon.contains { $0 > 10_000 })
    for endpoint in ["pokemon", PokeAPIAddress.encounters] {
      #expect(world.document(PokeAPIAddress(endpoint, 5000)) == nil)
    }
    let types = try pokemon.flatMap { try document("pokemon", $0)["types"]?.elements ?? [] }
    #expect(Set(types.compactMap { $0["type"]?["name"]?.text }).count == 18)
  }

  @Test("a species' text reads as a sentence once its lines are joined")
  func texts() throws {
    for row in try #require(world.lists["pokemon-species"]) {
      let entries = try document("pokemon-species", row.id)["flavor_text_entries"]?.elements ?? []
      let texts = entries.filter { $0["language"]?["name"]?.text == "en" }.compactMap { $0["flavor_text"]?.text }
      #expect(!texts.isEmpty, "\(row.id)")
      for text in texts {
        let joined = text.replacing("\u{AD}\n", with: "").replacing("\n", with: " ")
        #expect(joined != text && joined.contains(" Pokémon of the ") && joined.hasSuffix(" type."), "\(joined)")
      }
    }
  }

  private func links(_ bytes: [UInt8]) -> Set<String> {
    let strings = bytes.split(separator: 0x22).filter { $0.starts(with: "/api/v2/".utf8) }
    return Set(strings.map { String(decoding: $0, as: UTF8.self) })
  }

  @Test("over a socket, with documents that are repeated up to a number")
  func served() async throws {
    try await SimulatorServer.withServer(SimulatedPokeAPI(documents: 200)) {
      (server: SimulatorServer) async throws -> Void in
      let client = PokeAPIClient(base: server.baseURL)
      guard case .object(let index) = try await client.get("/api/v2/").json() else { Issue.record("no index"); return }
      #expect(index.count == 50)
      for (name, link) in index where name != "meta" {
        let list = try await client.list(#require(link.text))
        #expect(try await client.get(#require(list.results.last).url).status == 200, "\(name)")
      }
      let eevee = try await client.get("/api/v2/pokemon/eevee/")
      let hash = try await client.get("/api/v2/meta/").json()["hash"]?.text
      #expect(hash?.count == 40 && eevee.header("X-PokeAPI-Hash") == hash)
      #expect(try eevee.json()["moves"]?.elements.first?["move"]?["url"]?.text?.hasPrefix(server.baseURL) == true)
      let rows = try await client.list("/api/v2/pokemon?limit=1000").results
      #expect(rows.count == 200 && Set(rows.map(\.url)).count == 200 && Set(rows.compactMap(\.name)).count == 200)
      let copy = try #require(rows.last)
      let document = try await client.get(copy.url).json()
      #expect(document["name"]?.text == copy.name && copy.url.hasSuffix("/\(Int(document["id"]?.number ?? 0))/"))
      #expect(try await client.get("\(copy.url)encounters").text == "[]")
    }
  }
}
