import CMalloc
import Foundation

enum ProcessLimits {
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

  /// Raises the soft limit on open files, which can be 256, up to the hard limit.
  static func raiseDescriptorLimit() {
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
}
