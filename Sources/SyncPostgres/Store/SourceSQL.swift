import EmbeddedSQL
import LibPQ
import SyncCore

/// The statements by which a stream's items become rows: `sql/sources/<folder>/*.sql`.
struct SourceSQL {
  /// What is done about keys that a walk has not met.
  enum Absence {
    case provesNothing
    case endsEntry(preview: SQL, publish: SQL)
    case questionsItem(missing: SQL, vanish: SQL)
  }

  let compare: SQL
  let write: SQL
  /// Brings vanished items back whose documents could not be used; nil where no item is ever marked as vanished.
  let returned: SQL?
  let absence: Absence

  /// - Throws: `SyncError` if a file is missing, which a test of every source rules out.
  init(_ stream: StreamDescription) throws(SyncError) {
    compare = try Self.text("compare", stream.sql)
    write = try Self.text("write", stream.sql)
    returned =
      if case .provesNothing = stream.absence { nil } else {
        EmbeddedSQL.text("sources/\(stream.sql.folder)/returned.sql").map { SQL(trusted: $0) }
      }
    absence =
      switch stream.absence {
      case .provesNothing: .provesNothing
      case .endsEntry:
        .endsEntry(
          preview: try Self.text("preview_publish", stream.sql), publish: try Self.text("publish", stream.sql))
      case .questionsItem:
        .questionsItem(missing: try Self.text("missing", stream.sql), vanish: try Self.text("vanish", stream.sql))
      }
  }

  private static func text(_ name: String, _ sql: StreamSQL) throws(SyncError) -> SQL {
    let path = "sources/\(sql.folder)/\(name).sql"
    guard let text = EmbeddedSQL.text(path) else {
      throw SyncError(.configuration, "sql/\(path) is not part of this program", hint: "build it again")
    }
    return SQL(trusted: text)
  }
}
