import Testing

@testable import UpstreamSimulator

@Suite("The largest number of requests in any window")
struct ArrivalTimesTests {
  @Test("windows are closed at their start and open at their end")
  func bounds() {
    #expect(ArrivalTimes([Double]()).most(within: .seconds(1)) == 0)
    #expect(ArrivalTimes([5]).most(within: .seconds(1)) == 1)
    #expect(ArrivalTimes([0, 1, 2, 3]).most(within: .seconds(1)) == 1)
    #expect(ArrivalTimes([0, 0.999, 1.998]).most(within: .seconds(1)) == 2)
    #expect(ArrivalTimes([3, 0, 2, 1]).most(within: .seconds(10)) == 4)
    #expect(ArrivalTimes([7, 7, 7]).most(within: .milliseconds(1)) == 3)
    #expect(ArrivalTimes([7, 7]).most(within: .zero) == 1)
  }

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
