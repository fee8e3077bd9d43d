import SyncCore
import Testing

@testable import SyncProgram

@Suite struct RunCostTests {
  @Test(
    "each window lets its requests through at once, and then waits for its end",
    arguments: [
      (82, ["3/1s", "60/60s", "40000/1d"], 67), (60, ["3/1s", "60/60s"], 19), (61, ["60/60s"], 60),
      (15_500, ["5/1s"], 3099), (1000, ["3/1s", "1000/60s"], 333), (40_001, ["40000/1d"], 86_400),
      (0, ["1/60s"], 0), (1, ["1/60s"], 0), (500, [], 0),
    ] as [(Int, [String], Int)])
  func times(requests: Int, windows: [String], seconds: Int) {
    #expect(RunCost.time(for: requests, within: windows.compactMap { RateWindow($0) }) == .seconds(seconds))
  }

  @Test("the line names sources that take ten seconds or more, and is missing if there is none")
  func lines() throws {
    let jikan = try cost("jikan", ["top-anime": 41, "top-manga": 41], "3/1s", "60/60s")
    let pokeAPI = try cost("pokeapi", ["pokemon": 15_500], "5/1s")
    let iTunes = try cost("itunes", ["chart:us-songs": 4], "20/60s")
    #expect(RunCost.line([jikan, pokeAPI, iTunes]) == "jikan 82 requests, about 2 min · pokeapi 15,500, about 52 min")
    #expect(RunCost.line([pokeAPI]) == "pokeapi 15,500 requests, about 52 min")
    #expect(RunCost.line([iTunes]) == nil && RunCost.line([]) == nil)
  }

  @Test("streams of which nothing is known make it a lower bound; a claim of any size does not trap")
  func bounds() throws {
    let window = try #require(RateWindow("1/366d"))
    let cost = RunCost(of: "s", streams: ["a", "b", "c"], known: ["a": .max, "b": .max], limits: [[window], []])
    #expect(cost.isLeast && RunCost.line([cost])?.hasPrefix("s at least 10,000,000 requests, about ") == true)
  }

  private func cost(_ source: String, _ known: [String: Int], _ windows: String...) throws -> RunCost {
    RunCost(
      of: source, streams: Array(known.keys), known: known, limits: [try windows.map { try #require(RateWindow($0)) }])
  }
}
