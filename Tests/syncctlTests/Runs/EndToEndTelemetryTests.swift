import Foundation
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing
import UpstreamSimulator

@testable import SyncPostgres

extension EndToEnd {
  @Suite struct Telemetry {
    @Test func metricsAndHealthDuringAWalk() async throws {
      let gate = Gate()
      try await Mirror.with(GeneratedJikan.plain(200).waiting(from: 4, at: gate)) { fresh, server in
        defer { gate.open() }
        let mirror = try fresh.with(jobs: ["name: top, source: jikan, streams: [top-anime], schedule: every 1s"])
        try await mirror.whileWorking("--listen", "127.0.0.1:0") { worker in
          let port = try await Self.port(of: worker, mirror)
          try await waitUntil("page 4") { gate.arrivals > 0 }
          try await mirror.wait("page 3", until: "SELECT cursor = 3 FROM sync.stream_state")
          func get(_ path: String) async throws -> RawClient.Answer {
            try #require(await RawClient.ask("GET", path, port: port))
          }
          #expect(try await get("/healthz").status == 200)
          #expect(try await get("/readyz").status == 200)
          #expect(try await get("/").status == 404)
          let metrics = try await get("/metrics")
          #expect(metrics.status == 200)
          for sample in [
            #"syncctl_pages_total{source="jikan",stream="top-anime"} 3"#,
            #"syncctl_rows_total{source="jikan",stream="top-anime",outcome="inserted"} 75"#,
            #"syncctl_requests_total{origin="\#(server.baseURL)",status="200"} 3"#, "syncctl_database_up 1",
            "process_resident_memory_bytes ", #"syncctl_build_info{version=""#,
          ] { #expect(metrics.body.contains(sample), "\(sample) is not in \(metrics.body)") }
          try await mirror.succeed("health", "--endpoint", "http://127.0.0.1:\(port)/readyz")
        }
        let nobody = try await mirror.syncctl("health", "--endpoint", "http://127.0.0.1:9/readyz")
        nobody.expectFailure(1, naming: "no worker answers")
      }
    }

    static func port(of worker: RunningProgram, _ mirror: Mirror) async throws -> Int {
      let found = Changing<Int?>(nil)
      try await waitUntil("the listener") {
        found.value = ListeningPorts.of(worker.identifier).first
        return found.value != nil
      }
      return try #require(found.value)
    }

    private static func age(_ stream: String, _ interval: String, _ mirror: Mirror) async throws {
      _ = try await mirror.sql(
        "UPDATE sync.stream_state SET last_complete_at = now() - interval '\(interval)' WHERE stream = '\(stream)'")
    }

    @Test func namedStreamsAreJudgedByTheirAge() async throws {
      try await Mirror.with(GeneratedJikan.plain(50), start: .unmigrated) { mirror, _ in
        let nothing = try await mirror.syncctl("health")
        // If the role under test cannot migrate, its database already has the schema.
        let isPrepared = ProductRole.name != nil
        nothing.expectFailure(isPrepared ? 1 : 78, naming: isPrepared ? "nothing has been mirrored" : "no mirror")
        _ = try await mirror.syncctl("run", "--source", "jikan")
        try await mirror.syncctl("health", "--max-age", "26h").expectFailure(78, naming: "no job", "--stream")
        let all = ["health", "--source", "jikan", "--max-age", "26h", "--format", "json"]
        try await mirror.succeed(all)
        try await Self.age("top-manga", "27 h", mirror)
        let stale = try await mirror.syncctl(all)
        #expect(stale.end == .exit(1) && stale.standardError.contains("1 of 2 streams"), "\(stale.standardError)")
        let rows = try #require(try JSONValue(stale.standardOutput).array)
        #expect(rows.map { $0["fresh"] } == [.bool(true), .bool(false)])
        #expect(try await mirror.syncctl("health", "--stream", "top-anime").end == .exit(0))
        #expect(try await mirror.syncctl("health", "--stream", "top-manga").end == .exit(1))
        #expect(try await mirror.syncctl("health", "--stream", "top-manga", "--max-age", "8d").end == .exit(0))
        try await mirror.syncctl("health", "--stream", "nope").expectFailure(64, naming: "no source has a stream nope")
        try await mirror.syncctl("health", "--max-age", "soon").expectFailure(64, naming: "soon")
        try await mirror.syncctl("health", "--source", "jikann").expectFailure(64, naming: "did you mean jikan?")
        try await mirror.syncctl("health", "--source", "al").expectFailure(64, naming: "known: jikan, pokeapi, itunes")
      }
    }

    @Test func whatWasNeverWholeHasNoTime() async throws {
      let list = try HandmadeList.numbered(1...200)
      let upstream = ScriptedUpstream { $0.page == 2 ? .json("{}", status: 404) : list.answer($0) }
      try await Mirror.with(upstream) { mirror, _ in
        #expect(try await mirror.syncctl("run", "--stream", "top-anime").end == .exit(1))
        func judged(_ arguments: String...) async throws -> JSONValue? {
          let result = try await mirror.syncctl(["health", "--format", "json"] + arguments)
          #expect(result.end == .exit(1) && !result.standardOutput.contains("1970"), "\(result.standardOutput)")
          return try JSONValue(result.standardOutput).array?.first
        }
        let named = try #require(try await judged("--stream", "top-anime"))
        #expect(named["fresh"] == .bool(false) && named["stale_at"] == .null && named["age_seconds"] == .null)
        _ = try mirror.home.write(
          "jobs: [{ name: daily, source: jikan, streams: [top-anime], schedule: every 1d }]", to: "syncctl.yaml")
        #expect(try await judged()?["stale_at"] == .null, "no worker has met the job")
        let file = mirror.home.path + "/all.prom"
        _ = try await mirror.syncctl("run", "--stream", "top-anime", "--metrics-file", file)
        let stale = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
          .first { $0.hasPrefix("syncctl_stream_stale_timestamp_seconds{") }
        let at = try #require(stale?.split(separator: " ").last.flatMap { Double($0) })
        #expect(abs(at - Date().timeIntervalSince1970) < 600, "it is stale now")
      }
    }

    @Test func streamsOfJobsAreJudgedByTheirSchedules() async throws {
      let upstream = SideBySideUpstream([.iTunes: GeneratedITunes()], other: GeneratedJikan.plain(50))
      try await Mirror.with(upstream) { mirror, _ in
        // The weekly job was due five days ago. 1970 began on a Thursday.
        let weekday = (Int(Date().timeIntervalSince1970) / 86_400 + 4 + 2) % 7
        _ = try mirror.home.write(
          """
          jobs:
            - { name: daily, source: jikan, streams: [top-anime], schedule: every 1d }
            - { name: weekly, source: jikan, streams: [top-manga], schedule: "0 0 * * \(weekday)" }
          """, to: "syncctl.yaml")
        let empty = "othing has been mirrored yet, and no worker has ever run; syncctl worker runs the jobs"
        try await mirror.syncctl("health").expectFailure(1, naming: empty)
        #expect(try await mirror.succeed("status").standardError.contains(empty))
        #expect(try await mirror.syncctl("doctor", "--format", "json").standardOutput.contains(empty))
        #expect(try await mirror.syncctl("run", "--source", "jikan").end == .exit(0))
        // `health` must ignore these two runs, because no job includes their streams.
        #expect(try await mirror.syncctl("run", "--stream", "genres").end == .exit(0))
        #expect(try await mirror.syncctl("itunes", "search", "rain").end == .exit(0))
        _ = try await mirror.sql(
          "UPDATE sync.stream_state SET last_complete_at = now() - interval '90 days' WHERE stream !~ '^top'")
        try await Self.age("top-manga", "4 days", mirror)
        let health = try await mirror.syncctl("health", "--max-age", "26h", "--format", "json")
        #expect(health.end == .exit(0), "\(health.standardOutput)\(health.standardError)")
        let rows = try #require(try JSONValue(health.standardOutput).array)
        #expect(rows.map { $0["stream"]?.text } == ["top-anime", "top-manga"])
        #expect(rows.map { $0["job"]?.text } == ["daily", "weekly"])

        let searches = try await mirror.sql("SELECT stream FROM sync.stream_state WHERE source = 'itunes'")
        for choice in [["--stream", searches], ["--source", "itunes"]] {
          let kept = try await mirror.syncctl(["health"] + choice)
          kept.expectFailure(64, naming: "fetched once", "(sources.itunes)")
        }
        #expect(try await mirror.syncctl("health", "--stream", "genres:anime:genres").end == .exit(1))

        let file = mirror.home.path + "/all.prom"
        _ = try await mirror.syncctl("run", "--stream", "top-anime", "--metrics-file", file)
        let metrics = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        let stale = metrics.filter { $0.hasPrefix("syncctl_stream_stale_timestamp_seconds{") }
        #expect(stale.count == 2 && stale.allSatisfy { $0.contains("stream=\"top-") }, "\(stale)")

        try await Self.age("top-anime", "2 days 7 h", mirror)
        let late = try await mirror.syncctl("health")
        #expect(late.end == .exit(1) && late.standardError.contains("1 of 2 streams"), "\(late.standardError)")
        _ = try await mirror.syncctl("jobs", "pause", "daily")
        #expect(try await mirror.syncctl("health").end == .exit(1), "a job without a worker cannot be paused")
        _ = try await mirror.syncctl("worker", "--once")
        _ = try await mirror.syncctl("jobs", "pause", "daily")
        #expect(try await mirror.syncctl("health").end == .exit(0))
        _ = try await mirror.syncctl("jobs", "pause", "weekly")
        #expect(try await mirror.syncctl("health").end == .exit(0))
      }
    }

    @Test func runsWriteALogAndAMetricsFile() async throws {
      try await Mirror.with(GeneratedJikan.plain(50)) { mirror, _ in
        let file = mirror.home.path + "/jikan.prom"
        let run = try await mirror.succeed(
          "run", "--source", "jikan", "--log-format", "json", "--metrics-file", file, "--format", "json")
        let records = try run.records()
        #expect(records.count { $0["status"]?.text == "complete" && $0["run"] != nil } == 2)
        let metrics = try String(contentsOfFile: file, encoding: .utf8)
        #expect(metrics.contains(#"syncctl_stream_entries{source="jikan",stream="top-anime"} 50"#))
        let failed = try await mirror.with(["SYNCCTL_DATABASE_URL": "postgresql:///x?host=/nowhere"])
          .syncctl("run", "--log-format", "json")
        #expect(failed.end == .exit(74))
        #expect(try failed.records().last?["level"]?.text == "critical", "\(failed.standardError)")
        let nowhere = try await mirror.syncctl("run", "--metrics-file", "/nowhere/x.prom")
        nowhere.expectFailure(78, naming: "/nowhere")
      }
    }
  }
}

enum ListeningPorts {
  static func of(_ process: Int32) -> [Int] {
    let folder = "/proc/\(process)/fd"
    let links = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let sockets = Set(
      links.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
        .filter { $0.hasPrefix("socket:[") }.map { String($0.dropFirst(8).dropLast()) })
    let table = (try? FileOperations.read("/proc/\(process)/net/tcp", limit: 1 << 20)) ?? ""
    return table.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: " ")
      // 0A is LISTEN; the tenth field is the socket's inode (proc_pid_net(5)).
      guard fields.count > 9, fields[3] == "0A", sockets.contains(String(fields[9])) else { return nil }
      return fields[1].split(separator: ":").last.flatMap { Int($0, radix: 16) }
    }
  }
}
