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

  /// Returns the run to the queue and gives up its lease. A worker can take the run after `pause`. `error` is `nil` if
  /// the run was only stopped. If `isFailure` is true, the attempt counts as failed (`TakenJobRun.failures`).
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

  /// `key` names the lost run.
  package init(key: JobRunKey) { self.key = key }

  package var description: String {
    "job \(key.job): another worker has taken over its run, and resumes after the last committed page"
  }
}
