import Foundation
import LibPQ

/// A PostgreSQL server for users without a configured database. It has a data folder and a Unix socket, but no network
/// port unless `Options.listenAddresses` is set. It starts on demand and then keeps running.
package struct EmbeddedCluster: Sendable {
  /// The settings of a cluster. `said` receives messages for the user, and `clock` measures the deadlines.
  package struct Options: Sendable {
    /// The variables that name the folders of PostgreSQL's programs and of sockets.
    package var environment: [String: String]
    /// Patterns of the folders that can have PostgreSQL's programs.
    package var searchPatterns = BinarySearch.usualPatterns
    /// The number in the socket's name. It is also the network port if `listenAddresses` is set.
    package var port = 5432
    /// The network addresses, as in `listen_addresses`. Empty for none.
    package var listenAddresses = ""
    /// Further settings of the server, by name. They replace syncctl's own settings.
    package var settings: [String: String] = [:]
    /// Further lines of `pg_hba.conf`.
    package var hostRules: [String] = []
    /// Whether `initdb` does not flush files to disk. Use it only for temporary clusters.
    package var skipsSync = false
    package var lockDeadline: Duration = .seconds(60)
    package var initDeadline: Duration = .seconds(120)
    package var startDeadline: Duration = .seconds(60)
    package var stopDeadline: Duration = .seconds(60)
    package var upgradeDeadline: Duration = .seconds(24 * 3600)
    package var said: @Sendable (String) -> Void = { _ in }
    package var clock: any Clock<Duration> = ContinuousClock()

    /// Creates the default settings. `environment` names the folders of PostgreSQL's programs (`SYNCCTL_PG_BINDIR`,
    /// `PATH`) and of the user's sockets (`XDG_RUNTIME_DIR`).
    package init(environment: [String: String]) {
      self.environment = environment
    }
  }

  /// The reason for starting the server: `change` also creates, adopts and configures the cluster.
  package enum Purpose: Sendable {
    /// Starts the server if necessary, but does not create, adopt or configure a cluster.
    case question
    case change
  }

  /// The result of `stop`. `notInitialized` means that the data folder contains no cluster.
  package enum StopOutcome: Sendable {
    case stopped, wasNotRunning, notInitialized
  }

  /// The mode of `pg_ctl stop`. After `immediate`, the next start recovers from the WAL.
  package enum StopMode: String, Sendable {
    case fast
    case immediate
  }

  package let location: ClusterLocation
  let options: Options
  let user: ServerUser?
  let isRoot: Bool

  func named(_ name: String) -> EmbeddedCluster {
    EmbeddedCluster(
      location: ClusterLocation(folder: location.folder, move: location.move, name: name), options: options,
      user: user, isRoot: isRoot)
  }

  /// Returns the absolute path of this user's data folder, as `ClusterLocation.defaultFolder` chooses it.
  package static func defaultDataDirectory(environment: [String: String]) -> String {
    ClusterLocation.defaultFolder(
      environment: environment, isRoot: geteuid() == 0, home: ServerUser.current?.home ?? "/",
      workingFolder: FileOperations.canonical(".") ?? "/")
  }

  /// The folder in the data folder with the token and the addresses of `syncctl web`.
  package static let pagesFolder = "web-access"

  /// Makes a missing data folder and its parent folders, for files that do not need a cluster.
  /// - Throws: `EmbeddedClusterError`.
  package static func makeDataFolder(_ folder: String) throws {
    try EmbeddedClusterError.naming("make the data folder", folder) {
      try FileOperations.makeFolders(folder, permissions: geteuid() == 0 ? 0o755 : 0o700)
    }
  }

  /// Reads the address from the running server's file, because a program with another environment, such as cron, may
  /// have started the server.
  package var endpoint: ClusterEndpoint {
    if let running = runningServer() { return running.endpoint }
    return ClusterEndpoint(socketDirectory: user.map { chooseSocketFolder(for: $0).path } ?? "/tmp", port: options.port)
  }

  /// Starts the server if necessary, and returns its address. Concurrent calls, even from several processes, start the
  /// server once. For `.change`, creates a missing cluster.
  /// - Throws: `EmbeddedClusterError`. Its cause is `notInitialized` for a `.question` without a cluster, and
  ///   `interrupted` after an interrupted upgrade.
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
    return try await FolderLock.hold(location.lockFile, polling: polling(options.lockDeadline)) {
      if purpose == .change {
        try await removeUnfinished()
        try adopt(user: user)
      }
      if let running = readyServer() { return running }
      return try await startLocked(for: purpose, user: user)
    }
  }

  /// The caller must hold the `FolderLock`.
  func adopt(user: ServerUser) throws {
    guard case .cluster(_, isMarked: false) = try contents() else { return }
    try writeMarker(user: user)
    options.said("\(location.cluster) was made by an earlier syncctl; adopted, and marked with the file \(Self.marker)")
  }

  /// Stops the server, and waits for its end until `Options.stopDeadline`.
  /// - Throws: `EmbeddedClusterError`. Its cause is `timeout` if the server does not stop in time.
  @discardableResult
  package func stop(_ mode: StopMode = .fast) async throws -> StopOutcome {
    if try contents() == .nothing { return .notInitialized }
    guard runningServer() != nil else { return .wasNotRunning }
    let user = try requireUser()
    try await FolderLock.hold(location.lockFile, polling: polling(options.lockDeadline)) {
      try await stopLocked(mode, user: user)
    }
    return .stopped
  }

  /// Returns the cluster's state. Starts and changes nothing.
  /// - Throws: `EmbeddedClusterError`, for example after an interrupted upgrade.
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
        pid: running.pid, majorVersion: version, startedAt: running.startedAt, isReady: readyServer() != nil,
        endpoint: running.endpoint))
  }

  package var serverProcess: Int32? { runningServer()?.pid }

  /// Runs a client program of the version that a new cluster would use, and returns its standard output.
  /// Only tests call this method.
  /// - Parameter input: the standard input.
  /// - Throws: `EmbeddedClusterError`. Its cause is `upgradeFailed` if the program fails.
  package func runClient(_ program: String, _ arguments: [String], input: String) async throws -> String {
    let tool = ClusterTool(cluster: self, binaries: try await binaries(for: nil), work: "/", user: nil)
    return try await tool.run(program, arguments, input: input)
  }
}

extension EmbeddedCluster {
  /// Names the cluster in a data folder, which need not exist. Creates and starts nothing.
  /// - Parameter dataDirectory: An absolute path. Links are resolved, so that all paths to a folder mean one cluster.
  package init(dataDirectory: String, options: Options) {
    let isRoot = geteuid() == 0
    let user = isRoot ? ServerUser.unprivileged() : ServerUser.current
    let requestedFolder = FileOperations.resolved(dataDirectory)
    self.init(
      location: ClusterLocation.resolve(requestedFolder: requestedFolder) { folder in
        (try? FileOperations.status(folder + "/postgres/PG_VERSION")) != nil
      } obstacle: { folder in
        guard isRoot, let user else { return nil }
        if !ClusterLocation.canPass(folder, user: user) { return "user \(user.name) cannot enter \(folder)" }
        let doubt = FolderTrust(users: [user]).doubt(aboutFolder: folder)
        guard case .owner = doubt else { return nil }
        return doubt?.text
      }, options: options, user: user, isRoot: isRoot)
  }

  func polling(_ limit: Duration) -> PollingInterval { PollingInterval(limit: limit, clock: options.clock) }

  func runningServer() -> PostmasterFile? {
    guard let user, let file = PostmasterFile.read(cluster: location.cluster),
      file.isAlive(cluster: location.cluster, user: user)
    else { return nil }
    return file
  }

  static let upgradePort = 1

  /// During an upgrade, only the upgrade itself uses the upgrade's server.
  func readyServer() -> ClusterEndpoint? {
    guard let running = runningServer(), running.status == .ready, running.hasSocket,
      (running.port == Self.upgradePort) == (options.port == Self.upgradePort)
    else { return nil }
    return running.endpoint
  }

  func chooseSocketFolder(for user: ServerUser) -> SocketFolder {
    SocketFolder.choose(
      dataFolder: location.folder, port: options.port, environment: options.environment, asRoot: isRoot, user: user,
      isUsable: SocketFolder.isUsable(parent:owner:))
  }

  var notInitialized: EmbeddedClusterError {
    EmbeddedClusterError(
      .notInitialized, "there is no mirror yet in \(location.folder)",
      hint: "syncctl run fills it; set SYNCCTL_DATABASE_URL to use another database")
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
        .permission, "PostgreSQL refuses to run as root, and none of the users \(names) exists",
        hint: "create one with: useradd --system postgres")
    }
    throw EmbeddedClusterError(
      .permission, "PostgreSQL needs a user name, but user id \(geteuid()) has none on this machine",
      hint: "run as a named user, or add the id to /etc/passwd")
  }

  /// Omits the caller's `PG*` settings and secrets, because a server keeps its environment while it runs.
  func context(user: ServerUser?, workingFolder: String = "/") -> ServerProgram.Context {
    var environment = ["LC_ALL": "C", "PATH": options.environment["PATH"] ?? "/usr/bin:/bin"]
    for name in ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"] {
      environment[name] = options.environment[name]
    }
    environment["PGDATA"] = location.cluster
    return ServerProgram.Context(
      user: isRoot ? user : nil, environment: environment, workingFolder: workingFolder, clock: options.clock)
  }

  func binaries(for version: Int?, oldest: Int = PostgresLimits.oldestServer) async throws -> ServerBinaries {
    try await ServerBinaries.find(
      for: version, oldest: oldest, data: location.folder, search: search, in: context(user: requireUser()))
  }

  var search: BinarySearch {
    BinarySearch(environment: options.environment, patterns: options.searchPatterns)
  }
}
