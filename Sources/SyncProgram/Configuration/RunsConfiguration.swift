import SyncCore
import SyncPostgres

struct RunsConfiguration: Sendable {
  /// After this time without a renewal, another machine can take over the lease.
  let leaseTTL: Setting<Duration>
  let resumeWithin: Setting<Duration>
  /// Also applies to jobs without their own limit.
  let timeout: Setting<Duration>

  init(_ file: ConfigurationFile?, _ environment: [String: String]) throws(SyncError) {
    let choice = SettingChoice(file: file, environment: environment)
    leaseTTL = try choice.setting("SYNCCTL_LEASE_TTL", file?.texts["runs.lease_ttl"])
      .duration("runs.lease_ttl", standard: Limits.leaseTTL, Limits.shortestLeaseTTL...Limits.longestLeaseTTL)
    resumeWithin = try choice.setting("SYNCCTL_RESUME_WITHIN", file?.texts["runs.resume_within"])
      .duration("runs.resume_within", standard: Limits.walkResumeAge, .seconds(1)...Limits.longestWalkResumeAge)
    timeout = try choice.setting("SYNCCTL_RUN_TIMEOUT", file?.texts["runs.timeout"])
      .duration("runs.timeout", standard: Limits.runTimeout, .seconds(1)...Limits.longestTimeout)
  }
}
