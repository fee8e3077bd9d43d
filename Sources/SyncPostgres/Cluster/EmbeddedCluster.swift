import Foundation
import SystemPackage

/// A PostgreSQL server for users without a configured database: the machine's server programs, a data folder, a Unix
/// socket and no network port, started on demand and left running.
///
/// Values hold no state: the data folder does. Any number of values and processes may use one folder at once.
package struct EmbeddedCluster: Sendable {
  package struct Options: Sendable {
    /// The environment that says where things are: `PATH`, `SYNCCTL_PG_BINDIR`, `XDG_RUNTIME_DIR`.
    package var environment: [String: String]
    /// Folders to look for server programs in after those of `PATH`; a `*` stands for any name.
    package var searchPatterns = BinarySearch.usualPatterns
    /// The number in the socket's name, and of the network port if there is one.
    package var port = 5432
    package var listenAddresses = ""
    package var settings: [String: String] = [:]
    package var hostRules: [String] = []
    /// Whether `initdb` may skip flushing its files to disk: for temporary clusters only.
    package var skipsSync = false
    /// How long to wait for another process that is setting up or starting the same cluster.
    package var lockPatience: Duration = .seconds(60)
    package var initDeadline: Duration = .seconds(120)
    package var startDeadline: Duration = .seconds(60)
    package var stopDeadline: Duration = .seconds(60)
    package var upgradeDeadline: Duration = .seconds(24 * 3600)
    /// Told what a user should know, in a line.
    package var said: @Sendable (String) -> Void = { _ in }
    package var clock: any Clock<Duration> = ContinuousClock()

    package init(environment: [String: String]) {
      self.environment = environment
    }
  }

  package enum Purpose: Sendable {
    /// For queries: it is started if necessary, and nothing is created, adopted or written except by the server itself.
    case question
    case change
  }

  package enum StopOutcome: Sendable {
    case stopped, wasNotRunning, notInitialized
  }

  package enum StopMode: String, Sendable {
    /// Active transactions are rolled back, all is written out.
    case fast
    /// As after a crash; the next start recovers.
    case immediate
  }

  package let location: ClusterLocation
  let options: Options
  /// The user that runs the server; `nil` if no user can.
  let user: ServerUser?
  let isRoot: Bool

  /// - Parameter dataDirectory: an absolute path; its symbolic links are resolved, so that all names of a folder mean
  ///   one cluster. Use `location` to learn which folder is in use.
  package init(dataDirectory: String, options: Options) {
    let isRoot = geteuid() == 0
    let user = isRoot ? ServerUser.unprivileged() : ServerUser.current
    let asked = FileOperations.resolved(dataDirectory)
    self.init(
      location: ClusterLocation.resolve(asked: asked) { folder in
        (try? FileOperations.status(folder + "/postgres/PG_VERSION")) != nil
      } obstacle: { folder in
        guard isRoot, let user else { return nil }
        if !ClusterLocation.canPass(folder, user: user) { return "user \(user.name) cannot enter \(folder)" }
        let doubt = FolderTrust(users: [user]).doubt(aboutFolder: folder)
        guard case .owner = doubt else { return nil }
        return doubt?.text
      },
      options: options, user: user, isRoot: isRoot)
  }

  init(location: ClusterLocation, options: Options, user: ServerUser?, isRoot: Bool) {
    self.location = location
    self.options = options
    self.user = user
    self.isRoot = isRoot
  }

  func named(_ name: String) -> EmbeddedCluster {
    EmbeddedCluster(
      location: ClusterLocation(folder: location.folder, move: location.move, name: name), options: options,
      user: user, isRoot: isRoot)
  }

  package static func defaultDataDirectory(environment: [String: String]) -> String {
    ClusterLocation.defaultFolder(
      environment: environment, isRoot: geteuid() == 0, home: ServerUser.current?.home ?? "/",
      workingFolder: FileOperations.canonical(".") ?? "/")
  }

  /// Where the server listens, or would if it ran. A running server's own word counts: it may have been started in
  /// another environment, from a login session or by cron.
  package var endpoint: ClusterEndpoint {
    if let running = runningServer() {
      return ClusterEndpoint(socketDirectory: running.socketDirectory, port: running.port)
    }
    return ClusterEndpoint(socketDirectory: user.map { chooseSocketFolder(for: $0).path } ?? "/tmp", port: options.port)
  }

  /// Makes sure that the server runs and accepts connections.
  ///
  /// The first use for a change creates the cluster. For a running server it costs a few file reads. Of several
  /// concurrent calls, by any number of processes, one starts the server and the others wait for it.
  ///
  /// - Throws: `EmbeddedClusterError`, of kind `notInitialized` for a question before the first change;
  ///   `CancellationError`.
  package func ensureRunning(for purpose: Purpose = .change) async throws -> ClusterEndpoint {
    switch try contents() {
    case .cluster(_, let isMarked):
      if isMarked || purpose == .question, let running = readyServer() { return running }
    case .nothing where purpose == .question: throw notInitialized
    case .nothing: break
    case .putAside(let name): throw interruptedUpgrade(name)
    }
    let user = try requireUser()
    if purpose == .change { try prepareDataFolder() }
    return try await FolderLock.hold(location.lockFile, patience: patience(options.lockPatience)) {
      if purpose == .change {
        try await removeUnfinished()
        try adopt(user: user)
      }
      if let running = readyServer() { return running }
      return try await startLocked(for: purpose, user: user)
    }
  }

  /// Writes our marker into a cluster from before there were markers. The lock must be held.
  func adopt(user: ServerUser) throws {
    guard case .cluster(_, isMarked: false) = try contents() else { return }
    try writeMarker(user: user)
    options.said(
      "\(location.cluster) was made by an earlier syncctl; adopted: from now on its file \(Self.marker) says whose it is"
    )
  }

  /// Stops the server and returns when it has ended.
  ///
  /// - Throws: `EmbeddedClusterError`, of kind `timeout` or `stopFailed` when it runs on, of kind `permission` when
  ///   whether it runs cannot be seen.
  @discardableResult
  package func stop(_ mode: StopMode = .fast) async throws -> StopOutcome {
    if try contents() == .nothing { return .notInitialized }
    guard runningServer() != nil else { return .wasNotRunning }
    let user = try requireUser()
    try await FolderLock.hold(location.lockFile, patience: patience(options.lockPatience)) {
      try await stopLocked(mode, user: user)
    }
    return .stopped
  }

  package func status() async throws -> ClusterStatus {
    let version: Int
    switch try contents() {
    case .nothing: return .notInitialized
    case .cluster(let majorVersion, _): version = majorVersion
    case .putAside(let name): throw interruptedUpgrade(name)
    }
    guard let running = runningServer() else { return .stopped(majorVersion: version) }
    return .running(
      ClusterStatus.Server(
        pid: running.pid, majorVersion: version, startedAt: running.startedAt,
        isReady: readyServer() != nil,
        endpoint: ClusterEndpoint(socketDirectory: running.socketDirectory, port: running.port)))
  }

  package var serverProcess: Int32? { runningServer()?.pid }

  /// Runs one of the client programs in the server's folder, as the current user, and returns its output.
  ///
  /// - Throws: `EmbeddedClusterError` of kind `startFailed` with the program's message when it failed.
  package func runClient(
    _ program: String, _ arguments: [String], input: String, deadline: Duration = .seconds(60)
  ) async throws -> String {
    let path = try await binaries(for: nil).path(program)
    let result = try await ServerProgram.run(path, arguments, input: input, deadline: deadline, in: context(user: nil))
    guard result.succeeded else {
      throw EmbeddedClusterError(
        .startFailed, "\(program) failed: \(EmbeddedClusterError.tellingLine(of: result.everything))",
        hint: "see \(location.serverLog)")
    }
    return result.standardOutput
  }
}

package enum ClusterStatus: Sendable, Equatable {
  package struct Server: Sendable, Equatable {
    package var pid: Int32
    package var majorVersion: Int
    /// Seconds since 1970.
    package var startedAt: Int64
    /// Whether it accepts connections; else it is starting, recovering, stopping or has lost its socket.
    package var isReady: Bool
    package var endpoint: ClusterEndpoint
  }

  case notInitialized
  case stopped(majorVersion: Int)
  case running(Server)
}

// MARK: - Shared by the steps

extension EmbeddedCluster {
  func patience(_ limit: Duration) -> Patience { Patience(limit: limit, clock: options.clock) }

  /// The process that the cluster's `postmaster.pid` names, if it is the server.
  func runningServer() -> PostmasterFile? {
    guard let user, let file = PostmasterFile.read(cluster: location.cluster),
      file.isAlive(cluster: location.cluster, user: user)
    else { return nil }
    return file
  }

  /// The number in the name of the socket that only an upgrade uses.
  static let upgradePort = 1

  /// The endpoint of a server that accepts connections now. An upgrade's server is for the upgrade alone.
  func readyServer() -> ClusterEndpoint? {
    guard let running = runningServer(), running.state == .ready, running.hasSocket,
      (running.port == Self.upgradePort) == (options.port == Self.upgradePort)
    else { return nil }
    return ClusterEndpoint(socketDirectory: running.socketDirectory, port: running.port)
  }

  func chooseSocketFolder(for user: ServerUser) -> SocketFolder {
    SocketFolder.choose(
      dataFolder: location.folder, port: options.port, environment: options.environment, asRoot: isRoot, user: user,
      isUsable: SocketFolder.isUsable(parent:owner:))
  }

  var notInitialized: EmbeddedClusterError {
    EmbeddedClusterError(
      .notInitialized, "there is no mirror yet in \(location.folder)",
      hint: "syncctl run fills it; SYNCCTL_DATABASE_URL names another database")
  }

  func interruptedUpgrade(_ name: String) -> EmbeddedClusterError {
    EmbeddedClusterError(
      .interrupted, "an upgrade was interrupted: the database is in \(location.folder)/\(name)",
      hint: "syncctl db upgrade restores it and starts from scratch")
  }

  func requireUser() throws -> ServerUser {
    if let user { return user }
    if isRoot {
      let names = ServerUser.unprivilegedNames.joined(separator: ", ")
      throw EmbeddedClusterError(
        .permission, "PostgreSQL refuses to run as root, and this machine has none of the users \(names)",
        hint: "make one, with: useradd --system postgres")
    }
    throw EmbeddedClusterError(
      .permission, "user id \(geteuid()) has no name on this machine, which PostgreSQL needs",
      hint: "run as a named user, or add the id to /etc/passwd")
  }

  /// What a program of the server runs in: as the server's user, with an environment that holds nothing of the caller's
  /// `PG*` settings or secrets, since a server keeps it for as long as it runs.
  func context(user: ServerUser?, workingFolder: String = "/") -> ServerProgram.Context {
    var environment = ["LC_ALL": "C", "PATH": options.environment["PATH"] ?? "/usr/bin:/bin"]
    for name in ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"] {
      environment[name] = options.environment[name]
    }
    // The folder goes by the environment, since `pg_ctl` hands its arguments to a shell.
    environment["PGDATA"] = location.cluster
    return ServerProgram.Context(
      user: isRoot ? user : nil, environment: environment, workingFolder: workingFolder, clock: options.clock)
  }

  func binaries(for version: Int?) async throws -> ServerBinaries {
    try await ServerBinaries.find(for: version, data: location.folder, search: search, in: context(user: requireUser()))
  }

  /// One folder of each major version that is installed, the newest first.
  func installedBinaries() async throws -> [ServerBinaries] {
    try await ServerBinaries.all(search: search, in: context(user: requireUser()))
  }

  private var search: BinarySearch {
    BinarySearch(environment: options.environment, patterns: options.searchPatterns)
  }
}
