import Foundation
import Hashing
import SyncCore
import SystemPackage

/// The private folder for the server's socket: short, because the kernel's address of a socket ends at 107 bytes, and
/// open to the server's user alone.
struct SocketFolder: Sendable, Equatable {
  /// The most bytes of a socket's path (`sun_path` is 108 with its NUL on Linux, 104 elsewhere).
  #if os(Linux)
    static let longestSocketPath = 107
  #else
    static let longestSocketPath = 103
  #endif

  var path: String

  /// Chooses the folder's place; touches nothing.
  ///
  /// The name holds a hash of the data folder, so that several clusters never collide. The user's runtime folder is
  /// best: no one else can create anything there. Root has `/run` for that. The fallback is `/tmp`, where the first
  /// user to take a name owns it: `prepare` checks who did.
  ///
  /// - Parameter isUsable: whether a parent folder exists and belongs to the given user.
  static func choose(
    dataFolder: String, port: Int, environment: [String: String], asRoot: Bool, user: ServerUser,
    isUsable: (_ parent: String, _ owner: UInt32) -> Bool
  ) -> SocketFolder {
    let hash = SHA256.hash(data: Array(dataFolder.utf8)).prefix(6).hexadecimal
    let runtimeFolder = asRoot ? "/run" : environment["XDG_RUNTIME_DIR"] ?? ""
    let preferred = "\(runtimeFolder)/syncctl-\(hash)"
    // A comma or a quote would mean something in the server's list of folders.
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

  /// Makes the folder if need be, and proves that it is a folder, no link, owned by the server's user and closed to all
  /// others.
  func prepare(user: ServerUser, asRoot: Bool) throws {
    do throws(Errno) {
      if try FileOperations.status(path) == nil { try FileOperations.makeFolder(path, permissions: 0o700) }
    } catch {
      // `fileExists`: another process created it in between; its owner is checked next.
      guard error == .fileExists else { throw failure(error) }
    }
    let found: FileStatus?
    do throws(Errno) { found = try FileOperations.status(path) } catch { throw failure(error) }
    guard let found, found.kind == .folder, found.owner == user.id || (asRoot && found.owner == 0) else {
      let what = found?.kind == .folder ? "belongs to user \(found?.owner ?? 0)" : "is not a folder"
      throw EmbeddedClusterError(
        .socketFolder, "the folder for the server's socket, \(path), was made by someone else: it \(what)",
        hint: "remove it, or set XDG_RUNTIME_DIR to a folder of your own")
    }
    do throws(Errno) {
      if asRoot && found.owner == 0 { try FileOperations.setOwner(path, user: user.id, group: user.group) }
      if found.permissions != 0o700 { try FileOperations.setPermissions(path, 0o700) }
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ refusal: Errno) -> EmbeddedClusterError {
    EmbeddedClusterError(
      .socketFolder, "cannot make the folder for the server's socket at \(path): \(refusal)",
      hint: "make its parent folder writable, or set XDG_RUNTIME_DIR to a folder of your own")
  }

  /// Removes the folder after its server has ended, if it is one that `choose` named.
  func removeIfOurs() {
    guard path.split(separator: "/").last?.hasPrefix("syncctl-") == true else { return }
    FileOperations.removeEmptyFolder(path)
  }

  /// Removes what a killed server left, which would keep the next one from starting once the process id is in use
  /// again.
  func removeStaleSocket(port: Int) throws(Errno) {
    let socket = Self.socketPath(in: path, port: port)
    try FileOperations.removeFile(socket)
    try FileOperations.removeFile(socket + ".lock")
  }
}
