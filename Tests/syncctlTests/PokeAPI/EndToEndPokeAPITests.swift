import Foundation
import PostgresTestKit
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct PokeAPIWalks {
    @Test func theWholeOfItOnceAndThenOneRequest() async throws {
      let count = 120
      let upstream = HandmadePokeAPI(pokemon: count)
      try await Mirror.with(upstream) { mirror, server in
        let first = try await mirror.pokeAPI()
        let documents = HandmadePokeAPI.documents + 2 * count
        #expect(first.isComplete && first.runs.count == HandmadePokeAPI.streams + 1)
        #expect(first["inserted"] == documents && first["quarantined"] == 0)
        #expect(server.history.count == 2 + HandmadePokeAPI.streams + documents)
        #expect(first["requests"] == server.history.count)
        #expect(server.documentRequests().values.allSatisfy { $0 == 1 })
        #expect(try await mirror.sql("SELECT count(*) FROM pokeapi.resource") == "\(documents)")
        let ids = try await mirror.sql(
          "SELECT string_agg(id::text, ',' ORDER BY id) FROM pokeapi.resource WHERE endpoint = 'move-ailment'")
        #expect(ids == "-1,0,1,2")

        let (before, versions) = (server.history.count, try await mirror.pokeAPIRowVersions())
        let second = try await mirror.pokeAPI()
        #expect(second.isComplete && second.runs.count == 1)
        #expect(server.history.count == before + 1)
        #expect(try await mirror.pokeAPIRowVersions() == versions)
        let status = try JSONValue(try await mirror.syncctl("status", "--format", "json").standardOutput)
        let checked = try await mirror.sql(
          "SELECT bool_and(f.whole_at = i.checked_at) FROM sync.stream_freshness f JOIN sync.source_index i USING (source)"
        )
        #expect(checked == "t" && status.array?.count == HandmadePokeAPI.streams)
        let full = try await mirror.pokeAPI("--full")
        #expect(full["unchanged"] == documents && full["inserted"] + full["updated"] == 0)
        #expect(try await mirror.pokeAPIRowVersions() == versions)
      }
    }

    @Test func listsByPages() async throws {
      try await Mirror.with(HandmadePokeAPI(pokemon: 50)) { fresh, _ in
        let mirror = fresh.with(["SYNCCTL_POKEAPI_PAGE_SIZE": "7"])
        let run = try await mirror.pokeAPI("--stream", "pokemon")
        #expect(run.isComplete && run.runs["pokemon"]?["pages"]?.int == 8)
        #expect(try await mirror.sql("SELECT count(*) FROM pokeapi.pokemon") == "50")
      }
    }

    @Test func anotherBuildAndTheTimeToLive() async throws {
      let upstream = HandmadePokeAPI(pokemon: 60)
      try await Mirror.with(upstream) { mirror, server in
        _ = try await mirror.pokeAPI()
        let versions = try await mirror.pokeAPIRowVersions()
        upstream.settings.hash = "build-2"
        upstream.settings.shuffle = 7
        upstream.settings.spelling = 8

        var seen = server.history.count
        let young = try await mirror.pokeAPI()
        #expect(young.isComplete && young["fresh"] == HandmadePokeAPI.documents + 120 && young["rows_seen"] == 0)
        #expect(server.history.count == seen + 2 + HandmadePokeAPI.streams)
        #expect(try await mirror.sql("SELECT count(build) FROM sync.stream_state") == "0")

        let aged = mirror.with(["SYNCCTL_POKEAPI_TTL": "1s"])
        _ = try await mirror.sql("UPDATE sync.walk_page SET fetched_at = fetched_at - interval '2 seconds'")
        let old = try await aged.pokeAPI()
        #expect(old.isComplete && old["unchanged"] == HandmadePokeAPI.documents + 120)
        #expect(try await mirror.pokeAPIRowVersions() == versions)
        #expect(try await mirror.sql("SELECT DISTINCT build FROM sync.stream_state") == "build-2")
        seen = server.history.count
        _ = try await aged.pokeAPI()
        #expect(server.history.count == seen + 1)
      }
    }

    @Test func whatTheServiceAndItsCachesDo() async throws {
      let upstream = HandmadePokeAPI(pokemon: 40)
      upstream.settings.cachedAt = [
        PokeAPIAddress("pokemon", 3): .init(.ok, at: .slash),
        PokeAPIAddress("pokemon", 4): .init(.notFound, at: .slash),
        PokeAPIAddress("pokemon", 5): .init(.forbidden, at: .slash), PokeAPIAddress("type", 10): .init(.ok, at: .both),
      ]
      upstream.settings.unknown = [PokeAPIAddress("pokemon", 6)]
      upstream.settings.nulls = [
        PokeAPIAddress("pokemon", 7): ["sprites", "species"], PokeAPIAddress("type", 11): ["damage_relations"],
      ]
      upstream.settings.names = [PokeAPIAddress("pokemon", 8): "monster-9"]
      try await Mirror.with(upstream) { mirror, _ in
        let first = try await mirror.pokeAPI()
        #expect(first.isComplete && first["quarantined"] == 0, "\(first.standardError)")
        #expect(try await mirror.sql("SELECT count(*) FROM pokeapi.pokemon") == "40")
        let twins = try await mirror.sql(
          "SELECT string_agg(id::text, ',' ORDER BY id) FROM pokeapi.pokemon WHERE name = 'monster-9'")
        #expect(twins == "8,9")
        #expect(try await mirror.sql("SELECT species_id IS NULL FROM pokeapi.pokemon WHERE id = 7") == "t")
        upstream.settings.hash = "build-2"
        upstream.settings.hasExtraEndpoint = true
        upstream.settings.removed = [PokeAPIAddress("pokemon", 20)]
        upstream.settings.cachedAt = [PokeAPIAddress("pokemon", 21): .init(.notFound, at: .slash)]
        let second = try await mirror.pokeAPI()
        #expect(second.isComplete, "\(second.standardError)")
        #expect(second.runs["berry-dish"]?["inserted"]?.int == 2)
        #expect(second.runs["pokemon"]?["vanished"]?.int == 1)
        let gone = try await mirror.sql(
          "SELECT endpoint, id FROM pokeapi.resource WHERE vanished_at IS NOT NULL ORDER BY endpoint")
        #expect(gone == "pokemon|20\npokemon-encounters|20")
        upstream.settings.hash = "build-3"
        upstream.settings.removed = []
        let third = try await mirror.pokeAPI()
        #expect(third.isComplete, "\(third.standardError)")
        #expect(try await mirror.sql("SELECT count(*) FROM pokeapi.resource WHERE vanished_at IS NOT NULL") == "0")
      }
    }

    @Test func aStoppedFullRunKeepsTheProofAndIsWalkedOn() async throws {
      try await Mirror.with(HandmadePokeAPI(pokemon: 60)) { mirror, server in
        #expect(try await mirror.pokeAPI().isComplete)
        _ = try await mirror.sql(
          "UPDATE sync.stream_state SET last_complete_at = last_complete_at - interval '30 days'")
        _ = try await mirror.pokeAPI()
        let areFresh = "SELECT bool_and(whole_at > now() - interval '1 hour') FROM sync.stream_freshness"
        #expect(try await mirror.sql(areFresh) == "t")
        _ = try await mirror.pokeAPI("--full", "--stream", "pokemon", "--max-pages", "1")
        #expect(try await mirror.sql("SELECT count(*) FROM sync.walk WHERE finished_at IS NULL") == "1")
        #expect(try await mirror.sql(areFresh) == "t")
        let before = server.history.count
        let rest = try await mirror.pokeAPI()
        #expect(rest.isComplete && server.history.count > before + 20, "\(rest.standardError)")
        #expect(try await mirror.sql("SELECT count(*) FROM sync.walk WHERE finished_at IS NULL") == "0")
        #expect(try await mirror.sql(areFresh) == "t")
        let last = server.history.count
        _ = try await mirror.pokeAPI()
        #expect(server.history.count == last + 1)
      }
    }

    @Test func aSignalBeforeTheIndex() async throws {
      try await Mirror.with(HandmadePokeAPI(pokemon: 3)) { fresh, server in
        // The second request, for the index, waits for the rate limit.
        let mirror = fresh.with(["SYNCCTL_POKEAPI_RATE_LIMITS": "1/2m"])
        let told = try mirror.home.write("", to: "told")
        let stopped = try await ProgramUnderTest(path: "/bin/sh").run(
          ["-c", #"exec "$0" run --source pokeapi 2> told"#, mirror.program.path],
          environment: mirror.wholeEnvironment, in: mirror.home.path
        ) { program in
          try await waitUntil("the wait") {
            try String(contentsOfFile: told, encoding: .utf8).contains("pokeapi: waiting for a request slot until ")
          }
          program.signal(SIGINT)
        }
        #expect(stopped.end == .exit(130))
        #expect(stopped.standardOutput.contains(#/\nindex +interrupted /#), "\(stopped.standardOutput)")
        #expect(try await mirror.sql("SELECT stream, status, requests FROM sync.run") == "index|interrupted|1")
        #expect(server.history.count == 1)
      }
    }

    @Test func aDocumentThatCannotBeHadIsNamedAndAskedForAgain() async throws {
      let upstream = HandmadePokeAPI(pokemon: 12)
      let broken = ScriptedUpstream { request in
        request.path.hasPrefix("/api/v2/pokemon/5") ? SimulatedAnswer(status: 500) : await upstream.answer(request)
      }
      try await Mirror.with(broken) { mirror, _ in
        let run = try await mirror.pokeAPI("--stream", "pokemon", exit: 1)
        #expect(run.runs["pokemon"]?["status"]?.text == "partial")
        #expect(run.runs["pokemon"]?["certificate"]?["unavailable"]?.array?.count == 1)
        #expect(run.standardError.contains("unavailable: document 5"), "\(run.standardError)")
        let shown = try await mirror.succeed("runs", "show", try #require(run.runs["pokemon"]?["id"]?.text))
        let hint = "syncctl run --source pokeapi --stream pokemon requests them again\n"
        #expect(shown.standardError.hasSuffix(hint), "\(shown.standardError)")
        #expect(try await mirror.sql("SELECT count(*) FROM pokeapi.pokemon") == "11")
      }
    }

    @Test func wrongStreamsDryRunsAndOtherOrigins() async throws {
      let upstream = HandmadePokeAPI(pokemon: 12)
      try await Mirror.with(upstream) { mirror, _ in
        let planned = try await mirror.succeed("run", "--source", "pokeapi", "--dry-run", "--format", "json")
        #expect(try JSONValue(planned.standardOutput)["changes"]?.array?.count == HandmadePokeAPI.documents + 24)
        #expect(try await mirror.sql("SELECT count(*) FROM pokeapi.resource") == "0")
        #expect(try await mirror.sql("SELECT count(*) FROM sync.source_index") == "0")
        try await mirror.syncctl("run", "--source", "pokeapi", "--stream", "pokmon")
          .expectFailure(64, naming: "pokmon", "did you mean pokemon?", isQuiet: false)
        #expect(try await mirror.pokeAPI().isComplete)
        try await SimulatorServer.withServer(upstream) { other in
          let moved = mirror.with(upstream: other.baseURL)
          let refused = try await moved.syncctl("run", "--source", "pokeapi", "--stream", "type")
          #expect(refused.end == .exit(78), "\(refused.standardError)")
          #expect(refused.standardError.contains("--adopt-origin"))
          #expect(try await moved.pokeAPI("--stream", "type", "--adopt-origin").isComplete)
        }
      }
    }

    @Test(.enabled(if: PokeAPIRecording.archive != nil, "\(UpstreamFixtures.missing)"))
    func recordedDocumentsAreShown() async throws {
      try await Mirror.with(try await PokeAPIRecording.upstream()) { mirror, server in
        let first = try await mirror.pokeAPI()
        #expect(first.isComplete && first["quarantined"] == 0, "\(first.standardError)")
        let listed = try await mirror.asOwner.syncctl("pokedex", "list", "--format", "ndjson")
        #expect(listed.standardOutput.split(separator: "\n").count == 386)
        try await Self.documents(mirror)
        try await Self.matchups(mirror)
      }
    }

    private static func documents(_ mirror: Mirror) async throws {
      for (kind, name, words) in [
        (
          "move", "10まんボルト",
          [
            "#85 Thunderbolt", "Electric, special, generation 1", "power          90", "effect chance  10 %",
            "learned by",
          ]
        ),
        ("ability", "LEVITATE", ["Levitate", "generation 3", "Pokémon\nGastly"]),
        ("item", "ultra ball", ["#2 Ultra Ball (ultra-ball)", "price", "poke-dollar, sells for", "picture"]),
      ] {
        let shown = try await mirror.succeed("pokedex", kind, name)
        for word in words { #expect(shown.standardOutput.contains(word), "\(word): \(shown.standardOutput)") }
        let json = try await mirror.syncctl("pokedex", kind, name, "--format", "json")
        let object = try #require(try JSONValue(json.standardOutput).array?.first)
        #expect(object["effect"]?.text?.isEmpty == false && object["description_language"]?.text == "en")
        let csv = try await mirror.syncctl("pokedex", kind, name, "--format", "csv", "--lang", "ja")
        #expect(csv.end == .exit(0) && csv.standardOutput.split(separator: "\r\n").count == 2, "\(csv.standardOutput)")
        #expect(csv.standardError.contains("missing in ja, so shown: the effect in"))
      }
      try await mirror.syncctl("pokedex", "move", "thunderbolx")
        .expectFailure(1, naming: "the mirror has no move thunderbolx", "did you mean Thunderbolt")
      try await mirror.syncctl("pokedex", "item", "0").expectFailure(1, naming: "the mirror has no item 0")
    }

    private static func matchups(_ mirror: Mirror) async throws {
      let charizard = try await mirror.syncctl("pokedex", "matchup", "リザードン")
      #expect(charizard.standardOutput.hasPrefix("attacks on Charizard (Fire, Flying)\n4×  Rock\n"))
      let types = try await mirror.syncctl("pokedex", "matchup", "fire", "flying", "--format", "json")
      let pokemon = try await mirror.syncctl("pokedex", "matchup", "6", "--format", "json")
      #expect(pokemon.standardOutput == types.standardOutput && pokemon.end == .exit(0))
      let then = try await mirror.syncctl("pokedex", "matchup", "clefairy", "--generation", "2")
      #expect(then.standardOutput.hasPrefix("attacks on Clefairy (Normal) in generation 2\n"))
      try await mirror.syncctl("pokedex", "matchup", "charizrd")
        .expectFailure(64, naming: "there is no type or Pokémon charizrd", "did you mean Charizard")
      try await mirror.syncctl("pokedex", "matchup", "fier").expectFailure(64, naming: "fire")
      try await mirror.syncctl("pokedex", "matchup", "torchic", "--generation", "2")
        .expectFailure(64, naming: "there was no Torchic in generation 2", "generation 3")
    }
  }
}
