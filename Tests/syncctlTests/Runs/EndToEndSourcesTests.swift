import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct SeveralSources {
    private static let items = 100

    @Test func aSourceThatWaitsAndOneThatFailsHoldUpNoOther() async throws {
      let gate = Gate()
      let upstream = SideBySideUpstream(
        [.pokeAPI: HandmadePokeAPI(pokemon: 3), .iTunes: ScriptedUpstream { _ in .json("{}", status: 401) }],
        other: GeneratedJikan.plain(Self.items).waiting(from: 2, at: gate))
      try await Mirror.with(upstream) { mirror, _ in
        defer { gate.open() }
        let result = try await mirror.syncctl("run", "--source", "all", "--format", "json") { _ in
          try await waitUntil("the ends of the other sources") {
            try await mirror.sql(
              """
              SELECT count(*) FILTER (WHERE source = 'pokeapi' AND stream <> 'index' AND status = 'complete'),
                count(*) FILTER (WHERE source = 'itunes' AND status = 'failed') FROM sync.run
              """) == "\(HandmadePokeAPI.streams)|1"
          }
          #expect(
            try await mirror.sql("SELECT stream, status FROM sync.run WHERE source = 'jikan'") == "top-anime|running")
          gate.open()
        }
        #expect(result.end == .exit(69), "\(result.standardError)")
        #expect(result.standardError.contains("jikan/top-anime: complete, 4 pages"), "\(result.standardError)")
        let runs = try #require(try JSONValue(result.standardOutput)["runs"]?.array)
        let names = runs.map { $0["source"]?.text }
        #expect(
          names == ["jikan", "jikan"] + Array(repeating: "pokeapi", count: HandmadePokeAPI.streams + 1) + ["itunes"])
        #expect(runs.dropLast().allSatisfy { $0["status"] == .string("complete") }, "\(runs)")
        #expect(try await mirror.sql("SELECT count(DISTINCT invocation_id) FROM sync.run") == "1")
      }
    }

    @Test func aSignalStopsAllAndTheNextRunResumesThem() async throws {
      let gate = Gate()
      let pokemon = HandmadePokeAPI(pokemon: 3)
      let waiting = ScriptedUpstream { request in
        let isDocument = request.path.contains(#/^\/api\/v2\/pokemon\/\d+\/?$/#)
        if isDocument { await gate.pass() }
        return await pokemon.answer(request)
      }
      let upstream = SideBySideUpstream(
        [.pokeAPI: waiting, .iTunes: GeneratedITunes()],
        other: GeneratedJikan.plain(Self.items).waiting(from: 2, at: gate))
      try await Mirror.with(upstream) { mirror, server in
        defer { gate.open() }
        let stopped = try await mirror.syncctl("run", "--format", "json") { program in
          try await waitUntil("a page of one source, and the documents of another") {
            try await mirror.sql(
              """
              SELECT (SELECT string_agg(stream, ' ' ORDER BY stream) FROM sync.run WHERE status = 'running'),
                (SELECT count(*) FROM sync.run WHERE source = 'itunes' AND status <> 'running'),
                (SELECT cursor FROM sync.stream_state WHERE stream = 'top-anime')
              """) == "pokemon top-anime|4|1"
          }
          program.signal(SIGTERM)
        }
        #expect(stopped.end == .exit(143), "\(stopped.standardError)")
        let ended = "SELECT string_agg(stream, ' ' ORDER BY stream) FROM sync.run WHERE status IN"
        #expect(try await mirror.sql("\(ended) ('running', 'interrupted')") == "pokemon top-anime")
        #expect(try await mirror.sql("\(ended) ('running')") == "")
        gate.open()
        try await mirror.succeed("run")
        let first = server.history.records.filter { $0.path.hasSuffix("/top/anime") && ($0.page ?? 1) == 1 }
        #expect(first.count == 1)
        #expect(
          try await mirror.sql(
            "SELECT count(DISTINCT stream) FROM sync.run WHERE source <> 'itunes' AND status = 'complete'") == "8")
      }
    }
  }
}
