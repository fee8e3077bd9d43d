package struct JobDescription: Sendable, Equatable {
  package let name: String
  /// A source's name, or `all`.
  package let source: String
  /// An empty array means the default streams.
  package let streams: [String]
  package let schedule: String
  package let timeZone: String

  package init(name: String, source: String, streams: [String], schedule: String, timeZone: String) {
    (self.name, self.source, self.streams, self.schedule, self.timeZone) = (name, source, streams, schedule, timeZone)
  }
}

package struct JobFiring: Sendable, Equatable {
  package let job: JobDescription
  package let nominalAt: Int64
  /// The number of missed firings that this firing replaces.
  package let skipped: Int
  /// The run's delay after `nominalAt`. `nil` if the job skips the firing, because the firing is too late.
  package let delay: Duration?

  package init(job: JobDescription, nominalAt: Int64, skipped: Int, delay: Duration?) {
    (self.job, self.nominalAt, self.skipped, self.delay) = (job, nominalAt, skipped, delay)
  }
}

package struct TakenJobRun: Sendable, Equatable {
  package let key: JobRunKey
  /// The fencing token. It increases each time a worker takes the run.
  package let generation: Int64
  package let leaseTTL: Duration
  package let attempts: Int
  package let failures: Int
  package let deaths: Int
  package let skipped: Int
  package let lateness: Duration
  package let isTakeover: Bool

  package init(
    key: JobRunKey, generation: Int64, leaseTTL: Duration, attempts: Int, failures: Int, deaths: Int, skipped: Int,
    lateness: Duration, isTakeover: Bool
  ) {
    (self.key, self.generation, self.leaseTTL, self.attempts) = (key, generation, leaseTTL, attempts)
    (self.failures, self.deaths, self.skipped, self.lateness) = (failures, deaths, skipped, lateness)
    self.isTakeover = isTakeover
  }
}

package struct JobRunKey: Hashable, Sendable {
  package let job: String
  /// The scheduled time, or the time of a manual trigger, in seconds since 1970.
  package let nominalAt: Int64

  package init(job: String, nominalAt: Int64) {
    self.job = job
    self.nominalAt = nominalAt
  }
}

package struct JobEnding: Sendable, Equatable {
  package enum Outcome: String, Sendable, CaseIterable {
    case done, failed
    case timeout
    case abandoned
  }

  package let outcome: Outcome
  package let exitStatus: Int
  package let isCertified: Bool
  package let error: String?

  package init(outcome: Outcome, exitStatus: Int, isCertified: Bool, error: String?) {
    (self.outcome, self.exitStatus, self.isCertified, self.error) = (outcome, exitStatus, isCertified, error)
  }
}

/// The stored state of jobs. All times are from the database's clock, because the clocks of workers can differ.
package struct JobBoard: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    /// All firings up to this time are handled. In seconds since 1970; an infinite time is clamped.
    package let scheduledUntil: Int64
    package let isPaused: Bool
    /// Whether the stored configuration equals this worker's. If not, another worker's configuration applies.
    package let isOurs: Bool
    /// In seconds since 1970. `nil` if no run is waiting.
    package let nextDue: Double?

    package init(scheduledUntil: Int64, isPaused: Bool, isOurs: Bool, nextDue: Double? = nil) {
      (self.scheduledUntil, self.isPaused, self.isOurs, self.nextDue) = (scheduledUntil, isPaused, isOurs, nextDue)
    }
  }

  /// Seconds since 1970.
  package let now: Double
  package let jobs: [String: Entry]

  package init(now: Double, jobs: [String: Entry]) {
    self.now = now
    self.jobs = jobs
  }
}

package protocol JobStore: Sendable {
  /// Registers jobs. If a schedule is new or has changed, its times before this call are not treated as missed. If
  /// `replacing` is true, overwrites known jobs.
  func register(_ jobs: [JobDescription], replacing: Bool) async throws

  func board(of jobs: [JobDescription]) async throws -> JobBoard

  /// Records firings, except firings that another worker has recorded. A firing replaces a waiting run of the same job.
  func record(_ firings: [JobFiring]) async throws

  /// Takes the oldest run that is due or whose worker has ended. Two runs of the same job never run at the same time.
  func take(_ jobs: [String]) async throws -> TakenJobRun?

  func renew(_ run: TakenJobRun) async throws

  func end(_ run: TakenJobRun, _ ending: JobEnding) async throws

  /// Returns the run to the queue, where a worker can take it after `pause`. `error` is `nil` if the run was only
  /// stopped. If `isFailure` is true, the attempt counts as a retry.
  func release(_ run: TakenJobRun, after pause: Duration, error: String?, isFailure: Bool) async throws

  func recordWorker(isStopped: Bool) async throws

  func prune() async throws
}

/// The error of `renew`, `end` and `release` if another worker has taken over the run.
package struct JobRunLost: Error, Sendable, CustomStringConvertible {
  package let key: JobRunKey

  package init(key: JobRunKey) { self.key = key }

  package var description: String {
    "job \(key.job): another worker has taken over its run, and resumes after the last committed page"
  }
}
