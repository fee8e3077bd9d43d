import SyncCore
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// Several users at terminals, and one budget.
  @Suite struct ITunesBudget {
    @Test func twoProcessesThatSearchShareTheBudget() async throws {
      // The real service's limit is 20/60s; set it in `SYNCCTL_TEST_ITUNES_LIMIT`.
      let limit = DrillSize.text("SYNCCTL_TEST_ITUNES_LIMIT", otherwise: "6/3s")
      let window = try #require(RateWindow(limit))
      let fresh = try await Mirror.make()
      try await SimulatorServer.withServer(GeneratedITunes()) { server in
        let mirror = fresh.with(["SYNCCTL_ITUNES_BASE_URL": server.baseURL, "SYNCCTL_ITUNES_RATE_LIMITS": limit])
        try await withThrowingTaskGroup(of: Void.self) { group in
          for person in 1...2 {
            group.addTask {
              for term in 1...window.requests {
                try await mirror.succeed("itunes", "search", "person \(person) term \(term)")
              }
            }
          }
          try await group.waitForAll()
        }
        let arrivals = ArrivalTimes(server.history.records)
        // The delay between a permit and its request depends on the machine, which runs many tests at once.
        let interval = DrillSize.isLong ? window.interval : window.interval / 2
        tell(
          "itunes budget: \(server.history.count) requests of 2 processes, at most "
            + "\(arrivals.most(within: window.interval)) in any \(window.interval.inSeconds)")
        #expect(server.history.count >= 2 * window.requests)
        #expect(server.history.records.allSatisfy { $0.status == 200 })
        #expect(arrivals.most(within: interval) <= window.requests)
      }
    }
  }
}
