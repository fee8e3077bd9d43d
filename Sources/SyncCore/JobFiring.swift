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
