import SyncCore
import SystemPackage

extension EmbeddedCluster {
  func startLocked(for purpose: Purpose, user: ServerUser) async throws -> ClusterEndpoint {
    let binaries: ServerBinaries
    switch try contents() {
    case .cluster(let version, _):
      binaries = try await self.binaries(for: version)
    case .nothing where purpose == .change:
      binaries = try await self.binaries(for: nil)
      try await initialize(with: binaries, user: user)
    case .nothing: throw notInitialized
    case .putAside(let name): throw interruptedUpgrade(name)
    }
    if let running = runningServer(), let endpoint = try await settle(running, binaries: binaries, user: user) {
      return endpoint
    }
    return try await launch(binaries, for: purpose, user: user)
  }

  func launch(_ binaries: ServerBinaries, for purpose: Purpose, user: ServerUser) async throws -> ClusterEndpoint {
    let folder = chooseSocketFolder(for: user)
    try folder.prepare(user: user, asRoot: isRoot)
    try clearAfterCrash(folder)
    if purpose == .change { try writeConfiguration(socketFolder: folder, user: user) }
    try await start(binaries, socketFolder: folder, user: user)
    guard let endpoint = readyServer() else { throw startFailure(since: 0) }
    return endpoint
  }

  /// Stops a server without a socket. Returns `nil` if no server runs afterwards.
  private func settle(
    _ first: PostmasterFile, binaries: ServerBinaries, user: ServerUser
  ) async throws -> ClusterEndpoint? {
    let isSettled = try await polling(options.startDeadline).wait { () -> Bool? in
      guard let running = runningServer() else { return true }
      return running.status == .ready ? true : nil
    }
    guard isSettled != nil else {
      throw EmbeddedClusterError(
        .timeout,
        "the server in \(location.folder) (process \(first.pid)) is still \(first.status?.rawValue ?? "starting") after "
          + "\(options.startDeadline.components.seconds) s",
        hint: "it may be recovering after a crash: see \(location.serverLog), then retry")
    }
    if let endpoint = readyServer() { return endpoint }
    // Without a socket, no client can connect. For example, the end of a login session removes the socket.
    if runningServer() != nil { try await stopServer(.fast, binaries: binaries, user: user) }
    return nil
  }

  /// Removes a crashed server's files. These files would prevent a start if another process now has the server's pid.
  private func clearAfterCrash(_ folder: SocketFolder) throws {
    try EmbeddedClusterError.naming("clean up", location.folder) {
      if let old = PostmasterFile.read(cluster: location.cluster), old.socketDirectory == folder.path {
        try folder.removeStaleSocket(port: old.port)
      }
      try folder.removeStaleSocket(port: options.port)
      #if os(Linux)
        try FileOperations.removeFile(PostmasterFile.path(cluster: location.cluster))
      #endif
    }
  }

  func writeConfiguration(socketFolder: SocketFolder, user: ServerUser) throws {
    let configuration = configuration(socketFolder: socketFolder.path, user: user)
    try writeFiles([("syncctl.conf", configuration.settingsFile)] + configuration.accessFiles, user: user)
  }

  /// Writes only the files that say who can log in. The server must then reload its configuration.
  func writeAccessFiles() throws {
    let user = try requireUser()
    try writeFiles(configuration(socketFolder: "", user: user).accessFiles, user: user)
  }

  private func configuration(socketFolder: String, user: ServerUser) -> ClusterConfiguration {
    ClusterConfiguration(
      socketDirectory: socketFolder, port: options.port, listenAddresses: options.listenAddresses,
      settings: options.settings, hostRules: options.hostRules,
      allowedUsers: isRoot ? ["root", user.name] : [user.name])
  }

  private func writeFiles(_ files: [(name: String, text: String)], user: ServerUser) throws {
    for (name, text) in files {
      let path = "\(location.cluster)/\(name)"
      // An unchanged file is not written again, because writing fails on a full disk.
      if (try? FileOperations.read(path, limit: 1 << 16)) == text { continue }
      try write(text, to: path, user: user)
    }
  }

  func write(_ text: String, to path: String, user: ServerUser) throws {
    try EmbeddedClusterError.naming("write", path) { try FileOperations.replace(path, with: text, owner: user) }
  }

  /// The socket folder is an argument of the server, because a start for a query writes no settings file.
  private func start(_ binaries: ServerBinaries, socketFolder: SocketFolder, user: ServerUser) async throws {
    let log = location.serverLog
    if FileOperations.size(log) > Limits.serverLogBytes {
      try EmbeddedClusterError.naming("rename", log) {
        try FileOperations.rename(log, to: log + ".1", in: location.cluster)
      }
    }

    // During an upgrade, the server must not listen on addresses that ALTER SYSTEM has set.
    let network = options.port == Self.upgradePort ? " -c listen_addresses=" : ""

    // The shared memory of a killed server stays in use for a moment. Until then, a new server refuses to start.
    let retries = PollingInterval(limit: .seconds(10), interval: .milliseconds(200), clock: options.clock)
    for attempt in 0...Int(retries.limit / retries.interval) {
      let logged = FileOperations.size(log)
      if attempt > 0 { try await options.clock.sleep(for: retries.interval) }

      let result: ServerProgram.Result
      do {
        // `pg_ctl` passes its arguments to a shell, so no argument contains the data folder's path.
        result = try await ServerProgram.run(
          binaries.path("pg_ctl"),
          [
            "start", "-w", "-s", "-t", "\(options.startDeadline.components.seconds)", "-l", "server.log",
            "-o", "-k \(socketFolder.path) -p \(options.port)\(network)",
          ],
          deadline: options.startDeadline + .seconds(10), in: context(user: user, workingFolder: location.cluster))
      } catch let error as EmbeddedClusterError where error.cause == .timeout {
        throw startFailure(since: logged, timedOut: true)
      }

      if result.succeeded { return }
      let failure = startFailure(since: logged, output: result.everything)
      guard failure.message.contains("pre-existing shared memory block") else { throw failure }
    }

    throw startFailure(since: 0)
  }

  private func startFailure(since offset: Int64, output: String = "", timedOut: Bool = false) -> EmbeddedClusterError {
    let log = (try? FileOperations.read(location.serverLog, from: offset, limit: 65_536)) ?? ""
    let line = EmbeddedClusterError.tellingLine(of: log.isEmpty ? output : log)
    if isDiskFull(log + output, in: location.folder) {
      return EmbeddedClusterError(
        .diskFull, "the database server cannot start, because the disk of \(location.folder) is full: \(line)",
        hint: EmbeddedClusterError.freeSpaceHint)
    }
    if timedOut || output.contains("did not start in time") {
      return EmbeddedClusterError(
        .timeout,
        "the database server in \(location.folder) was not ready after \(options.startDeadline.components.seconds) s: \(line)",
        hint: "it may be recovering after a crash: see \(location.serverLog), then retry")
    }
    return EmbeddedClusterError(
      .startFailed, "the database server in \(location.folder) did not start: \(line)",
      hint: "see \(location.serverLog)")
  }

  func stopLocked(_ mode: StopMode, user: ServerUser) async throws {
    guard let running = runningServer() else { return }
    // Each version's pg_ctl stops each version's server.
    try await stopServer(mode, binaries: binaries(for: nil, oldest: 0), user: user)
    SocketFolder(path: running.socketDirectory).removeIfOurs()
  }

  func stopServer(_ mode: StopMode, binaries: ServerBinaries, user: ServerUser) async throws {
    let limit = options.stopDeadline.components.seconds
    let result = try await ServerProgram.run(
      binaries.path("pg_ctl"), ["stop", "-w", "-s", "-m", mode.rawValue, "-t", "\(limit)"],
      deadline: options.stopDeadline + .seconds(10), in: context(user: user, workingFolder: location.cluster))
    if result.succeeded || runningServer() == nil { return }
    let line = EmbeddedClusterError.tellingLine(of: result.everything)
    throw EmbeddedClusterError(
      result.everything.contains("does not shut down") ? .timeout : .stopFailed,
      "the database server in \(location.folder) did not stop within \(limit) s: \(line)",
      hint: "see \(location.serverLog), then retry")
  }
}

extension EmbeddedCluster {
  /// Returns the version and folder of the server programs that the cluster uses, or would use for a new cluster, as
  /// a text for the user: `PostgreSQL 17 in /usr/lib/postgresql/17/bin`.
  /// - Throws: `EmbeddedClusterError`, for example `binariesMissing`.
  package func programs() async throws -> String {
    let version: Int? =
      switch try await status() {
      case .notInitialized: nil
      case .stopped(let major): major
      case .running(let server): server.majorVersion
      }
    let found = try await binaries(for: version)
    return "PostgreSQL \(found.majorVersion) in \(found.folder)"
  }
}
