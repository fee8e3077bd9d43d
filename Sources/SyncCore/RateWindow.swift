/// At most `requests` in *any* interval of length `interval`; a provider publishes one or several of these.
package struct RateWindow: Sendable, Equatable, CustomStringConvertible {
  package let requests: Int
  package let interval: Duration

  package init(requests: Int, interval: Duration) {
    self.requests = requests
    self.interval = interval
  }

  /// Reads `3/1s`, `60/60s`, `40000/1d`; units are s, m, h, d. Nil for anything else, zero included.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let requests = Int(configured: parts[0]), let interval = Duration(configured: parts[1])
    else { return nil }
    self.init(requests: requests, interval: interval)
  }

  /// What the interval is lengthened by: two requests may arrive closer to each other than they left.
  package var pad: Duration { max(interval / 50, .milliseconds(20)) }

  /// Half of the shortest pad: so unequally may two permits be used too late; the other half is for the network. Nil
  /// without windows.
  package static func slack(of windows: [RateWindow]) -> Duration? {
    windows.map { $0.pad / 2 }.min()
  }

  package var description: String {
    "\(requests)/\(interval.components.seconds)s"
  }
}
