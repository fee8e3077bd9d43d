import Foundation

/// What a running server writes into `postmaster.pid`, line by line.
struct PostmasterFile: Sendable, Equatable {
  enum State: String, Sendable { case starting, ready, stopping, standby }

  var pid: Int32
  /// Seconds since 1970.
  var startedAt: Int64
  var port: Int
  var socketDirectory: String
  /// `nil` while the server has not written that line yet.
  var state: State?

  /// Reads the text; `nil` when it does not even hold a process id, as in the instant of its creation.
  init?(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    func trimmed(_ index: Int) -> String {
      index < lines.count ? String(lines[index].filter { $0 != " " && $0 != "\r" }) : ""
    }
    // A negative number stands for a single-user server.
    guard let number = Int32(trimmed(0)), let pid = Optional(number.magnitude), pid > 1 else { return nil }
    self.pid = Int32(clamping: pid)
    startedAt = Int64(trimmed(2)) ?? 0
    port = Int(trimmed(3)) ?? 0
    socketDirectory = lines.count > 4 ? String(lines[4]) : ""
    state = State(rawValue: trimmed(7))
  }

  static func read(cluster: String) -> PostmasterFile? {
    guard let text = try? FileOperations.read(path(cluster: cluster), limit: 8_192) else { return nil }
    return PostmasterFile(text)
  }

  static func path(cluster: String) -> String { cluster + "/postmaster.pid" }

  /// Whether the process named in the file still is the server of this cluster.
  ///
  /// A number alone proves nothing: after a crash or a restart of the machine (above all in containers) it soon belongs
  /// to another program. A server works in its data folder, which identifies it. If that cannot be read, the process
  /// counts as the server if it may be one, because starting a second server on the same data would be worse.
  func isAlive(cluster: String, user: ServerUser) -> Bool {
    guard kill(pid, 0) == 0 || errno == EPERM else { return false }
    #if os(Linux)
      guard let status = try? FileOperations.status("/proc/\(pid)") else { return false }
      guard status.owner == user.id || status.owner == 0 else { return false }
      let name = (try? FileOperations.read("/proc/\(pid)/comm", limit: 64)) ?? "postgres"
      guard name.hasPrefix("postgres"), !isZombie else { return false }
      guard let folder = FileOperations.linkTarget("/proc/\(pid)/cwd") else { return true }
      return folder == FileOperations.canonical(cluster)
    #else
      return true
    #endif
  }

  #if os(Linux)
    /// Whether the process has ended and only waits to be reaped, which never happens in a container whose first
    /// process ignores orphans.
    private var isZombie: Bool {
      guard let text = try? FileOperations.read("/proc/\(pid)/stat", limit: 1_024) else { return false }
      // The state follows the name, which is in parentheses and may hold some itself.
      guard let end = text.lastIndex(of: ")") else { return false }
      return text[end...].dropFirst().first { $0 != " " } == "Z"
    }
  #endif

  /// Whether the server's socket exists; clean-up of temporary folders may have removed it.
  var hasSocket: Bool {
    let path = SocketFolder.socketPath(in: socketDirectory, port: port)
    return (try? FileOperations.status(path))?.kind == .socket
  }
}
