package struct ArrivalTimes: Sendable {
  private let seconds: [Double]

  package init(_ seconds: [Double]) { self.seconds = seconds.sorted() }

  package init(_ records: [RequestRecord]) { self.init(records.map(\.arrival)) }

  package func most(within length: Duration) -> Int {
    let length = length / .seconds(1)
    var (first, most) = (0, 0)
    for (index, second) in seconds.enumerated() {
      while second - seconds[first] >= length, first < index { first += 1 }
      most = max(most, index - first + 1)
    }
    return most
  }
}
