import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct StoreGenresTests {
  struct Genre: PagedItem {
    let id: Int64
    let name: String
    let count: Int?

    init(_ id: Int64, _ name: String, _ count: Int? = 10) {
      self.id = id
      self.name = name
      self.count = count
    }

    var item: PageItem {
      let count = count.map(String.init) ?? "null"
      let url = "https://myanimelist.net/anime/genre/\(id)"
      return PageItem(
        key: id, document: Array(#"{"count":\#(count),"mal_id":\#(id),"name":"\#(name)","url":"\#(url)"}"#.utf8),
        contentHash: PostgresTestKit.contentHash(name), counterHash: Int64(self.count ?? -1),
        counters: Array(#"{"count":\#(count)}"#.utf8))
    }
  }

  static func description(_ kind: String = "anime", _ facet: String = "themes") -> StreamDescription {
    StreamDescription(
      id: StreamID(source: "jikan", name: "genres:\(kind):\(facet)"), provider: "tenrai",
      origin: "https://api.example/v1", pageSize: 50, method: .single, absence: .endsEntry(.filteredList),
      sql: StreamSQL(folder: "jikan/genres", scope: [kind, facet]))
  }

  @discardableResult
  static func walk(
    _ mirror: StoredMirror, _ genres: [Genre], rejected: [Int64] = [], unreadable: Int = 0,
    on stream: StreamDescription = description(), age: Duration = .zero, in store: (any WalkStore)? = nil
  ) async throws -> RunReport {
    let store: any WalkStore = store ?? PostgresWalkStore(mirror.database)
    var walk = try await WalkedList(store, stream, fresh: true)
    try await walk.commit(1, genres, rejected: .unusable(rejected, unreadable: unreadable), age: age)
    return try await walk.finish()
  }

  private static let rows = "SELECT kind, facet, mal_id, name, count FROM jikan.genre ORDER BY kind, facet, mal_id"
  private static let versions =
    "SELECT kind, facet, mal_id, xmin, xmax, ctid, changed_at::text FROM jikan.genre ORDER BY kind, facet, mal_id"

  @Test("each list is separate; an id may be in two of them")
  func separate() async throws {
    try await Self.walk(
      mirror, [Genre(9, "Ecchi"), Genre(2, "Adventure", nil)], on: Self.description("anime", "genres"))
    try await Self.walk(mirror, [Genre(9, "Ecchi")], on: Self.description("anime", "explicit_genres"))
    let report = try await Self.walk(mirror, [Genre(9, "Ecchi", 8)], on: Self.description("manga", "genres"))
    #expect(report.counters.inserted == 1)
    try await mirror.expect(
      Self.rows, "anime|explicit_genres|9|Ecchi|10", "anime|genres|2|Adventure|∅", "anime|genres|9|Ecchi|10",
      "manga|genres|9|Ecchi|8")
    try await mirror.expect(
      "SELECT url, raw->>'count' FROM jikan.genre WHERE kind = 'manga'", "https://myanimelist.net/anime/genre/9|8")
    try await mirror.expect(
      "SELECT list, entries FROM sync.publication ORDER BY list", "genres:anime:explicit_genres|1",
      "genres:anime:genres|2", "genres:manga:genres|1")
  }

  @Test("the same list again writes no row; a changed count writes its own row and does not change the genre")
  func differences() async throws {
    let list = [Genre(1, "Gore"), Genre(2, "Isekai"), Genre(3, "Mecha")]
    try await Self.walk(mirror, list)
    let versions = try await mirror.rows(Self.versions)
    let same = try await Self.walk(mirror, list)
    #expect(try await mirror.rows(Self.versions) == versions)
    #expect(same.counters.unchanged == 3)
    let moved = try await Self.walk(mirror, [Genre(1, "Gore"), Genre(2, "Isekai", 11), Genre(3, "Robots")])
    #expect(moved.counters.updated == 2)
    #expect(moved.counters.documentsUpdated == 1)
    let now = try await mirror.rows(Self.versions)
    #expect(now[0] == versions[0])
    #expect(now[1] != versions[1])
    #expect(now[1].last == versions[1].last, "a count alone does not change the genre")
    #expect(now[2].last != versions[2].last)
    try await mirror.expect(
      "SELECT name, count, raw->>'count' FROM jikan.genre ORDER BY mal_id", "Gore|10|10", "Isekai|11|11", "Robots|10|10"
    )
    let again = try await Self.walk(mirror, [Genre(1, "Gore"), Genre(2, "Isekai", 11), Genre(3, "Robots")])
    #expect(again.counters.unchanged == 3)
    #expect(try await mirror.rows(Self.versions) == now)
  }

  @Test("a genre that the walk did not meet is removed; an unusable one stays; the guard keeps more than half")
  func leaving() async throws {
    try await Self.walk(mirror, [1, 2, 3, 4].map { Genre($0, "Theme \($0)") })
    for other in [Self.description("manga", "themes"), Self.description("anime", "demographics")] {
      try await Self.walk(mirror, [5, 6, 7, 8].map { Genre($0, "Other \($0)") }, on: other)
    }
    #expect(try await Self.walk(mirror, [Genre(2, "Theme 2")], rejected: [3]).status == .complete)
    let ids = "SELECT mal_id FROM jikan.genre WHERE kind = 'anime' AND facet = 'themes' ORDER BY mal_id"
    #expect(try await mirror.rows(ids) == [["2"], ["3"]])
    for list in [[], [Genre(9, "New")]] {
      let refused = try await Self.walk(mirror, list)
      #expect(refused.error?.code == .guarded)
      #expect(refused.status == .failed)
      #expect(try await mirror.rows(ids + " LIMIT 2") == [["2"], ["3"]])
    }
    #expect(try await mirror.value("SELECT count(*) FROM jikan.genre WHERE facet = 'demographics'") == "4")
    #expect(try await mirror.value("SELECT count(*) FROM jikan.genre WHERE kind = 'manga'") == "4")
  }

  @Test("nothing is removed if an id was unreadable")
  func unreadable() async throws {
    let list = [1, 2, 3, 4].map { Genre($0, "Theme \($0)") }
    try await Self.walk(mirror, list)
    let versions = try await mirror.rows(Self.versions)
    #expect(try await Self.walk(mirror, [list[2]], unreadable: 1).error == nil)
    #expect(try await mirror.rows(Self.versions) == versions)
    #expect(try await mirror.value("SELECT entries FROM sync.publication") == "4")
    try await Self.walk(mirror, Array(list[1...]) + [Genre(9, "New")], unreadable: 2)
    let ids = "SELECT mal_id FROM jikan.genre ORDER BY mal_id"
    #expect(try await mirror.rows(ids) == [["1"], ["2"], ["3"], ["4"], ["9"]])
    try await Self.walk(mirror, Array(list[1...]))
    #expect(try await mirror.rows(ids) == [["2"], ["3"], ["4"]])
  }

  @Test("an answer that was requested before the row was written does not overwrite it")
  func olderAnswer() async throws {
    try await Self.walk(mirror, [Genre(1, "New name", 20)])
    let versions = try await mirror.rows(Self.versions)
    #expect(try await Self.walk(mirror, [Genre(1, "Old name", 19)], age: .seconds(3600)).counters.unchanged == 1)
    #expect(try await mirror.rows(Self.versions) == versions)
  }

  @Test("seasons and the schedule are read from the published lists, and have no history")
  func seasonsAndSchedule() async throws {
    func list(_ name: String, _ filter: String) -> StreamDescription {
      StreamDescription(
        id: StreamID(source: "jikan", name: name), provider: "tenrai", origin: "https://api.example/v1", pageSize: 50,
        absence: .endsEntry(.filteredList), sql: StreamSQL(folder: "jikan", scope: ["anime", "all", filter]))
    }
    let monday = Media(7, ["broadcast": #"{"day":"Mondays","time":"18:00","timezone":"Asia/Tokyo"}"#])
    try await WalkedList.run(mirror, list("seasons:now", "season:now"), [[Media(3), Media(1)]])
    try await WalkedList.run(mirror, list("seasons:2024:spring", "season:2024-spring"), [[Media(2)]])
    try await WalkedList.run(mirror, list("schedules", "schedule"), [[Media(3), monday]])
    try await WalkedList.run(mirror, list("schedules:monday", "schedule:monday"), [[monday]])
    try await WalkedList.run(mirror, .list(publishing: ["1000"]), [[Media(9)]])
    try await mirror.expect(
      "SELECT list, position, mal_id, title FROM jikan.season_entry ORDER BY 1, 2", "2024-spring|1|2|Title 2",
      "now|1|3|Title 3", "now|2|1|Title 1")
    try await mirror.expect(
      """
      SELECT list, position, mal_id, broadcast_day, broadcast_time, broadcast_timezone
      FROM jikan.schedule_entry ORDER BY 1, 2
      """, "all|1|3|∅|∅|∅", "all|2|7|Mondays|18:00|Asia/Tokyo", "monday|1|7|Mondays|18:00|Asia/Tokyo")
    #expect(try await mirror.rows("SELECT DISTINCT filter FROM jikan.ranking_history") == [["none"]])
  }

  @Test("the worker stores the lists of genres, and the reader sees them")
  func roles() async throws {
    try await mirror.grant()
    try await mirror.asRole("syncctl_worker") { worker in
      for genres in [[1, 2, 3], [1, 2], [2, 4]] as [[Int64]] {
        let report = try await Self.walk(worker, genres.map { .init($0, "Genre \($0)") })
        #expect(report.status == .complete)
      }
    }
    try await mirror.asRole("syncctl_reader") { reader in
      #expect(try await reader.rows("SELECT mal_id FROM jikan.genre ORDER BY 1") == [["2"], ["4"]])
      _ = try await reader.rows("SELECT FROM jikan.season_entry, jikan.schedule_entry")
    }
  }
}
