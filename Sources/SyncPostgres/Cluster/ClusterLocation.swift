import Hashing
import SyncCore

/// The cluster's folder, and whether it is the configured one.
package struct ClusterLocation: Sendable, Equatable {
  /// Why another folder is in use than the configured one.
  package struct Move: Sendable, Equatable {
    package let asked: String
    /// For display: what is wrong with a folder on its path.
    package let reason: String
  }

  /// The data folder in use. The cluster itself is its subfolder `postgres`, next to a lock file.
  package let folder: String
  package let move: Move?
  /// The name of the cluster's folder; another one while it is created.
  let name: String

  init(folder: String, move: Move? = nil, name: String = "postgres") {
    self.folder = folder
    self.move = move
    self.name = name
  }

  package var text: String {
    "embedded PostgreSQL in \(folder)" + (move.map { " (not in \($0.asked): \($0.reason))" } ?? "")
  }

  package var cluster: String { "\(folder)/\(name)" }
  package var serverLog: String { cluster + "/server.log" }

  var lockFile: String { folder + "/postgres.lock" }
  /// The beginning of the names under which a cluster is set up before it gets its own.
  static let unfinishedPrefix = "postgres.init-"
  /// The beginning of the names under which an upgrade keeps the cluster that it replaced; its major version follows.
  static let keptPrefix = "postgres.old-"

  /// The folder for a server that runs as another user than the caller.
  static let systemFolder = "/var/lib/syncctl"

  /// The data folder for an environment: `SYNCCTL_DATA_DIR`, else `/var/lib/syncctl` for root, whose home is closed to
  /// the server's user, else `syncctl` in the user's data folder.
  package static func defaultFolder(
    environment: [String: String], isRoot: Bool, home: String, workingFolder: String
  ) -> String {
    if let asked = environment["SYNCCTL_DATA_DIR"], !asked.isEmpty {
      return asked.hasPrefix("/") ? asked : workingFolder + "/" + asked
    }
    if isRoot { return systemFolder }
    // The base directory specification: a relative path counts as none.
    if let dataHome = environment["XDG_DATA_HOME"], dataHome.hasPrefix("/") { return dataHome + "/syncctl" }
    return (environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home) + "/.local/share/syncctl"
  }

  /// Decides on the folder.
  ///
  /// A server of another user must be able to pass through every folder above its own, and no third user may own one of
  /// them. Otherwise the cluster gets a folder in `/var/lib/syncctl` that is named by a hash of the configured path:
  /// always the same, and unique. An existing cluster stays where it is.
  ///
  /// - Parameters:
  ///   - isTaken: whether a folder holds a cluster.
  ///   - obstacle: what is wrong with a folder above the data folder, for display.
  static func resolve(
    asked: String, isTaken: (String) -> Bool, obstacle: (String) -> String?
  ) -> ClusterLocation {
    var folder = asked
    while folder.count > 1 && folder.hasSuffix("/") { folder.removeLast() }
    guard let reason = parents(of: folder).lazy.compactMap(obstacle).first, !isTaken(folder) else {
      return ClusterLocation(folder: folder)
    }
    let hash = SHA256.hash(data: Array(folder.utf8)).prefix(8).hexadecimal
    return ClusterLocation(folder: "\(systemFolder)/at-\(hash)", move: Move(asked: folder, reason: reason))
  }

  /// The folders above an absolute path, the root first.
  static func parents(of path: String) -> [String] {
    var parents: [String] = []
    var parent = path
    while let slash = parent.lastIndex(of: "/"), parent != "/" {
      parent = slash == parent.startIndex ? "/" : String(parent[..<slash])
      parents.append(parent)
    }
    return parents.reversed()
  }

  /// Whether a user may pass through a folder by its permission bits; a missing one will be created passable.
  static func canPass(_ folder: String, user: ServerUser) -> Bool {
    guard let found = try? FileOperations.status(folder, followingLinks: true) else { return true }
    let bit: UInt32 =
      if found.owner == user.id { 0o100 } else if found.group == user.group { 0o010 } else { 0o001 }
    return found.permissions & bit != 0
  }
}
