package import SyncCore
package import SyncPostgres
import Synchronization

/// The connections that pages use. `keep` opens them, and opens new ones after the database was lost.
package final class WebSessions: Sendable {
  /// Connects, calls its parameter with the database, and closes the connection afterwards. Throws the error of
  /// connecting or of the parameter.
  package typealias Open = @Sendable (_ body: @Sendable (Database) async throws -> Void) async throws -> Void

  private final class PageConnection: Sendable {
    /// The connection with the rights of `syncctl_user`, or with all rights of the database's user.
    let owner: Database
    /// The same connection with the rights of `syncctl_reader`, or with all rights of the database's user.
    let reader: Database
    /// The same connection with the rights of a worker.
    let worker: WorkerConnection
    /// Whether the database's user can act as `syncctl_reader`.
    let isLimited: Bool
    private let requests = Atomic(0)

    init(_ database: Database) async throws {
      let reader = try await database.acting(as: "syncctl_reader")
      owner = try await database.acting(as: "syncctl_user") ?? database
      worker = try await database.actingAsWorker()
      self.reader = reader ?? database
      isLimited = reader != nil
    }

    var load: Int { requests.load(ordering: .relaxed) }

    func note(_ change: Int) { requests.add(change, ordering: .relaxed) }
  }

  private struct OpenSessions {
    var connections: [PageConnection] = []
    /// The error of the last failed attempt to connect.
    var fault: SyncError?
    var lost: AsyncStream<Void>.Continuation?
  }

  private let rules: WebRules
  private let clock: any SyncClock
  private let said: @Sendable (String) -> Void
  private let state = Mutex(OpenSessions())

  /// Creates sessions without a connection; see `keep`.
  /// - Parameter said: Gets a warning after each connection if `rules` serve other machines and pages have all rights
  ///   of the database's user.
  package init(_ rules: WebRules, clock: any SyncClock, said: @escaping @Sendable (String) -> Void) {
    self.rules = rules
    self.clock = clock
    self.said = said
  }

  /// Keeps connections open for the pages until the task is cancelled. Call this method once, in a task of its own.
  ///
  /// After `open` throws an error, the method waits for one second and connects again. Pages report this error until a
  /// connection succeeds.
  ///
  /// - Parameter open: Connects, calls its parameter with the database, and closes the connection afterwards.
  package func keep(_ open: Open) async {
    while !Task.isCancelled {
      do {
        try await open { database in try await self.use(database) }
      } catch {
        state.withLock { $0.fault = (error as? SyncError) ?? SyncError(.database, "\(error)") }
        try? await clock.sleep(for: Limits.pageSessionPause)
      }
    }
  }

  private func use(_ database: Database) async throws {
    let first = try await PageConnection(database)
    if !first.isLimited, rules.servesOthers {
      said("pages have all rights of the database's user, because it cannot act as syncctl_reader (sql/roles.sql)")
    }
    // Each page uses one of three connections, so that a slow report does not delay other pages.
    try await database.withOwn { second in
      try await database.withOwn { third in
        let (losses, lost) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let connections = [first, try await PageConnection(second), try await PageConnection(third)]
        state.withLock { state in
          state.connections = connections
          state.fault = nil
          state.lost = lost
        }
        defer { state.withLock { ($0.connections, $0.lost) = ([], nil) } }
        // Other database errors also report a loss. The sessions end only if the database does not answer.
        for await _ in losses where (try? await first.owner.address()) == nil { break }
      }
    }
  }

  /// Lends a connection with the database's rights for pages of the owner or of a reader.
  func withDatabase<R: Sendable>(
    asOwner: Bool, _ body: (Database) async throws -> R
  ) async throws -> R {
    try await withConnection { try await body(asOwner ? $0.owner : $0.reader) }
  }

  /// Lends a connection for a page of these rights, and says whether the page can have buttons that operate the mirror.
  func withDatabase<R: Sendable>(
    for rights: WebRights, _ body: (Database, WebOperation) async throws -> R
  ) async throws -> R {
    try await withConnection { connection in
      guard rights.showsPersonalData else { return try await body(connection.reader, .hidden) }
      let operation: WebOperation =
        switch connection.worker {
        case .granted: .allowed
        case .missing(let remedy): .lacksRole(remedy: remedy)
        }
      return try await body(connection.owner, operation)
    }
  }

  /// Lends a connection with the rights of a worker.
  /// - Throws: `WebFault.lacksRole` if the database's user does not have them.
  func withWorker<R: Sendable>(_ body: (Database) async throws -> R) async throws -> R {
    try await withConnection { connection in
      switch connection.worker {
      case .granted(let worker): return try await body(worker)
      case .missing(let remedy): throw WebFault.lacksRole(remedy)
      }
    }
  }

  private func withConnection<R: Sendable>(_ body: (PageConnection) async throws -> R) async throws -> R {
    let connection = try await connection()
    connection.note(1)
    defer { connection.note(-1) }
    do {
      return try await body(connection)
    } catch let error as SyncError where error.code == .database {
      if error.isCancelledStatement { throw WebFault.slow }
      throw state.withLock { state -> SyncError in
        // A new session starts a stopped embedded server.
        state.lost?.yield()
        // If the session ended during this request, `error` only reports a closed connection.
        return state.connections.contains { $0 === connection } ? error : state.fault ?? Self.silence
      }
    }
  }

  private static let silence = SyncError(
    .database, "the database does not answer", hint: "syncctl doctor finds the cause")

  private func connection() async throws -> PageConnection {
    let end = clock.now() + Limits.pageReconnectDeadline
    while true {
      let (connections, fault) = state.withLock { ($0.connections, $0.fault) }
      if let least = connections.min(by: { $0.load < $1.load }) {
        guard least.load < Limits.requestsPerPageConnection else {
          throw SyncError(.tryLater, "too many requests wait for the database", hint: "load the page again later")
        }
        return least
      }
      if let fault { throw fault }
      guard clock.now() < end else { throw Self.silence }
      try await clock.sleep(for: .milliseconds(20))
    }
  }
}
