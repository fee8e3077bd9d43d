/// The values of the last minute, of which one a second is kept.
struct RecentSamples<Value: Sendable>: Sendable {
  /// The kept values, oldest first. Never empty. The first one is from before the last minute if there is such a value,
  /// so that the values cover the whole minute.
  private(set) var kept: [(time: Duration, value: Value)]

  private static var window: Duration { .seconds(60) }

  init(_ value: Value, now: Duration) { kept = [(now, value)] }

  /// - Parameter now: Not before the time of an earlier value.
  mutating func add(_ value: Value, now: Duration) {
    if let latest = kept.last, now - latest.time < .seconds(1) { return }
    kept.append((now, value))
    while kept.count > 2, now - kept[1].time >= Self.window { kept.removeFirst() }
  }
}
