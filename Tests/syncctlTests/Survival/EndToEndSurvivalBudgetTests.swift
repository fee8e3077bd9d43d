import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct SharedBudget {
    @Test func whatOneProcessIsToldHoldsForTheOther() async throws {
      let refused = Changing(false)
      let lists = GeneratedJikan.plain(1000)
      let gate = Gate()
      let upstream = ScriptedUpstream { request in
        if request.path.hasSuffix("anime"), request.page == 3 {
          await gate.pass()
          if !refused.value {
            refused.value = true
            return SimulatedAnswer(status: 429, headers: [HeaderField("Retry-After", "4")])
          }
        }
        if request.path.hasSuffix("manga"), request.page == 10 { gate.open() }
        return await lists.answer(request)
      }
      try await Mirror.with(upstream) { fresh, server in
        defer { gate.open() }
        let mirror = fresh.with(["SYNCCTL_JIKAN_RATE_LIMITS": "20/1s"])
        async let anime = mirror.syncctl("run", "--stream", "top-anime")
        async let manga = mirror.syncctl("run", "--stream", "top-manga")
        for result in [try await anime, try await manga] { #expect(result.end == .exit(0), "\(result.standardError)") }
        let records = server.history.records
        // The simulator records a request when its answer is ready, so `told` is close to the time of the 429.
        let place = try #require(records.firstIndex { $0.status == 429 })
        let told = try #require(records[..<place].map(\.arrival).max())
        let later = records[(place + 1)...].map { $0.arrival - told }.sorted()
        // Requests that were sent before the 429 arrived are allowed. On a busy machine, such a request can arrive 2 s
        // later.
        let early = later.filter { (2..<3.9).contains($0) }
        let next = later.first { $0 >= 2 }.map { Duration.seconds($0).inSeconds } ?? "never"
        tell("429 for 4 s: \(later.count { $0 < 2 }) requests had been sent, the next came after \(next)")
        #expect(early.isEmpty)
      }
    }
  }
}
