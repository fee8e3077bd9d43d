package import SyncCore

/// A job of the configuration, with its parsed schedule and the rules for its runs.
package struct ScheduledJob: Sendable {
  package let description: JobDescription
  package let schedule: Schedule
  package let zone: any ZoneRules
  /// The longest random delay of a firing. It keeps many machines from sending requests at the same moment.
  package let jitter: Duration
  /// The time limit of an attempt. `nil` means no limit.
  package let timeout: Duration?
  /// Whether a late firing always runs. If not, a firing that is more than `Limits.jobLateness` late is skipped.
  package let makesUp: Bool
  /// The number of failed attempts of a run that are retried.
  package let retries: Int

  /// `schedule` must be the parsed `description.schedule`, and `zone` must have the rules of `description.timeZone`.
  /// Neither is checked.
  package init(
    _ description: JobDescription, schedule: Schedule, zone: any ZoneRules, jitter: Duration = .zero,
    timeout: Duration? = nil, makesUp: Bool = true, retries: Int = Limits.jobRetries
  ) {
    self.description = description
    self.schedule = schedule
    self.zone = zone
    self.jitter = jitter
    self.timeout = timeout
    self.makesUp = makesUp
    self.retries = retries
  }

  package var name: String { description.name }

  /// Returns the last firing after `entry.scheduledUntil` and up to `now`, which also replaces the firings before it.
  /// Returns `nil` if no firing is due, if the job is paused, or if another configuration of the job is stored.
  /// - Parameters:
  ///   - now: The database's time in seconds since 1970.
  ///   - chance: Returns the share of `jitter` by which the firing is delayed, in 0 ..< 1.
  package func firing(_ entry: JobBoard.Entry, now: Double, chance: Chance) -> JobFiring? {
    guard entry.isOurs, !entry.isPaused,
      let latest = schedule.latest(after: entry.scheduledUntil, upTo: Int64(now), in: zone)
    else { return nil }
    let lateness = Duration(clamping: now - Double(latest.instant))
    let isRun = makesUp || lateness <= Limits.jobLateness
    return JobFiring(
      job: description, nominalAt: latest.instant, skipped: latest.count - 1, delay: isRun ? jitter * chance() : nil)
  }

  /// Whether no firing of the schedule follows `entry.scheduledUntil`. False for a job that is paused or otherwise
  /// configured.
  func isNeverDue(_ entry: JobBoard.Entry) -> Bool {
    entry.isOurs && !entry.isPaused && schedule.next(after: entry.scheduledUntil, in: zone) == nil
  }

  /// Returns the time from `now` until the next firing or waiting run, whichever is first. Overdue runs are ignored.
  /// Returns `nil` if nothing is planned. A job that is paused or otherwise configured has no firings.
  /// - Parameter now: The database's time in seconds since 1970.
  package func pause(_ entry: JobBoard.Entry, now: Double) -> Duration? {
    let firing = entry.isPaused || !entry.isOurs ? nil : schedule.next(after: Int64(now), in: zone).map(Double.init)
    let next = [firing, entry.nextDue].compactMap(\.self).filter { $0 > now }.min()
    return next.map { Duration(clamping: $0 - now) }
  }
}

extension ScheduledJob {
  /// Returns the time when data from `wholeAt` becomes stale, both in seconds since 1970. This is the end of the grace
  /// period of the first firing after `wholeAt`. Returns `nil` if no firing follows.
  package func staleAt(wholeAt: Double) -> Double? {
    let since = Duration(clamping: wholeAt.rounded(.down)).components.seconds
    guard let due = schedule.next(after: since, in: zone) else { return nil }
    let period = schedule.next(after: due, in: zone).map { Duration.seconds($0 - due) } ?? .zero
    let grace = min(max(period / 4, Limits.shortestFreshnessGrace), Limits.longestFreshnessGrace) + jitter
    return Double(due) + grace / .seconds(1)
  }
}
