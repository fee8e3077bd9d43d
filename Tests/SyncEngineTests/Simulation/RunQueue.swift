import Foundation

/// A task executor with one thread. Jobs run only in `drain`, in the order of their arrival, so that a seed always has
/// the same result.
///
/// Without a queue, jobs without an executor, such as jobs of a default actor, run in the runtime's global pool. While
/// a queue is bound to a thread, jobs that become ready on the thread go to the queue.
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
    // The runtime calls this hook for jobs without an executor. On threads without a queue, jobs run as usual.
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
    // The queue is not retained, because `bound` keeps the queue alive until `bound` resets the binding.
    set { pthread_setspecific(key, newValue.map { Unmanaged.passUnretained($0).toOpaque() }) }
  }
}
