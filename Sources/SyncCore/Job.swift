/// A job of the configuration: which streams run when. Names are unique in a configuration.
package struct JobDescription: Sendable, Equatable {
  package let name: String
  /// A source's name, or `all`.
  package let source: String
  /// An empty array means the default streams.
  package let streams: [String]
  /// A cron expression, or an interval such as `every 6h`, as the configuration spells it.
  package let schedule: String
  /// The IANA name of the zone in which a cron expression counts.
  package let timeZone: String

  package init(name: String, source: String, streams: [String], schedule: String, timeZone: String) {
    self.name = name
    self.source = source
    self.streams = streams
    self.schedule = schedule
    self.timeZone = timeZone
  }
}

/// A scheduled time of a job that has come, before a run of the job exists.
package struct JobFiring: Sendable, Equatable {
  package let job: JobDescription
  /// The scheduled time in seconds since 1970.
  package let nominalAt: Int64
  /// The number of missed firings that this firing replaces.
  package let skipped: Int
  /// The run's delay after `nominalAt`. `nil` if the job skips the firing, because the firing is too late.
  package let delay: Duration?

  package init(job: JobDescription, nominalAt: Int64, skipped: Int, delay: Duration?) {
    self.job = job
    self.nominalAt = nominalAt
    self.skipped = skipped
    self.delay = delay
  }
}

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

  package init(job: String, nominalAt: Int64) {
    self.job = job
    self.nominalAt = nominalAt
  }
}

/// The result of a run of a job, as the ledger of jobs stores it.
package struct JobEnding: Sendable, Equatable {
  /// The state in which a run ends. The raw value is stored.
  package enum FinalState: String, Sendable, CaseIterable {
    /// `done`: the exit status is 0. `failed`: it is not, and no retry is left.
    case done, failed
    /// The run was stopped because it exceeded the job's timeout.
    case timeout
    /// Too many workers died while they ran it (`Limits.jobDeaths`).
    case abandoned
  }

  package let outcome: FinalState
  /// The exit status of the run. 75 if a timeout or the death of workers ended it.
  package let exitStatus: Int
  /// Whether all streams of the job are fresh, and verified if the job asks for a verification.
  package let isCertified: Bool
  package let error: String?

  package init(outcome: FinalState, exitStatus: Int, isCertified: Bool, error: String?) {
    self.outcome = outcome
    self.exitStatus = exitStatus
    self.isCertified = isCertified
    self.error = error
  }
}

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

  package init(now: Double, jobs: [String: Entry]) {
    self.now = now
    self.jobs = jobs
  }
}

/// The database's part of the worker: registered jobs, their firings, and their runs with leases.
///
/// Several workers use one store at the same time. `record` and `take` are atomic. `renew`, `end` and `release` throw
/// `JobRunLost` if another worker has taken over the run.
package protocol JobStore: Sendable {
  /// Registers jobs. If a schedule is new or has changed, its times before this call are not treated as missed. If
  /// `replacing` is true, overwrites known jobs.
  func register(_ jobs: [JobDescription], replacing: Bool) async throws

  /// Returns the stored state of the jobs, and the database's time.
  func board(of jobs: [JobDescription]) async throws -> JobBoard

  /// Records firings, except firings that another worker has recorded, and firings of jobs that are paused or have
  /// another worker's configuration. A firing replaces the job's scheduled runs that have not begun or wait for a
  /// retry. A firing without a delay creates no run.
  func record(_ firings: [JobFiring]) async throws

  /// Takes the oldest run of these jobs that is due or whose worker has ended. Returns `nil` without such a run. Two
  /// runs of the same job never run at the same time.
  func take(_ jobs: [String]) async throws -> TakenJobRun?

  /// Extends the lease of the run by its TTL. Throws `JobRunLost` if the lease is lost; the caller must then stop the
  /// run.
  func renew(_ run: TakenJobRun) async throws

  /// Stores the result of the run and gives up its lease. Throws `JobRunLost` if the lease is lost.
  func end(_ run: TakenJobRun, _ ending: JobEnding) async throws

  /// Returns the run to the queue, where a worker can take it after `pause`. `error` is `nil` if the run was only
  /// stopped. If `isFailure` is true, the attempt counts as a retry.
  func release(_ run: TakenJobRun, after pause: Duration, error: String?, isFailure: Bool) async throws

  /// Records a sign of life of this worker, or its regular end.
  func recordWorker(isStopped: Bool) async throws

  /// Deletes ended runs older than `Limits.jobRunRetention`, and workers without a sign of life for
  /// `Limits.workerRetention`.
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
