/// The moments at which requests arrived: what a rate limit is checked against.
package struct ArrivalTimes: Sendable {
  /// In seconds, in order.
  private let seconds: [Double]

  /// Moments in seconds of one clock, in any order.
  package init(_ seconds: [Double]) {
    self.seconds = seconds.sorted()
  }

  package init(_ records: [RequestRecord]) {
    self.init(records.map(\.arrival))
  }

  /// The most requests in any interval of that length, wherever it begins.
  ///
  /// The end of the interval is no part of it: two requests that are exactly one length apart do not meet.
  package func most(within length: Duration) -> Int {
    let length = length.inSeconds
    var first = 0
    var most = 0
    for (index, second) in seconds.enumerated() {
      while second - seconds[first] >= length, first < index { first += 1 }
      most = max(most, index - first + 1)
    }
    return most
  }

  /// From the first request to the last; zero for fewer than two.
  package var span: Duration {
    guard let first = seconds.first, let last = seconds.last else { return .zero }
    return .seconds(last - first)
  }
}

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
