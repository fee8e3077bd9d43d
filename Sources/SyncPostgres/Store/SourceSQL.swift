import LibPQ
import SyncCore
import Synchronization

/// A stream's statements: `sql/sources/<folder>/*.sql`, composed by `SQLComposition`.
struct SourceSQL {
  enum Absence {
    case provesNothing
    case endsEntry(preview: SQL, publish: SQL)
    case questionsItem(missing: SQL, vanish: SQL)
  }

  let compare: SQL
  let write: SQL
  /// `nil` if items have no counters.
  let counters: SQL?
  /// `nil` if counters have no table of their own.
  let countersDropped: SQL?
  /// `nil` if no page is requested conditionally.
  let touched: SQL?
  /// Restores vanished items whose documents could not be used; `nil` if the stream never marks items as vanished.
  let returned: SQL?
  /// Checks whether `returned` has anything to do.
  let hasVanished: SQL?
  let absence: Absence
  /// The digest of the list to publish; `nil` if the stream publishes no list.
  let digest: SQL?
  /// Runs when an unchanged list is published; `nil` if nothing is due then.
  let unchanged: SQL?
  let span: SQL?

  /// - Throws: `SyncError` if a file is missing; a test of every source rules that out.
  init(_ stream: StreamDescription) throws(SyncError) {
    compare = try Self.text("compare", stream.sql)
    write = try Self.text("write", stream.sql)
    counters = try Self.optional("counters", stream.sql)
    countersDropped = try Self.optional("counters_dropped", stream.sql)
    touched = if case .documents = stream.method { nil } else { try Self.text("touched", stream.sql) }
    returned =
      if case .provesNothing = stream.absence { nil } else {
        try Self.optional("returned", stream.sql)
      }
    hasVanished = returned == nil ? nil : try Self.text("has_vanished", stream.sql)
    span = stream.expectedSpan == nil ? nil : try Self.text("span", stream.sql)
    digest = try Self.optional("digest", stream.sql)
    unchanged = try Self.optional("unchanged", stream.sql)
    absence =
      switch stream.absence {
      case .provesNothing: .provesNothing
      case .endsEntry, .leavesWindow:
        .endsEntry(
          preview: try Self.text("preview_publish", stream.sql), publish: try Self.text("publish", stream.sql))
      case .questionsItem:
        .questionsItem(missing: try Self.text("missing", stream.sql), vanish: try Self.text("vanish", stream.sql))
      }
  }

  static func text(_ name: String, _ sql: StreamSQL) throws(SyncError) -> SQL {
    guard let text = try optional(name, sql) else { throw missing(name, sql) }
    return text
  }

  private static func missing(_ name: String, _ sql: StreamSQL) -> SyncError {
    SyncError(
      .configuration, "sql/sources/\(sql.folder)/\(name).sql is not part of this program", hint: "build it again")
  }

  private static func optional(_ name: String, _ sql: StreamSQL) throws(SyncError) -> SQL? {
    let key = "\(sql.folder)/\(name)"
    if let known = known.withLock({ $0[key] }) { return known }
    guard let text = SQLComposition.statement(name, folder: sql.folder) else { return nil }
    let whole = SQL(trusted: text)
    known.withLock { $0[key] = whole }
    return whole
  }

  /// Cached by folder and name, because statements are requested with every page.
  private static let known = Mutex<[String: SQL]>([:])

  static func text(_ name: String, _ sql: StreamSQL, choosing choices: [String: String]) throws(SyncError) -> SQL {
    let text = SQLComposition.statement(name, folder: sql.folder, choosing: choices)
    guard let text else { throw missing(name, sql) }
    return SQL(trusted: text)
  }

  static func has(_ name: String, _ sql: StreamSQL) throws(SyncError) -> Bool { try optional(name, sql) != nil }

  static func part(_ name: String, _ sql: StreamSQL) -> String? { SQLComposition.values(of: sql.folder)[name] }
}
