import Foundation
import SyncPostgres
import Synchronization

/// The folders of temporary servers, removed at exit. A later process removes the folders of killed processes.
///
/// A folder's name identifies its process by boot, process id and start time, because process ids are used again.
package enum ThrowawayFolders {
  package static let environment = ProcessInfo.processInfo.environment

  static let sweepOnce = Task { await sweep() }

  /// In memory if there is enough, because creating the hundreds of files of a database takes much of the tests' time.
  package static let parent = freeMemory("/dev/shm") >= 8 << 30 ? "/dev/shm" : "/tmp"
  private static let prefix = "syncctl-test-"
  private static let made = Mutex<[String]>([])

  /// Creates a folder. At exit, the folder is removed and its embedded cluster is stopped.
  package static func make() throws -> String {
    let number = made.withLock { folders in
      if folders.isEmpty { atexit { ThrowawayFolders.removeAll() } }
      folders.append("")
      return folders.count
    }
    let owner = "\(boot)-\(getpid())-\(startTime(of: getpid()) ?? "0")"
    let folder = "\(parent)/\(prefix)\(owner)-\(number)"
    // If the tests run as root, their servers run as a different user. This user must be able to enter the folder.
    let permissions = geteuid() == 0 ? 0o711 : 0o700
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: permissions])
    made.withLock { $0[number - 1] = folder }
    return folder
  }

  package static func remove(_ folder: String) throws {
    let socketDirectory = cluster(folder).endpoint.socketDirectory
    if socketDirectory.split(separator: "/").last?.hasPrefix("syncctl-") == true {
      try? FileManager.default.removeItem(atPath: socketDirectory)
    }
    try FileManager.default.removeItem(atPath: folder)
  }

  static func poolerFile(in folder: String) -> String { "\(folder)/pooler/pgbouncer.pid" }

  static func endPooler(in folder: String) {
    guard let text = try? String(contentsOfFile: poolerFile(in: folder), encoding: .utf8),
      let process = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)),
      // The kernel can have assigned the process id to a different program.
      let command = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8), command.contains(folder)
    else { return }
    kill(process, SIGKILL)
  }

  /// Stops servers by signals, because no task runs at exit and `EmbeddedCluster.stop` is asynchronous.
  private static func removeAll() {
    let folders = made.withLock { $0.filter { !$0.isEmpty } }
    let processes = folders.compactMap { cluster($0).serverProcess }
    for process in processes { kill(process, SIGQUIT) }
    for folder in folders {
      endPooler(in: folder)
      let cluster = cluster(folder)
      for _ in 0..<500 {
        if cluster.serverProcess == nil { break }
        usleep(10_000)
      }
      try? remove(folder)
    }
  }

  /// The bytes that files in this folder can use without filling the memory; 0 if the folder is not in memory.
  private static func freeMemory(_ folder: String) -> Int {
    let free = (try? FileManager.default.attributesOfFileSystem(forPath: folder))?[.systemFreeSize] as? Int ?? 0
    let figures = (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)) ?? ""
    let available = figures.firstMatch(of: /MemAvailable: +([0-9]+) kB/).flatMap { Int($0.output.1) } ?? 0
    // The programs and the servers need half of the memory.
    return min(free, available << 9)
  }

  private static func sweep() async {
    let folders = ["/tmp", "/dev/shm"].flatMap { parent in
      ((try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []).map { (parent, $0) }
    }
    for (parent, name) in folders where name.hasPrefix(prefix) && isStale(name) {
      let folder = "\(parent)/\(name)"
      let attributes = try? FileManager.default.attributesOfItem(atPath: folder)
      guard attributes?[.ownerAccountID] as? Int == Int(geteuid()) else { continue }
      do {
        endPooler(in: folder)
        if cluster(folder).serverProcess != nil { try await cluster(folder).stop(.immediate) }
        try remove(folder)
      } catch {
        // The removal fails if a second process removes the same folder. The next sweep removes the remaining files.
        continue
      }
    }
  }

  private static func isStale(_ name: String) -> Bool {
    let fields = name.dropFirst(prefix.count).split(separator: "-")
    guard fields.count == 4, let process = Int32(fields[1]) else { return false }
    if fields[0] != boot { return true }
    guard kill(process, 0) == 0 || errno == EPERM else { return true }
    guard let start = startTime(of: process) else { return false }
    return fields[2] != start
  }

  private static func cluster(_ folder: String) -> EmbeddedCluster {
    EmbeddedCluster(dataDirectory: folder, options: EmbeddedCluster.Options(environment: environment))
  }

  private static let boot: String = {
    let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    return text.map { String($0.prefix(8)) } ?? "0"
  }()

  /// Returns the start of a process in the kernel's ticks since boot; `nil` if the system does not report it.
  private static func startTime(of process: Int32) -> String? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return nil }
    // The name in parentheses is field 2, and the start time is field 22.
    let fields = text[end...].split(separator: " ")
    return fields.count > 20 ? String(fields[20]) : nil
  }
}
