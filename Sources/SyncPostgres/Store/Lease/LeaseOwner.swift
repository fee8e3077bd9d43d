import Foundation
import LibPQ

/// Who holds a lease, precisely enough to see from the same machine that it has ended.
///
/// A pid alone is not: it is given again, and means nothing in another boot, container or host.
struct LeaseOwner: Codable, Equatable, Sendable {
  let host: String
  /// Identity of this boot of the machine; empty where the system does not tell.
  let boot: String
  /// The pid namespace; two containers on one machine differ.
  let namespace: String
  let pid: Int32
  /// Start time of the process in the system's own ticks.
  let started: String
  /// Seconds after which a lease ends that its owner does not renew; nil where an earlier version wrote it.
  var ttl: Double?

  static func current() -> LeaseOwner {
    let pid = ProcessInfo.processInfo.processIdentifier
    return LeaseOwner(
      host: ProcessInfo.processInfo.hostName, boot: bootID(), namespace: pidNamespace(), pid: pid,
      started: startTime(of: pid) ?? "")
  }

  /// True only if this machine can tell for certain that the process has ended. The fence protects even then.
  func isGone(seenFrom observer: LeaseOwner) -> Bool {
    guard !boot.isEmpty, boot == observer.boot, !namespace.isEmpty, namespace == observer.namespace else {
      return false
    }
    if let now = Self.startTime(of: pid) { return !started.isEmpty && now != started }
    // No entry in /proc is no proof: it may be hidden from other users (hidepid).
    return kill(pid, 0) != 0 && errno == ESRCH
  }

  private static func bootID() -> String {
    read("/proc/sys/kernel/random/boot_id")?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
  }

  private static func pidNamespace() -> String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")) ?? ""
  }

  /// Field 22 of `/proc/PID/stat` (proc(5)); counted after the command's name, which may hold anything. Empty for a
  /// process that has ended and only waits to be noticed (`Z`, `X`): no process starts at such a time.
  private static func startTime(of pid: Int32) -> String? {
    guard let stat = read("/proc/\(pid)/stat"), let end = stat.lastIndex(of: ")") else { return nil }
    let fields = stat[stat.index(after: end)...].split(separator: " ")
    guard fields.count > 19 else { return nil }
    return ["Z", "X"].contains(fields[0]) ? "" : String(fields[19])
  }

  private static func read(_ path: String) -> String? {
    guard let file = FileHandle(forReadingAtPath: path), let data = try? file.readToEnd() else { return nil }
    return String(decoding: data, as: UTF8.self)
  }
}
