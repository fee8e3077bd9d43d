import EmbeddedSQL
package import LibPQ
package import SyncCore

/// The statements of questions: `sql/sources/<source>/queries/*.sql`, and those of no source in `sql/shared/queries`.
/// Each file is a complete statement, which `psql` prepares as it stands.
package enum QuerySQL {
  /// - Parameter source: nil for what is shared.
  /// - Throws: `SyncError` if the file is missing, which the tests of the questions rule out.
  package static func text(_ name: String, of source: String? = nil) throws(SyncError) -> SQL {
    let path = "\(source.map { "sources/\($0)" } ?? "shared")/queries/\(name).sql"
    guard let text = EmbeddedSQL.text(path) else {
      throw SyncError(.configuration, "sql/\(path) is not in this program", hint: "build it again")
    }
    return SQL(trusted: text)
  }
}
