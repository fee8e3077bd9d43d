import Testing

@testable import UpstreamSimulator

@Suite("The largest number of requests in any window")
struct ArrivalTimesTests {
  @Test("it agrees with counting from every request on")
  func agreement() {
    for round in 0..<200 {
      let draws = Draws(seed: 5, stream: 1).of(round)
      let times = (0..<draws.draw(0, below: 60)).map { Double(draws.draw($0 + 1, below: 2000)) / 100 }
      for length in [0.01, 0.5, 1, 7.25, 30] {
        let slow = times.map { start in times.count { $0 >= start && $0 - start < length } }.max() ?? 0
        #expect(ArrivalTimes(times).most(within: .seconds(length)) == slow)
      }
    }
  }
}
