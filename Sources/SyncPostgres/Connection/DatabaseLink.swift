import LibPQ
import SyncCore

/// The current connection. While one task connects, other tasks poll, so that they can be cancelled.
actor DatabaseLink {
  private enum ConnectionState {
    case connected(PostgresConnection)
    case connecting
    case lost
    case closed
  }

  nonisolated let settings: ConnectionSettings
  private var state = ConnectionState.lost

  init(_ settings: ConnectionSettings) { self.settings = settings }

  /// - Returns: `nil` while another task is connecting.
  /// - Throws: `PostgresError`, or `SyncError` after `close`.
  func connection(within deadline: Duration) async throws -> PostgresConnection? {
    switch state {
    case .connected(let connection): return connection
    case .connecting: return nil
    case .closed: throw Self.wasClosed
    case .lost: break
    }
    state = .connecting
    do {
      let connection = try await PostgresConnection.connect(settings, deadline: deadline)
      if case .closed = state {
        await connection.close()
        throw Self.wasClosed
      }
      state = .connected(connection)
      return connection
    } catch {
      if case .connecting = state { state = .lost }
      throw error
    }
  }

  func drop(_ failed: PostgresConnection) {
    if case .connected(let connection) = state, connection === failed { state = .lost }
  }

  func close() async {
    let last = state
    state = .closed
    if case .connected(let connection) = last { await connection.close() }
  }

  private static let wasClosed = SyncError(
    .database, "the database was used after it had been closed", hint: "this is a bug in syncctl; please report it",
    disposition: .stopRun)
}
