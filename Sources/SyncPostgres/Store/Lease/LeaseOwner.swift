import Foundation
import SyncCore

struct LeaseOwner: Codable, Equatable, Sendable {
  let host: String
  let boot: String
  let namespace: String
  let pid: Int32
  /// Start time of the process, in clock ticks since boot.
  let started: String
  /// The lease's TTL in seconds; `nil` if an older version of syncctl wrote the lease.
  var ttl: Double?

  static func current() -> LeaseOwner {
    let pid = ProcessInfo.processInfo.processIdentifier
    return LeaseOwner(
      host: ProcessInfo.processInfo.hostName, boot: read("/proc/sys/kernel/random/boot_id")?.trimmingBlanks ?? "",
      namespace: FileOperations.linkTarget("/proc/self/ns/pid") ?? "", pid: pid, started: startTime(of: pid) ?? "")
  }

  /// A wrong answer does no damage, because every write checks the lease.
  func isGone(seenFrom observer: LeaseOwner) -> Bool {
    guard !boot.isEmpty, boot == observer.boot, !namespace.isEmpty, namespace == observer.namespace else {
      return false
    }
    if let now = Self.startTime(of: pid) { return !started.isEmpty && now != started }
    // A missing entry in /proc proves nothing, because `hidepid` hides other users' processes.
    return kill(pid, 0) != 0 && errno == ESRCH
  }

  /// Returns field 22 of `/proc/PID/stat` (see proc(5)). Returns an empty text for a zombie (state `Z` or `X`).
  static func startTime(of pid: Int32) -> String? {
    guard let stat = read("/proc/\(pid)/stat"), let end = stat.lastIndex(of: ")") else { return nil }
    let fields = stat[stat.index(after: end)...].split(separator: " ")
    guard fields.count > 19 else { return nil }
    return ["Z", "X"].contains(fields[0]) ? "" : String(fields[19])
  }

  private static func read(_ path: String) -> String? { try? FileOperations.read(path, limit: 4_096) }
}
