import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

@Suite struct LongRowsTests {
  @Test("rows that are kept in a temporary file are the rows of the query", .mirror)
  func file() async throws {
    let count = 20_000
    let set = try await mirror.database.rows(
      """
      SELECT n, CASE WHEN n % 3 > 0 THEN repeat('日本', (n % 7)::integer) END AS text, repeat('x', 300) AS filling,
             $1::bigint AS page_total
      FROM generate_series(1, $1::bigint) n
      """, [.int(Int64(count))])
    #expect(set.total == count && set.rows.count == count)
    #expect(count * 300 > Limits.rowsInMemory)
    let differing = (1...count).first { n in
      let text = n % 3 > 0 ? String(repeating: "日本", count: n % 7) : nil
      return set.rows[n - 1] != ["\(n)", text, String(repeating: "x", count: 300)]
    }
    #expect(differing == nil)
    #expect(set.rows.last?.first == "\(count)")
    let page = ListPage(set, limit: 3, listing: "x")
    #expect(page.rows.rows.map { $0[0] } == ["1", "2", "3"] && page.next != nil)
  }
}
