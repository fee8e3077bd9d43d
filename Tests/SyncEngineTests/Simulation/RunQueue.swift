import Foundation

/// A task executor with one thread. Jobs run in the order in which they became ready, and only in `drain`, so that a
/// seed always has the same result.
///
/// A job without an executor, for example of a default actor, would run in the runtime's global pool. While a queue is
/// bound to a thread, the jobs that become ready on that thread go to the queue instead.
final class RunQueue: TaskExecutor, @unchecked Sendable {
  // `@unchecked Sendable`, because only the bound thread uses the queue.
  private var jobs: [UnownedJob] = []
  private var next = 0

  func enqueue(_ job: consuming ExecutorJob) { append(UnownedJob(job)) }

  fileprivate func append(_ job: UnownedJob) { jobs.append(job) }

  func drain() {
    while next < jobs.count {
      let job = jobs[next]
      next += 1
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
    jobs.removeAll(keepingCapacity: true)
    next = 0
  }

  func bound<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    let binding = ThreadBinding.shared
    let outer = binding.queue
    binding.queue = self
    defer { binding.queue = outer }
    return try body()
  }
}

private final class ThreadBinding: Sendable {
  static let shared = ThreadBinding()

  private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

  private let key: pthread_key_t

  private init() {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    self.key = key
    // The runtime calls this hook for jobs without an executor. Jobs of other threads run as usual.
    let symbol = dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook")
    symbol?.assumingMemoryBound(to: Hook?.self).pointee = { job, original in
      if let queue = ThreadBinding.shared.queue {
        queue.append(job)
      } else {
        original(job)
      }
    }
  }

  var queue: RunQueue? {
    get { pthread_getspecific(key).map { Unmanaged<RunQueue>.fromOpaque($0).takeUnretainedValue() } }
    // `bound` keeps the queue alive and resets the binding before it returns.
    set { pthread_setspecific(key, newValue.map { Unmanaged.passUnretained($0).toOpaque() }) }
  }
}
