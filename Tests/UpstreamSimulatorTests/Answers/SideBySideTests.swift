import Testing
import UpstreamSimulator

@Suite("Three services at one address")
struct SideBySideTests {
  @Test("each has its paths")
  func paths() async throws {
    let other = ScriptedUpstream { _ in SimulatedAnswer(status: 299) }
    let pokeAPI = ScriptedUpstream { _ in SimulatedAnswer(status: 298) }
    let all = SideBySideUpstream([.iTunes: GeneratedITunes(), .pokeAPI: pokeAPI], other: other)
    try await SimulatorServer.withServer(all) { (server: SimulatorServer) async throws -> Void in
      let client = PokeAPIClient(base: server.baseURL)
      for (path, status) in [
        ("/search?term=a", 200), ("/lookup?id=1", 200), ("/api/v2/us/music/most-played/2/albums.json", 200),
        ("/api/v2/zz/music/most-played/2/albums.json", 500),
        ("/api/v2", 298), ("/Api/v2/pokemon/25/", 298), ("/api/v2/item", 298), ("/v4/top/anime", 299), ("/", 299),
        ("/searching", 299), ("/api/v20/x.json", 299),
      ] {
        #expect(try await client.get(path).status == status, "\(path)")
      }
    }
  }
}
