import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import SyncPostgres
import SyncTestKit
import Testing

@testable import JikanSource
@testable import SyncEngine

@Suite("Members that are not understood", .timeLimit(.minutes(10 + 5 * testFactor)))
struct MisfitTests {
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

  private static let oddValues: [String] = [
    #""\u0000""#, #""a\u0000b""#, #""\ud800""#, #""\udc00\ud800""#, #""\ud83d\ude00""#, #""\u001b[2J""#,
    #""\uffff\ufffe""#, "\"\u{202E}caf\u{e9} cafe\u{301}\"", #""\\x'); DROP TABLE jikan.media; --""#,
    #"[1,"\u0000",{"\ud800":1}]"#, #"{"k":1,"k":2}"#, #"{"":1,"\u0000":2,"\ud800":3}"#, "nul", "01", "1.", #""\x""#,
    String(repeating: "[", count: 126) + String(repeating: "]", count: 126),
    String(repeating: "[", count: 400) + String(repeating: "]", count: 400),
  ]

  private static let stream = JikanStream(
    .top(JikanTopList(kind: .anime)), provider: .jikan, baseURL: "http://127.0.0.1:1/v4")

  private static func read(_ body: [UInt8]) throws -> [Page.Entry] {
    let request = stream.request(PageAddress(page: 1, size: 25))
    return try stream.read(UpstreamResponse(status: 200, headers: [:], body: body), to: request).entries
  }

  private static func store(_ entries: [Page.Entry], in database: Database) async throws -> RunCounters {
    let store = PostgresWalkStore(database)
    let open = try await store.open(stream.description, fresh: true, confirming: nil)
    let page = StoredPage(
      number: 1, page: 1, keys: entries.compactMap(\.key), unreadable: entries.count { $0.key == nil },
      claim: PageClaim())
    let commit = PageCommit(of: entries, as: page, requestedAt: .zero)
    let counters = try await store.commit([commit], after: RunCounters(), of: open, stream: stream.description).counters
    let ending = WalkEnding(
      status: .partial, certificate: nil, counters: counters, error: nil, readings: 0, publishes: false,
      isResumable: false)
    let report = try await store.finish(open, stream: stream.description, ending: ending)
    #expect(report.counters == counters)
    return counters
  }

  private static func member(_ path: String, _ json: String) -> String {
    let names = path.split(separator: ".").map { "\"\($0)\":" }
    return names.joined(separator: "{") + json + String(repeating: "}", count: names.count - 1)
  }

  @Test("a column is null where its member is named as a misfit, and nowhere else; every item is stored")
  func columns() async throws {
    let server = try await ThrowawayPostgres.shared()
    let test = try await server.makeProductDatabase()
    let cases = Self.members.flatMap { member in Self.values.map { (member: member, value: $0) } }
    let items = cases.enumerated().map { number, one in
      let title = one.member.name == "title" ? "" : #""title":"T","#
      return "{\(title)\(Self.member(one.member.name, one.value)),\"mal_id\":\(number + 1)}"
    }
    let body = Array("{\"data\":[\(items.joined(separator: ","))]}".utf8)
    let entries = try Self.read(body)
    var misfits: [Int64: [Misfit]] = [:]
    for case .item(let item) in entries { misfits[item.key] = item.misfits }
    try await Database.with(test.productSettings, applicationName: "test") { database in
      let counters = try await Self.store(entries, in: database)
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
      // A query that sorts by one of these columns must not fail, whatever is stored.
      for column in ["score", "members", "favorites", "rank"] {
        _ = try await database.rows(
          SQL(trusted: "SELECT -(nullif(\(column), 0)::numeric * 1000000)::bigint, -\(column) FROM jikan.anime"))
      }
      let untitled = "SELECT count(*) FROM jikan.media_title WHERE titles = ''"
      #expect(try await database.rows(SQL(trusted: untitled)).rows != [["0"]])
    }
    try await server.drop(test)
  }

  @Test("mutated pages: PostgreSQL refuses no item that was read, and has what was read last")
  func mutatedPages() async throws {
    let server = try await ThrowawayPostgres.shared()
    let test = try await server.makeProductDatabase()
    let count = 1_000 * testFactor
    try await Database.with(test.productSettings, applicationName: "test") { database in
      var random = SeededGenerator(seed: testSeed)
      var unusable = 0
      var total = RunCounters()
      var taken: [Int64: PageItem] = [:]
      for walk in 1...count / 10 {
        var entries: [Page.Entry] = []
        for _ in 0..<10 {
          do { entries += try Self.read(Self.body(&random)) } catch is SyncError { unusable += 1 }
        }
        let counters = try await Self.store(entries, in: database)
        total += counters
        for case .item(let item) in entries { taken[item.key] = item }
        #expect(
          counters.rowsSeen == entries.count
            && counters.rowsSeen == counters.inserted + counters.updated + counters.unchanged + counters.duplicates
              + counters.quarantined,
          "seed \(testSeed), walk \(walk): \(counters)")
      }
      let note: Comment = "seed \(testSeed): \(unusable) bodies unusable, \(total)"
      #expect((count / 50..<count / 2).contains(unusable), note)
      for outcomes in [
        total.inserted, total.updated - total.documentsUpdated, total.documentsUpdated, total.unchanged,
        total.duplicates, total.quarantined, total.repaired,
      ] { #expect(outcomes > min(50, count / 200), note) }
      let quarantine = try await database.rows(
        """
        SELECT (SELECT sum(count) FROM sync.quarantine)::text, (SELECT sum(quarantined) FROM sync.run)::text,
               (SELECT count(*) FROM sync.quarantine WHERE reason = 'refused')::text
        """
      ).rows
      #expect(quarantine == [["\(total.quarantined)", "\(total.quarantined)", "0"]], note)
      let rows = try await database.rows("SELECT mal_id, raw::text FROM jikan.media ORDER BY mal_id").rows
      #expect(rows.map { $0[0] } == taken.keys.sorted().map(String.init), note)
      let mapping = try #require(JikanMapping.all.first { $0.sql.scope == ["anime"] })
      for row in rows {
        let item = try #require(row[0].flatMap { Int64($0) }.flatMap { taken[$0] }, note)
        // PostgreSQL reformats the document. Its hash must still equal the hash of the upstream's text.
        let read = mapping.read(Array((row[1] ?? "").utf8), key: item.key)
        guard case .item(let stored) = read else {
          Issue.record("seed \(testSeed): not read again: \(read) \(row)")
          continue
        }
        #expect(stored.contentHash == item.contentHash && !stored.isRepaired, "seed \(testSeed): \(row)")
      }
      tellTorture(
        "\(count) mutated bodies of seed \(testSeed) into PostgreSQL: \(total.rowsSeen) items, "
          + "\(total.quarantined) in quarantine, \(unusable) bodies refused")
    }
    try await server.drop(test)
  }

  private static func body(_ random: inout SeededGenerator) -> [UInt8] {
    var items: [String] = []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let id = Int.random(in: 1...200, using: &random)
      var members = [
        #""mal_id":\#(id)"#, #""title":"Title \#(id)""#, #""episodes":12"#,
        #""members":\#(Int.random(in: 1000...1002, using: &random))"#,
      ]
      if random.chance(1, of: 2) {
        let value = (random.chance(1, of: 2) ? values : oddValues).randomElement(using: &random) ?? ""
        members.append(member(Self.members.randomElement(using: &random)?.name ?? "", value))
      }
      if random.chance(1, of: 8) { members.remove(at: Int.random(in: 0..<members.count, using: &random)) }
      if random.chance(1, of: 3) { members.shuffle(using: &random) }
      items.append("{\(members.joined(separator: ","))}")
    }
    let body = Array(#"{"data":[\#(items.joined(separator: ","))]}"#.utf8)
    return random.chance(1, of: 4) ? random.mutated(body) : body
  }
}
