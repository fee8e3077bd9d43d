import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("A plan of faults")
struct ChaosTests {
  private func faults(_ chaos: Chaos, requests: Int) -> [String?] {
    (1...requests).map { chaos.rule(forRequest: $0, page: $0, elapsed: .zero)?.name }
  }

  private func share(_ faults: [String?], of name: String) -> Double {
    Double(faults.count { $0 == name }) / Double(faults.count)
  }

  @Test("each rate is kept separately, and the rest is answered correctly")
  func rates() throws {
    let plan = try Chaos("500=0.3, reset=0.01, 429=0.02, hang=0.2", seed: 7)
    let found = faults(plan, requests: 20_000)
    #expect(abs(share(found, of: "500") - 0.3) < 0.01)
    #expect(abs(share(found, of: "reset") - 0.01) < 0.003)
    #expect(abs(share(found, of: "429") - 0.02) < 0.004)
    #expect(abs(share(found, of: "hang") - 0.2) < 0.01)
    #expect(abs(Double(found.count { $0 == nil }) / 20_000 - 0.47) < 0.01)
  }

  @Test("0 is never, 1 and no rate are always, and rates may fill the whole")
  func extremes() throws {
    for (text, only) in [("500=0", nil), ("500=1", "500"), ("hang", "hang")] as [(String, String?)] {
      let found = faults(try Chaos(text), requests: 5000)
      #expect(Set(found) == [only])
    }
    let tenths = (500..<510).map { "\($0)=0.1" }.joined(separator: ",")
    let whole = faults(try Chaos(tenths), requests: 5000)
    #expect(!whole.contains(nil))
    #expect(Set(faults(.none, requests: 100)) == [nil] && Chaos.none.isEmpty)
  }

  @Test("the same seed gives the same faults, another one gives others")
  func seeds() throws {
    let text = "500=0.3,reset=0.1"
    let first = faults(try Chaos(text, seed: 42), requests: 1000)
    let second = faults(try Chaos(text, seed: 42), requests: 1000)
    let other = faults(try Chaos(text, seed: 43), requests: 1000)
    #expect(second == first && other != first)
    // A seed must have the same faults in every version.
    let start = faults(try Chaos("500=0.5", seed: 1), requests: 16).map { $0 == nil ? "." : "x" }.joined()
    #expect(start == "x..xxxxxxxx.xxx.")
  }

  @Test("a page that keeps failing does so at every request, and only that page")
  func pages() throws {
    let plan = try Chaos("hang=0,500@7,404@9-11")
    for number in 1...200 {
      #expect(plan.rule(forRequest: number, page: 7, elapsed: .zero)?.fault == .status(500, retryAfter: nil))
      #expect(plan.rule(forRequest: number, page: 8, elapsed: .zero) == nil)
      #expect(plan.rule(forRequest: number, page: nil, elapsed: .zero) == nil)
    }
    let pages = (1...20).filter { plan.rule(forRequest: 1, page: $0, elapsed: .zero)?.name == "404" }
    #expect(pages == [9, 10, 11])
  }

  @Test("a rule with a place comes first, wherever it is written, and keeps its own rate")
  func precedence() throws {
    let plan = try Chaos("500=1,reset@7")
    #expect(plan.rule(forRequest: 1, page: 7, elapsed: .zero)?.name == "reset")
    #expect(plan.rule(forRequest: 1, page: 6, elapsed: .zero)?.name == "500")
    let half = try Chaos("reset@7=0.5,hang@7")
    let found = (1...10_000).map { half.rule(forRequest: $0, page: 7, elapsed: .zero)?.name }
    #expect(abs(share(found, of: "reset") - 0.5) < 0.02 && !found.contains(nil))
  }

  @Test("a span of time begins with its start and ends before its end")
  func spans() throws {
    let plan = try Chaos("503@10s-1m")
    let hit = { (seconds: Double) in plan.rule(forRequest: 1, page: nil, elapsed: .seconds(seconds)) != nil }
    #expect(!hit(0) && !hit(9.999) && hit(10) && hit(59.999) && !hit(60) && !hit(3600))
    let outages = try Chaos("down@2m-3m,down@10s-70s").outages
    #expect(outages == [Duration.seconds(10)..<Duration.seconds(70), Duration.seconds(120)..<Duration.seconds(180)])
  }

  @Test(
    "every form of a rule",
    arguments: [
      ("429=0.02:2s", Fault.status(429, retryAfter: 2)), ("429=0.02:0s", .status(429, retryAfter: 0)),
      ("403", .status(403, retryAfter: nil)), ("403-empty", .emptyForbidden), ("503:30s", .status(503, retryAfter: 30)),
      ("599@3", .status(599, retryAfter: nil)), ("hang=0.1", .hang), ("drip", .drip(every: .seconds(1))),
      ("drip@1-2=0.5:20ms", .drip(every: .milliseconds(20))), (" delay @ 3 = 0.5 : 2m ,", .delay(.seconds(120))),
      ("reset", .reset), ("cut", .cut(chunked: false)), ("cut-chunked", .cut(chunked: true)),
      ("gzip-truncated", .gzipTruncated), ("gzip-crc", .gzipChecksum), ("gzip-plain", .gzipPlain), ("html", .html),
      ("invalid-json", .invalidJSON),
    ])
  func forms(text: String, fault: Fault) throws {
    #expect(try Chaos(text).rules.map(\.fault) == [fault])
  }

  @Test(
    "an invalid plan says what is wrong and what would be valid",
    arguments: [
      ("hnag=0.1", "there is no fault `hnag`; the faults are"), ("something=0.1", "the faults are any status"),
      ("=0.1", "there is no fault ``"), ("200=1", "there is no fault"), ("600=1", "there is no fault"),
      ("+50=1", "there is no fault"), ("500=1.5", "`1.5` is no rate; write a number from 0 to 1"),
      ("500=-0.1", "is no rate"), ("500=", "is no rate"), ("500=nan", "is no rate"), ("500=inf", "is no rate"),
      ("500=30%", "is no rate"), ("500@0", "is no place; write a page (7), pages (7-9) or a span (10s-70s)"),
      ("500@9-7", "is no place"), ("500@", "is no place"), ("500@70s-10s", "is no place"), ("500@5s", "is no place"),
      ("500@1-2s", "is no place"), ("500@1-99999999999999999999", "is no place"), ("500@1s-25h", "is no place"),
      ("429=0.1:1500ms", "is not a Retry-After; write whole seconds"), ("429:soon", "is not a Retry-After"),
      ("hang=0.1:3s", "takes no value"), ("drip:1", "is no time"), ("drip:9999999999s", "is no time"),
      ("delay:25h", "is no time"),
      ("down", "a span of time alone, as in down@10s-70s"), ("down@7", "a span of time alone"),
      ("down@1s-2s=0.5", "a span of time alone"), ("down@1s-9s,down@5s-10s", "the spans of `down` meet"),
      ("500=0.6,hang=0.5", "the rates add up to 1.1"), ("500,hang", "the rates add up to 2"),
    ])
  func wrong(text: String, says: String) throws {
    let error = try #require(throws: ChaosError.self) { try Chaos(text) }
    #expect(error.description.contains(says), "\(error)")
  }

  @Test("the help and the table in the documentation name every fault, with its default")
  func named() throws {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let table = try String(contentsOf: package.appending(path: "docs/development.md"), encoding: .utf8)
    for label in FaultName.all.map(\.label) + ["down@"] {
      #expect(Chaos.help.contains("\n  \(label)"), "\(label)")
      #expect(table.contains("\n| `\(label)"), "\(label)")
    }
  }
}
