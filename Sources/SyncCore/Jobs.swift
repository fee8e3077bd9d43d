/// A job of the configuration as all workers have to know it: what is run, and when.
package struct JobDescription: Sendable, Equatable {
  package let name: String
  /// A source, or `all`.
  package let source: String
  /// Empty for those that a run without names has.
  package let streams: [String]
  /// As it was written.
  package let schedule: String
  package let timeZone: String

  package init(name: String, source: String, streams: [String], schedule: String, timeZone: String) {
    self.name = name
    self.source = source
    self.streams = streams
    self.schedule = schedule
    self.timeZone = timeZone
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

/// A time of a schedule that has come.
package struct JobFiring: Sendable, Equatable {
  package let job: JobDescription
  package let nominalAt: Int64
  /// Earlier times that nobody was there to see, and that this one stands for.
  package let skipped: Int
  /// Nil if it came too late for a job that makes nothing up: it is seen to, and not run.
  package let delay: Duration?

  /// - Parameter delay: after the nominal time, when it may be taken.
  package init(job: JobDescription, nominalAt: Int64, skipped: Int, delay: Duration?) {
    self.job = job
    self.nominalAt = nominalAt
    self.skipped = skipped
    self.delay = delay
  }
}

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
  /// A worker had it before and is gone.
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

/// What became of a run for good.
package struct JobEnding: Sendable, Equatable {
  package enum Outcome: String, Sendable, CaseIterable {
    case done, failed
    /// It was stopped at the end of its time.
    case timeout
    /// Its workers have died too often.
    case abandoned
  }

  package let outcome: Outcome
  /// What `syncctl run` would have exited with.
  package let exitStatus: Int
  /// Every stream was walked completely.
  package let isCertified: Bool
  package let error: String?

  package init(outcome: Outcome, exitStatus: Int, isCertified: Bool, error: String?) {
    self.outcome = outcome
    self.exitStatus = exitStatus
    self.isCertified = isCertified
    self.error = error
  }
}

/// Another worker has taken over a run: nothing more may be written of it.
package struct JobRunLost: Error, Sendable, CustomStringConvertible {
  package let key: JobRunKey

  package init(key: JobRunKey) { self.key = key }

  package var description: String {
    "job \(key.job): another worker has taken over its run, and goes on from the last committed page"
  }
}

/// The seam to what workers share: which jobs there are, what is due, and who is at work on it.
package protocol JobStore: Sendable {
  /// Makes jobs known. The times of one that is new, or whose schedule is another, count from now on.
  ///
  /// - Parameter replacing: false leaves those as they are that are known otherwise.
  func register(_ jobs: [JobDescription], replacing: Bool) async throws

  func board(of jobs: [JobDescription]) async throws -> JobBoard

  /// Notes times that have come; those that another worker has noted, or that are not ours to note, are passed over.
  ///
  /// A run of the same job that has not begun yet is superseded.
  func record(_ firings: [JobFiring]) async throws

  /// Takes one run of these jobs that is due or whose worker is gone, the one with the oldest time; nil if there is
  /// none. No job is run twice at the same time.
  func take(_ jobs: [String]) async throws -> TakenJobRun?

  /// The heartbeat.
  ///
  /// - Throws: `JobRunLost`; `SyncError` of the database.
  func renew(_ run: TakenJobRun) async throws

  /// - Throws: `JobRunLost`; `SyncError` of the database.
  func end(_ run: TakenJobRun, _ ending: JobEnding) async throws

  /// Leaves a run to whoever takes it next.
  ///
  /// - Parameters:
  ///   - pause: before it may be taken.
  ///   - error: why it came to no end; nil for a run that was only stopped.
  ///   - isFailure: it counts as a try.
  /// - Throws: `JobRunLost`; `SyncError` of the database.
  func release(_ run: TakenJobRun, after pause: Duration, error: String?, isFailure: Bool) async throws

  /// Drops what became of runs longer ago than is kept.
  func prune() async throws
}
