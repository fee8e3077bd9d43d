import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// Faulty upstreams, and the resulting mirror.
  @Suite struct Behaviour {
    @Test func retryAfterIsHonoured() async throws {
      let refused = Changing(false)
      let list = try HandmadeList.numbered(1...60)
      let upstream = ScriptedUpstream { request in
        guard request.page == 2, !refused.value else { return list.answer(request) }
        refused.value = true
        return SimulatedAnswer(status: 429, headers: [HeaderField("Retry-After", "1")])
      }
      try await Mirror.with(upstream) { mirror, server in
        let run = try await mirror.onlyRun()
        #expect(run["retries"]?.int == 1)
        let times = server.history.records.filter { $0.query.contains("page=2&") }.map(\.time)
        #expect(times.count == 2)
        let pause = times[1].timeIntervalSince(times[0])
        // The recording clock is not the waiting one, so the time can be a little less than a second.
        #expect(pause > 0.95)
      }
    }

    @Test func otherOriginIsRefusedUnlessAdopted() async throws {
      let mirror = try await Mirror.make()
      let list = try HandmadeList.numbered(1...30)
      _ = try await SimulatorServer.withServer(list.upstream) { server in
        try await mirror.with(upstream: server.baseURL).syncctl("run", "--stream", "top-anime")
      }
      try await SimulatorServer.withServer(list.upstream) { server in
        let moved = mirror.with(upstream: server.baseURL)
        let refused = try await moved.syncctl("run", "--stream", "top-anime")
        refused.expectFailure(78, naming: server.baseURL, "--adopt-origin")
        #expect(server.history.count == 0)
        let adopted = try await moved.succeed("run", "--stream", "top-anime", "--adopt-origin", "--format", "json")
        #expect(try moved.runs(adopted)["top-anime"]?["unchanged"]?.int == 30)
      }
    }

    @Test func listThatShrinksTooMuchIsNotPublished() async throws {
      let list = Changing(try HandmadeList.numbered(1...200))
      try await Mirror.with(ScriptedUpstream { list.value.answer($0) }) { mirror, _ in
        _ = try await mirror.syncctl("run", "--stream", "top-anime")
        let before = try await mirror.contents()
        list.value = try HandmadeList.numbered(1...20)
        let result = try await mirror.syncctl("run", "--stream", "top-anime")
        result.expectFailure(86, naming: "180 of 200", isQuiet: false)
        #expect(try await mirror.contents() == before)

        // A list that shrinks a little is published.
        list.value = try HandmadeList.numbered(1...180)
        try await mirror.succeed("run", "--stream", "top-anime")
        #expect(try await mirror.sql("SELECT count(*) FROM jikan.ranking") == "180")
      }
    }
  }
}
