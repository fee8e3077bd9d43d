/// A run of a job whose lease this worker holds. Pass it to `renew`, `end` or `release`.
package struct TakenJobRun: Sendable, Equatable {
  package let key: JobRunKey
  /// The fencing token. It increases each time a worker takes the run.
  package let generation: Int64
  /// The lease ends after this time without a renewal.
  package let leaseTTL: Duration
  /// The number of times that a worker has taken the run, this time included.
  package let attempts: Int
  /// The number of attempts that failed and were released for a retry.
  package let failures: Int
  /// The number of workers that died or lost their lease while they ran it.
  package let deaths: Int
  /// The number of missed firings that the run replaces.
  package let skipped: Int
  /// The time from `nominalAt` until the run was taken. Never negative.
  package let lateness: Duration
  /// Whether the run was taken from a worker that ended without releasing it.
  package let isTakeover: Bool

  /// `attempts` includes this attempt. `lateness` must not be negative.
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

/// Identifies a run of a job.
package struct JobRunKey: Hashable, Sendable {
  package let job: String
  /// The scheduled time, or the time of a manual trigger, in seconds since 1970.
  package let nominalAt: Int64

  /// `nominalAt` is in seconds since 1970.
  package init(job: String, nominalAt: Int64) {
    self.job = job
    self.nominalAt = nominalAt
  }
}
