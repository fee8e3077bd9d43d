import Dispatch

/// Threads beside Swift's pool, which has one thread for each processor. Computations of seconds on the pool delay the
/// tests that run at the same time beyond the deadlines of their connections.
package final class OwnThreads: TaskExecutor {
  private let queue = DispatchQueue(label: "OwnThreads", attributes: .concurrent)

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
