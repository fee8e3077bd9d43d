import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// Runs that stop before their end, and the runs after them.
  @Suite struct Stops {
    /// Eight pages of 25 and the 404 after them.
    private static let items = 200
    private static let pages = 8

    @Test func nextRunGoesOnBehindMaxPages() async throws {
      try await Mirror.with(GeneratedJikan.plain(Self.items)) { mirror, server in
        let first = try await mirror.succeed("run", "--stream", "top-anime", "--max-pages", "3", "--format", "json")
        let stopped = try #require(try mirror.runs(first)["top-anime"])
        #expect(stopped["status"] == .string("partial"))
        #expect(stopped["certificate"]?["ended_by"] == .string("max_pages"))
        #expect(server.pages == [1, 2, 3])
        #expect(try await mirror.sql("SELECT count(*) FROM jikan.ranking") == "0")

        let second = try await mirror.syncctl("run", "--stream", "top-anime", "--format", "json")
        #expect(try mirror.runs(second)["top-anime"]?["status"] == .string("complete"), "\(second.standardError)")
        #expect(server.pages.dropFirst(3).first == 4)
        #expect(server.pages == Array(1...server.pages.count))
        #expect(server.pages.count <= Self.pages + 1)
        #expect(try await mirror.sql("SELECT count(*) FROM jikan.ranking") == "\(Self.items)")
      }
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func signalKeepsTheCheckpoint(signal: Int32, status: Int32) async throws {
      let gate = Gate()
      let upstream = GeneratedJikan.plain(Self.items)
      try await Mirror.with(upstream.waiting(from: 4, at: gate)) { mirror, _ in
        defer { gate.open() }
        let stopped = try await mirror.syncctl("run", "--stream", "top-anime", "--format", "json") { program in
          // The request is sent while page 3 is being written.
          try await waitUntil("the request for page 4") { gate.arrivals > 0 }
          try await waitUntil("page 3") { try await mirror.sql("SELECT cursor FROM sync.stream_state") == "3" }
          program.signal(signal)
        }
        #expect(stopped.end == .exit(status), "\(stopped.standardError)")
        #expect(stopped.standardError.contains("stopping"))
        let rows = try await mirror.sql(
          """
          SELECT r.status, r.pages, r.finished_at IS NOT NULL, s.cursor, s.lease_owner IS NULL
          FROM sync.run r, sync.stream_state s
          """)
        #expect(rows == "interrupted|3|t|3|t")

        gate.open()
        #expect(try await mirror.onlyRun()["pages"]?.int == Self.pages - 3)
        #expect(try await mirror.contents() == (try await undisturbed(upstream)))
      }
    }

    @Test func signalDuringAWriteTakesThePageBack() async throws {
      let gate = Gate()
      try await Mirror.with(GeneratedJikan.plain(Self.items).waiting(from: 3, at: gate)) { mirror, _ in
        defer { gate.open() }
        let stopped = try await mirror.syncctl("run", "--stream", "top-anime", "--format", "json") { program in
          try await waitUntil("page 2") {
            gate.arrivals > 0 ? try await mirror.sql("SELECT cursor FROM sync.stream_state") == "2" : false
          }
          let locks = "FROM pg_locks WHERE relation = 'jikan.media'::regclass AND"
          async let blocker = mirror.sql("BEGIN; LOCK TABLE jikan.media IN SHARE MODE; SELECT pg_sleep(60)")
          try await waitUntil("the lock") { try await mirror.sql("SELECT count(*) \(locks) mode = 'ShareLock'") == "1" }
          gate.open()
          try await waitUntil("the blocked write") {
            try await mirror.sql("SELECT count(*) \(locks) NOT granted") == "1"
          }
          program.signal(SIGINT)
          try await waitUntil("the end of the write") {
            try await mirror.sql("SELECT count(*) \(locks) NOT granted") == "0"
          }
          _ = try await mirror.sql("SELECT pg_terminate_backend(pid) \(locks) mode = 'ShareLock'")
          _ = try? await blocker
        }
        #expect(stopped.end == .exit(130), "\(stopped.standardError)")
        let run = try #require(try mirror.runs(stopped)["top-anime"])
        #expect(run["status"] == .string("interrupted"))
        #expect(run["pages"]?.int == 2)
        #expect(run["rows_seen"]?.int == 50)
        #expect(run["inserted"]?.int == 50)
        #expect(try await mirror.sql("SELECT count(*) FROM jikan.media") == "50")
      }
    }

    @Test func killedRunLeavesNothingInTheWay() async throws {
      let gate = Gate()
      let upstream = GeneratedJikan.plain(Self.items)
      try await Mirror.with(upstream.waiting(from: 6, at: gate)) { mirror, server in
        defer { gate.open() }
        let killed = try await mirror.syncctl("run", "--stream", "top-anime") { program in
          try await waitUntil("the request for page 6") { gate.arrivals > 0 }
          program.signal(SIGKILL)
        }
        #expect(killed.end == .signal(SIGKILL))
        gate.open()
        // Immediately: the next run sees that the lease's owner has ended, long before the lease expires.
        let result = try await mirror.succeed("run", "--stream", "top-anime", "--format", "json")
        #expect(try mirror.runs(result)["top-anime"]?["status"] == .string("complete"))
        #expect(try await mirror.contents() == (try await undisturbed(upstream)))
        #expect(
          try await mirror.sql("SELECT string_agg(status, ' ' ORDER BY started_at) FROM sync.run")
            == "interrupted complete")
        // The pages and the 404; after a crash also pages that were fetched and not committed.
        #expect(server.history.count <= Self.pages + 1 + 8)
      }
    }

    @Test func secondCopyGivesWayAndNamesTheFirst() async throws {
      let gate = Gate()
      try await Mirror.with(GeneratedJikan.plain(Self.items).waiting(from: 3, at: gate)) { mirror, _ in
        defer { gate.open() }
        let first = try await mirror.syncctl("run", "--stream", "top-anime") { program in
          try await waitUntil("the request for page 3") { gate.arrivals > 0 }
          let second = try await mirror.syncctl("run", "--stream", "top-anime")
          second.expectFailure(75, naming: "top-anime", "process \(program.identifier)")
          // The second run checks the lease once and does not wait; the limit allows for a busy machine.
          #expect(second.duration < .seconds(60))
          gate.open()
        }
        #expect(first.end == .exit(0), "\(first.standardError)")
        #expect(try await mirror.sql("SELECT count(*) FROM sync.run") == "1")
      }
    }

    @Test func aStreamThatIsHeldDoesNotStopTheOthers() async throws {
      try await Mirror.with(GeneratedJikan.plain(30)) { mirror, _ in
        #expect(try await mirror.syncctl("run", "--source", "jikan").end == .exit(0))
        _ = try await mirror.sql(
          """
          UPDATE sync.stream_state SET lease_owner = '{"worker": 7}', lease_expires_at = now() + interval '1 hour'
          WHERE stream = 'top-anime'
          """)
        let result = try await mirror.syncctl("run", "--source", "jikan", "--format", "json")
        #expect(result.end == .exit(1))
        #expect(try mirror.runs(result).keys.sorted() == ["top-manga"])
        #expect(try mirror.runs(result)["top-manga"]?["status"] == .string("complete"))
        #expect(result.errorLines.count == 1 && result.standardError.contains("top-anime is being run by"))

        _ = try await mirror.sql(
          """
          UPDATE sync.stream_state SET lease_owner = '{"worker": 7}',
            lease_expires_at = now() + interval '1 hour' * CASE stream WHEN 'top-anime' THEN 1 ELSE 2 END
          """)
        let held = try await mirror.syncctl("run", "--source", "jikan")
        held.expectFailure(75, naming: "2 streams of jikan: each is being run by", isQuiet: false)
      }
    }

    /// The contents of a mirror after an uninterrupted walk.
    private func undisturbed(_ upstream: GeneratedJikan) async throws -> String {
      try await Mirror.with(upstream) { mirror, _ in
        try await mirror.succeed("run", "--stream", "top-anime")
        return try await mirror.contents()
      }
    }
  }
}
