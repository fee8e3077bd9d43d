import SyncCore

/// How long the rest of a source's requests takes, from the rate limits and from the time that requests have taken.
///
/// The pace alone is a bad forecast, because a limit such as 60 requests a minute lets the first 60 requests pass in
/// seconds, and then none for the rest of the minute.
struct RequestForecast: Sendable {
  /// The limits of each service of the source. Each service is assumed to get all requests.
  var limits: [[RateWindow]] = []
  private let startedAt: Duration
  private(set) var sent = 0
  /// The sum of the waits so far, of which none is counted twice if several requests wait at the same time.
  private var waited: Duration = .zero
  private var waitsUntil: Duration = .zero
  private var samples: RecentSamples<(sent: Int, waited: Duration)>

  private static let shortestSample: Duration = .milliseconds(200)

  init(now: Duration) {
    startedAt = now
    samples = RecentSamples((0, .zero), now: now)
  }

  /// Records the number of requests that were sent so far.
  mutating func sent(_ count: Int, now: Duration) {
    sent = max(sent, count)
    samples.add((sent, waited(by: now)), now: now)
  }

  /// Records that a request waits from `now` on.
  mutating func waits(for duration: Duration, now: Duration) {
    let end = max(waitsUntil, now + duration)
    waited += end - max(waitsUntil, now)
    waitsUntil = end
  }

  /// Returns the time from `now` until the answer to the last of `requests` further requests; `nil` if no request shows
  /// yet how long one takes.
  /// - Parameter now: Not before the last recorded time. Can be the end of a wait that is still to come.
  func remaining(_ requests: Int, now: Duration) -> Duration? {
    guard requests > 0 else { return .zero }
    guard let perRequest = secondsPerRequest(now) else { return nil }
    let allowed = limits.map { RunCost.time(for: sent + requests, within: $0) }.max() ?? .zero
    let atPace = perRequest * Double(requests)
    return max(allowed - (now - startedAt), .seconds(min(atPace, Double(Int32.max))))
  }

  /// The time of a request without the reported waits, in the last minute.
  private func secondsPerRequest(_ now: Duration) -> Double? {
    guard let oldest = samples.kept.first(where: { $0.value.sent < sent }) else { return nil }
    let busy = now - oldest.time - (waited(by: now) - oldest.value.waited)
    guard now - oldest.time >= Self.shortestSample else { return nil }
    return max(busy, .zero) / .seconds(1) / Double(sent - oldest.value.sent)
  }

  private func waited(by now: Duration) -> Duration { waited - max(waitsUntil - now, .zero) }
}
