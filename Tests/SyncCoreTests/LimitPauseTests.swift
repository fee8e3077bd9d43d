import SyncCore
import Testing

@Suite("Headers about the rate limit")
struct LimitPauseTests {
  private func pause(_ headers: [String: String]) -> Duration? {
    UpstreamResponse(status: 200, headers: headers, body: []).limitPause
  }

  @Test(
    "RateLimit in the form of each draft",
    arguments: [
      ("\"default\";r=0;t=30", 30), ("r=0;t=30", 30), ("\"a\"; r=0; t=30", 30), ("limit=100, remaining=0, reset=7", 7),
      ("limit=100,remaining=0,reset=7", 7), ("remaining=0;t=5", 5), ("\"default\";r=1;t=30", nil), ("r=0", nil),
      ("t=30", nil), ("r=0;t=0", nil), ("r=0;t=-1", nil), ("r=0;t=soon", nil), ("r=;t=", nil), ("=0;=30", nil),
      ("r;t", nil), ("", nil), (";;,,==", nil), ("r=00;t=30", nil), ("r=0;t=1.5", nil),
      ("r=0;t=99999999999999999999", nil),
    ] as [(String, Int?)])
  func structured(field: String, seconds: Int?) {
    #expect(pause(["ratelimit": field]) == seconds.map { .seconds($0) })
  }

  @Test(
    "the remaining requests and the reset as two headers, of both spellings",
    arguments: [
      ("0", "30", nil, 30), ("0", "30", "today", 30), ("0", "100000000", nil, 100_000_000), ("1", "30", nil, nil),
      ("100", "30", nil, nil), ("-1", "30", nil, nil), ("", "30", nil, nil), ("none", "30", nil, nil),
      ("0", nil, nil, nil), (nil, "30", nil, nil), ("0", "0", nil, nil), ("0", "-30", nil, nil), ("0", "30s", nil, nil),
      ("0", "1700000000", nil, nil), ("0", "1700000000", "today", nil),
      ("0", "1700000000", "Tue, 14 Nov 2023 22:13:10 GMT", 10),
      ("0", "1700000000", "Tue, 14 Nov 2023 22:13:20 GMT", nil),
      ("0", "1700000000", "Tue, 14 Nov 2023 22:13:30 GMT", nil),
    ] as [(String?, String?, String?, Int?)])
  func pairs(remaining: String?, reset: String?, date: String?, seconds: Int?) {
    for name in ["ratelimit", "x-ratelimit"] {
      let headers = ["\(name)-remaining": remaining, "\(name)-reset": reset, "date": date].compactMapValues(\.self)
      #expect(pause(headers) == seconds.map { .seconds($0) }, "\(name)")
    }
  }

  @Test("the first header that asks for a pause counts, and one that asks for none does not hide the others")
  func several() {
    let all = [
      "ratelimit": "r=0;t=1", "ratelimit-remaining": "0", "ratelimit-reset": "2", "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": "3",
    ]
    #expect(pause(all) == .seconds(1))
    #expect(pause(all.merging(["ratelimit": "r=9;t=1"]) { $1 }) == .seconds(2))
    #expect(pause(all.merging(["ratelimit": "", "ratelimit-reset": "x"]) { $1 }) == .seconds(3))
    #expect(pause(["retry-after": "30", "x-ratelimit-limit": "0"]) == nil)
  }
}
