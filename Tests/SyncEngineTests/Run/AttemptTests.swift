import SyncCore
import Testing

@testable import SyncEngine

@Suite("A request and its retries, without I/O")
struct AttemptTests {
  private static let request = UpstreamRequest(url: "http://test/1", alternatives: ["http://test/2"])

  private static func error(_ disposition: SyncError.Disposition) -> SyncError {
    SyncError(.upstream, "answered 500", disposition: disposition)
  }

  private static func attempt(limit: Int = 2, retries: RunRetries = RunRetries()) -> Attempt {
    Attempt(
      request, limit: limit, policy: RetryPolicy(), retries: retries, chance: { 0.5 }, moment: { "in \($0)" })
  }

  /// Sends the request each time, and lets it fail with `disposition`.
  private static func actions(_ attempt: inout Attempt, failing disposition: SyncError.Disposition) -> [String] {
    var texts: [String] = []
    while true {
      switch attempt.next() {
      case .send(let request, let reportsWait):
        texts.append("send \(request.url.suffix(1))\(reportsWait ? "" : " quietly")")
        attempt.sent(at: .seconds(texts.count), afterWaiting: .zero)
        attempt.failed(error(disposition))
      case .pauseOrigin(let duration): texts.append("pause \(duration)")
      case .wait(after: _, let delay): texts.append("wait \(delay.duration)")
      case .exhausted(let error): return texts + ["exhausted: \(error.message)"]
      case .stopped(let error): return texts + ["stopped: \(error.message)"]
      }
    }
  }

  @Test(
    "what follows a failed attempt",
    arguments: [
      (
        SyncError.Disposition.retry(after: nil),
        ["send 1", "wait 0.25 seconds", "send 2", "exhausted: answered 500 (tried 2 times)"]
      ),
      (
        .retry(after: .seconds(7)),
        [
          "send 1", "pause 7.0 seconds", "wait 7.0 seconds", "send 2 quietly", "pause 7.0 seconds",
          "exhausted: answered 500 (tried 2 times)",
        ]
      ),
      (
        .retry(after: .seconds(901)),
        ["send 1", "pause 901.0 seconds", "stopped: answered 500; it allows the next request in 901.0 seconds"]
      ),
      (.stopStream, ["send 1", "stopped: answered 500"]),
    ])
  func follows(disposition: SyncError.Disposition, expected: [String]) {
    var attempt = Self.attempt()
    #expect(Self.actions(&attempt, failing: disposition) == expected)
    let sent = expected.count { $0.hasPrefix("send") }
    #expect(attempt.cost.requests == sent && attempt.cost.retries == sent - 1)
  }

  @Test("the last attempt of a probe is its first")
  func probe() {
    var attempt = Self.attempt(limit: 1)
    #expect(Self.actions(&attempt, failing: .retry(after: nil)) == ["send 1", "exhausted: answered 500"])
  }

  @Test("without retries of the run, the request is not sent again")
  func withoutRetries() {
    let retries = RunRetries()
    while retries.spend() {}
    var attempt = Self.attempt(retries: retries)
    let actions = Self.actions(&attempt, failing: .retry(after: nil))
    #expect(actions.count == 2 && actions[1].hasPrefix("stopped: the service fails too often: all 20 retries"))
  }
}
