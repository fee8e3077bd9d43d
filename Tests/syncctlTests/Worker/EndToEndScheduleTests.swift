import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Schedules {
    private static let top = "name: top, source: jikan, streams: [top-anime], schedule: every 2s"

    @Test func workerRunsWhatIsDueAndTellsOfIt() async throws {
      try await Mirror.with(GeneratedJikan.plain(100)) { fresh, _ in
        let mirror = try fresh.with(jobs: [Self.top])
        let ended = try await mirror.whileWorking("--log-format", "json") { _ in
          try await mirror.wait("two runs", until: "SELECT count(*) >= 2 FROM sync.job_run WHERE outcome = 'done'")
          let listed = try await mirror.succeed("jobs")
          #expect(!listed.standardError.contains("no worker"), "\(listed.standardError)")
        }
        #expect(ended.end == .exit(143), "\(ended.standardError)")
        #expect(ended.standardOutput.isEmpty)
        #expect(try await mirror.sql("SELECT bool_and(stopped_at IS NOT NULL) FROM sync.worker") == "t")
        _ = try await mirror.sql("UPDATE sync.job SET scheduled_until = scheduled_until - interval '450 s'")
        let unattended = try await mirror.succeed("jobs")
        #expect(unattended.standardError.contains("warning: no worker since "), "\(unattended.standardError)")
        #expect(unattended.standardOutput.contains("  late 7 m"), "\(unattended.standardOutput)")
        let alone = try await mirror.succeed([]).standardOutput
        #expect(alone.contains("worker: no worker since "), "\(alone)")
        let late = try await mirror.rows("jobs").first
        #expect(late?["state"]?.text?.contains("late") == false && (late?["late_seconds"]?.int ?? 0) >= 440)
        let records = try ended.records()
        for record in records {
          #expect(record["time"]?.text?.hasSuffix("Z") == true && record["level"] != nil && record["message"] != nil)
        }
        let runIDs = Set(try await mirror.sql("SELECT id FROM sync.run").split(separator: "\n").map(String.init))
        let ofRuns = records.filter { $0["stream"] != nil }
        #expect(ofRuns.count >= 4)
        for record in ofRuns { #expect(runIDs.contains(record["run"]?.text ?? ""), "\(record)") }
        let ended2 = records.filter { $0["message"]?.text == "job top: done" }
        #expect(ended2.count >= 2 && ended2.allSatisfy { $0["job"]?.text == "top" && $0["nominal"] != nil })
        #expect(
          try await mirror.sql(
            "SELECT bool_and(r.job = 'top' AND j.certified) FROM sync.run r "
              + "JOIN sync.job_run j ON (j.job, j.nominal_at) = (r.job, r.job_nominal_at)") == "t")
        #expect(
          try await mirror.sql("SELECT bool_and(extract(epoch FROM nominal_at)::bigint % 2 = 0) FROM sync.job_run")
            == "t")
      }
    }

    @Test func onceRunsWhatIsDueAndEnds() async throws {
      try await Mirror.with(GeneratedJikan.plain(100)) { fresh, _ in
        let mirror = try fresh.with(jobs: ["name: top, source: jikan, streams: [top-anime], schedule: '@yearly'"])
        let nothing = try await mirror.syncctl("worker", "--once")
        #expect(nothing.end == .exit(0) && nothing.standardError.contains("nothing is due"), "\(nothing.standardError)")

        let refused = try await mirror.syncctl("run", "--stream", "top")
        refused.expectFailure(64, naming: "top is a job", "syncctl jobs trigger top")
        let triggered = try #require(try await mirror.follow(refused, ["jobs trigger top": 0]).first)
        #expect(triggered.standardError.contains("will be run for"))
        #expect(try await mirror.syncctl("jobs", "trigger", "top").standardError.contains("already been triggered"))
        let file = mirror.home.path + "/metrics.prom"
        try await mirror.succeed("worker", "--once", "--metrics-file", file)
        #expect(try await mirror.jobRuns() == "top|ended|done|1")
        let metrics = try String(contentsOfFile: file, encoding: .utf8)
        #expect(metrics.contains(#"syncctl_rows_total{source="jikan",stream="top-anime",outcome="inserted"} 100"#))
        #expect(metrics.contains(#"syncctl_job_runs_total{name="top",outcome="done"} 1"#))
        #expect(!metrics.contains("process_"), "node_exporter has a process of its own")

        _ = try await mirror.sql("UPDATE sync.job SET scheduled_until = scheduled_until - interval '3 years'")
        #expect(try await mirror.syncctl("worker", "--once").end == .exit(0))
        #expect(try await mirror.sql("SELECT skipped FROM sync.job_run WHERE triggered_by = 'schedule'") == "2")
      }
    }

    @Test func onceTellsHowItsRunsEnded() async throws {
      let upstream = ScriptedUpstream { _ in .json("{}", status: 404) }
      try await Mirror.with(upstream) { fresh, _ in
        let mirror = try fresh.with(
          jobs: ["name: top, source: jikan, streams: [top-anime], schedule: '@yearly', retries: 0"])
        #expect(try await mirror.syncctl("worker", "--once").end == .exit(0))
        _ = try await mirror.syncctl("jobs", "trigger", "top")
        let failed = try await mirror.syncctl("worker", "--once")
        #expect(failed.end == .exit(69), "\(failed.standardError)")
        #expect(try await mirror.jobRuns() == "top|ended|failed|1")
        let listed = try await mirror.syncctl("jobs", "list", "--format", "json")
        let job = try #require(try JSONValue(listed.standardOutput).array?.first)
        #expect(job["last_outcome"] == .string("failed") && job["state"] == .string("idle"))
        #expect(job["error"] == job["last_error"] && job["error"]?.text?.isEmpty == false)
        let failedRun = try await mirror.sql("SELECT id FROM sync.run WHERE status = 'failed'")
        #expect(job["run_id"]?.text == failedRun)
        #expect(job["next_at"]?.text?.hasSuffix("-01-01T00:00:00Z") == true)
      }
    }

    @Test func badSchedulesAreShownWhereTheyAreBad() async throws {
      let mirror = try await Mirror.make()
      for (schedule, words) in [
        ("61 3 * * *", ["minute", "^~"]), ("0 0 30 feb *", ["never"]), ("15 3 * * mno", ["mno", "^~~"]),
        ("0 15 3 * * *", ["^"]), ("every 6 hours", ["^"]),
      ] {
        let refused = try await mirror.with(jobs: ["name: a, schedule: '\(schedule)'"]).syncctl("worker", "--list")
        refused.expectFailure(78, naming: "jobs[0].schedule")
        for word in words { #expect(refused.standardError.contains(word), "\(refused.standardError)") }
        let lines = refused.standardError.split(separator: "\n")
        #expect(lines.contains { $0.hasSuffix(schedule) }, "\(refused.standardError)")
      }
      let zone = try await mirror.with(jobs: ["name: a, schedule: '@daily', time_zone: Europe/Berln"]).syncctl("config")
      zone.expectFailure(78, naming: "did you mean Europe/Berlin?")
      let twice = try await mirror.with(jobs: ["name: a, schedule: '@daily'", "name: a, schedule: '@daily'"])
        .syncctl("config")
      twice.expectFailure(78, naming: "jobs[1]")
      let stream = try await mirror.with(jobs: ["name: a, source: jikan, streams: [top-anme], schedule: '@daily'"])
        .syncctl("config")
      stream.expectFailure(78, naming: "top-anme", "top-anime")
    }

    @Test func listShowsTheNextThreeTimes() async throws {
      let mirror = try await Mirror.make().with(jobs: [
        "name: nightly, source: jikan, schedule: '30 2 * * *', time_zone: America/New_York",
        "name: often, source: itunes, schedule: every 6h",
      ])
      let jobs = try await mirror.rows("worker", "--list")
      #expect(jobs.map { $0["job"]?.text } == ["nightly", "often"])
      for key in ["next", "second", "third"] {
        #expect(jobs[0][key]?.text?.contains("T0") == true, "06:30 or 07:30 UTC")
        #expect(["00", "06", "12", "18"].contains { jobs[1][key]?.text?.hasSuffix("T\($0):00:00Z") == true })
      }
      #expect(jobs[0]["next_local"]?.text?.contains("T02:30:00-0") == true)
      #expect(try await mirror.syncctl("worker", "--list").standardOutput.contains("America/New_York"))
    }

    @Test func pausedJobsPassTheirTimes() async throws {
      try await Mirror.with(GeneratedJikan.plain(25)) { fresh, _ in
        let mirror = try fresh.with(jobs: [
          Self.top, "name: manga, source: jikan, streams: [top-manga], schedule: every 2s",
        ])
        try await mirror.whileWorking { _ in
          try await mirror.wait("both", until: "SELECT count(DISTINCT job) = 2 FROM sync.job_run")
          let paused = try await mirror.syncctl("jobs", "pause", "top")
          #expect(paused.end == .exit(0) && paused.standardError.contains("paused"))
          try await mirror.wait(
            "quiet", until: "SELECT count(*) = 0 FROM sync.job_run WHERE job = 'top' AND state <> 'ended'")
          let (top, manga) = ("SELECT count(*) FROM sync.job_run WHERE job = 'top'", "WHERE job = 'manga'")
          let before = try await mirror.sql(top)
          let seen = try await mirror.sql("SELECT count(*) FROM sync.job_run \(manga)")
          try await mirror.wait("the other", until: "SELECT count(*) > \(seen) + 1 FROM sync.job_run \(manga)")
          #expect(try await mirror.sql(top) == before)
          _ = try await mirror.syncctl("jobs", "resume", "top")
          try await mirror.wait(
            "further runs", until: "SELECT count(*) > \(before) FROM sync.job_run WHERE job = 'top'")
          #expect(try await mirror.sql("SELECT max(skipped) FROM sync.job_run WHERE job = 'top'") == "0")
        }
        let unknown = try await mirror.syncctl("jobs", "pause", "topp")
        unknown.expectFailure(1, naming: "topp", "did you mean top?")
      }
    }

    @Test func heartbeatIsForCertifiedRunsOnly() async throws {
      let isBroken = Changing(true)
      let list = try HandmadeList.numbered(1...150)
      let upstream = ScriptedUpstream { request in
        if request.path.hasPrefix("/ping") { return .json("{}") }
        return isBroken.value && request.page == 2 ? .json("{}", status: 404) : list.answer(request)
      }
      try await Mirror.with(upstream) { fresh, server in
        let mirror = try fresh.with(
          jobs: ["name: top, source: jikan, streams: [top-anime], schedule: '@yearly', retries: 0"],
          "telemetry: { heartbeat_url: '\(server.baseURL)/ping/s3cret' }")
        func pings() -> Int { server.history.records.count { $0.path.hasPrefix("/ping") } }
        _ = try await mirror.syncctl("worker", "--once")
        _ = try await mirror.syncctl("jobs", "trigger", "top")
        let holes = try await mirror.syncctl("worker", "--once")
        #expect(holes.end == .exit(1), "\(holes.standardError)")
        #expect(pings() == 0)
        isBroken.value = false
        _ = try await mirror.syncctl("jobs", "trigger", "top")
        #expect(try await mirror.syncctl("worker", "--once").end == .exit(0))
        #expect(pings() == 1)
        #expect(try await mirror.syncctl("run", "--source", "jikan", "--stream", "top-anime").end == .exit(0))
        #expect(pings() == 2)
        let shown = try await mirror.syncctl("config")
        #expect(!shown.standardOutput.contains("s3cret") && shown.standardOutput.contains("http://127.0.0.1/…"))
      }
    }
  }
}
