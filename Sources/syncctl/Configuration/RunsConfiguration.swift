import SyncCore

/// How runs hold on to their streams, and go on with what an earlier run left.
struct RunsConfiguration: Sendable {
  /// How long a lease lasts that its holder does not renew: the time until another machine takes over.
  let leaseTTL: Setting<Duration>
  /// The age up to which an unfinished walk is gone on with; older ones start anew.
  let resumeWithin: Setting<Duration>

  /// - Throws: `SyncError` `.configuration`.
  init(_ file: ConfigurationFile?, _ environment: [String: String]) throws(SyncError) {
    let choice = SettingChoice(file: file, environment: environment)
    leaseTTL = try Self.duration(
      choice.setting("SYNCCTL_LEASE_TTL", file?.runs.leaseTTL), standard: Limits.leaseTTL,
      Limits.shortestLeaseTTL...Limits.longestLeaseTTL)
    resumeWithin = try Self.duration(
      choice.setting("SYNCCTL_RESUME_WITHIN", file?.runs.resumeWithin), standard: Limits.walkResumeAge,
      .seconds(1)...Limits.longestWalkResumeAge)
  }

  private static func duration(
    _ setting: Setting<String>?, standard: Duration, _ range: ClosedRange<Duration>
  ) throws(SyncError) -> Setting<Duration> {
    guard let setting else { return Setting(standard, .standard) }
    guard let value = Duration(configured: setting.value), range.contains(value) else {
      throw SyncError(
        .configuration, "\(setting.origin): \(Excerpt.of(setting.value, scalars: 40)) is not a time that can be used",
        hint:
          "give \(range.lowerBound.components.seconds)s to \(range.upperBound.components.seconds)s, e.g. 90s, 15m, 6h")
    }
    return Setting(value, setting.origin)
  }
}
