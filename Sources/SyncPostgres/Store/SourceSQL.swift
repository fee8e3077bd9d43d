import EmbeddedSQL
import LibPQ
import SyncCore
import Synchronization

/// The statements by which a stream's items become rows: `sql/sources/<folder>/*.sql`.
///
/// What several of them have in common stands in `columns.sql`, the expressions by which a document becomes columns.
/// It takes the place of `/* columns */` in the others. What all previews have in common is `differences.sql`, in the
/// place of `/* differences */`.
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
  /// Nil where no page is asked for conditionally.
  let touched: SQL?
  /// Brings vanished items back whose documents could not be used; nil where no item is ever marked as vanished.
  let returned: SQL?
  let absence: Absence
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
    span = stream.expectedSpan == nil ? nil : try Self.text("span", stream.sql)
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
  /// - Throws: `SyncError` if its file, or that of the columns it needs, is missing.
  static func text(_ name: String, _ sql: StreamSQL) throws(SyncError) -> SQL {
    let key = "\(sql.folder)/\(name)"
    if let known = composed.withLock({ $0[key] }) { return known }
    var text = try file(name, sql)
    if text.contains(columns) { text.replace(columns, with: try file("columns", sql)) }
    if text.contains(differences) { text.replace(differences, with: try shared("differences")) }
    let whole = SQL(trusted: text)
    composed.withLock { $0[key] = whole }
    return whole
  }

  /// A statement that not every folder has.
  private static func optional(_ name: String, _ sql: StreamSQL) throws(SyncError) -> SQL? {
    guard EmbeddedSQL.text("sources/\(sql.folder)/\(name).sql") != nil else { return nil }
    return try text(name, sql)
  }

  private static let columns = "/* columns */"
  private static let differences = "/* differences */"

  /// Statements by folder and name: they are asked for with every page.
  private static let composed = Mutex<[String: SQL]>([:])

  private static func file(_ name: String, _ sql: StreamSQL) throws(SyncError) -> String {
    try shared("\(sql.folder)/\(name)")
  }

  private static func shared(_ name: String) throws(SyncError) -> String {
    let path = "sources/\(name).sql"
    guard let text = EmbeddedSQL.text(path) else {
      throw SyncError(.configuration, "sql/\(path) is not part of this program", hint: "build it again")
    }
    return text
  }
}
