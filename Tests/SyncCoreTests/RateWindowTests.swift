import SyncCore
import Testing

@Suite("Rate windows as they are written")
struct RateWindowTests {
  @Test(
    "each unit is read, and written back in seconds",
    arguments: [
      ("3/1s", 3, 1, "3/1s"), ("60/60s", 60, 60, "60/60s"), ("20/1m", 20, 60, "20/60s"), ("7/2h", 7, 7200, "7/7200s"),
      ("40000/1d", 40_000, 86_400, "40000/86400s"), ("007/09s", 7, 9, "7/9s"),
      ("9999999/9999999s", 9_999_999, 9_999_999, "9999999/9999999s"),
    ])
  func reads(text: String, requests: Int, seconds: Int, written: String) throws {
    let window = try #require(RateWindow(text))
    #expect(window == RateWindow(requests: requests, interval: .seconds(seconds)))
    #expect(window.description == written)
    #expect(RateWindow(window.description) == window)
  }

  @Test(
    "anything else is no window",
    arguments: [
      "", "/", "3", "3/", "/1s", "3/s", "3/1", "0/1s", "3/0s", "-3/1s", "3/-1s", "+3/1s", "3/1s/1s", " 3/1s", "3/1s ",
      "3 / 1s", "3/1S", "3/1w", "3/1ms", "3.5/1s", "3/1.5s", "٣/1s", "3/１s", "3/1s\n", "10000000/1s", "3/10000000s",
      "99999999999999999999/1s", "none", "1e3/1s", "3/1s\u{301}", "3/1s,60/60s",
    ])
  func refuses(text: String) { #expect(RateWindow(text) == nil) }
}
