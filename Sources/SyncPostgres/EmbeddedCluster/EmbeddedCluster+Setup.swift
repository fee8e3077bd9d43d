import SystemPackage

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension EmbeddedCluster {
  /// What is in the data folder.
  enum Contents: Equatable {
    /// Nothing yet, or what an interrupted set-up left.
    case nothing
    case cluster(majorVersion: Int)
  }

  /// Looks at the data folder, and refuses one that holds anything but our own.
  ///
  /// - Throws: `EmbeddedClusterError` of kind `notACluster` or `permission`. Nothing was touched then.
  func contents() throws -> Contents {
    let folder = location.folder
    if folder.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      throw EmbeddedClusterError(
        .notACluster, "the data folder's path \(folder) holds control characters",
        hint: "name a folder without them in SYNCCTL_DATA_DIR")
    }
    do {
      if let text = try versionFile() {
        if let version = Int(text.prefix { $0.isASCII && $0.isNumber }) { return .cluster(majorVersion: version) }
        throw EmbeddedClusterError(
          .notACluster, "\(location.cluster)/PG_VERSION holds no version number",
          hint: "restore that folder from a backup, or name another one in SYNCCTL_DATA_DIR")
      }
      let ours = ["postgres", "postgres.lock", "lost+found"]
      let foreign = try FileOperations.names(in: folder).first { name in
        !ours.contains(name) && !name.hasPrefix(ClusterLocation.unfinishedPrefix)
      }
      if let foreign { throw refusal(of: folder, because: foreign) }
      if let first = try FileOperations.names(in: location.cluster).first {
        throw refusal(of: location.cluster, because: first)
      }
      return .nothing
    } catch Errno.notDirectory {
      throw EmbeddedClusterError(
        .notACluster, "\(folder) is not a folder", hint: "name another folder in SYNCCTL_DATA_DIR")
    } catch let error as Errno {
      throw EmbeddedClusterError.file(error, "read", folder)
    }
  }

  /// The text of `PG_VERSION`, `nil` where there is none.
  private func versionFile() throws(Errno) -> String? {
    do throws(Errno) {
      return try FileOperations.read(location.cluster + "/PG_VERSION", limit: 64)
    } catch .noSuchFileOrDirectory {
      return nil
    }
  }

  private func refusal(of folder: String, because name: String) -> EmbeddedClusterError {
    EmbeddedClusterError(
      .notACluster,
      "\(folder) is not empty and not a database folder of syncctl (it holds \(name)); nothing was changed",
      hint: "name an empty or a new folder in SYNCCTL_DATA_DIR")
  }

  /// Makes the data folder, and lets the server's user pass through it.
  func prepareDataFolder() throws {
    // First, so that what is not ours stays as it is.
    _ = try contents()
    let folder = location.folder
    do throws(Errno) {
      try FileOperations.makeFolders(folder, permissions: isRoot ? 0o755 : 0o700)
      if isRoot, let user, !ClusterLocation.canPass(folder, user: user),
        let status = try FileOperations.status(folder, followingLinks: true)
      {
        try FileOperations.setPermissions(folder, status.permissions | 0o111)
      }
    } catch {
      throw EmbeddedClusterError.file(error, "make the data folder", folder)
    }
  }

  /// Sets the cluster up in a folder beside its own and renames that at the end, so that nobody ever takes half a
  /// cluster for a whole one. The lock must be held.
  func initialize(with binaries: ServerBinaries, user: ServerUser) async throws {
    let unfinished = "\(location.folder)/\(ClusterLocation.unfinishedPrefix)\(getpid())"
    do {
      try makeUnfinishedFolder(unfinished, user: user)
      try await runInitdb(binaries, into: unfinished, user: user)
      try await createDatabase(binaries, in: unfinished, user: user)
      do throws(Errno) {
        try FileOperations.rename(unfinished, to: location.cluster, in: location.folder)
      } catch {
        throw EmbeddedClusterError.file(error, "make", location.cluster, fallback: .initFailed)
      }
    } catch {
      // Gives the space back now; if that fails too, the next start removes it. Shielded from a cancellation, of which
      // it
      // may be the consequence.
      await Task { try? await removeUnfinished() }.value
      throw error
    }
  }

  private func makeUnfinishedFolder(_ path: String, user: ServerUser) throws {
    do throws(Errno) {
      try FileOperations.makeFolder(path, permissions: 0o700)
      if isRoot { try FileOperations.setOwner(path, user: user.id, group: user.group) }
    } catch {
      throw EmbeddedClusterError.file(error, "make", path)
    }
  }

  private func runInitdb(_ binaries: ServerBinaries, into folder: String, user: ServerUser) async throws {
    var arguments = [
      "-D", folder, "--username=syncctl", "--encoding=UTF8", "--locale=\(Self.locale)", "--lc-messages=C",
      "--data-checksums", "--auth-local=peer", "--auth-host=reject",
    ]
    if options.skipsSync { arguments.append("--no-sync") }
    let result = try await Program.run(
      binaries.path("initdb"), arguments, deadline: options.initDeadline, in: context(user: user))
    guard result.succeeded else { throw setupFailure("initdb", result.everything) }
  }

  /// The order of text is that of its bytes, the same on every machine and after every update of the system; the
  /// classes of characters are those of Unicode where the system has that locale.
  private static var locale: String {
    guard let found = newlocale(localeMask, "C.UTF-8", nil) else { return "C" }
    freelocale(found)
    return "C.UTF-8"
  }

  private static var localeMask: CInt {
    #if canImport(Darwin)
      LC_COLLATE_MASK | LC_CTYPE_MASK
    #else
      // The macros of these masks are not imported.
      (1 << LC_COLLATE) | (1 << LC_CTYPE)
    #endif
  }

  /// Makes the database in single-user mode: no server runs that anyone could meet half-way.
  private func createDatabase(_ binaries: ServerBinaries, in folder: String, user: ServerUser) async throws {
    let result = try await Program.run(
      binaries.path("postgres"), ["--single", "-D", folder, "-c", "exit_on_error=on", "template1"],
      input: "CREATE DATABASE syncctl\n", deadline: options.initDeadline, in: context(user: user))
    guard result.succeeded, !result.everything.contains("ERROR:") else {
      throw setupFailure("postgres --single", result.everything)
    }
    do throws(Errno) {
      let settings = folder + "/postgresql.conf"
      let text = try FileOperations.read(settings, limit: 1 << 20)
      try FileOperations.replace(settings, with: text + ClusterConfiguration.includeLine, owner: user)
    } catch {
      throw EmbeddedClusterError.file(error, "write", folder + "/postgresql.conf", fallback: .initFailed)
    }
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
      hint: "put right what it says, then try again; nothing was left behind")
  }

  /// Whether a failure came from a full disk: by the words, or, since those may have found no room either, by what is
  /// left for one segment of the write-ahead log.
  func isDiskFull(_ output: String, in folder: String) -> Bool {
    output.contains("No space left on device") || output.contains("Disk quota exceeded")
      || FileOperations.isNearlyFull(folder, below: 16 << 20)
  }

  /// Removes what interrupted set-ups left. The lock must be held.
  func removeUnfinished() async throws {
    let names: [String]
    do throws(Errno) {
      names = try FileOperations.names(in: location.folder).filter { $0.hasPrefix(ClusterLocation.unfinishedPrefix) }
    } catch {
      throw EmbeddedClusterError.file(error, "read", location.folder)
    }
    for name in names {
      try await removeTree("\(location.folder)/\(name)")
    }
  }

  /// Removes a folder with all in it.
  private func removeTree(_ path: String) async throws {
    // Where the set-up itself was killed its `initdb` may go on for a moment and make new files.
    for attempt in 0..<10 {
      if attempt > 0 { try await options.clock.sleep(for: .milliseconds(200)) }
      // `rm` walks by file descriptors: whoever may write in there cannot lead it elsewhere.
      let result = try await Program.run(
        "/bin/rm", ["-rf", "--", path], deadline: .seconds(60), in: context(user: nil))
      if result.succeeded { return }
    }
    throw EmbeddedClusterError(
      .permission, "cannot remove \(path), left by an interrupted set-up",
      hint: "remove it by hand, then try again")
  }
}
