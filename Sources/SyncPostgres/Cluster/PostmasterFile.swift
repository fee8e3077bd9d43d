import Foundation

struct PostmasterFile: Sendable, Equatable {
  enum ServerStatus: String, Sendable { case starting, ready, stopping, standby }

  var pid: Int32
  var startedAt: Int64
  var port: Int
  var socketDirectory: String
  var status: ServerStatus?

  init?(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    func trimmed(_ index: Int) -> String {
      index < lines.count ? String(lines[index].filter { $0 != " " && $0 != "\r" }) : ""
    }
    // A single-user server writes its pid as a negative number.
    guard let number = Int32(trimmed(0)), let pid = Optional(number.magnitude), pid > 1 else { return nil }
    self.pid = Int32(clamping: pid)
    startedAt = Int64(trimmed(2)) ?? 0
    port = Int(trimmed(3)) ?? 0
    socketDirectory = lines.count > 4 ? String(lines[4]) : ""
    status = ServerStatus(rawValue: trimmed(7))
  }

  static func read(cluster: String) -> PostmasterFile? {
    guard let text = try? FileOperations.read(path(cluster: cluster), limit: 8_192) else { return nil }
    return PostmasterFile(text)
  }

  var endpoint: ClusterEndpoint { ClusterEndpoint(socketDirectory: socketDirectory, port: port) }

  static func path(cluster: String) -> String { cluster + "/postmaster.pid" }

  /// Compares the process's working folder with the cluster, because another program can have the pid after a crash.
  /// If the working folder cannot be read, returns `true`, because a second server would damage the data.
  func isAlive(cluster: String, user: ServerUser) -> Bool {
    guard kill(pid, 0) == 0 || errno == EPERM else { return false }
    #if os(Linux)
      guard let status = try? FileOperations.status("/proc/\(pid)") else { return false }
      guard status.owner == user.id || status.owner == 0 else { return false }
      let name = (try? FileOperations.read("/proc/\(pid)/comm", limit: 64)) ?? "postgres"
      // A zombie has an empty start time.
      guard name.hasPrefix("postgres"), LeaseOwner.startTime(of: pid) != "" else { return false }
      guard let folder = FileOperations.linkTarget("/proc/\(pid)/cwd") else { return true }
      return folder == FileOperations.canonical(cluster)
    #else
      return true
    #endif
  }

  var hasSocket: Bool {
    let path = SocketFolder.socketPath(in: socketDirectory, port: port)
    return (try? FileOperations.status(path))?.kind == .socket
  }
}
