import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)))
struct StoreCostTests {
  private struct Account {
    let wal: Int
    let changes: [[String?]]

    init(_ mirror: StoredMirror) async throws {
      wal = try #require(
        try await mirror.value("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')").flatMap { Int($0) })
      // PostgreSQL reports a session's statistics at intervals. This function requests a report after the transaction.
      _ = try await mirror.alone.rows("SELECT pg_stat_force_next_flush()")
      changes = try await mirror.rows(
        """
        SELECT relname, n_tup_ins, n_tup_upd, n_tup_del, n_dead_tup
        FROM pg_stat_user_tables WHERE schemaname = 'jikan' ORDER BY relname
        """)
    }
  }

  private static func pages(_ items: [Media], of size: Int) -> [[Media]] {
    stride(from: 0, to: items.count, by: size).map { Array(items[$0..<min($0 + size, items.count)]) }
  }

  private static func walk(_ mirror: StoredMirror, _ pages: [[Media]], etags: Bool) async throws -> (
    RunReport, wal: Int
  ) {
    var walk = try await WalkedList(
      PostgresWalkStore(mirror.database), .list(pageSize: pages.first?.count ?? 0), fresh: true)
    let before = try await Account(mirror)
    for (index, page) in pages.enumerated() {
      try await walk.commit(
        index + 1, page, claim: PageClaim(total: 28_000, lastPage: 1120, hasNext: true),
        etag: etags ? "W/\"0123456789abcdef0123456789abcdef\"" : nil)
    }
    let after = try await Account(mirror)
    return (try await walk.finish(), after.wal - before.wal)
  }

  @Test("an unchanged page writes at most 1 KB of log, and nothing else", .ownServer, arguments: [25, 50])
  func unchanged(_ size: Int) async throws {
    let rows = 2000
    let pages = Self.pages((1...Int64(rows)).map { Media($0) }, of: size)
    _ = try await Self.walk(mirror, pages, etags: true)
    let versions = try await mirror.rowVersions()
    let before = try await Account(mirror)
    let (report, wal) = try await Self.walk(mirror, pages, etags: true)
    #expect(report.counters.unchanged == rows && report.counters.updated == 0)
    #expect(try await Account(mirror).changes == before.changes)
    #expect(try await mirror.rowVersions() == versions)
    print("unchanged: \(wal / pages.count) bytes of WAL for a page of \(size), with validators")
    #expect(wal / pages.count <= 1024)
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), .list(pageSize: size))
    let known = try await walk.cachedPages()
    #expect(known.count == pages.count)
    let start = try await Account(mirror)
    for page in known { try await walk.confirm(page.reading, page) }
    let end = try await Account(mirror)
    #expect(end.changes == before.changes)
    print("not modified: \((end.wal - start.wal) / pages.count) bytes of WAL for a page of \(size)")
    #expect((end.wal - start.wal) / pages.count <= 1024)
    #expect(try await walk.finish().counters.notModified == pages.count)
  }

  @Test("changed counters cost at most 300 bytes of log each, in any order, and no document", .ownServer)
  func counters() async throws {
    let rows = 1500
    let items = (1...Int64(rows)).map { Media($0) }
    _ = try await Self.walk(mirror, Self.pages(items, of: 25), etags: false)
    let documents = "SELECT kind, mal_id, ctid, xmin, xmax FROM jikan.media ORDER BY 1, 2"
    let before = try await mirror.rows(documents)
    var random = SeededGenerator(seed: 5)
    for (round, name) in ["in order", "shuffled"].enumerated() {
      let moved = items.map { $0.with(["members": "\(9000 + $0.id * 7 + Int64(round))"]) }
      let pages = Self.pages(round == 0 ? moved : moved.shuffled(using: &random), of: 25)
      let start = try await Account(mirror)
      let (report, wal) = try await Self.walk(mirror, pages, etags: false)
      let end = try await Account(mirror)
      #expect(report.counters.updated == rows && report.counters.documentsUpdated == 0)
      #expect(end.changes.first { $0[0] == "media" } == start.changes.first { $0[0] == "media" })
      print("counters, \(name): \(wal / rows) bytes of WAL a row, pages of 25 included")
      #expect(wal / rows <= 300)
    }
    #expect(try await mirror.rows(documents) == before)
    #expect(try await mirror.value("SELECT count(*) FROM jikan.anime WHERE members < 9000") == "0")
  }
}
