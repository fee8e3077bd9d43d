package import LibPQ
import SyncCore

/// A query for the names that a user can choose from, for example in shell completion.
package struct CompletionWords: Sendable {
  private let statement: @Sendable () throws -> SQL
  private let parameters: [PGParameter]

  /// Creates a query whose first column has the names. The statement is evaluated at each `read`, which throws its
  /// errors.
  package init(_ statement: @escaping @autoclosure @Sendable () throws -> SQL, _ parameters: [PGParameter] = []) {
    self.statement = statement
    self.parameters = parameters
  }

  package static let streams = CompletionWords("SELECT stream FROM sync.stream_state ORDER BY 1")
  package static let jobs = CompletionWords("SELECT name FROM sync.job ORDER BY 1")
  package static let collections = CompletionWords("SELECT DISTINCT collection FROM app.favorite ORDER BY 1")

  /// Returns the names in the order of the query.
  package func read(in database: Database) async throws -> [String] {
    try await database.read { try $0.texts(statement(), parameters) }
  }
}
