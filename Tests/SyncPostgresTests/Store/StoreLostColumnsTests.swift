import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

struct StoreLostColumnsTests {
  @discardableResult
  private static func walk(_ mirror: StoredMirror, _ items: [Media], confirming: String? = nil) async throws
    -> RunReport
  {
    var walk = try await WalkedList(
      PostgresWalkStore(mirror.database), .topAnime, fresh: confirming == nil, confirming: confirming)
    do {
      try await walk.commit(1, items)
      return try await walk.finish()
    } catch let error as SyncError { return try await walk.finish(.failed, publishes: false, error: error) }
  }

  private static func renamed(_ keys: ClosedRange<Int64>, _ changes: [String: String?]) -> [Media] {
    keys.map { Media($0).with(changes) }
  }

  @Test(
    "a member that more than half of the items lack stops the run before anything is overwritten", .mirror,
    arguments: [
      ("title", ["title": nil, "name": "\"N\""]), ("year", ["year": "\"soon\""]), ("score", ["score": "null"]),
      ("members", ["members": nil, "member_count": "7"]), ("started_at", ["aired": #"{"from":"2000-00-00"}"#]),
    ] as [(String, [String: String?])])
  func lost(column: String, change: [String: String?]) async throws {
    try await Self.walk(mirror, (1...50).map { Media($0) })
    let before = try await mirror.rowVersions()
    let items = Self.renamed(1...31, change) + (32...55).map { Media($0) }
    let stopped = try await Self.walk(mirror, items)
    let error = try #require(stopped.error)
    #expect(error.code == .guarded && error.code.exitStatus == 86)
    #expect(error.message.contains("31 of 55 items lack \(column)"), "\(error)")
    #expect(try await mirror.rowVersions() == before)
    #expect(try await mirror.value("SELECT guarded FROM sync.run WHERE id = $1::uuid", [.text(stopped.id)]) == "t")
    let confirmed = try await Self.walk(mirror, items, confirming: stopped.id)
    #expect(confirmed.error == nil && confirmed.counters.updated == 31 && confirmed.counters.inserted == 5)
  }

  @Test(
    "pages that share a commit are judged one by one: the pages before the refused page are stored",
    arguments: [1, 2, 3])
  func judgedByPage(refused number: Int) async throws {
    var left: [[[String?]]] = []
    for sharesCommit in [true, false] {
      try await StoredMirror.with { mirror in
        try await Self.walk(mirror, (1...150).map { Media($0) })
        var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime, fresh: true)
        var pages = (1...3).map { page in
          let keys = Int64(page * 50 - 49)...Int64(page * 50)
          let bad = keys.lowerBound...keys.lowerBound + (page == number ? 39 : 9)
          let items = Self.renamed(bad, ["score": "null"]) + (bad.upperBound + 1...keys.upperBound).map { Media($0) }
          return walk.reading(page, page: page, items, rejected: [], claim: PageClaim(total: 150), age: .zero)
        }
        let error = await syncError {
          while !pages.isEmpty {
            pages.removeFirst(try await walk.commit(sharesCommit ? pages : [pages[0]]))
          }
        }
        #expect(error?.code == .guarded && error?.message.contains("40 of 50 items lack score") == true)
        #expect(pages.count == 4 - number)
        left.append(try await mirror.rows("SELECT mal_id FROM jikan.media_counters WHERE score IS NULL ORDER BY 1"))
      }
    }
    #expect(left[0] == left[1] && left[0].count == (number - 1) * 10)
  }

  @Test("half of the items, few items, new ones, and a column that most have not got, say nothing")
  func kept() async throws {
    let change: [String: String?] = ["title": nil, "score": "null"]
    let lists: [(stored: [Media], page: [Media])] = [
      ((1...60).map { Media($0) }, Self.renamed(1...30, change) + (31...60).map { Media($0) }),
      ((1...19).map { Media($0) }, Self.renamed(1...19, change)), ([Media(100)], Self.renamed(1...40, change)),
      (
        Self.renamed(1...20, change) + (21...35).map { Media($0) },
        Self.renamed(1...35, change).map { $0.with(["year": "2011"]) }
      ),
    ]
    for list in lists {
      try await StoredMirror.with { mirror in
        try await Self.walk(mirror, list.stored)
        #expect(try await Self.walk(mirror, list.page).error == nil)
      }
    }
  }

  @Test("an item that PostgreSQL refuses does not keep the others from being looked at one by one", .mirror)
  func refused() async throws {
    try await Self.walk(mirror, (1...30).map { Media($0) })
    let items = (1...30).map { Media($0).with(["members": "77", "title": $0 == 3 ? #""\u0000""# : "\"New\""]) }
    let report = try await Self.walk(mirror, items)
    #expect(report.error == nil && report.counters.updated == 29 && report.counters.quarantined == 1)
  }
}
