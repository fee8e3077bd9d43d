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
    guard parts.count == 2, let requests = Self.number(parts[0]), let unit = parts[1].last,
      let count = Self.number(parts[1].dropLast())
    else { return nil }
    let secondsPerUnit: Int
    switch unit {
    case "s": secondsPerUnit = 1
    case "m": secondsPerUnit = 60
    case "h": secondsPerUnit = 3600
    case "d": secondsPerUnit = 86400
    default: return nil
    }
    self.init(requests: requests, interval: .seconds(count * secondsPerUnit))
  }

  /// ASCII digits only (other scripts' digits are letters here), 1 … 9,999,999.
  private static func number(_ text: some StringProtocol) -> Int? {
    guard (1...7).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text).flatMap { $0 > 0 ? $0 : nil }
  }

  package var description: String {
    "\(requests)/\(interval.components.seconds)s"
  }
}
