package import SyncCore

package struct JobResult: Sendable {
  package let exitStatus: Int32
  package let error: SyncError?
  package let isCertified: Bool

  package init(exitStatus: Int32, error: SyncError?, isCertified: Bool) {
    self.exitStatus = exitStatus
    self.error = error
    self.isCertified = isCertified
  }
}

package enum JobDisposition: Sendable, Equatable {
  case end(JobEnding)
  /// After a stop of the worker, `error` is `nil` and `isFailure` false. It is also false if only the database failed.
  case release(after: Duration, error: String?, isFailure: Bool)

  static let leave = JobDisposition.release(after: .zero, error: nil, isFailure: false)

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

  static func retryPause(after failures: Int) -> Duration {
    min(Limits.jobRetryPause * (1 << min(failures, 10)), Limits.jobRetryPauseCap)
  }

  static func databasePause(after attempts: Int) -> Duration {
    min(.seconds(1 << min(max(attempts, 1) - 1, 10)), Limits.jobRetryPause)
  }

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
