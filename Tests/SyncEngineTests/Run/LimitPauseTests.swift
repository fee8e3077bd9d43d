import SyncCore
import SyncEngine
import Synchronization
import Testing

@Suite("The pause after the last permitted request")
struct LimitPauseTests {
  /// Answers the first request with `headers`, and later requests without any.
  private final class Service: Transport {
    private let headers: [String: String]
    private let status: Int
    private let clock: ManualClock
    private let log = Mutex<[Duration]>([])

    init(_ headers: [String: String], status: Int, clock: ManualClock) {
      self.headers = headers
      self.status = status
      self.clock = clock
    }

    var times: [Duration] { log.withLock { $0 } }

    func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
      let count = log.withLock { log in
        log.append(clock.now())
        return log.count
      }
      return UpstreamResponse(status: count == 1 ? status : 200, headers: count == 1 ? headers : [:], body: [])
    }
  }

  private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

  @Test(
    "an answer that says that no request is left delays the next one, whatever its status",
    arguments: [
      (["ratelimit": "\"default\";r=0;t=30"], 30), (["ratelimit-remaining": "0", "ratelimit-reset": "7"], 7),
      (["x-ratelimit-remaining": "0", "x-ratelimit-reset": "784111797", "date": Self.date], 20),
      (["x-ratelimit-remaining": "1", "x-ratelimit-reset": "30"], 0), ([:], 0),
    ] as [(headers: [String: String], seconds: Int)], [200, 304, 404, 500])
  func pauses(_ answer: (headers: [String: String], seconds: Int), status: Int) async throws {
    let clock = ManualClock(isAutomatic: true)
    let service = Service(answer.headers, status: status, clock: clock)
    let fetcher = Fetcher.forTests(service, clock: clock)
    for _ in 1...2 {
      _ = await fetcher.fetch(UpstreamRequest(url: "http://test/"), retries: RunRetries(), onWait: { _ in }) {
        response, _ in
        guard response.status != 500 else { throw SyncError(.upstream, "answered 500") }
      }
    }
    #expect(service.times == [.zero, .seconds(answer.seconds)])
  }

  @Test("a pause that is too long for a run ends the run, and says when the next request is allowed")
  func longPause() async throws {
    let clock = ManualClock(isAutomatic: true)
    let service = Service(["ratelimit": "r=0;t=3600"], status: 200, clock: clock)
    let fetcher = Fetcher.forTests(service, clock: clock)
    var results: [Fetcher.Result<Int>] = []
    for _ in 1...2 {
      let fetched = await fetcher.fetch(
        UpstreamRequest(url: "http://test/"), retries: RunRetries(), onWait: { _ in }
      ) { response, _ in response.status }
      results.append(fetched.result)
    }
    guard case .answer(200) = results[0], case .stopped(let error as SyncError) = results[1] else {
      Issue.record("\(results)")
      return
    }
    #expect(error.code == .tryLater && error.disposition == .stopRun && error.message.contains("3,600 s"))
    #expect(service.times == [.zero])
  }
}
