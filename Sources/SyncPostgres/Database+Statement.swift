package import LibPQ
import SyncCore

extension Database {
  /// One statement that the server commits by itself: its locks never wait for this process, which may be frozen or cut
  /// off before it could send COMMIT.
  ///
  /// Retried when the connection is lost, so it may take effect twice. It runs with the session's own settings: the
  /// functions it calls must bring theirs.
  package func statement<R: Sendable>(
    _ body: @escaping @Sendable (borrowing PGConnection) throws -> R
  ) async throws -> R {
    var backoff = Backoff(options.reconnectDeadline)
    while true {
      let connection = try await connection(&backoff)
      do {
        let result = try await connection.withConnection(answerWithin: answerLimit, body)
        report(backoff)
        return result
      } catch let error as PostgresError where error.sqlState == .tRSerializationFailure {
        // With the server's default isolation, a statement that has waited for a lock sees an older state; in our
        // transactions it does not.
        return try await write(body)
      } catch let error as PostgresError {
        try await pause(&backoff, after: error, on: connection)
      }
    }
  }
}
