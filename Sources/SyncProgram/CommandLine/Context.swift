package import ArgumentParser
import Foundation
import LibPQ
import SyncCore
import SyncEngine
package import SyncPostgres
import Synchronization

/// The options of each command that reads the configuration.
package struct CommonOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Configuration file to read.", valueName: "file"))
  var config: String?

  package init() {}

  /// Loads the configuration from the file and the environment. Only the first successful call prints warnings about
  /// variables.
  ///
  /// - Throws: `SyncError` `.configuration` if the file or a setting is invalid.
  package func configuration() throws -> Configuration {
    let environment = ProcessInfo.processInfo.environment
    let configuration = try Configuration.load(configFlag: config, environment: environment)
    if !Self.hasWarned.exchange(true, ordering: .relaxed) {
      let variables = EnvironmentVariables(values: environment)
      for warning in variables.warnings(file: configuration.file?.value) { StandardStreams().warn(warning) }
    }
    return configuration
  }

  /// Some commands read the configuration more than once.
  private static let hasWarned = Atomic(false)

  /// Loads the configuration for a database session. Does not connect. Throws the errors of `configuration()`.
  package func context() throws -> Context { Context(configuration: try configuration()) }
}

/// A command whose answer is one table.
package protocol ListingCommand: AsyncParsableCommand {
  var output: FormatOptions { get }
  func listing() async throws -> Listing
}

extension ListingCommand {
  /// Prints the listing to standard output. Notes on standard error name the next page, omitted rows and hints.
  ///
  /// Hints are printed only with tables.
  package func run() async throws {
    let streams = StandardStreams()
    let listing = try await listing()
    try streams.print(listing, output)
    if let (page, request) = listing.part { streams.noteNext(page, request, output) }
    streams.noteCut(listing.rows.count, of: listing.total)
    streams.noteHints(of: listing, output)
  }
}

/// Opens sessions of the configured database for commands.
package struct Context {
  let configuration: Configuration

  package init(configuration: Configuration) { self.configuration = configuration }

  /// The purpose of a session. Only a `question` accepts a read-only server.
  ///
  /// Each purpose starts an embedded server. Only `sync` creates a missing one.
  package enum Purpose {
    case sync
    case edit
    case question
  }

  /// Creates and starts an embedded server if necessary, and applies pending migrations.
  /// - Parameter namesDatabase: Whether to print which database is used. A new embedded database is always printed.
  func withMirror<R: Sendable>(
    said: @escaping @Sendable (String) -> Void = { _ in }, adjusting: (inout Database.Options) -> Void = { _ in },
    namesDatabase: Bool = true, _ body: (Database) async throws -> R
  ) async throws -> R {
    var options = runOptions(said)
    adjusting(&options)
    return try await withDatabase(options: options, writing: said, namesDatabase: namesDatabase) { database in
      let migrator = Migrator(database)
      if let variable = configuration.database.sharedVariable, try await !migrator.status().contains(where: \.isApplied)
      {
        throw SyncError(
          .configuration,
          "database \(try await database.address()) holds no mirror yet, and its address is from \(variable), which "
            + "other programs use, too", hint: sharedHint)
      }
      let applied = try await migrator.migrate()
      if applied.version > 0 {
        said("schema migrated to version \(applied.version) (\(applied.summary))")
      } else if !applied.isEmpty {
        said("\(applied.summary) brought up to date")
      }
      _ = try await migrator.status(isForUse: true)
      try await setRetention(in: database, said)
      return try await body(database)
    }
  }

  func setRetention(in database: Database, _ said: (String) -> Void) async throws {
    for change in try await Retention.set(configuration.retention.wanted, in: database) { said(change) }
    for source in configuration.sources { try await source.storeSettings(in: database, said) }
  }

  func runOptions(_ said: @escaping @Sendable (String) -> Void) -> Database.Options {
    var options = Database.Options()
    // The deadline is shorter than a lease, so that an outage is reported as a database error and not as a lost lease.
    options.reconnectDeadline = min(options.reconnectDeadline, configuration.runs.leaseTTL.value / 3)
    options.waitsForMachines = true
    // An outage affects several connections, but is reported once.
    let isAway = Atomic(false)
    options.onChange = { change in
      switch change {
      case .lost(let error):
        if !isAway.exchange(true, ordering: .relaxed) { said("\(error.message); connecting again …") }
      case .restored(let time):
        if isAway.exchange(false, ordering: .relaxed) {
          said("the database is back after \(time.components.seconds) s")
        }
      case .endedSessions(let count):
        let sessions = count == 1 ? "a database session" : "\(count) database sessions"
        said("ended \(sessions) that a lost connection left open")
      }
    }
    return options
  }

  /// Calls `body` with a session of a mirror that exists and is up to date. Unlike `withMirror`, migrates nothing.
  ///
  /// - Parameter hint: The advice if the database has no mirror. It is not used if the database's address is from a
  ///   variable that other programs use, too.
  /// - Throws: `SyncError` `.configuration` if the database has no mirror, or if a migration is pending.
  package func withExistingMirror<R: Sendable>(
    _ purpose: Purpose = .question, options: Database.Options = Database.Options(),
    hint: String = "\(Registry.firstRun) fills it", _ body: (Database) async throws -> R
  ) async throws -> R {
    try await withDatabase(purpose, options: options) { database in
      try await expectMirror(in: database, hint: hint)
      return try await body(database)
    }
  }

  /// Throws if the database has no mirror, or if a migration is pending.
  func expectMirror(in database: Database, hint: String = "\(Registry.firstRun) fills it") async throws {
    let steps = try await Migrator(database).status(isForUse: true)
    guard !steps.allSatisfy(\.isApplied) else { return }
    let isFresh = !steps.contains(where: \.isApplied)
    let address = try await database.address()
    throw SyncError(
      .configuration,
      isFresh ? "database \(address) holds no mirror yet" : "the schema of database \(address) is out of date",
      hint: !isFresh
        ? "syncctl migrate brings it up to date" : configuration.database.sharedVariable == nil ? hint : sharedHint)
  }

  func withDatabase<R: Sendable>(_ body: (Database) async throws -> R) async throws -> R {
    try await withDatabase(.question, options: Database.Options(), body)
  }

  func withDatabase<R: Sendable>(
    options: Database.Options = Database.Options(), writing said: @escaping @Sendable (String) -> Void,
    namesDatabase: Bool = true, _ body: (Database) async throws -> R
  ) async throws -> R {
    let isNew = (try? await embeddedCluster?.status()) == .notInitialized
    if namesDatabase || isNew, let embedded { said("database: \(embedded)") }
    return try await withDatabase(.sync, options: options) { database in
      if namesDatabase, embedded == nil { try await tell(database, said) }
      return try await body(database)
    }
  }

  private func withDatabase<R: Sendable>(
    _ purpose: Purpose, options: Database.Options, _ body: (Database) async throws -> R
  ) async throws -> R {
    var settings = try await settings(purpose)
    settings.acceptsReadOnlyServer = purpose == .question
    do {
      return try await Database.with(settings, applicationName: Self.applicationName, options: options, body)
    } catch let error as SyncError where error.hint == SyncError.unreachableHint {
      throw SyncError(error.code, error.message, hint: unreachableHint, disposition: error.disposition)
    }
  }

  /// The advice for a server that does not answer, with the place that its address is from.
  private var unreachableHint: String {
    if embeddedCluster != nil { return "syncctl db status shows the server's state; syncctl db start starts it" }
    let origin = configuration.database.origin
    return "check that the server is up and that its address (\(origin)) is right (syncctl doctor)"
  }

  func tell(_ database: Database, _ said: (String) -> Void) async throws {
    let place: String
    if let embedded {
      place = embedded
    } else {
      place = "\(try await database.address()) (\(configuration.database.origin))"
    }
    said("database: \(place)")
  }

  private var embedded: String? {
    embeddedCluster.map(\.location).map { location in
      let move = location.move.map { "; not in \($0.asked): \($0.reason)" } ?? ""
      return "embedded PostgreSQL in \(location.folder) (\(configuration.database.origin)\(move))"
    }
  }

  private var sharedHint: String {
    "syncctl migrate creates one there; to use another database, set SYNCCTL_DATABASE_URL"
  }

  var embeddedCluster: EmbeddedCluster? {
    guard case .embedded(let folder) = configuration.database.value else { return nil }
    var options = EmbeddedCluster.Options(environment: ProcessInfo.processInfo.environment)
    options.said = { StandardStreams().note($0) }
    return EmbeddedCluster(dataDirectory: folder, options: options)
  }

  func isAsleep() async throws -> Bool {
    switch try await embeddedCluster?.status() {
    case .stopped: true
    case .running(let server): !server.isReady
    case .notInitialized, nil: false
    }
  }

  /// Returns `nil` after the time limit. It does not wait for `body`, because libpq cannot interrupt a name lookup.
  static func answer<Answer: Sendable>(
    within limit: Duration, _ body: @escaping @Sendable () async -> Answer
  ) async -> Answer? {
    let (answers, answer) = AsyncStream.makeStream(of: Answer?.self)
    let tasks = [
      Task<Void, Never> { answer.yield(await body()) },
      Task<Void, Never> {
        try? await Task.sleep(for: limit)
        answer.yield(nil)
      },
    ]
    defer { tasks.forEach { $0.cancel() } }
    for await first in answers { return first }
    return nil
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
    case .libpq: return TLSPolicy.apply(to: ConnectionSettings(), environment: environment)
    case .embedded:
      guard let cluster = embeddedCluster else { return ConnectionSettings() }
      Self.removePostgresVariables()
      do {
        let endpoint = try await cluster.ensureRunning(for: purpose == .sync ? .change : .question)
        return ConnectionSettings(keywords: Dictionary(endpoint.keywords, uniquingKeysWith: { first, _ in first }))
      } catch let error as EmbeddedClusterError {
        throw SyncError(error)
      }
    }
  }

  private static let applicationName = "syncctl/\(Version.text)"

  /// Removes the user's variables, which are for other servers. Connection keywords cannot override every variable:
  /// libpq always sends PGTZ, PGDATESTYLE and PGGEQO, and uses a variable if its keyword is empty.
  private static func removePostgresVariables() {
    for name in ProcessInfo.processInfo.environment.keys where name.hasPrefix("PG") { unsetenv(name) }
  }
}

extension SyncError {
  init?(known error: any Error) {
    switch error {
    case let error as SyncError: self = error
    case let error as EmbeddedClusterError: self.init(error)
    default: return nil
    }
  }

  init(_ error: EmbeddedClusterError) {
    let code: Code =
      switch error.kind {
      case .permission, .untrustedFolder: .permission
      case .versionMismatch, .notACluster, .notInitialized, .interrupted: .configuration
      default: .database
      }
    let message = error.kind == .binariesMissing ? error.message : "embedded PostgreSQL: \(error.message)"
    self.init(code, message, hint: error.hint, disposition: .stopRun)
  }
}
