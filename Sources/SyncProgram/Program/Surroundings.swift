import CMalloc
import Foundation
import SyncCore

enum Surroundings {
  /// Opens descriptors 0 to 2 that are closed on /dev/null. Otherwise the next file or socket would get such a number,
  /// and the text for standard output or error would go there.
  static func openStandardStreams() {
    // Each gets the lowest number that is free.
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 { _ = open("/dev/null", O_RDWR) }
  }

  /// Has large blocks go back to the system when they are freed. By default, glibc keeps blocks of up to 32 MiB once
  /// one of that size was freed (mallopt(3), M_MMAP_THRESHOLD): some large bodies would leave it with twice their size.
  static func returnLargeBlocks() {
    #if canImport(Glibc)
      _ = mallopt(M_MMAP_THRESHOLD, 1 << 20)
    #endif
  }

  /// - Throws: `SyncError` `.configuration` if there is no room for the descriptors and threads that the libraries
  ///   make at their start; those trap when they get none.
  static func expectRoom() throws(SyncError) {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    raiseDescriptorLimit()
    guard hasDescriptors(24 + 4 * processors) else {
      throw SyncError(
        .configuration, "this process may open too few descriptors: fewer than \(24 + 4 * processors) are free",
        hint: "raise the limit (ulimit -n, LimitNOFILE)")
    }
    guard hasThreads(16 + 2 * processors) else {
      throw SyncError(
        .configuration, "this process may make too few threads: it needs \(16 + 2 * processors)",
        hint: "raise the limit of the user's processes (ulimit -u, TasksMax, pids.max)")
    }
  }

  /// Raises the soft limit. The listener has up to 2,500 connections.
  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(descriptorLimit, &limit) == 0, limit.rlim_cur < 4096 else { return }
    limit.rlim_cur = min(4096, limit.rlim_max)
    setrlimit(descriptorLimit, &limit)
  }

  #if canImport(Darwin)
    private static let descriptorLimit = RLIMIT_NOFILE
  #else
    private static let descriptorLimit = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #endif

  /// Tried out, because the limit does not count descriptors that a parent left open.
  private static func hasDescriptors(_ count: Int) -> Bool {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < count {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      opened.append(descriptor)
    }
    return true
  }

  /// Tried out, because users, services and containers have limits of their own.
  private static func hasThreads(_ count: Int) -> Bool {
    #if canImport(Darwin)
      return true
    #else
      // The threads wait at it, so that all are there at the same time.
      let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
      pthread_mutex_init(gate, nil)
      pthread_mutex_lock(gate)
      var threads: [pthread_t] = []
      defer {
        pthread_mutex_unlock(gate)
        for thread in threads { pthread_join(thread, nil) }
        pthread_mutex_destroy(gate)
        gate.deallocate()
      }
      while threads.count < count {
        var thread = pthread_t()
        let result = pthread_create(
          &thread, nil,
          { gate in
            let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self)
            if let gate, pthread_mutex_lock(gate) == 0 { pthread_mutex_unlock(gate) }
            return nil
          }, gate)
        guard result == 0 else { return false }
        threads.append(thread)
      }
      return true
    #endif
  }
}
