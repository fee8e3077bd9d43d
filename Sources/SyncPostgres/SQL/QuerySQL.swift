import EmbeddedSQL
package import LibPQ
package import SyncCore

/// The program's embedded SQL queries, by name.
package enum QuerySQL {
  /// Returns the query from `sql/sources/<source>/queries`, or without a source from `sql/shared/queries`.
  /// - Throws: `.configuration` if the program does not contain the file.
  package static func text(_ name: String, of source: String? = nil) throws(SyncError) -> SQL {
    let path = "\(source.map { "sources/\($0)" } ?? "shared")/queries/\(name).sql"
    guard let text = EmbeddedSQL.text(path) else {
      throw SyncError(.configuration, "sql/\(path) is not in this program", hint: "build it again")
    }
    return SQL(trusted: text)
  }
}
