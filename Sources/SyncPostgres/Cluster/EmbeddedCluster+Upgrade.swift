import SyncCore
import SystemPackage

extension EmbeddedCluster {
  /// The old and new major versions, and the folder that keeps the old cluster.
  package struct Upgrade: Sendable, Equatable {
    package let from: Int
    package let to: Int
    package let kept: String
  }

  /// Moves the data to the newest installed major version by dump and restore. The new cluster is tested before it
  /// replaces the old cluster, and runs afterwards. After an error, the old cluster is unchanged, but can be stopped.
  ///
  /// Also continues after an interrupted upgrade: restores the old cluster and begins again.
  /// - Returns: The versions and the folder of the old cluster, or `nil` if the data already have the newest version.
  /// - Throws: `EmbeddedClusterError`. Its cause is `notInitialized` without a cluster, and `upgradeFailed` if a
  ///   program fails or the folder of the old cluster remains from an earlier upgrade.
  package func upgrade() async throws -> Upgrade? {
    if try contents() == .nothing { throw notInitialized }
    let user = try requireUser()
    return try await FolderLock.hold(location.lockFile, polling: polling(options.lockDeadline)) {
      try await upgradeLocked(user: user)
    }
  }

  private func upgradeLocked(user: ServerUser) async throws -> Upgrade? {
    try await removeUnfinished()
    if case .putAside(let name) = try contents() { try rename("\(location.folder)/\(name)", to: location.cluster) }
    try adopt(user: user)
    guard case .cluster(let version, _) = try contents() else { throw notInitialized }

    let old = try await binaries(for: version)
    let installed = try await ServerBinaries.all(search: search, in: context(user: user))
    guard let new = installed.first, new.majorVersion > version else { return nil }

    let kept = "\(location.folder)/\(ClusterLocation.keptPrefix)\(version)"
    guard (try? FileOperations.status(kept)) == .some(nil) else {
      throw EmbeddedClusterError(
        .upgradeFailed, "\(kept) is still there from an earlier upgrade", hint: "run syncctl db upgrade --remove-old")
    }

    options.said("upgrading \(location.cluster) from PostgreSQL \(version) to \(new.majorVersion) …")

    let next = unfinished().hidden
    do {
      try await copy(to: next, from: old, with: new, user: user)
      try await next.tryOut(new, settingsOf: self, user: user)
      try rename(location.cluster, to: kept)
      do {
        try rename(next.location.cluster, to: location.cluster)
      } catch {
        try rename(kept, to: location.cluster)
        throw error
      }

      try await removeUnfinished()
      _ = try await startLocked(for: .change, user: user)
      return Upgrade(from: version, to: new.majorVersion, kept: kept)
    } catch {
      // A separate task cleans up, because this task may be cancelled.
      await Task {
        try? await next.stopLocked(.immediate, user: user)
        try? await stopLocked(.fast, user: user)
        try? await removeUnfinished()
      }.value
      throw error
    }
  }

  /// Deletes the old clusters that upgrades have kept, and returns the paths of their folders; empty if none was kept.
  /// A running server continues. Waits for other processes that change the cluster, until `Options.lockDeadline`.
  /// - Throws: `EmbeddedClusterError`. Its cause is `notInitialized` without a cluster. It is `interrupted` after an
  ///   interrupted upgrade. Then nothing is deleted, because a kept cluster can be the only one.
  package func removeKept() async throws -> [String] {
    switch try contents() {
    case .nothing: throw notInitialized
    case .putAside(let name): throw interruptedUpgrade(name)
    case .cluster: break
    }
    return try await FolderLock.hold(location.lockFile, polling: polling(options.lockDeadline)) {
      let folders = try FileOperations.names(in: location.folder)
        .filter { $0.hasPrefix(ClusterLocation.keptPrefix) }.map { "\(location.folder)/\($0)" }
      for folder in folders { try await removeTree(folder) }
      return folders
    }
  }

  private func rename(_ old: String, to new: String) throws {
    try EmbeddedClusterError.naming("rename to \(new)", old, fallback: .upgradeFailed) {
      try FileOperations.rename(old, to: new, in: location.folder)
    }
  }

  var hidden: EmbeddedCluster {
    var options = options
    options.port = Self.upgradePort
    return EmbeddedCluster(location: location, options: options, user: user, isRoot: isRoot)
  }

  private func copy(
    to next: EmbeddedCluster, from old: ServerBinaries, with new: ServerBinaries, user: ServerUser
  ) async throws {
    let work = next.location.cluster + "-work"
    try makeServerFolder(work, user: user)
    let tool = ClusterTool(cluster: self, binaries: new, work: work, user: user)

    try await next.runInitdb(new, user: user)
    try next.furnish(user: user)
    let compression = try await next.hasLZ4(new, user: user) ? [] : ["--no-toast-compression"]
    try await stopLocked(.fast, user: user)

    let source = try await hidden.launch(old, for: .question, user: user)
    let roles = try await tool.run("pg_dumpall", ["--roles-only", "--dbname", source.url])
    let databases = try await tool.run(
      "psql", ["-XAt", "--dbname", source.url],
      input: "SELECT datname FROM pg_database WHERE datallowconn AND datname <> 'template1'"
    ).split(separator: "\n").map(String.init)

    for (index, name) in databases.enumerated() {
      _ = try await tool.run(
        "pg_dump",
        ["--format=custom", "--file=\(index).dump", "--dbname", source.with(database: name).url] + compression)
    }

    try await stopLocked(.fast, user: user)
    let target = try await next.launch(new, for: .change, user: user).with(database: "template1").url
    let further = roles.split(separator: "\n").filter { $0 != "CREATE ROLE syncctl;" }.joined(separator: "\n")
    _ = try await tool.run("psql", ["-X", "-q", "-v", "ON_ERROR_STOP=1", "--dbname", target], input: further + "\n")

    for index in databases.indices {
      // `--clean` replaces the database `postgres`, which `initdb` has created.
      let options = ["--create", "--clean", "--if-exists", "--exit-on-error", "--no-tablespaces"]
      _ = try await tool.run("pg_restore", options + ["--dbname", target, "\(index).dump"])
    }

    try await next.stopLocked(.fast, user: user)
  }

  /// Whether the server was built with LZ4. A server without LZ4 refuses to create columns that use LZ4.
  private func hasLZ4(_ binaries: ServerBinaries, user: ServerUser) async throws -> Bool {
    let setting = "default_toast_compression"
    return try await ServerProgram.run(
      binaries.path("postgres"), ["-D", location.cluster, "-C", setting, "-c", "\(setting)=lz4"],
      deadline: Limits.programDeadline, in: context(user: user)
    ).succeeded
  }

  /// Starts the new cluster with the old settings of ALTER SYSTEM. Analyzes all tables, because dumps lack statistics.
  private func tryOut(_ binaries: ServerBinaries, settingsOf old: EmbeddedCluster, user: ServerUser) async throws {
    let name = "postgresql.auto.conf"
    let own = "\(location.cluster)/\(name)"
    let endpoint: ClusterEndpoint
    do {
      let settings = try FileOperations.read("\(old.location.cluster)/\(name)", limit: 1 << 20)
      try FileOperations.replace(own, with: settings, owner: user)
      endpoint = try await launch(binaries, for: .change, user: user)
    } catch let error as EmbeddedClusterError where error.cause == .startFailed {
      try FileOperations.replace(own, with: "", owner: user)
      endpoint = try await launch(binaries, for: .change, user: user)
      options.said("the settings of ALTER SYSTEM were not taken over: \(error.message)")
    }
    let tool = ClusterTool(cluster: self, binaries: binaries, work: "/", user: user)
    _ = try await tool.run("psql", ["-X", "-q", "-v", "ON_ERROR_STOP=1", "--dbname", endpoint.url], input: "ANALYZE")
    try await stopLocked(.fast, user: user)
  }
}

struct ClusterTool {
  let cluster: EmbeddedCluster
  let binaries: ServerBinaries
  let work: String
  let user: ServerUser?

  func run(_ program: String, _ arguments: [String], input: String = "") async throws -> String {
    let result = try await ServerProgram.run(
      binaries.path(program), arguments, source: .text(input), deadline: cluster.options.upgradeDeadline,
      in: cluster.context(user: user, workingFolder: work))
    guard result.succeeded else {
      throw EmbeddedClusterError(
        .upgradeFailed, "\(program) failed: \(EmbeddedClusterError.tellingLine(of: result.everything))",
        hint: "the old database is unchanged; correct what it reports, then run syncctl db upgrade again")
    }
    return result.standardOutput
  }
}
