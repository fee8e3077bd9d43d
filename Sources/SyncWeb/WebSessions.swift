package import SyncCore
package import SyncPostgres
import Synchronization

/// The connections that pages use. `keep` opens them, and opens new ones after the database was lost.
package final class WebSessions: Sendable {
  package typealias Open = @Sendable (_ body: @Sendable (Database) async throws -> Void) async throws -> Void

  private final class PageConnection: Sendable {
    let reader: Database
    let writer: Database
    private let requests = Atomic(0)

    init(reader: Database, writer: Database) { (self.reader, self.writer) = (reader, writer) }

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

  package init(_ rules: WebRules, clock: any SyncClock, said: @escaping @Sendable (String) -> Void) {
    (self.rules, self.clock, self.said) = (rules, clock, said)
  }

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
    // Pages on loopback have the rights of a user, and other pages the rights of a reader.
    let role = rules.showsPersonalData ? "syncctl_user" : "syncctl_reader"
    let reader = try await database.acting(as: role)
    if reader == nil, !rules.showsPersonalData {
      said("pages have all rights of the database's user, because it cannot act as \(role) (sql/roles.sql)")
    }
    let writer = try await database.acting(as: "syncctl_user") ?? database
    let first = PageConnection(reader: reader ?? database, writer: writer)
    // Each page uses one of three connections, so that a slow report does not delay other pages.
    try await first.reader.withOwn { second in
      try await first.reader.withOwn { third in
        let (losses, lost) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
          state.connections = [first] + [second, third].map { PageConnection(reader: $0, writer: writer) }
          (state.fault, state.lost) = (nil, lost)
        }
        defer { state.withLock { ($0.connections, $0.lost) = ([], nil) } }
        // Other database errors also report a loss. The sessions end only if the database does not answer.
        for await _ in losses where (try? await first.reader.address()) == nil { break }
      }
    }
  }

  package func withDatabase<R: Sendable>(
    writing: Bool = false, _ body: (Database) async throws -> R
  ) async throws -> R {
    let connection = try await connection()
    connection.note(1)
    defer { connection.note(-1) }
    do {
      return try await body(writing ? connection.writer : connection.reader)
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
    let end = clock.now() + Limits.pagePatience
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
