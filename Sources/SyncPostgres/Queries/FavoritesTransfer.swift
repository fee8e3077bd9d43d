import LibPQ
import SyncCore

extension Favorites {
  /// One row of app.favorite, on its way into or out of a file.
  package struct Record: Sendable, Equatable {
    package var collection: String
    package var item: Item
    package var note: String?
    /// As PostgreSQL reads it; now if nil.
    package var addedAt: String?

    package init(collection: String, item: Item, note: String?, addedAt: String?) {
      self.collection = collection
      self.item = item
      self.note = note
      self.addedAt = addedAt
    }
  }

  /// The rows as they are, their times with microseconds, so that `insert` brings back exactly what was.
  ///
  /// - Parameter collection: nil for all collections.
  package static func export(_ collection: String?, in database: Database) async throws -> RowSet {
    try await database.rows(
      QuerySQL.text("export_favorites"), [collection.map { .text($0) } ?? .null])
  }

  /// Adds all of the records or none, mirrored or not. What is in its collection already keeps its note and the earlier
  /// time; a note that it does not have is filled in.
  ///
  /// - Parameter records: checked by the caller: times that exist, texts without NUL.
  /// - Returns: how many were new.
  package static func insert(_ records: [Record], in database: Database) async throws -> Int {
    guard !records.isEmpty else { return 0 }
    let parameters: [PGParameter] = [
      .texts(records.map(\.collection)), .texts(records.map(\.item.source)), .texts(records.map(\.item.kind)),
      .ints(records.map(\.item.id)), .texts(records.map(\.note)), .texts(records.map(\.addedAt)),
    ]
    return try await database.write { connection in
      let added = try connection.query(QuerySQL.text("import_favorites"), parameters).first { try $0.int(0) }
      return Int((added ?? nil) ?? 0)
    }
  }
}
