import LibPQ
import SyncCore

extension Favorites {
  /// A favorite with its note and progress, as an import reads it from a file.
  package struct Record: Sendable, Equatable {
    package var collection: String
    package var item: Item
    package var note: String?
    /// The time in PostgreSQL's input format; `nil` means now.
    package var addedAt: String?
    package var rankAtAdd: Int64?
    package var progress: Progress

    /// `addedAt` is in PostgreSQL's input format; `nil` means the time of the import. Nothing is checked here.
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

  /// The user's state of watching or reading. The raw values are stored in the database.
  package enum Status: String, Sendable, CaseIterable {
    case watching, reading, completed
    case onHold = "on-hold"
    case dropped
    case planToWatch = "plan-to-watch"
    case planToRead = "plan-to-read"
  }

  /// The user's progress with an item. `nil` means that the file contains no value.
  package struct Progress: Sendable, Equatable {
    package var status: Status?
    package var score: Int64?
    package var episodes: Int64?
    package var chapters: Int64?
    package var volumes: Int64?
    /// ISO 8601: a date, a month or a year.
    package var startedOn: String?
    package var finishedOn: String?
    package var tags: String?
    /// Whether `nil` clears a stored value. Otherwise `nil` keeps the value.
    package var isWhole = true

    /// Creates a progress without values, which clears the stored progress. Set `isWhole` to false to keep it.
    package init() {}
  }

  /// The numbers of added and changed favorites, and of records whose items the mirror lacks. These records are
  /// imported, too.
  package struct Imported: Sendable, Equatable {
    package let added: Int
    package let updated: Int
    package let missing: Int
  }

  /// Returns the favorites of a collection, or of all collections for `nil`, sorted by collection and time of adding.
  /// The columns are those of `sql/shared/queries/export_favorites.sql`. Times have microseconds, so that `insert` can
  /// restore them exactly.
  package static func export(_ collection: String?, in database: Database) async throws -> RowSet {
    try await database.rows(QuerySQL.text("export_favorites"), [.text(collection)])
  }

  /// Imports all records or none. An existing favorite keeps its note, and gets the earlier of the two times of adding.
  /// The caller must have validated the records.
  /// - Parameter isNewer: Whether the records' progress replaces stored progress. Otherwise, only favorites without any
  ///   progress get it.
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
        Imported(added: Int(try row.int(0) ?? 0), updated: Int(try row.int(1) ?? 0), missing: Int(try row.int(2) ?? 0))
      }
      return counts ?? Imported(added: 0, updated: 0, missing: 0)
    }
  }
}
