import LibPQ
import SyncCore

/// The statements that say beforehand what those of `SourceSQL` would do.
struct PreviewSQL {
  let preview: SQL
  let space: SQL
  /// Nil where no item is ever brought back, or marked as vanished.
  let returned: SQL?
  let vanish: SQL?

  /// - Throws: `SyncError` if a file is missing, which a test of every source rules out.
  init(_ stream: StreamDescription, _ sql: SourceSQL) throws(SyncError) {
    preview = try SourceSQL.text("preview", stream.sql)
    space = try SourceSQL.text("space", stream.sql)
    returned = sql.returned == nil ? nil : try SourceSQL.text("preview_returned", stream.sql)
    vanish =
      if case .questionsItem = sql.absence { try SourceSQL.text("preview_vanish", stream.sql) } else { nil }
  }
}
