import LibPQ
import SyncCore

/// A set of items that several lists can share: all rows of `table`, or the rows that `space` selects. `space`
/// is the part of a stream's scope that identifies the set, such as a storefront (`sql/templates/space.sql`).
package struct DocumentSpace: Hashable, Sendable {
  let folder: String
  let table: String
  let space: String

  init(_ sql: StreamSQL, _ connection: borrowing PGConnection) throws {
    folder = sql.folder
    table = SourceSQL.part("table", sql) ?? ""
    space = try connection.query(SourceSQL.text("space", sql), [.texts(sql.scope)]).text(row: 0, column: 0) ?? ""
  }
}
