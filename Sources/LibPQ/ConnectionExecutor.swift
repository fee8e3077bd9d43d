import Dispatch

/// The thread of one connection's blocking calls: a serial queue without an explicit target. A queue on top of a global
/// one, and the cooperative pool, have only as many threads as cores, so a few slow statements would stop the program.
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
