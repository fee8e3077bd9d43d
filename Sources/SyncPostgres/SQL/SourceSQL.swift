import LibPQ
import SyncCore
import Synchronization

/// The statements of a stream or a mapping, composed by `SQLComposition`.
enum SourceSQL {
  static func text(_ name: String, _ sql: StreamSQL) throws(SyncError) -> SQL {
    guard let text = optional(name, sql) else { throw missing(name, sql) }
    return text
  }

  static func text(_ name: String, _ sql: StreamSQL, choosing choices: [String: String]) throws(SyncError) -> SQL {
    let text = SQLComposition.statement(name, folder: sql.folder, choosing: choices)
    guard let text else { throw missing(name, sql) }
    return SQL(trusted: text)
  }

  private static func missing(_ name: String, _ sql: StreamSQL) -> SyncError {
    SyncError(
      .configuration, "sql/\(SQLComposition.path(name, of: sql.folder)) is not part of this program",
      hint: "build it again")
  }

  static func optional(_ name: String, _ sql: StreamSQL) -> SQL? {
    let key = "\(sql.folder)/\(name)"
    if let cached = cachedStatements.withLock({ $0[key] }) { return cached }
    let statement = SQLComposition.statement(name, folder: sql.folder).map { SQL(trusted: $0) }
    cachedStatements.withLock { $0[key] = .some(statement) }
    return statement
  }

  private static let cachedStatements = Mutex<[String: SQL?]>([:])

  static func has(_ name: String, _ sql: StreamSQL) -> Bool { optional(name, sql) != nil }

  static func part(_ name: String, _ sql: StreamSQL) -> String? { SQLComposition.values(of: sql.folder)[name] }
}
