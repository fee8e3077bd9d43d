import SyncCore
package import SyncPostgres
import Synchronization

/// Sessions of a mirror.
extension Context {
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

      try await migrator.expectUsable()
      try await setRetention(in: database, said)
      return try await body(database)
    }
  }

  /// Stores the settings that the database itself uses.
  func setRetention(in database: Database, _ said: (String) -> Void) async throws {
    for change in try await Retention.set(configuration.retention.configured, in: database) { said(change) }
    for source in configuration.sources { try await source.storeSettings(in: database, said) }
  }

  /// The options of the sessions of runs, which wait for a database that is away.
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

  /// The advice for a database without a mirror whose address other programs use, too.
  private var sharedHint: String {
    "syncctl migrate creates one there; to use another database, set SYNCCTL_DATABASE_URL"
  }
}
