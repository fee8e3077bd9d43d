import EmbeddedSQL
import LibPQ
import SyncCore

/// The statements by which a source's items become rows: `sql/sources/<folder>/*.sql`.
struct SourceSQL {
  let compare: SQL
  let write: SQL
  let previewPublish: SQL
  let publish: SQL

  /// - Throws: `SyncError` if a file is missing, which a test of every source rules out.
  init(_ sql: StreamSQL) throws(SyncError) {
    compare = try Self.text("compare", sql)
    write = try Self.text("write", sql)
    previewPublish = try Self.text("preview_publish", sql)
    publish = try Self.text("publish", sql)
  }

  private static func text(_ name: String, _ sql: StreamSQL) throws(SyncError) -> SQL {
    let path = "sources/\(sql.folder)/\(name).sql"
    guard let text = EmbeddedSQL.text(path) else {
      throw SyncError(.configuration, "sql/\(path) is not part of this program", hint: "build it again")
    }
    return SQL(trusted: text)
  }
}
