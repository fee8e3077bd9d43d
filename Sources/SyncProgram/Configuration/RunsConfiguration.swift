import SyncCore

/// How runs keep their streams, and resume what an earlier run left.
struct RunsConfiguration: Sendable {
  /// How long a lease lasts that its holder does not renew: the time until another machine takes over.
  let leaseTTL: Setting<Duration>
  /// How long after its last page an unfinished walk is resumed; later, a run starts from scratch.
  let resumeWithin: Setting<Duration>
  /// How long a run of a stream may take, and a try of a job that says nothing else.
  let timeout: Setting<Duration>

  /// - Throws: `SyncError` `.configuration`.
  init(_ file: ConfigurationFile?, _ environment: [String: String]) throws(SyncError) {
    let choice = SettingChoice(file: file, environment: environment)
    leaseTTL = try choice.setting("SYNCCTL_LEASE_TTL", file?.runs.leaseTTL)
      .duration("runs.lease_ttl", standard: Limits.leaseTTL, Limits.shortestLeaseTTL...Limits.longestLeaseTTL)
    resumeWithin = try choice.setting("SYNCCTL_RESUME_WITHIN", file?.runs.resumeWithin)
      .duration("runs.resume_within", standard: Limits.walkResumeAge, .seconds(1)...Limits.longestWalkResumeAge)
    timeout = try choice.setting("SYNCCTL_RUN_TIMEOUT", file?.runs.timeout)
      .duration("runs.timeout", standard: Limits.runTimeout, .seconds(1)...Limits.longestTimeout)
  }
}
