package import SyncCore

/// The result of one attempt to run a job.
package struct JobResult: Sendable {
  /// The exit status (sysexits) that the ledger stores.
  package let exitStatus: Int32
  /// The gravest error of the job's streams. `nil` without an error.
  package let error: SyncError?
  /// Whether all streams of the job are fresh, and verified if the job asks for a verification.
  package let isCertified: Bool

  /// `exitStatus` is a status of sysexits(3). `error` is the gravest error of the job's streams.
  package init(exitStatus: Int32, error: SyncError?, isCertified: Bool) {
    self.exitStatus = exitStatus
    self.error = error
    self.isCertified = isCertified
  }
}

/// The decision about a taken run after an attempt: the run ends, or it returns to the queue.
package enum JobDisposition: Sendable, Equatable {
  case end(JobEnding)
  /// After a stop of the worker, `error` is `nil` and `isFailure` false. It is also false if only the database failed.
  case release(after: Duration, error: String?, isFailure: Bool)

  /// Returns the run to the queue at once, without an error or a counted failure, as after a stop of the worker.
  static let leave = JobDisposition.release(after: .zero, error: nil, isFailure: false)

  /// Decides about a run after an attempt.
  ///
  /// A database error returns the run to the queue for `Limits.jobDatabaseAttempts` attempts, and does not count as a
  /// failure. Errors that can pass (`.upstream`, `.tryLater`, `.leaseHeld`, a timeout) are retried while the job has
  /// retries and the pause ends before the next firing. A certified attempt counts as finished even if it exceeded the
  /// job's timeout.
  /// - Parameter untilNext: The time until the job's next firing. `nil` means that the schedule has no further firing.
  package init(_ result: JobResult, of run: TakenJobRun, _ job: ScheduledJob, isTimedOut: Bool, untilNext: Duration?) {
    let isStopped = isTimedOut && !result.isCertified
    let error = isStopped ? .timedOut(job) : result.error
    if let error, error.code == .database, run.attempts <= Limits.jobDatabaseAttempts {
      self = .release(after: Self.databasePause(after: run.attempts), error: error.description, isFailure: false)
      return
    }
    let pause = Self.retryPause(after: run.failures)
    let mayPass = error.map { [.upstream, .tryLater, .leaseHeld].contains($0.code) } ?? false
    if mayPass, let error, run.failures < job.retries, untilNext.map({ pause < $0 }) ?? true {
      self = .release(after: pause, error: error.description, isFailure: true)
    } else {
      self = .end(
        JobEnding(
          outcome: isStopped ? .timeout : result.exitStatus == 0 ? .done : .failed,
          exitStatus: Int(isStopped ? SyncError.Code.tryLater.exitStatus : result.exitStatus),
          isCertified: result.isCertified, error: error?.description))
    }
  }

  /// Returns the pause before a retry, which doubles with each failure up to `Limits.jobRetryPauseCap`.
  static func retryPause(after failures: Int) -> Duration {
    min(Limits.jobRetryPause * (1 << min(failures, 10)), Limits.jobRetryPauseCap)
  }

  /// Returns the pause after a database error, from 1 s up to `Limits.jobRetryPause`. `attempts` is at least 1.
  static func databasePause(after attempts: Int) -> Duration {
    min(.seconds(1 << min(max(attempts, 1) - 1, 10)), Limits.jobRetryPause)
  }

  /// Ends a run that has reached `Limits.jobDeaths`. The run is not attempted again.
  static func abandoned(_ run: TakenJobRun) -> JobDisposition {
    .end(
      JobEnding(
        outcome: .abandoned, exitStatus: Int(SyncError.Code.tryLater.exitStatus), isCertified: false,
        error: "\(run.deaths) workers died while running it; see their logs, then run it by hand"))
  }
}

extension SyncError {
  fileprivate static func timedOut(_ job: ScheduledJob) -> SyncError {
    SyncError(
      .tryLater, "stopped after \(job.timeout?.components.seconds ?? 0) s, its timeout",
      hint: "the next run resumes after the last committed page")
  }
}
