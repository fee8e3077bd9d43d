package struct JobDescription: Sendable, Equatable {
  package let name: String
  /// A source, or `all`.
  package let source: String
  /// Empty for those that a run without names has.
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
  /// Earlier times that nobody was there to see, and that this one stands for.
  package let skipped: Int
  /// Nil if it came too late for a job that makes nothing up: it is seen to, and not run.
  package let delay: Duration?

  /// - Parameter delay: after the nominal time, when it may be taken.
  package init(job: JobDescription, nominalAt: Int64, skipped: Int, delay: Duration?) {
    (self.job, self.nominalAt, self.skipped, self.delay) = (job, nominalAt, skipped, delay)
  }
}

package struct TakenJobRun: Sendable, Equatable {
  package let key: JobRunKey
  /// The fence: grows with every worker that takes it.
  package let generation: Int64
  package let leaseTTL: Duration
  package let attempts: Int
  /// Tries that an upstream or a budget has ended.
  package let failures: Int
  package let deaths: Int
  package let skipped: Int
  /// How long after its nominal time it was taken.
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

package struct JobEnding: Sendable, Equatable {
  package enum Outcome: String, Sendable, CaseIterable {
    case done, failed
    case timeout
    case abandoned
  }

  package let outcome: Outcome
  /// What `syncctl run` would have exited with.
  package let exitStatus: Int
  /// Every stream was walked completely.
  package let isCertified: Bool
  package let error: String?

  package init(outcome: Outcome, exitStatus: Int, isCertified: Bool, error: String?) {
    (self.outcome, self.exitStatus, self.isCertified, self.error) = (outcome, exitStatus, isCertified, error)
  }
}

/// What the database says of jobs, by its clock: workers on machines whose clocks differ see the same times.
package struct JobBoard: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    /// Seconds since 1970; the smallest or the largest number for an infinite time. All times up to this one have been
    /// seen to.
    package let scheduledUntil: Int64
    package let isPaused: Bool
    /// What is stored is what this worker was configured with; else another worker's word counts.
    package let isOurs: Bool
    /// When the next run that waits may be taken, in seconds since 1970; nil if none waits.
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

  /// Takes one run of these jobs that is due or whose worker has ended, the one with the oldest time; nil if there is
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

  /// Records that this worker is at work, or that it has stopped in order.
  func recordWorker(isStopped: Bool) async throws

  /// Drops outcomes of runs, and workers, that are older than the retention.
  func prune() async throws
}

/// Another worker has taken over a run: nothing more may be written of it.
package struct JobRunLost: Error, Sendable, CustomStringConvertible {
  package let key: JobRunKey

  package init(key: JobRunKey) { self.key = key }

  package var description: String {
    "job \(key.job): another worker has taken over its run, and resumes after the last committed page"
  }
}
