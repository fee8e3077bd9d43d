import Foundation
import Hashing
import SyncCore
import SystemPackage

struct SocketFolder: Sendable, Equatable {
  /// The maximum length of a socket's path (`sun_path` has 108 bytes with its NUL on Linux, 104 elsewhere).
  #if os(Linux)
    static let longestSocketPath = 107
  #else
    static let longestSocketPath = 103
  #endif

  var path: String

  /// Prefers the user's runtime folder (`/run` for root), because other users cannot create files there. In `/tmp`,
  /// another user may create the folder first, so `prepare` checks its owner.
  static func choose(
    dataFolder: String, port: Int, environment: [String: String], asRoot: Bool, user: ServerUser,
    isUsable: (_ parent: String, _ owner: UInt32) -> Bool
  ) -> SocketFolder {
    let hash = SHA256.hash(data: Array(dataFolder.utf8)).prefix(6).hexadecimal
    let runtimeFolder = asRoot ? "/run" : environment["XDG_RUNTIME_DIR"] ?? ""
    let preferred = "\(runtimeFolder)/syncctl-\(hash)"
    // Commas and quotes have a special meaning in the setting `unix_socket_directories`.
    let isPlain = preferred.utf8.allSatisfy { byte in
      (0x2D...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
    }
    if isPlain, runtimeFolder.hasPrefix("/"), socketPath(in: preferred, port: port).utf8.count <= longestSocketPath,
      isUsable(runtimeFolder, asRoot ? 0 : user.id)
    {
      return SocketFolder(path: preferred)
    }
    return SocketFolder(path: "/tmp/syncctl-\(user.id)-\(hash)")
  }

  static func isUsable(parent: String, owner: UInt32) -> Bool {
    guard let status = try? FileOperations.status(parent, followingLinks: true) else { return false }
    return status.kind == .folder && status.owner == owner && status.permissions & 0o022 == 0
      && access(parent, W_OK) == 0
  }

  static func socketPath(in folder: String, port: Int) -> String { "\(folder)/.s.PGSQL.\(port)" }

  /// Creates the folder for the server's user only. Throws if the path is a link or belongs to another user.
  func prepare(user: ServerUser, asRoot: Bool) throws {
    do {
      do throws(Errno) {
        if try FileOperations.status(path) == nil { try FileOperations.makeFolder(path, permissions: 0o700) }
      } catch {
        guard error == .fileExists else { throw error }
      }
      let found = try FileOperations.status(path)
      guard let found, found.kind == .folder, found.owner == user.id || (asRoot && found.owner == 0) else {
        let what = found?.kind == .folder ? "belongs to user \(found?.owner ?? 0)" : "is not a folder"
        throw EmbeddedClusterError(
          .socketFolder, "the folder for the server's socket, \(path), was not made by this user: it \(what)",
          hint: "remove it, or set XDG_RUNTIME_DIR to a folder of your own")
      }
      if asRoot && found.owner == 0 { try FileOperations.setOwner(path, user: user.id, group: user.group) }
      if found.permissions != 0o700 { try FileOperations.setPermissions(path, 0o700) }
    } catch let refusal as Errno {
      throw EmbeddedClusterError(
        .socketFolder, "cannot make the folder for the server's socket at \(path): \(refusal)",
        hint: "make its parent folder writable, or set XDG_RUNTIME_DIR to a folder of your own")
    }
  }

  /// Must be called after the server has ended.
  func removeIfOurs() {
    guard path.split(separator: "/").last?.hasPrefix("syncctl-") == true else { return }
    _ = rmdir(path)
  }

  func removeStaleSocket(port: Int) throws(Errno) {
    let socket = Self.socketPath(in: path, port: port)
    try FileOperations.removeFile(socket)
    try FileOperations.removeFile(socket + ".lock")
  }
}
