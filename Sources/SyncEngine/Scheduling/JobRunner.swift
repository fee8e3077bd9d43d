package import SyncCore

/// The jobs of the configuration. `version` must change with each new configuration, or the jobs are not registered
/// again.
package typealias JobTable = (jobs: [ScheduledJob], version: Int)

/// Runs the streams of a job.
package protocol JobRunner: Sendable {
  /// Runs the job once, and returns errors in the result. `run` is the taken run, whose lease the worker renews
  /// meanwhile. Jobs of different sources run at the same time. The runner must return soon after the task is
  /// cancelled, because the lease can be lost.
  func run(_ job: ScheduledJob, _ run: TakenJobRun) async -> JobResult
}
