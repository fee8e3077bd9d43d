/// What the database says of jobs, by its clock: workers on machines whose clocks differ see the same times.
package struct JobBoard: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    /// Seconds since 1970. All times up to this one have been seen to.
    package let scheduledUntil: Int64
    package let isPaused: Bool
    /// What is stored is what this worker was configured with; else another worker's word counts.
    package let isOurs: Bool
    /// When the next run that waits may be taken, in seconds since 1970; nil if none waits.
    package let nextDue: Double?

    package init(scheduledUntil: Int64, isPaused: Bool, isOurs: Bool, nextDue: Double? = nil) {
      self.scheduledUntil = scheduledUntil
      self.isPaused = isPaused
      self.isOurs = isOurs
      self.nextDue = nextDue
    }
  }

  /// Seconds since 1970.
  package let now: Double
  /// By the names of jobs; without those that were never registered.
  package let jobs: [String: Entry]

  package init(now: Double, jobs: [String: Entry]) {
    self.now = now
    self.jobs = jobs
  }
}
