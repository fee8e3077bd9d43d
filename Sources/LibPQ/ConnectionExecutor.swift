import Dispatch

/// The thread on which one connection's blocking calls run.
///
/// Each has a serial queue of its own with no explicit target. A queue on top of a global one, or the
/// cooperative pool itself, has as many threads as cores, and a few slow statements stop the program.
final class ConnectionExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "LibPQ.connection")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // The block keeps `self`, and so the queue, alive until the job is done, even when the job is the
    // actor's own deinitialisation.
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
