/// A run that this worker has: its lease is held.
package struct TakenJobRun: Sendable, Equatable {
  package let key: JobRunKey
  /// The fence: grows with every worker that takes it.
  package let generation: Int64
  package let leaseTTL: Duration
  /// How often it has been taken, this time included.
  package let attempts: Int
  /// Tries that an upstream or a budget has ended.
  package let failures: Int
  /// Workers that have died over it.
  package let deaths: Int
  package let skipped: Int
  /// How long after its nominal time it was taken.
  package let lateness: Duration
  /// A worker had it before and has ended.
  package let isTakeover: Bool

  package init(
    key: JobRunKey, generation: Int64, leaseTTL: Duration, attempts: Int, failures: Int, deaths: Int, skipped: Int,
    lateness: Duration, isTakeover: Bool
  ) {
    self.key = key
    self.generation = generation
    self.leaseTTL = leaseTTL
    self.attempts = attempts
    self.failures = failures
    self.deaths = deaths
    self.skipped = skipped
    self.lateness = lateness
    self.isTakeover = isTakeover
  }
}

/// Which run of a job it is: there is one for each time of its schedule, however many workers look at it.
package struct JobRunKey: Hashable, Sendable {
  package let job: String
  /// Seconds since 1970; of the schedule, or of the moment when a person triggered it.
  package let nominalAt: Int64

  package init(job: String, nominalAt: Int64) {
    self.job = job
    self.nominalAt = nominalAt
  }
}
