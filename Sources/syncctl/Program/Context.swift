import ArgumentParser
import Foundation
import LibPQ
import SyncCore
import SyncPostgres

/// Options that every command takes, and what they open.
struct CommonOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("Configuration file to read.", valueName: "file"))
  var config: String?

  func configuration() throws -> Configuration {
    try Configuration.load(configFlag: config, environment: ProcessInfo.processInfo.environment)
  }
}

/// `--format` of every listing.
struct FormatOptions: ParsableArguments {
  @Option(name: .long, help: "table, json, ndjson or csv.")
  var format: OutputFormat = .table
}

extension OutputFormat: ExpressibleByArgument {}

/// A configuration with the database that goes with it.
struct Context {
  let configuration: Configuration

  private enum Purpose {
    case sync, question
  }

  /// Lends a connection to a database whose schema is up to date; the embedded cluster is made and started on
  /// demand, and pending migrations are applied.
  ///
  /// - Parameter adjusting: how it is borne that the database goes away, where that is not as a run bears it.
  func withMirror<R: Sendable>(
    said: @escaping @Sendable (String) -> Void = { _ in }, adjusting: (inout Database.Options) -> Void = { _ in },
    _ body: (Database) async throws -> R
  ) async throws -> R {
    if let location = embeddedCluster?.location { said("database: \(location.text)") }
    var options = runOptions(said)
    adjusting(&options)
    return try await Database.with(
      try await settings(.sync), applicationName: Self.applicationName, options: options
    ) { database in
      let applied = try await Migrator(database).migrate()
      if let last = applied.last {
        said("schema brought to version \(last.version) (\(applied.count) migrations)")
      }
      return try await body(database)
    }
  }

  /// How a run, dry or not, bears that its database goes away.
  func runOptions(_ said: @escaping @Sendable (String) -> Void) -> Database.Options {
    var options = Database.Options()
    // A renewal of the lease begins a quarter of its time after the last one and has to end before two thirds: within
    // that, the database's own error is the one to tell.
    options.reconnectDeadline = min(options.reconnectDeadline, configuration.runs.leaseTTL.value / 3)
    options.onChange = { change in
      switch change {
      case .lost(let error): said("\(error.message); connecting again …")
      case .restored(let time): said("the database is back after \(time.components.seconds) s")
      case .endedSessions(let count):
        let sessions = count == 1 ? "a database session" : "\(count) database sessions"
        said("ended \(sessions) that a lost connection left open")
      }
    }
    return options
  }

  /// Lends a connection for a question. Nothing is made: a mirror that is not there is an error.
  ///
  /// - Parameter hint: what to do about a database without a mirror.
  func withExistingMirror<R: Sendable>(
    options: Database.Options = Database.Options(), hint: String = "syncctl run fills it",
    _ body: (Database) async throws -> R
  ) async throws -> R {
    try await Database.with(
      try await settings(.question), applicationName: Self.applicationName, options: options
    ) { database in
      let steps = try await Migrator(database).status()
      if steps.contains(where: { $0.appliedAt == nil }) {
        let isFresh = steps.allSatisfy { $0.appliedAt == nil }
        throw SyncError(
          .configuration,
          isFresh ? "database \(database.place) holds no mirror yet" : "the schema of \(database.place) is out of date",
          hint: isFresh ? hint : "syncctl migrate brings it up to date")
      }
      return try await body(database)
    }
  }

  /// Lends a connection whatever the schema is, for `migrate` and `doctor`.
  ///
  /// - Parameter makes: set the embedded cluster up if there is none.
  func withDatabase<R: Sendable>(makes: Bool, _ body: (Database) async throws -> R) async throws -> R {
    try await Database.with(
      try await settings(makes ? .sync : .question), applicationName: Self.applicationName, body)
  }

  var embeddedCluster: EmbeddedCluster? {
    guard case .embedded(let folder) = configuration.database.value else { return nil }
    var options = EmbeddedCluster.Options(environment: ProcessInfo.processInfo.environment)
    options.said = { StandardStreams().note($0) }
    return EmbeddedCluster(dataDirectory: folder, options: options)
  }

  private func settings(_ purpose: Purpose) async throws -> ConnectionSettings {
    let environment = ProcessInfo.processInfo.environment
    switch configuration.database.value {
    case .url(let url):
      do {
        return TLSPolicy.apply(to: try ConnectionSettings.parse(url: url), environment: environment)
      } catch let error as PostgresError {
        throw SyncError(
          .configuration, "\(configuration.database.origin): \(error.message)",
          hint: "write it as postgresql://user@host:5432/database, with the password in a passfile or PGPASSWORD")
      }
    case .libpq:
      return TLSPolicy.apply(to: ConnectionSettings(), environment: environment)
    case .embedded:
      guard let cluster = embeddedCluster else { return ConnectionSettings() }
      return try await EmbeddedMirror.settings(cluster, for: purpose == .sync ? .change : .question)
    }
  }

  private static let applicationName = "syncctl/\(Version.text)"
}

/// The embedded cluster as a place to connect to.
enum EmbeddedMirror {
  static func settings(
    _ cluster: EmbeddedCluster, for purpose: EmbeddedCluster.Purpose
  ) async throws -> ConnectionSettings {
    do {
      let endpoint = try await cluster.ensureRunning(for: purpose)
      return ConnectionSettings(keywords: Dictionary(endpoint.keywords, uniquingKeysWith: { first, _ in first }))
    } catch let error as EmbeddedClusterError {
      throw SyncError(error)
    }
  }
}

extension SyncError {
  init(_ error: EmbeddedClusterError) {
    let code: Code =
      switch error.kind {
      case .permission, .untrustedFolder: .permission
      case .versionMismatch, .notACluster, .notInitialized, .interrupted: .configuration
      default: .database
      }
    self.init(code, "embedded PostgreSQL: \(error.message)", hint: error.hint, disposition: .stopRun)
  }
}
