package import SyncCore

/// An event of a worker, for its log and metrics.
///
/// - `looked`: The worker read the state of its jobs.
/// - `otherwiseConfigured`: The database has another configuration of the job, which applies. Reported once per
///   configuration.
/// - `neverDue`: No firing follows the time up to which the job's firings are handled.
/// - `took`: The worker took a run.
/// - `ended`: The result of a run is recorded.
/// - `released`: A run returned to the queue. `error` is `nil` if the run was only stopped.
/// - `lost`: Another worker has taken over the run.
/// - `databaseAway`: A step failed, and the next step follows after `pause`. `isNews` is true for the first failure in
///   a row.
/// - `databaseBack`: A step succeeded after a failure.
package enum WorkerEvent: Sendable {
  case looked(JobBoard)
  case otherwiseConfigured(job: String)
  case neverDue(job: String)
  case took(TakenJobRun)
  case ended(TakenJobRun, JobEnding)
  case released(TakenJobRun, after: Duration, error: String?)
  case lost(TakenJobRun, JobRunLost)
  case databaseAway(any Error, pause: Duration, isNews: Bool)
  case databaseBack
}
