import ArgumentParser
import Foundation
import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing
import UpstreamSimulator

@testable import SyncProgram

extension EndToEnd {
  /// Stored numbers and times that come from a manual change or a wrong clock must not make a command trap.
  @Suite struct OddState {
    private static let job = "name: top, source: jikan, streams: [top-anime], schedule: every 1h"
    static let edits = [
      "UPDATE sync.stream_state SET lease_generation = 9223372036854775807, cursor = 2147483647",
      "UPDATE sync.stream_state SET lease_generation = -9223372036854775808, page_size = 2147483647",
      "UPDATE sync.stream_state SET last_complete_at = 'infinity'",
      "UPDATE sync.stream_state SET last_complete_at = '4713-01-01 BC'",
      "UPDATE sync.stream_state SET lease_owner = '{\"ttl\": 1e400, \"pid\": 99999999999}', lease_expires_at = 'infinity'",
      """
      UPDATE sync.run SET certificate = certificate
        || '{"claimed_total": 9223372036854775807, "distinct_keys": -9223372036854775808, "repeats": -9}'
      """,
      "UPDATE sync.run SET started_at = '4713-01-01 BC', finished_at = '294276-01-01', bytes = -9223372036854775808",
      """
      UPDATE sync.run SET finished_at = 'infinity', rows_seen = 9223372036854775807, inserted = 9223372036854775807,
        updated = 0, unchanged = 0, duplicates = 0, quarantined = 0
      """,
      "UPDATE sync.walk_page SET claimed_total = 9223372036854775807, last_page = -9223372036854775808",
      "UPDATE sync.rate_budget SET paused_until = 9223372036854775807",
      "UPDATE sync.rate_permit SET moments = array_fill(9223372036854775807, ARRAY[64])",
      "UPDATE sync.rate_budget SET given = 9223372036854775807",
      "UPDATE sync.rate_budget SET clock_offset = -9223372036854775808, read_at = 9223372036854775807",
      "UPDATE sync.job SET scheduled_until = '294276-01-01'", "UPDATE sync.job SET scheduled_until = 'infinity'",
      "UPDATE sync.job SET scheduled_until = '1800-01-01'",
      """
      INSERT INTO sync.worker (id, host, version, tick_seconds, last_tick_at)
      VALUES (gen_random_uuid(), '', '', 1e-9, '-infinity')
      """,
      """
      INSERT INTO sync.job_run (job, nominal_at, due_at, triggered_by)
      SELECT name, '294276-01-01', 'infinity', 'person' FROM sync.job
      """,
      """
      UPDATE sync.job_run SET generation = 9223372036854775807, attempts = 2147483647, deaths = 2147483647,
        state = 'waiting', outcome = NULL, ended_at = NULL, due_at = '-infinity', skipped = 2147483647
      """,
      """
      UPDATE sync.job_run SET generation = 9223372036854775807, attempts = 2147483647, state = 'running',
        outcome = NULL,
        ended_at = NULL, owner = '{}', lease_expires_at = '-infinity', started_at = 'infinity'
      """,
    ]

    private static let questions = [
      ["status"], ["runs"], ["runs", "show"], ["jobs", "list"], ["report", "freshness"],
    ]

    @Test(arguments: 0..<4) func nothingTraps(part: Int) async throws {
      try await Mirror.with(GeneratedJikan.plain(60)) { fresh, _ in
        let mirror = try fresh.with(["SYNCCTL_JIKAN_RATE_LIMITS": "1000/1s"]).with(jobs: [Self.job])
        try await mirror.succeed("run", "--stream", "top-anime")
        for arguments in [["worker", "--once"], ["jobs", "trigger", "top"], ["worker", "--once"]] {
          _ = try await mirror.syncctl(arguments)
        }
        for place in stride(from: part, to: Self.edits.count, by: 4) {
          try await Self.check(Self.edits[place], in: try await mirror.copy())
        }
      }
    }

    private static func check(_ edit: String, in copy: Mirror) async throws {
      _ = try await copy.sql(edit)
      let mirror = try copy.with(
        jobs: [job, "name: other, source: jikan, streams: [top-manga], schedule: every 1s"],
        "database: { url: \"\(copy.database.productURL)\" }")
      // The commands run in this process, because starting the program takes longer than running all the commands.
      for words in questions {
        let arguments = words + ["--config", mirror.home.path + "/jobs.yaml"]
        let command = try #require(try Syncctl.parseAsRoot(arguments) as? any ListingCommand)
        do {
          let text = try await command.listing().text(as: .table, RenderingOptions(width: 80, now: 1_795_000_000))
          #expect(!text.isEmpty, "\(words) after \(edit)")
        } catch let error as SyncError {
          #expect(error.code != .database, "the database is well: \(words) after \(edit): \(error)")
        }
      }
      let configuration = try Configuration.load(
        configFlag: mirror.home.path + "/jobs.yaml", environment: mirror.wholeEnvironment)
      for error in await DoctorCommand.checkDatabase(configuration).compactMap(\.error) {
        #expect(error.code != .database, "the database is well: doctor after \(edit): \(error)")
      }
      for arguments in [["run", "--stream", "top-anime", "--dry-run"], ["run", "--stream", "top-anime"], ["health"]] {
        let result = try await mirror.syncctl(arguments)
        guard case .exit(let status) = result.end else {
          Issue.record("\(arguments) after \(edit): \(result.end) \(result.standardError)")
          continue
        }
        #expect(status != 74, "the database is well: \(arguments) after \(edit): \(result.standardError)")
      }
      // If the edit makes the rate budget unusable, the run of the job `other` can begin but not end.
      let state = edit.contains("sync.rate_") ? "attempts > 0" : "outcome = 'done'"
      let ended = try await mirror.whileWorking { _ in
        try await mirror.wait(
          "the other job after \(edit)", deadline: .seconds(20),
          until: "SELECT count(*) > 0 FROM sync.job_run WHERE job = 'other' AND \(state)")
      }
      #expect(ended.end == .exit(143), "\(edit): \(ended.standardError)")
    }

    @Test func aJobThatCannotBeDueIsNamedOnceAndTheOthersRun() async throws {
      try await Mirror.with(GeneratedJikan.plain(30)) { fresh, _ in
        let mirror = try fresh.with(jobs: [
          Self.job, "name: list, source: jikan, streams: [top-anime], schedule: every 1h",
          "name: other, source: jikan, streams: [top-manga], schedule: every 1s",
        ])
        let done = "SELECT count(*) FROM sync.job_run WHERE job = 'other' AND outcome = 'done'"
        let ended = try await mirror.whileWorking("--log-format", "json") { _ in
          try await mirror.wait("a run", until: "SELECT (\(done)) > 0")
          for edit in [
            "UPDATE sync.job SET scheduled_until = 'infinity' WHERE name = 'top'",
            "UPDATE sync.job SET streams = ARRAY[NULL]::text[] WHERE name = 'list'",
            """
            INSERT INTO sync.job_run (job, nominal_at, due_at, triggered_by)
            VALUES ('top', 'infinity', '-infinity', 'person')
            """,
          ] { _ = try await mirror.sql(edit) }
          let before = try await mirror.sql(done)
          try await mirror.wait("further runs", deadline: .seconds(30), until: "SELECT (\(done)) > \(before) + 1")
        }
        #expect(ended.end == .exit(143), "\(ended.standardError)")
        let named = try ended.records().compactMap { $0["message"]?.text }.filter { $0.contains("job top is not run") }
        #expect(named.count == 1 && named.first?.contains("syncctl jobs resume top") == true, "\(named)")
      }
    }

    /// A lease ends after its TTL, even if the server's clock was set back and the stored end is therefore later.
    @Test(arguments: ["clock_timestamp() + interval '1 hour'", "'infinity'"]) func leaseThatLastsTooLong(
      end: String
    ) async throws {
      try await Mirror.with(GeneratedJikan.plain(60)) { fresh, server in
        let mirror = fresh.with(["SYNCCTL_LEASE_TTL": "3s"])
        // A dead process of this machine loses its lease at once, so the test assigns the lease to a different machine.
        let gate = Gate()
        try await SimulatorServer.withServer(GeneratedJikan.plain(60).waiting(from: 2, at: gate)) { slow in
          defer { gate.open() }
          let killed = try await fresh.with(upstream: slow.baseURL).with(["SYNCCTL_LEASE_TTL": "3s"])
            .syncctl("run", "--stream", "top-anime") { program in
              try await mirror.wait("page 1", until: "SELECT cursor = 1 FROM sync.stream_state")
              program.signal(SIGKILL)
            }
          #expect(killed.end == .signal(SIGKILL))
        }
        _ = try await mirror.sql(
          """
          UPDATE sync.stream_state SET origin = '\(server.baseURL)/v4', lease_expires_at = \(end),
            lease_owner = lease_owner || '{"boot": "elsewhere"}'
          """)
        let refused = try await mirror.syncctl("run", "--stream", "top-anime")
        refused.expectFailure(75, naming: "is being run by", isQuiet: false)
        #expect(!refused.standardError.contains("infinity"))
        #expect(
          try await mirror.sql(
            "SELECT lease_expires_at <= clock_timestamp() + interval '3 s' FROM sync.stream_state") == "t")
        try await mirror.wait(
          "the end", deadline: .seconds(20), until: "SELECT lease_expires_at < now() FROM sync.stream_state")
        try await mirror.succeed("run", "--stream", "top-anime")
      }
    }

    @Test func jobLeaseThatLastsTooLong() async throws {
      try await Mirror.with(GeneratedJikan.plain(30)) { fresh, _ in
        let mirror = try fresh.with(
          jobs: ["name: top, source: jikan, streams: [top-anime], schedule: every 1s"], leaseTTL: "3s")
        try await mirror.whileWorking { _ in
          try await mirror.wait("a run", until: "SELECT count(*) > 0 FROM sync.job_run WHERE outcome = 'done'")
        }
        _ = try await mirror.sql(
          """
          UPDATE sync.job_run SET state = 'running', outcome = NULL, ended_at = NULL, lease_expires_at = 'infinity',
            owner = '{"ttl": 3, "worker": 7}'
          WHERE nominal_at = (SELECT max(nominal_at) FROM sync.job_run WHERE outcome = 'done')
          """)
        let ended = try await mirror.whileWorking { _ in
          try await mirror.wait(
            "the take-over", deadline: .seconds(30), until: "SELECT count(*) > 0 FROM sync.job_run WHERE deaths = 1")
        }
        #expect(ended.end == .exit(143), "\(ended.standardError)")
      }
    }
  }
}
