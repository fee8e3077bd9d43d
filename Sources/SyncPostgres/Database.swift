package import LibPQ
import SyncCore

/// A connection to the mirror's database with our policy on top of LibPQ's mechanism: bounded statements, no session
/// state (so that it works behind a transaction pooler), errors as `SyncError`.
package struct Database: Sendable {
  private let connection: PostgresConnection
  /// Where it is, for errors: host, port, database and user, never a password.
  package let place: String

  /// - Throws: `SyncError` `.database`, `.permission` or `.configuration`.
  package static func connect(_ settings: ConnectionSettings, applicationName: String) async throws -> Database {
    var settings = settings
    if settings["application_name"] == nil { settings["application_name"] = applicationName }
    let place = settings.redactedDescription
    do {
      return Database(connection: try await PostgresConnection.connect(settings), place: place)
    } catch let error as PostgresError {
      throw SyncError(error, place: place)
    }
  }

  /// Lends a connection to `body` and closes it afterwards.
  package static func with<R: Sendable>(
    _ settings: ConnectionSettings, applicationName: String, _ body: (Database) async throws -> R
  ) async throws -> R {
    let database = try await connect(settings, applicationName: applicationName)
    do {
      let result = try await body(database)
      await database.connection.close()
      return result
    } catch {
      await database.connection.close()
      throw error
    }
  }

  /// One read-only transaction: everything in it sees one state of the database.
  package func read<R: Sendable>(
    _ body: @escaping @Sendable (borrowing PGConnection) throws -> R
  ) async throws -> R {
    try await transaction(TransactionOptions(isReadOnly: true, isolation: .repeatableRead, localSettings: limits), body)
  }

  /// One read-write transaction, committed if `body` returns.
  package func write<R: Sendable>(
    _ body: @escaping @Sendable (borrowing PGConnection) throws -> R
  ) async throws -> R {
    // Said, since the server's default may be another: what waits for a lock must see what its holder wrote.
    try await transaction(TransactionOptions(isolation: .readCommitted, localSettings: limits), body)
  }

  private func transaction<R: Sendable>(
    _ options: TransactionOptions, _ body: @escaping @Sendable (borrowing PGConnection) throws -> R
  ) async throws -> R {
    do {
      return try await connection.withTransaction(options, body)
    } catch let error as PostgresError {
      throw (error.underlying as? SyncError) ?? SyncError(error, place: place)
    }
  }

  private var limits: [TransactionOptions.LocalSetting] {
    let setting = TransactionOptions.LocalSetting.init(name:value:)
    return [
      setting("statement_timeout", "\(Limits.statementTimeout.milliseconds)"),
      setting("lock_timeout", "\(Limits.lockTimeout.milliseconds)"),
      setting("idle_in_transaction_session_timeout", "\(Limits.idleInTransactionTimeout.milliseconds)"),
      // Unqualified names must not find what somebody else has put before ours; times are read and shown in UTC.
      setting("search_path", "pg_catalog"),
      setting("timezone", "UTC"),
      setting("datestyle", "ISO"),
    ]
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
