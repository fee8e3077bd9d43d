import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Recordings {
    private static let searches = """
      sources:
        itunes:
          searches:
            - { name: jay, term: 周杰倫, country: tw, entity: song }
            - { name: "no", term: "10", media: podcast }
          lookups:
            - { name: ids, ids: [1000001, 1000002, 3] }
      """

    private static var services: SideBySideUpstream {
      var settings = JikanSettings(items: 230)
      settings.mangaItems = 60
      return SideBySideUpstream(
        [.pokeAPI: HandmadePokeAPI(pokemon: 9), .iTunes: GeneratedITunes()], other: GeneratedJikan(settings))
    }

    private static func upstream() -> ScriptedUpstream {
      let services = Self.services
      let known = Changing<[String: Int]>([:])
      return ScriptedUpstream { request in
        let tries = known.count(request.path + request.query)
        let kind = request.path.utf8.reduce(request.page) { $0 &+ Int($1) } % 5
        switch (tries, kind) {
        case (1, 0): return .json(#"{"status":503}"#, status: 503)
        case (1, 1): return .json(#"{"status":429}"#, status: 429, headers: [HeaderField("Retry-After", "1")])
        case (1, 2): return .json(#"{"data": [{"mal_id": 1"#)
        case (1, 3): return SimulatedAnswer(headers: [HeaderField("Content-Encoding", "gzip")], body: [1, 2, 3])
        default: return await services.answer(request)
        }
      }
    }

    @Test func theSameRowsAndCounters() async throws {
      let (recorded, replayed) = (try await Mirror.make(), try await Mirror.make())
      let folder = recorded.home.path + "/recording"
      let config = try recorded.home.write(Self.searches, to: "itunes.yaml")
      let first = try await SimulatorServer.withServer(Self.upstream()) { server in
        try await recorded.with(upstream: server.baseURL).syncctl("run", "--config", config, "--record", folder)
      }
      let second = try await replayed.syncctl("run", "--replay", folder)
      #expect(first.end == second.end && first.standardError.contains("recorded"), "\(first)")
      let ledger = try await recorded.ledger()
      #expect(ledger.contains(#""retries": 1"#) || ledger.contains(#""retries": 2"#), "\(ledger)")
      #expect(ledger == (try await replayed.ledger()))
      for source in ["jikan", "pokeapi", "itunes"] {
        let rows = try await recorded.rows(of: source)
        #expect(rows == (try await replayed.rows(of: source)) && !rows.isEmpty, "\(second.standardError)")
      }

      for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(file)")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
      }
      try await recorded.syncctl("run", "--record", folder)
        .expectFailure(64, naming: "already has a recording", isQuiet: false)
      #expect(try await replayed.sql("SELECT count(*) FROM sync.rate_budget") == "0")
    }

    @Test func aKilledRunReplaysAsFarAsItWent() async throws {
      let (recorded, replayed) = (try await Mirror.make(), try await Mirror.make())
      let folder = recorded.home.path + "/recording"
      let gate = Gate()
      let upstream = GeneratedJikan.plain(200).waiting(from: 5, at: gate)
      try await SimulatorServer.withServer(upstream) { server in
        defer { gate.open() }
        let killed = try await recorded.with(upstream: server.baseURL)
          .syncctl("run", "--stream", "top-anime", "--record", folder) { program in
            try await waitUntil("the request for page 5") { gate.arrivals > 0 }
            program.signal(SIGKILL)
          }
        #expect(killed.end == .signal(SIGKILL))
        let result = try await replayed.syncctl("run", "--replay", folder)
        result.expectFailure(75, naming: "the recording ends before this request", "page=5", isQuiet: false)
        #expect(try await replayed.sql("SELECT count(*) FROM jikan.media") == "100")
        gate.open()
        // The replay has stored the service's origin and provider, so a run against the service resumes the walk.
        let resumed = try await replayed.with(upstream: server.baseURL)
          .succeed("run", "--stream", "top-anime", "--format", "json")
        #expect(try replayed.runs(resumed)["top-anime"]?["pages"]?.int == 4)
      }
    }

    @Test func onlyWhatIsInTheRecordingIsReplayed() async throws {
      let (recorded, replayed) = (try await Mirror.make(), try await Mirror.make())
      let folder = recorded.home.path + "/recording"
      try await SimulatorServer.withServer(ConditionalUpstream(GeneratedJikan.plain(60))) { server in
        let mirror = recorded.with(upstream: server.baseURL)
        _ = try await mirror.syncctl("run", "--source", "jikan")
        try await mirror.succeed("run", "--source", "jikan", "--record", folder)
      }
      let missing = try await replayed.syncctl("run", "--replay", folder)
      missing.expectFailure(78, naming: "(304)", "top/anime", "--full", isQuiet: false)
      // The recorded run changed nothing, so `recorded` still has the pages that the 304 answers refer to.
      let again = try await recorded.succeed(
        "run", "--replay", folder, "--stream", "top-manga", "--dry-run", "--format", "json")
      #expect(again.standardOutput.contains(#""not_modified":3"#), "\(again.standardOutput)")
      for (arguments, word) in [
        (["--replay", folder, "--stream", "seasons:now"], "seasons:now"),
        (["--replay", folder, "--refresh"], "--refresh"),
        (["--replay", folder, "--source", "pokeapi"], "pokeapi"), (["--replay", "/nowhere"], "--record"),
        (["--replay", folder, "--record", folder + "2"], "--record"), (["--record", "/nowhere/at/all"], "/nowhere"),
        (["--replay", folder, "--confirm-vanish", "5f0c1a2b", "--stream", "top-anime"], "--confirm-vanish"),
      ] {
        let result = try await replayed.syncctl(["run"] + arguments)
        result.expectFailure(64, naming: word)
      }
    }

    @Test func aDiskThatIsFullEndsTheRun() async throws {
      let mirror = try await Mirror.make()
      let folder = mirror.home.path + "/recording"
      try await SimulatorServer.withServer(GeneratedJikan.plain(2000)) { server in
        // A full disk sends no signal, so the shell ignores SIGXFSZ.
        let limited = try await mirror.with(upstream: server.baseURL)
          .shell(#"trap "" XFSZ; ulimit -f 100; exec "$0" run --stream top-anime --record recording"#)
        limited.expectFailure(75, naming: "the recording recording cannot be written", isQuiet: false)
      }
      let rows = try await mirror.sql("SELECT count(*) FROM jikan.media")
      let replayed = try await Mirror.make()
      let result = try await replayed.syncctl("run", "--replay", folder)
      result.expectFailure(75, naming: "the recording ends", isQuiet: false)
      #expect(try await replayed.sql("SELECT count(*) FROM jikan.media") == rows && rows != "0")
    }
  }
}

extension Changing<[String: Int]> {
  fileprivate func count(_ key: String) -> Int {
    value[key, default: 0] += 1
    return value[key, default: 0]
  }
}

extension Mirror {
  fileprivate func ledger() async throws -> String {
    try await sql(
      """
      SELECT to_jsonb(r) - ('{id,walk_id,started_at,finished_at,wal_start,wal_bytes}'::text[]
        || '{permits_waited,waited_ms,invocation_id}') FROM sync.run r ORDER BY source, started_at
      """)
  }

  fileprivate func rows(of source: String) async throws -> String {
    try await sql(
      """
      SELECT t.table_name, md5(query_to_xml(
        format(
          'SELECT (to_jsonb(t) - %L::text[])::text AS row FROM %I.%I t ORDER BY 1',
          array(
            SELECT column_name FROM information_schema.columns c
            WHERE c.table_schema = t.table_schema AND c.table_name = t.table_name
              AND (data_type LIKE 'timestamp%' OR column_name LIKE '%run_id')),
          table_schema, table_name),
        true, true, '')::text)
      FROM information_schema.tables t
      WHERE table_schema = '\(source)' AND table_type = 'BASE TABLE' ORDER BY 1
      """)
  }
}
