import Hashing
import SyncCore

/// The data folder of an embedded cluster, and the paths in it.
package struct ClusterLocation: Sendable, Equatable {
  /// The folder that the user asked for, and the reason why another folder is used.
  package struct Move: Sendable, Equatable {
    package let requestedFolder: String
    package let reason: String
  }

  package let folder: String
  package var move: Move?
  var name = "postgres"

  package var text: String {
    "embedded PostgreSQL in \(folder)" + (move.map { " (not in \($0.requestedFolder): \($0.reason))" } ?? "")
  }

  package var cluster: String { "\(folder)/\(name)" }
  package var serverLog: String { cluster + "/server.log" }

  var lockFile: String { folder + "/postgres.lock" }
  static let unfinishedPrefix = "postgres.init-"
  static let keptPrefix = "postgres.old-"

  static let systemFolder = "/var/lib/syncctl"

  /// Returns the data folder: `SYNCCTL_DATA_DIR`, or else `/var/lib/syncctl` for root, or else the XDG data folder.
  ///
  /// The path is absolute if `workingFolder` and `home` are.
  package static func defaultFolder(
    environment: [String: String], isRoot: Bool, home: String, workingFolder: String
  ) -> String {
    if let requestedFolder = environment["SYNCCTL_DATA_DIR"], !requestedFolder.isEmpty {
      return requestedFolder.hasPrefix("/") ? requestedFolder : workingFolder + "/" + requestedFolder
    }
    if isRoot { return systemFolder }
    // A relative path is ignored, as the XDG specification requires.
    if let dataHome = environment["XDG_DATA_HOME"], dataHome.hasPrefix("/") { return dataHome + "/syncctl" }
    return (environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home) + "/.local/share/syncctl"
  }

  /// Returns `requestedFolder` if it already has a cluster, or if none of its parent folders has an obstacle. Otherwise
  /// returns a folder in `/var/lib/syncctl` with a hash of `requestedFolder` in its name.
  static func resolve(requestedFolder: String, hasCluster: (String) -> Bool, obstacle: (String) -> String?)
    -> ClusterLocation
  {
    var folder = requestedFolder
    while folder.count > 1 && folder.hasSuffix("/") { folder.removeLast() }
    guard let reason = parents(of: folder).lazy.compactMap(obstacle).first, !hasCluster(folder) else {
      return ClusterLocation(folder: folder)
    }
    let hash = SHA256.hash(data: Array(folder.utf8)).prefix(8).hexadecimal
    return ClusterLocation(folder: "\(systemFolder)/at-\(hash)", move: Move(requestedFolder: folder, reason: reason))
  }

  static func parents(of path: String) -> [String] {
    var parents: [String] = []
    var parent = path
    while let slash = parent.lastIndex(of: "/"), parent != "/" {
      parent = slash == parent.startIndex ? "/" : String(parent[..<slash])
      parents.append(parent)
    }
    return parents.reversed()
  }

  static func canPass(_ folder: String, user: ServerUser) -> Bool {
    guard let found = try? FileOperations.status(folder, followingLinks: true) else { return true }
    let bit: UInt32 = if found.owner == user.id { 0o100 } else if found.group == user.group { 0o010 } else { 0o001 }
    return found.permissions & bit != 0
  }
}
