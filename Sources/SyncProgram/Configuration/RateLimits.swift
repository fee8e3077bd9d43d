import SyncCore

struct RateLimits {
  let source: String
  let key: String
  let standard: [RateWindow]
  /// Those that the service asks of its clients; empty if it names none.
  let published: [RateWindow]
  let isLoopback: Bool
  /// The user says that the published limits are not those of this instance.
  let mayExceed: Bool
  var raisedBy: String?

  /// - Returns: empty for none, which only loopback may have.
  func windows(_ setting: Setting<String>?) throws(SyncError) -> Setting<[RateWindow]> {
    guard let setting else { return Setting(isLoopback ? [] : standard, .standard) }
    if setting.value == "none" {
      guard isLoopback else {
        throw SyncError(
          .configuration, "\(setting.origin): \(key): no limit at all is only for services on this machine",
          hint: "give limits such as 3/1s,60/60s")
      }
      return Setting([], setting.origin)
    }
    var windows: [RateWindow] = []
    for text in setting.value.split(separator: ",", omittingEmptySubsequences: false) {
      guard let window = RateWindow(text) else {
        throw SyncError(
          .configuration, "\(setting.origin): \(key): \(Excerpt.of(String(text), scalars: 40)) is not a rate limit",
          hint: "write them as REQUESTS/TIME, e.g. 3/1s,60/60s,40000/1d")
      }
      windows.append(window)
    }
    if isLoopback || mayExceed { return Setting(windows, setting.origin) }
    for window in windows {
      if let ceiling = published.first(where: { $0.interval == window.interval && $0.requests < window.requests }) {
        throw SyncError(
          .configuration, "\(setting.origin): \(key): \(window) is above the published \(ceiling) of \(source)",
          hint: "lower it" + (raisedBy.map { ", or set \($0): true for an instance of your own" } ?? ""))
      }
    }
    // Lower limits add to the published ones, they do not replace them: 60/60s alone would allow 60 at once.
    return Setting(windows + published, setting.origin)
  }
}
