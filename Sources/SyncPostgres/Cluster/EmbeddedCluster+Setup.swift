import Foundation
import SystemPackage

extension EmbeddedCluster {
  enum Contents: Equatable {
    /// The folder can have files of an interrupted setup.
    case nothing
    /// - Parameter isMarked: whether the cluster has a marker file. Earlier versions of syncctl wrote none.
    case cluster(majorVersion: Int, isMarked: Bool)
    /// An upgrade was interrupted after it had renamed the old cluster to `name`.
    case putAside(name: String)
  }

  /// Throws if the folder is neither empty nor a data folder of syncctl. Changes no files.
  func contents() throws -> Contents {
    let folder = location.folder
    if folder.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      throw EmbeddedClusterError(
        .notACluster, "the data folder's path \(folder) contains control characters",
        hint: "set SYNCCTL_DATA_DIR to a path without them")
    }
    do {
      try checkPath()
      if let text = try text(of: "PG_VERSION", limit: 64) {
        guard let version = Int(text.prefix { $0.isASCII && $0.isNumber }) else {
          throw EmbeddedClusterError(
            .notACluster, "\(location.cluster)/PG_VERSION contains no version number",
            hint: "restore that folder from a backup, or set SYNCCTL_DATA_DIR to another one")
        }
        return .cluster(majorVersion: version, isMarked: try isMarked())
      }

      let names = try FileOperations.names(in: folder)
      if let foreign = names.first(where: { !isOurs($0) }) { throw refusal(of: folder, because: foreign) }
      if let first = try FileOperations.names(in: location.cluster).first {
        throw refusal(of: location.cluster, because: first)
      }

      // If several old clusters are kept, the last cluster is from the interrupted upgrade.
      return names.last { $0.hasPrefix(ClusterLocation.keptPrefix) }.map { .putAside(name: $0) } ?? .nothing
    } catch Errno.notDirectory {
      throw EmbeddedClusterError(
        .notACluster, "\(folder) is not a folder", hint: "set SYNCCTL_DATA_DIR to another folder")
    } catch let error as Errno {
      throw EmbeddedClusterError.file(error, "read", folder)
    }
  }

  private func checkPath() throws {
    guard let user else { return }
    let cluster = try clusterFolder(of: user)
    let parents = ClusterLocation.parents(of: cluster ?? location.cluster)
    let trust = FolderTrust(users: [user])
    if let doubt = trust.doubt(about: parents.last ?? "/") {
      let remedy =
        switch doubt {
        case .owner: "set SYNCCTL_DATA_DIR to a folder whose parents belong only to you or root"
        case .writable(let path, _): "run chmod go-w \(path), or set SYNCCTL_DATA_DIR to another folder"
        }
      throw EmbeddedClusterError(
        .untrustedFolder, "\(doubt.text), who could replace the database in \(location.folder)", hint: remedy)
    }
    guard let cluster else { return }
    if let doubt = trust.doubt(aboutFolder: cluster) {
      throw EmbeddedClusterError(.untrustedFolder, doubt.text, hint: "run chmod 0700 \(cluster)")
    }
    if isRoot, let closed = parents.dropLast().first(where: { !ClusterLocation.canPass($0, user: user) }) {
      throw EmbeddedClusterError(
        .permission, "the server's user \(user.name) cannot enter \(closed)",
        hint: "run chmod o+x \(closed)")
    }
  }

  private func clusterFolder(of user: ServerUser) throws -> String? {
    guard let cluster = FileOperations.canonical(location.cluster), let found = try FileOperations.status(cluster),
      found.kind == .folder
    else { return nil }
    guard found.owner != user.id else { return cluster }
    if let names = try? FileOperations.names(in: cluster), !names.contains("PG_VERSION") { return nil }
    let owner = ServerUser.lookUp(id: found.owner)?.name ?? "\(found.owner)"
    throw EmbeddedClusterError(
      .permission, "the database in \(cluster) belongs to user \(owner), and the server would run as \(user.name)",
      hint: "run as \(owner), or set SYNCCTL_DATA_DIR to another folder")
  }

  static let marker = "syncctl.cluster"
  private static let markerLine = "A database of syncctl, which takes this folder for its own because of this file.\n"

  private func isMarked() throws -> Bool {
    if try text(of: Self.marker, limit: 256) == Self.markerLine { return true }
    // A cluster of an earlier syncctl has no marker, but it includes syncctl's settings file.
    guard try text(of: "syncctl.conf", limit: 1 << 16)?.hasPrefix(ClusterConfiguration.firstLine) == true,
      try text(of: "postgresql.conf", limit: 1 << 20)?.contains("\n" + ClusterConfiguration.includeLine) == true
    else {
      throw EmbeddedClusterError(
        .notACluster,
        "\(location.cluster) is a PostgreSQL cluster that syncctl did not make (\(Self.marker) is missing); "
          + "nothing was changed",
        hint: "set SYNCCTL_DATA_DIR to another folder, or SYNCCTL_DATABASE_URL to the address of its server")
    }
    return false
  }

  private func text(of name: String, limit: Int) throws -> String? {
    do {
      return try FileOperations.read("\(location.cluster)/\(name)", limit: limit)
    } catch Errno.noSuchFileOrDirectory {
      return nil
    }
  }

  func writeMarker(user: ServerUser) throws {
    try write(Self.markerLine, to: "\(location.cluster)/\(Self.marker)", user: user)
  }

  private func isOurs(_ name: String) -> Bool {
    if ["postgres", "postgres.lock", EmbeddedCluster.pagesFolder, "lost+found"].contains(name) { return true }
    if [ClusterLocation.unfinishedPrefix, ClusterLocation.keptPrefix].contains(where: name.hasPrefix) { return true }
    let path = "\(location.folder)/\(name)"
    guard (try? FileOperations.status(path))?.kind == .folder, let names = try? FileOperations.names(in: path) else {
      return false
    }
    return names.isEmpty || names.contains("postgres.lock")
  }

  private func refusal(of folder: String, because name: String) -> EmbeddedClusterError {
    EmbeddedClusterError(
      .notACluster,
      "\(folder) is not empty and not a database folder of syncctl (it contains \(name)); nothing was changed",
      hint: "set SYNCCTL_DATA_DIR to an empty or new folder")
  }

  func prepareDataFolder() throws {
    // This check must be first, because it protects files of other programs.
    _ = try contents()
    let folder = location.folder
    try EmbeddedClusterError.naming("make the data folder", folder) {
      try FileOperations.makeFolders(folder, permissions: isRoot ? 0o755 : 0o700)
      if isRoot, let user, !ClusterLocation.canPass(folder, user: user),
        let status = try FileOperations.status(folder, followingLinks: true)
      {
        try FileOperations.setPermissions(folder, status.permissions | 0o111)
      }
    }
  }

  /// Renames the cluster when it is complete, so that no process uses a partial cluster. The caller must hold the lock.
  func initialize(with binaries: ServerBinaries, user: ServerUser) async throws {
    let unfinished = unfinished()
    do {
      try await unfinished.runInitdb(binaries, user: user)
      try await unfinished.createDatabase(binaries, user: user)
      try unfinished.furnish(user: user)
      try EmbeddedClusterError.naming("make", location.cluster, fallback: .initFailed) {
        try FileOperations.rename(unfinished.location.cluster, to: location.cluster, in: location.folder)
      }
    } catch {
      // A separate task removes the files, because this task may be cancelled.
      await Task { try? await removeUnfinished() }.value
      throw error
    }
  }

  func unfinished() -> EmbeddedCluster { named("\(ClusterLocation.unfinishedPrefix)\(getpid())") }

  func makeServerFolder(_ path: String, user: ServerUser) throws {
    try EmbeddedClusterError.naming("make", path) {
      try FileOperations.makeFolder(path, permissions: 0o700)
      if isRoot { try FileOperations.setOwner(path, user: user.id, group: user.group) }
    }
  }

  func runInitdb(_ binaries: ServerBinaries, user: ServerUser) async throws {
    try makeServerFolder(location.cluster, user: user)
    var arguments = [
      "-D", location.cluster, "--username=syncctl", "--encoding=UTF8", "--locale=\(Self.locale)", "--lc-messages=C",
      "--data-checksums", "--auth-local=peer", "--auth-host=reject",
    ]
    if options.skipsSync { arguments.append("--no-sync") }
    let result = try await ServerProgram.run(
      binaries.path("initdb"), arguments, deadline: options.initDeadline, in: context(user: user))
    guard result.succeeded else { throw setupFailure("initdb", result.everything) }
  }

  /// `C.UTF-8` and `C` sort by bytes, so the order is the same on all machines. `C.UTF-8` also knows Unicode's letters.
  private static var locale: String {
    guard let found = newlocale(localeMask, "C.UTF-8", nil) else { return "C" }
    freelocale(found)
    return "C.UTF-8"
  }

  private static var localeMask: CInt {
    #if canImport(Darwin)
      LC_COLLATE_MASK | LC_CTYPE_MASK
    #else
      // Swift does not import Glibc's macros for these masks.
      (1 << LC_COLLATE) | (1 << LC_CTYPE)
    #endif
  }

  /// Uses single-user mode, so that no client can connect to a partial cluster.
  private func createDatabase(_ binaries: ServerBinaries, user: ServerUser) async throws {
    let result = try await ServerProgram.run(
      binaries.path("postgres"), ["--single", "-D", location.cluster, "-c", "exit_on_error=on", "template1"],
      source: .text("CREATE DATABASE syncctl\n"), deadline: options.initDeadline, in: context(user: user))
    guard result.succeeded, !result.everything.contains("ERROR:") else {
      throw setupFailure("postgres --single", result.everything)
    }
  }

  func furnish(user: ServerUser) throws {
    let settings = location.cluster + "/postgresql.conf"
    try EmbeddedClusterError.naming("write", settings, fallback: .initFailed) {
      let text = try FileOperations.read(settings, limit: 1 << 20)
      try FileOperations.replace(settings, with: text + ClusterConfiguration.includeLine, owner: user)
    }
    try writeConfiguration(socketFolder: chooseSocketFolder(for: user), user: user)
    try writeMarker(user: user)
  }

  private func setupFailure(_ program: String, _ output: String) -> EmbeddedClusterError {
    let line = EmbeddedClusterError.tellingLine(of: output)
    if isDiskFull(output, in: location.folder) {
      return EmbeddedClusterError(
        .diskFull, "the disk of \(location.folder) is full: \(program) said: \(line)",
        hint: EmbeddedClusterError.freeSpaceHint)
    }
    return EmbeddedClusterError(
      .initFailed, "cannot set up a database in \(location.folder): \(program) said: \(line)",
      hint: "correct what it reports, then retry; no files were left behind")
  }

  /// Also checks the free space, because a server may be unable to write its message on a full disk.
  func isDiskFull(_ output: String, in folder: String) -> Bool {
    output.contains("No space left on device") || output.contains("Disk quota exceeded")
      || FileOperations.isNearlyFull(folder, below: 16 << 20)
  }

  /// The caller must hold the `FolderLock`.
  func removeUnfinished() async throws {
    let names = try EmbeddedClusterError.naming("read", location.folder) {
      try FileOperations.names(in: location.folder)
    }
    for name in names where name.hasPrefix(ClusterLocation.unfinishedPrefix) {
      // A killed upgrade can leave its server running. That server would later remove the socket of a new server.
      if let user { try? await named(name).stopLocked(.immediate, user: user) }
      try await removeTree("\(location.folder)/\(name)")
    }
  }

  func removeTree(_ path: String) async throws {
    // If a setup was killed, its `initdb` may still create files for a moment.
    for attempt in 0..<10 {
      if attempt > 0 { try await options.clock.sleep(for: .milliseconds(200)) }
      // `rm` uses directory descriptors, so that no other user can redirect `rm` with a symbolic link.
      let result = try await ServerProgram.run(
        "/bin/rm", ["-rf", "--", path], deadline: .seconds(60), in: context(user: nil))
      if result.succeeded { return }
    }
    throw EmbeddedClusterError(
      .permission, "cannot remove \(path), left by an interrupted set-up",
      hint: "remove it by hand, then retry")
  }
}
