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
      ("r;t", nil), ("", nil), (";;,,==", nil), ("r=00;t=30", nil), ("r=0;t=1.5", 2),
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

  @Test(
    "the unit of a reset follows from its size: seconds, milliseconds, microseconds and nanoseconds since 1970",
    arguments: [
      ("1700000007", 7), ("1700000007.5", 8), ("1700000007000", 7), ("1700000007001", 8), ("1700000007000000", 7),
      ("1700000007000000000", 7), ("1700000006999999999", 7), ("2023-11-14T22:13:27Z", 7),
      ("2023-11-14T22:13:27.250Z", 8), ("2023-11-14 22:13:27", 7), ("2023-11-14T23:13:27+01:00", 7),
      ("2023-11-14T20:43:27-0130", 7), ("Tue, 14 Nov 2023 22:13:27 GMT", 7), ("2.5", 3), ("7", 7),
      ("1699999990000000000", nil), ("2023-11-14T22:13:20Z", nil), ("9999999999999999999", nil),
      ("9223372036854775807.5", 7_523_372_037),
      ("2023-11-14T22:13:27X", nil), ("2023-13-14T22:13:27Z", nil), ("2023-11-14T22:13:27+1", nil), ("2023-11-14", nil),
      ("1700000007ns", nil), ("１７００００００００", nil),
    ] as [(String, Int?)])
  func units(reset: String, seconds: Int?) {
    let headers = ["x-ratelimit-remaining": "0", "x-ratelimit-reset": reset]
    let dated = headers.merging(["date": "Tue, 14 Nov 2023 22:13:20 GMT"]) { $1 }
    #expect(pause(dated) == seconds.map { .seconds($0) })
    let arrived = UpstreamResponse(status: 200, headers: headers, body: [], receivedAt: 1_700_000_000)
    #expect(arrived.limitPause == seconds.map { .seconds($0) })
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
