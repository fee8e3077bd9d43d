/// A rate limit that allows `requests` requests in *any* interval of length `interval`. Both are positive.
package struct RateWindow: Sendable, Equatable, CustomStringConvertible {
  package let requests: Int
  package let interval: Duration

  /// Both values must be positive. They are not checked.
  package init(requests: Int, interval: Duration) {
    self.requests = requests
    self.interval = interval
  }

  /// Parses text such as `3/1s`, `60/60s` or `40000/1d`. Returns `nil` for other text and for zero.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let requests = Int(configured: parts[0]), let interval = Duration(configured: parts[1])
    else { return nil }
    self.init(requests: requests, interval: interval)
  }

  /// The pad is added to the interval, because two requests can arrive closer together than they were sent.
  package var pad: Duration { max(interval / 50, .milliseconds(20)) }

  /// Returns how late a request can be sent after its permit's time. This is half of the smallest pad, because the
  /// other half is for differences between network delays. `nil` without windows.
  package static func slack(of windows: [RateWindow]) -> Duration? {
    windows.map { $0.pad / 2 }.min()
  }

  /// The window in the configuration's form, in seconds: `3/1s`.
  package var description: String {
    "\(requests)/\(interval.components.seconds)s"
  }
}
