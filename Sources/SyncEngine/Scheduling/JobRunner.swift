package import SyncCore

/// The jobs that a worker runs, as its configuration has them now.
package struct JobTable: Sendable {
  package let jobs: [ScheduledJob]
  /// Another one for each configuration that was read.
  package let version: Int

  package init(jobs: [ScheduledJob], version: Int) {
    self.jobs = jobs
    self.version = version
  }
}

/// The interface to the work of a job.
package protocol JobRunner: Sendable {
  /// Runs it to its end, or until the task is cancelled; then its checkpoint is kept.
  func run(_ job: ScheduledJob, _ run: TakenJobRun) async -> JobResult
}
