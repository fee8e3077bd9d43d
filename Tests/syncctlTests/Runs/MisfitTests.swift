import Foundation
import LibPQ
import SyncCore
import SyncPostgres
import SyncTestKit
import Testing

@testable import JikanSource
@testable import SyncEngine

/// Members that do not fit their columns, from the bytes of a page to the rows of the mirror.
@Suite("Members that are not understood", .timeLimit(.minutes(5 * testFactor)))
struct MisfitTests {
  /// Members, and the expressions that read their columns.
  private static let members: [(name: String, column: String)] =
    [
      "title", "title_english", "title_japanese", "type", "source", "status", "rating", "season", "url", "synopsis",
      "episodes", "chapters", "volumes", "year", "score", "scored_by", "rank", "popularity", "members", "favorites",
    ].map { ($0, $0) } + [
      ("airing", "ongoing"), ("publishing", "ongoing"), ("aired.from", "started_at"), ("published.from", "started_at"),
      ("images.jpg.image_url", "image_url"),
    ]

  private static let values = [
    "12", "-3", "12.0", "1.2e1", "1.5", "2147483647", "-2147483647", "2147483648", "-2147483648", "9999999999",
    "999999999999.5", "1e12", "-1e12", "1e400", "1e131071", "-0", "1e-400", "1.00000000000000000001", "20e-1", "2e-1",
    #""12""#, #"" 12 ""#, #""12.50""#, #""1e3""#, #""2147483648""#, #""""#, #"" ""#, #""NaN""#, #""Infinity""#,
    #""0x1F""#, #""012""#, #""+1""#, #""1.""#, #"".5""#, #""1e""#, #""1e9999""#, #""-""#, #""1,234""#, #""12 of 24""#,
    #""true""#, #""false""#, #""TRUE""#, #""yes""#, #""t""#, "true", "false", "[]", "[1]", "{}", #"{"a":1}"#,
    #""2020-01-31""#, #""2020-02-29""#, #""2021-02-29""#, #""1900-02-29""#, #""2000-00-00""#, #""2020-04-31""#,
    #""0000-01-01""#, #""0001-01-01""#, #""9999-12-31""#, #""-0001-11-30T00:00:00+00:00""#,
    #""2009-04-05T00:00:00+00:00""#, #""2009-04-05T23:59:59.123456789-14:59""#, #""9999-12-31T23:59:59-14:59""#,
    #""0001-01-01T00:00:00+14:59""#, #""2009-04-05T24:00:00Z""#, #""2009-04-05T00:00:00""#, #""2009-04-05 00:00:00Z""#,
    #""2009-04-05T00:00:00+15:00""#, #""2009-04""#, #""today""#, #""2009-04-05\n""#, #""２００９-04-05""#,
  ]

  private static func member(_ path: String, _ json: String) -> String {
    let names = path.split(separator: ".").map { "\"\($0)\":" }
    return names.joined(separator: "{") + json + String(repeating: "}", count: names.count - 1)
  }

  @Test("a column is null where its member is named as a misfit, and nowhere else; every item is stored")
  func columns() async throws {
    let server = try await ThrowawayPostgres.shared()
    let test = try await server.makeProductDatabase()
    let stream = JikanStream(.top(JikanTopList(kind: .anime)), provider: .jikan, baseURL: "http://127.0.0.1:1/v4")
    let cases = Self.members.flatMap { member in Self.values.map { (member: member, value: $0) } }
    let items = cases.enumerated().map { number, one in
      let title = one.member.name == "title" ? "" : #""title":"T","#
      return "{\(title)\(Self.member(one.member.name, one.value)),\"mal_id\":\(number + 1)}"
    }
    let body = Array("{\"data\":[\(items.joined(separator: ","))]}".utf8)
    let request = stream.request(PageAddress(page: 1, size: 25))
    let page = try stream.read(UpstreamResponse(status: 200, headers: [:], body: body), to: request)
    var misfits: [Int64: [Misfit]] = [:]
    for case .item(let item) in page.entries { misfits[item.key] = item.misfits }
    try await Database.with(test.productSettings, applicationName: "test") { database in
      let store = PostgresWalkStore(database)
      let open = try await store.open(stream.description, fresh: true, confirming: nil)
      let reading = StoredPage(
        number: 1, page: 1, keys: page.keys.compactMap(\.self), unreadable: 0, claim: PageClaim())
      let counters = try await store.commit(
        [PageCommit(of: page.entries, as: reading, requestedAt: .zero)], after: RunCounters(), of: open,
        stream: stream.description
      ).counters
      #expect(counters.inserted == cases.count && counters.quarantined == 0)
      let rows = try await database.rows(
        """
        SELECT (SELECT jsonb_object_agg(key, value = 'null') FROM jsonb_each(to_jsonb(m) || to_jsonb(c)))
        FROM jikan.media m JOIN jikan.media_counters c USING (mal_id) ORDER BY mal_id
        """
      ).rows
      #expect(rows.count == cases.count)
      for (number, one) in cases.enumerated() {
        let isNull = try JSONDecoder().decode([String: Bool].self, from: Data((rows[number][0] ?? "{}").utf8))
        let found = misfits[Int64(number + 1)]
        #expect(
          (isNull[one.member.column] == true) == (found?.map(\.path) == [one.member.name]),
          "\(one.member.name): \(one.value): \(found ?? [])")
      }
      // The mirror can be sorted by each of these columns.
      for column in ["score", "members", "favorites", "rank"] {
        _ = try await database.rows(
          SQL(trusted: "SELECT -(nullif(\(column), 0)::numeric * 1000000)::bigint, -\(column) FROM jikan.anime"))
      }
      // The mirror can be searched.
      let untitled = "SELECT count(*) FROM jikan.media_title WHERE titles = ''"
      #expect(try await database.rows(SQL(trusted: untitled)).rows != [["0"]])
    }
    try await server.drop(test)
  }
}
