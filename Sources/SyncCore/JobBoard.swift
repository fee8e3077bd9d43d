/// The stored state of jobs. All times are from the database's clock, because the clocks of workers can differ.
package struct JobBoard: Sendable, Equatable {
  /// The state of one job.
  package struct Entry: Sendable, Equatable {
    /// All firings up to this time are handled. In seconds since 1970; an infinite time is clamped.
    package let scheduledUntil: Int64
    /// Whether a user has paused the job. A paused job records no firings.
    package let isPaused: Bool
    /// Whether the stored configuration equals this worker's. If not, another worker's configuration applies.
    package let isOurs: Bool
    /// In seconds since 1970. `nil` if no run is waiting.
    package let nextDue: Double?

    /// `scheduledUntil` and `nextDue` are the database's times in seconds since 1970.
    package init(scheduledUntil: Int64, isPaused: Bool, isOurs: Bool, nextDue: Double? = nil) {
      self.scheduledUntil = scheduledUntil
      self.isPaused = isPaused
      self.isOurs = isOurs
      self.nextDue = nextDue
    }
  }

  /// Seconds since 1970.
  package let now: Double
  /// The entries by the jobs' names. Jobs that are not registered are missing.
  package let jobs: [String: Entry]

  /// `now` is the database's time in seconds since 1970. The keys of `jobs` are the jobs' names.
  package init(now: Double, jobs: [String: Entry]) {
    self.now = now
    self.jobs = jobs
  }
}
