import Foundation
import LibPQ
import SyncCore
import SyncPostgres

/// Opens sessions of the configured database for commands.
package struct Context {
  let configuration: Configuration

  /// Creates a context. Opens no session yet.
  package init(configuration: Configuration) { self.configuration = configuration }

  /// The purpose of a session. Only a `question` accepts a read-only server.
  ///
  /// Each purpose starts an embedded server. Only `sync` creates a missing one.
  package enum Purpose {
    /// Writing the mirror.
    case sync
    /// Writing to a mirror that exists.
    case edit
    /// Only reading.
    case question
  }

  /// Calls `body` with a session for reading. The database can lack a mirror.
  func withDatabase<R: Sendable>(_ body: (Database) async throws -> R) async throws -> R {
    try await withDatabase(.question, options: Database.Options(), body)
  }

  /// Calls `body` with a session for writing. Creates a missing embedded server, but migrates nothing.
  /// - Parameters:
  ///   - said: Reports which database is used.
  ///   - namesDatabase: Whether to report it. A new embedded database is always reported.
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

  func withDatabase<R: Sendable>(
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

  /// - Throws: `SyncError` if the address is invalid, or if the embedded server does not start.
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

  /// Reports which database is used, and where its address is from.
  func tell(_ database: Database, _ said: (String) -> Void) async throws {
    let place: String
    if let embedded {
      place = embedded
    } else {
      place = "\(try await database.address()) (\(configuration.database.origin))"
    }
    said("database: \(place)")
  }
}
