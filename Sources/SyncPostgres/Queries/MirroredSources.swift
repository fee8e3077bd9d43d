import LibPQ
package import SyncCore

/// The sources whose streams the mirror holds.
package enum MirroredSources {
  /// Returns the sources that have the state of at least one stream in this database.
  /// - Throws: `SyncError` `.configuration` if the mirror's tables do not exist yet, or the error of the connection.
  package static func read(_ database: Database) async throws -> Set<SourceID> {
    let names = try await database.read { connection in
      try connection.query(QuerySQL.text("mirrored_sources")).map { try $0.text(0) ?? "" }
    }
    return Set(names.map { SourceID(rawValue: $0) })
  }
}
