import SyncCore
import SyncTestKit
import Testing

@Suite("The time for one MiB of foreign text")
struct LinearTimeTests {
  static let functions: [(String, @Sendable (String) -> Void)] = [
    ("Excerpt.of", { _ = Excerpt.of($0) }),
    ("Excerpt.of, bytes", { _ = Excerpt.of($0.utf8) }),
    ("RetryAfter.parse", { _ = RetryAfter.parse($0, now: 0) }),
    (
      "UpstreamResponse.limitPause",
      {
        for name in ["ratelimit", "x-ratelimit-reset"] {
          _ =
            UpstreamResponse(status: 200, headers: [name: $0, "date": $0, "x-ratelimit-remaining": "0"], body: [])
            .limitPause
        }
      }
    ),
    (
      "UpstreamResponse.limitPause, policies",
      { _ = UpstreamResponse(status: 200, headers: ["ratelimit": "\"" + $0], body: []).limitPause }
    ),
    (
      "UpstreamResponse.validators",
      {
        _ = UpstreamResponse(status: 200, headers: ["etag": $0, "last-modified": $0, "date": $0], body: []).validators
      }
    ),
    ("CalendarDate.isValid", { _ = CalendarDate.isValid($0) }),
    ("CalendarDate.isValid, fraction", { _ = CalendarDate.isValid("2026-01-01T00:00:00." + $0) }),
    ("MemberTypes.values", { _ = MemberTypes.values(of: ["a", "b"], in: Array($0.utf8)) }),
    (
      "MemberTypes.values, object",
      { _ = MemberTypes.values(of: ["a", "b"], in: Array("{\"a\":".utf8) + Array($0.utf8)) }
    ),
    ("MemberTypes.elements", { _ = MemberTypes.elements(of: Array("[".utf8) + Array($0.utf8)) }),
    ("MemberTypes.isNumber", { _ = MemberTypes.isNumber(Array($0.utf8)) }),
    (
      "MemberTypes.findings",
      {
        _ = MemberTypes(["a": .number, "b": .date, "c": .whole]).findings(
          in: Array("{\"a\":\"\($0)\",\"b\":\($0)".utf8))
      }
    ),
    ("String.percentEncoded", { _ = $0.percentEncoded() }),
    ("String.trimmingBlanks", { _ = $0.trimmingBlanks }),
    ("String.shellWord", { _ = $0.shellWord }),
    ("RateWindow", { _ = RateWindow($0) }),
    ("SecretMask.masking", { _ = mask.masking($0) }),
    ("SecretMask.masking, document", { _ = mask.masking(Array($0.utf8), .document) }),
  ]

  private static let mask = SecretMask(["Sk_l1ve+7f/Q=&9\"xAb3Zk", "abc123"])

  @Test("less than a second", arguments: functions.indices)
  func time(index: Int) {
    let (name, function) = Self.functions[index]
    #expect(WorstTexts.longest(name, function) < .seconds(1), "\(name)")
  }
}
