package import SyncCore

/// What a worker reports to its observers.
package enum WorkerEvent: Sendable {
  /// It has read the board without an error.
  case looked(JobBoard)
  /// Another worker has another idea of this job.
  case otherwiseConfigured(job: String)
  case took(TakenJobRun)
  case ended(TakenJobRun, JobEnding)
  /// It will be taken again.
  case released(TakenJobRun, after: Duration, error: String?)
  /// Another worker has taken over.
  case lost(TakenJobRun, JobRunLost)
  /// - Parameter isNews: it was there before.
  case databaseAway(any Error, pause: Duration, isNews: Bool)
  case databaseBack
}
