import PostgresTestKit
import SyncCore

@testable import SyncPostgres

struct AppleRecord: PagedItem {
  var itemClass: String
  let id: Int64
  /// The values are JSON.
  var members: [String: String]
  var version: UInt8 = 1

  init(_ itemClass: String, _ id: Int64, _ members: [String: String]) {
    self.itemClass = itemClass
    self.id = id
    self.members = members
  }

  static func song(_ id: Int64, _ changes: [String: String] = [:]) -> AppleRecord {
    let members = [
      "wrapperType": #""track""#, "kind": #""song""#, "trackId": "\(id)", "artistId": "\(id + 1000)",
      "collectionId": "\(id + 2000)", "trackName": #""Song \#(id)""#, "artistName": #""Artist \#(id)""#,
      "collectionName": #""Album \#(id)""#, "trackPrice": "0.99", "collectionPrice": "9.99", "currency": #""USD""#,
      "releaseDate": #""2010-11-02T07:00:00Z""#, "trackTimeMillis": "200000", "discNumber": "1",
      "trackNumber": "\(id % 20)", "primaryGenreName": #""Pop""#, "trackExplicitness": #""notExplicit""#,
      "trackViewUrl": #""https://music.example/song/\#(id)""#,
    ]
    return AppleRecord("track", id, members.merging(changes) { $1 })
  }

  static func album(_ id: Int64, _ changes: [String: String] = [:]) -> AppleRecord {
    let members = [
      "wrapperType": #""collection""#, "collectionType": #""Album""#, "collectionId": "\(id)", "artistId": "7",
      "collectionName": #""Album \#(id)""#, "artistName": #""Artist 7""#, "collectionPrice": "9.99",
    ]
    return AppleRecord("collection", id, members.merging(changes) { $1 })
  }

  static func entry(_ id: Int64, _ changes: [String: String] = [:]) -> AppleRecord {
    let members = [
      "id": #""\#(id)""#, "name": #""Song \#(id)""#, "artistName": #""Artist \#(id % 3)""#, "kind": #""songs""#,
      "releaseDate": #""2026-01-02""#, "url": #""https://music.example/\#(id)""#,
      "genres": #"[{"genreId":"14","name":"Pop","url":"u"}]"#,
    ]
    return AppleRecord("chart", id, members.merging(changes) { $1 })
  }

  private static let codes = [
    "other", "track", "collection", "artist", "podcast", "podcast-episode", "audiobook", "ebook", "app",
  ]

  var key: Int64 { itemClass == "chart" ? id : id * 16 + Int64(Self.codes.firstIndex(of: itemClass) ?? 0) }

  var document: String {
    "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
  }

  var item: PageItem {
    PageItem(
      key: key, document: Array(document.utf8),
      contentHash: PostgresTestKit.contentHash("\(document.utf8.fnv1a)", version: version), counterHash: 0)
  }
}

extension StreamDescription {
  static func apple(
    _ name: String, method: WalkMethod = .pages, folder: String = "itunes", scope: [String], publishing: [String] = []
  ) -> StreamDescription {
    StreamDescription(
      id: StreamID(source: SourceID(rawValue: "itunes"), name: name), provider: "apple",
      origin: "https://itunes.example", pageSize: 200, method: method,
      absence: .endsEntry(ShrinkGuard(maxShare: 1, minRows: .max)),
      sql: StreamSQL(folder: folder, scope: scope, publishing: publishing))
  }

  static func search(
    _ name: String = "jay", country: String = "tw", term: String = "周杰倫", lang: String = ""
  ) -> StreamDescription {
    apple("search:\(name)", scope: [country, "search", name], publishing: [term, "music", "song", "", lang, "200"])
  }

  static func lookup(_ ids: [Int64], country: String = "us", as part: String = "lookup") -> StreamDescription {
    apple("\(part):some", scope: [country, part, "some"], publishing: ids.map(String.init))
  }

  static func chart(_ type: String = "songs", country: String = "us", feed: String = "most-played") -> StreamDescription
  {
    apple(
      "chart:\(country)-\(feed)-\(type)", method: .single, folder: "itunes/charts",
      scope: [country, "music", feed, type])
  }
}

extension StoredMirror {
  @discardableResult
  func walk(
    _ stream: StreamDescription, _ pages: [[AppleRecord]], rejected: [Int64] = [], unreadable: Int = 0,
    status: RunStatus = .complete, age: Duration = .zero
  ) async throws -> RunReport {
    var walk = try await WalkedList(PostgresWalkStore(database), stream, fresh: true)
    for (index, records) in pages.enumerated() {
      let isLast = index == pages.count - 1
      try await walk.commit(
        index + 1, records, rejected: isLast ? .unusable(rejected, unreadable: unreadable) : [], age: age)
    }
    return try await walk.finish(status)
  }

  func appleVersions() async throws -> [[String?]] {
    var found: [[String?]] = []
    for table in [
      "item", "search", "search_result", "search_history", "search_publication", "lookup_absence", "chart_item",
      "chart_entry", "chart_history", "chart_publication",
    ] {
      found += try await rows(
        "SELECT '\(table)', ctid::text, xmin::text, xmax::text FROM itunes.\(table) ORDER BY ctid")
    }
    return found
  }
}
