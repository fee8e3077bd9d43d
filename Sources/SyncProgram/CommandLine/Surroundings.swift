import CMalloc
import Foundation
import SyncCore

enum Surroundings {
  /// Opens the descriptors 0 to 2 on /dev/null if they are closed. Otherwise, the next opened file would get one of
  /// these numbers, and the program would print into that file.
  static func openStandardStreams() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 { _ = open("/dev/null", O_RDWR) }
  }

  /// Makes glibc return freed blocks of 1 MiB or more to the system. By default, glibc keeps freed blocks of up to
  /// 32 MiB (mallopt(3), M_MMAP_THRESHOLD). Large bodies would then double the memory of the process.
  static func returnLargeBlocks() {
    #if canImport(Glibc)
      _ = mallopt(M_MMAP_THRESHOLD, 1 << 20)
    #endif
  }

  /// - Throws: `SyncError` `.configuration` if too few descriptors or threads are free. Otherwise, the libraries would
  ///   end the process without a message.
  static func expectRoom() throws(SyncError) {
    let processors = ProcessInfo.processInfo.activeProcessorCount
    raiseDescriptorLimit()
    guard hasDescriptors(24 + 4 * processors) else {
      throw SyncError(
        .configuration, "the limit on open file descriptors is too low: fewer than \(24 + 4 * processors) are free",
        hint: "raise the limit (ulimit -n, LimitNOFILE)")
    }
    guard hasThreads(16 + 2 * processors) else {
      throw SyncError(
        .configuration, "the limit on threads is too low: this process needs \(16 + 2 * processors)",
        hint: "raise the limit of the user's processes (ulimit -u, TasksMax, pids.max)")
    }
  }

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

  /// Opens descriptors to test the limit, because the limit also counts inherited descriptors.
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

  /// Starts threads to test the limit, because the user, the service and the container can each have a limit.
  private static func hasThreads(_ count: Int) -> Bool {
    #if canImport(Darwin)
      return true
    #else
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
