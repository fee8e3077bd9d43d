import Foundation
import SyncCore
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct SharedBudget {
    private static let streams = ["top-anime", "top-manga", "top-anime:tv", "top-manga:manga"]

    /// Small windows by default; `SYNCCTL_TEST_RATE_LIMITS=20/1s,60/10s` for those of a real service.
    private static let limits = ProcessInfo.processInfo.environment["SYNCCTL_TEST_RATE_LIMITS"] ?? "10/1s,30/5s"

    @Test func fourProcessesStayInsideEveryWindow() async throws {
      let windows = try Self.limits.split(separator: ",").map { try #require(RateWindow(String($0))) }
      let longest = try #require(windows.max { $0.interval < $1.interval })
      // Work for this many of the longest windows, and a little more.
      let rounds = DrillSize.number("SYNCCTL_TEST_WINDOWS", otherwise: 2)
      let fresh = try await Mirror.make()
      try await installWitness(fresh)
      let pages = (rounds + 1) * longest.requests / Self.streams.count + 4
      let upstream = EndlessLists(pages: pages)
      try await SimulatorServer.withServer(upstream.upstream) { server in
        let mirror = fresh.with(upstream: server.baseURL).with(["SYNCCTL_JIKAN_RATE_LIMITS": Self.limits])
        try await withThrowingTaskGroup(of: ProgramResult.self) { group in
          for stream in Self.streams {
            group.addTask { try await mirror.syncctl("run", "--stream", stream) }
          }
          for try await result in group { #expect(result.end == .exit(0), "\(result.standardError)") }
        }
        let given = try await fresh.sql("SELECT at / 1e6 FROM witness.permit").split(separator: "\n")
        #expect(given.count >= server.history.count)
        let permits = ArrivalTimes(given.compactMap { Double($0) })
        let arrivals = ArrivalTimes(server.history.records)
        for window in windows {
          #expect(permits.most(within: window.interval) <= window.requests, "permits, \(window)")
          // The delay between a permit and its request depends on the machine, which runs many tests at once.
          let interval = DrillSize.isLong ? window.interval : window.interval / 2
          #expect(arrivals.most(within: interval) <= window.requests, "arrivals, \(window)")
        }
        let use = Self.use(of: longest, rounds: rounds, server.history.records)
        let most = windows.map { "\(arrivals.most(within: $0.interval)) in any \($0.interval.inSeconds)" }
        tell(
          "budget: \(server.history.count) requests of \(Self.streams.count) processes, at most "
            + "\(most.joined(separator: " and ")), \(Int((use * 100).rounded())) % used")
        #expect(use >= (DrillSize.isLong ? 0.95 : 0.2))
      }
    }

    /// Makes the database record each permit.
    private func installWitness(_ mirror: Mirror) async throws {
      _ = try await mirror.sql(
        """
        CREATE SCHEMA witness;
        CREATE TABLE witness.permit (at bigint);
        CREATE FUNCTION witness.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
          INSERT INTO witness.permit
          SELECT NEW.moments[(given - 1) % 64 + 1] FROM sync.rate_budget WHERE origin = NEW.origin;
          RETURN NULL;
        END $$;
        CREATE TRIGGER witness AFTER INSERT OR UPDATE ON sync.rate_permit FOR EACH ROW
        EXECUTE FUNCTION witness.note()
        """)
    }

    /// The used share of a window while all processes had work: the shortest possible duration of the requests, divided
    /// by the actual one.
    private static func use(of window: RateWindow, rounds: Int, _ records: [RequestRecord]) -> Double {
      let times = records.map(\.arrival).sorted()
      guard times.count > rounds * window.requests else { return 0 }
      let shortest = Double(rounds) * (window.interval / .seconds(1))
      return shortest / (times[rounds * window.requests] - times[0])
    }

    @Test("a process without a limit takes no permits, and obeys the pause that another one was told")
    func withoutALimit() async throws {
      try await Mirror.with(GeneratedJikan.plain(100)) { mirror, server in
        #expect(try await mirror.syncctl("run", "--stream", "top-anime").end == .exit(0))
        let counts = "SELECT (SELECT count(*) FROM sync.rate_budget) + (SELECT count(*) FROM sync.rate_permit)"
        #expect(try await mirror.sql(counts) == "0")
        let sent = server.history.count
        _ = try await mirror.sql(
          """
          INSERT INTO sync.rate_budget (origin, paused_until)
          SELECT regexp_replace(origin, '/v[0-9]+$', ''), sync.clock_microseconds() + 7200 * 1000000::bigint
          FROM sync.walk LIMIT 1
          """)
        try await mirror.syncctl("run", "--stream", "top-anime", "--full")
          .expectFailure(75, naming: "the upstream is throttling", isQuiet: false)
        #expect(server.history.count == sent)
      }
    }

    @Test func whatOneProcessIsToldHoldsForTheOther() async throws {
      let refused = Changing(false)
      let lists = EndlessLists(pages: 60)
      let gate = Gate()
      let upstream = ScriptedUpstream { request in
        // The anime wait until the manga are being read too.
        if request.path.hasSuffix("anime"), request.page == 3 {
          await gate.pass()
          if !refused.value {
            refused.value = true
            return SimulatedAnswer(status: 429, headers: [HeaderField("Retry-After", "4")])
          }
        }
        if request.path.hasSuffix("manga"), request.page == 10 { gate.open() }
        return lists.answer(request)
      }
      try await Mirror.with(upstream) { fresh, server in
        defer { gate.open() }
        let mirror = fresh.with(["SYNCCTL_JIKAN_RATE_LIMITS": "20/1s"])
        async let anime = mirror.syncctl("run", "--stream", "top-anime")
        async let manga = mirror.syncctl("run", "--stream", "top-manga")
        for result in [try await anime, try await manga] { #expect(result.end == .exit(0), "\(result.standardError)") }
        let records = server.history.records
        // Recorded when the answer was ready, after all earlier answers.
        let place = try #require(records.firstIndex { $0.status == 429 })
        let told = try #require(records[..<place].map(\.arrival).max())
        let later = records[(place + 1)...].map { $0.arrival - told }.sorted()
        // Requests sent before the answer arrived are allowed; 2 s for that on a busy machine.
        let early = later.filter { (2..<3.9).contains($0) }
        let next = later.first { $0 >= 2 }.map { Duration.seconds($0).inSeconds } ?? "never"
        tell("429 for 4 s: \(later.count { $0 < 2 }) requests had been sent, the next came after \(next)")
        #expect(early.isEmpty)
      }
    }
  }
}

/// Lists of one item per page that never repeat, so that requests take the time and not rows.
private struct EndlessLists {
  let pages: Int

  func answer(_ request: SimulatedRequest) -> SimulatedAnswer {
    let page = request.page
    guard page <= pages else { return .json(#"{"status":404}"#, status: 404) }
    return .json(
      """
      {"pagination": {"last_visible_page": \(pages), "has_next_page": \(page < pages), "current_page": \(page), \
      "items": {"count": 1, "total": \(pages), "per_page": 25}}, \
      "data": [{"mal_id": \(page), "title": "Title \(page)", "type": "TV", "score": 8.5, "members": \(page)}]}
      """)
  }

  var upstream: ScriptedUpstream { ScriptedUpstream { answer($0) } }
}
