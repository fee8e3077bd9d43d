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

    /// The first answers to some requests are faults.
    private static func upstream() -> ScriptedUpstream {
      let services = Self.services
      let known = Changing<[String: Int]>([:])
      return ScriptedUpstream { request in
        let tries = known.count(request.path + request.query)
        let kind = request.path.utf8.reduce(request.page) { $0 &+ Int($1) } % 17
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
      let (recorded, copy) = (try await Mirror.make(), try await Mirror.make())
      let folder = recorded.home.path + "/recording"
      let config = try recorded.home.write(Self.searches, to: "itunes.yaml")
      // Each source has a server of its own, as the services have.
      let upstreams = (1...3).map { _ in Self.upstream() }
      let first = try await SimulatorServer.withServers(upstreams) { servers in
        let mirror = recorded.with(upstream: servers[0].baseURL).with([
          "SYNCCTL_POKEAPI_BASE_URL": servers[1].baseURL + "/api/v2", "SYNCCTL_ITUNES_BASE_URL": servers[2].baseURL,
        ])
        return try await mirror.syncctl("run", "--config", config, "--record", folder)
      }
      let second = try await copy.reading(folder) { try await $0.syncctl("run", "--config", config) }
      #expect(first.end == second.end && first.standardError.contains("recorded"), "\(first)")
      let (ledger, other) = (try await recorded.ledger(), try await copy.ledger())
      #expect(ledger.contains(#""retries": 1"#) || ledger.contains(#""retries": 2"#), "\(ledger)")
      let differences = zip(ledger.split(separator: "\n"), other.split(separator: "\n")).filter { $0 != $1 }
      #expect(ledger == other, "\(differences)")
      for source in ["jikan", "pokeapi", "itunes"] {
        let rows = try await recorded.rows(of: source)
        #expect(rows == (try await copy.rows(of: source)) && !rows.isEmpty, "\(second.standardError)")
      }

      for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(file)")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
      }
      try await recorded.syncctl("run", "--record", folder)
        .expectFailure(64, naming: "already has a recording", isQuiet: false)
    }

    @Test func aKilledRunIsServedAsFarAsItWent() async throws {
      let (recorded, copy) = (try await Mirror.make(), try await Mirror.make())
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
      }
      let result = try await copy.reading(folder) { try await $0.syncctl("run", "--stream", "top-anime") }
      result.expectFailure(69, naming: "the recording ends before this request", "page=5", isQuiet: false)
      #expect(try await copy.sql("SELECT count(*) FROM jikan.media") == "100")
    }

    @Test func whatIsNotInTheRecordingEndsAStream() async throws {
      let (recorded, copy) = (try await Mirror.make(), try await Mirror.make())
      let folder = recorded.home.path + "/recording"
      try await SimulatorServer.withServer(ConditionalUpstream(GeneratedJikan.plain(60))) { server in
        let mirror = recorded.with(upstream: server.baseURL)
        _ = try await mirror.syncctl("run", "--source", "jikan")
        try await mirror.succeed("run", "--source", "jikan", "--record", folder)
      }
      try await copy.reading(folder) { mirror in
        try await mirror.syncctl("run", "--stream", "top-manga")
          .expectFailure(69, naming: "(304)", "top/manga", "--full", isQuiet: false)
        try await mirror.syncctl("run", "--stream", "seasons:upcoming")
          .expectFailure(69, naming: "no such request", "seasons/upcoming", isQuiet: false)
      }
      #expect(try await copy.sql("SELECT count(*) FROM jikan.media") == "0")
      for option in [["--replay", folder], ["--replay=\(folder)"]] {
        let refused = try await copy.syncctl(["run"] + option)
        #expect(refused.end == .exit(64) && refused.standardError.contains("upstream-sim --recorded"), "\(refused)")
      }
      for (arguments, word) in [
        (["--record", "/nowhere/at/all"], "/nowhere"),
        (["--record", folder, "--confirm-vanish", "5f0c1a2b", "--stream", "top-anime"], "--confirm-vanish"),
      ] {
        try await copy.syncctl(["run"] + arguments).expectFailure(64, naming: word)
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
      let copy = try await Mirror.make()
      let result = try await copy.reading(folder) { try await $0.syncctl("run", "--stream", "top-anime") }
      result.expectFailure(69, naming: "the recording ends", isQuiet: false)
      #expect(try await copy.sql("SELECT count(*) FROM jikan.media") == rows && rows != "0")
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
  /// Runs `body` with a mirror whose runs read the recording in this folder. Each recorded origin has a server.
  @discardableResult
  func reading<R>(_ folder: String, _ body: (Mirror) async throws -> R) async throws -> R {
    let recording = try ServedRecording(folder: folder)
    return try await SimulatorServer.withServers(recording.upstreams) { servers in
      try await body(with(recording.environment(at: servers.map(\.baseURL))))
    }
  }

  /// The runs without ids, times, the ports of servers, and the sizes of answers, because a recorded connection error
  /// is served as an answer.
  fileprivate func ledger() async throws -> String {
    try await sql(
      """
      SELECT regexp_replace((to_jsonb(r) - ('{id,walk_id,started_at,finished_at,wal_start,wal_bytes}'::text[]
        || '{permits_waited,waited_ms,invocation_id,bytes}'))::text, '127\\.0\\.0\\.1:[0-9]+', 'server', 'g')
      FROM sync.run r ORDER BY source, started_at
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
