import LibPQ
import SyncCore
import Synchronization

/// The statements by which a stream's items become rows: `sql/sources/<folder>/*.sql`, made as `SQLComposition` says.
struct SourceSQL {
  /// What is done about keys that a walk has not met.
  enum Absence {
    case provesNothing
    case endsEntry(preview: SQL, publish: SQL)
    case questionsItem(missing: SQL, vanish: SQL)
  }

  let compare: SQL
  let write: SQL
  /// Nil where items have no counters.
  let counters: SQL?
  /// Nil where counters have no table of their own.
  let countersDropped: SQL?
  /// Nil where no page is requested conditionally.
  let touched: SQL?
  /// Brings vanished items back whose documents could not be used; nil where no item is ever marked as vanished.
  let returned: SQL?
  /// Whether there is anything to bring back; nil as well.
  let hasVanished: SQL?
  let absence: Absence
  /// Of what publishing would write; nil where no list is published.
  let digest: SQL?
  /// What is due when a list is published that has not changed; nil if nothing is.
  let unchanged: SQL?
  /// Nil where the stream expects no span of time.
  let span: SQL?

  /// - Throws: `SyncError` if a file is missing, which a test of every source rules out.
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

  /// A statement of a folder, complete.
  ///
  /// - Throws: `SyncError` if its file, or a part that it needs, is missing.
  static func text(_ name: String, _ sql: StreamSQL) throws(SyncError) -> SQL {
    guard let text = try optional(name, sql) else { throw missing(name, sql) }
    return text
  }

  private static func missing(_ name: String, _ sql: StreamSQL) -> SyncError {
    SyncError(
      .configuration, "sql/sources/\(sql.folder)/\(name).sql is not part of this program", hint: "build it again")
  }

  /// A statement that not every folder has: neither a file, nor all values of a template.
  private static func optional(_ name: String, _ sql: StreamSQL) throws(SyncError) -> SQL? {
    let key = "\(sql.folder)/\(name)"
    if let known = known.withLock({ $0[key] }) { return known }
    guard let text = SQLComposition.statement(name, folder: sql.folder) else { return nil }
    let whole = SQL(trusted: text)
    known.withLock { $0[key] = whole }
    return whole
  }

  /// Statements by folder and name: they are requested with every page.
  private static let known = Mutex<[String: SQL]>([:])

  /// A statement with values that only the caller knows.
  ///
  /// - Throws: `SyncError` if its file, or a part that it needs, is missing.
  static func text(_ name: String, _ sql: StreamSQL, choosing choices: [String: String]) throws(SyncError) -> SQL {
    let text = SQLComposition.statement(name, folder: sql.folder, choosing: choices)
    guard let text else { throw missing(name, sql) }
    return SQL(trusted: text)
  }

  /// Whether a folder has a statement.
  static func has(_ name: String, _ sql: StreamSQL) throws(SyncError) -> Bool { try optional(name, sql) != nil }

  /// What the `table.sql` of a folder says; nil if it says nothing of that name.
  static func part(_ name: String, _ sql: StreamSQL) -> String? { SQLComposition.values(of: sql.folder)[name] }
}
