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
    package var rankAtAdd: Int64?
    package var progress: Progress

    package init(
      collection: String, item: Item, note: String?, addedAt: String?, rankAtAdd: Int64? = nil,
      progress: Progress = Progress()
    ) {
      self.collection = collection
      self.item = item
      self.note = note
      self.addedAt = addedAt
      self.rankAtAdd = rankAtAdd
      self.progress = progress
    }
  }

  /// How far a person is with an anime or a manga.
  package enum Status: String, Sendable, CaseIterable {
    case watching, reading, completed
    case onHold = "on-hold"
    case dropped
    case planToWatch = "plan-to-watch"
    case planToRead = "plan-to-read"
  }

  /// What a person keeps of an anime or a manga.
  package struct Progress: Sendable, Equatable {
    package var status: Status?
    /// 1 to 10.
    package var score: Int64?
    package var episodes: Int64?
    package var chapters: Int64?
    package var volumes: Int64?
    /// A date, a month or a year in ISO 8601.
    package var startedOn: String?
    package var finishedOn: String?
    package var tags: String?
    /// Whether what is nil is known to be none; otherwise it stays as it is stored.
    package var isWhole = true

    package init() {}
  }

  /// What an import did.
  package struct Imported: Sendable, Equatable {
    package let added: Int
    package let updated: Int
    /// Of all records, those that the mirror does not have.
    package let missing: Int
  }

  /// The rows as they are, their times with microseconds, so that `insert` brings back exactly what was.
  ///
  /// - Parameter collection: nil for all collections.
  package static func export(_ collection: String?, in database: Database) async throws -> RowSet {
    try await database.rows(
      QuerySQL.text("export_favorites"), [collection.map { .text($0) } ?? .null])
  }

  /// Adds all of the records or none, mirrored or not. What is in its collection already keeps its note and the earlier
  /// time; what it does not have is filled in.
  ///
  /// - Parameters:
  ///   - records: checked by the caller: times that exist, texts without NUL, numbers in bounds.
  ///   - isNewer: whether the progress in the records replaces what is stored.
  package static func insert(
    _ records: [Record], isNewer: Bool = false, in database: Database
  ) async throws -> Imported {
    guard !records.isEmpty else { return Imported(added: 0, updated: 0, missing: 0) }
    let progress = records.map(\.progress)
    let parameters: [PGParameter] = [
      .texts(records.map(\.collection)), .texts(records.map(\.item.source)), .texts(records.map(\.item.kind)),
      .ints(records.map(\.item.id)), .texts(records.map(\.note)), .texts(records.map(\.addedAt)),
      .optionalInts(records.map(\.rankAtAdd)), .texts(progress.map(\.status?.rawValue)),
      .optionalInts(progress.map(\.score)), .optionalInts(progress.map(\.episodes)),
      .optionalInts(progress.map(\.chapters)), .optionalInts(progress.map(\.volumes)),
      .texts(progress.map(\.startedOn)), .texts(progress.map(\.finishedOn)), .texts(progress.map(\.tags)),
      .bool(isNewer), .ints(progress.map { $0.isWhole ? 1 : 0 }),
    ]
    return try await database.write { connection in
      let counts = try connection.query(QuerySQL.text("import_favorites"), parameters).first { row in
        Imported(
          added: Int(try row.int(0) ?? 0), updated: Int(try row.int(1) ?? 0), missing: Int(try row.int(2) ?? 0))
      }
      return counts ?? Imported(added: 0, updated: 0, missing: 0)
    }
  }
}
