import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import Synchronization
import Testing

@testable import ITunesSource
@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct ITunesStatementTests {
  private static func query(
    _ name: String, _ stream: StreamDescription, _ parameters: [PGParameter], _ mirror: StoredMirror
  ) async throws -> [[String?]] {
    let sql = try SourceSQL.text(name, stream.sql)
    return try await mirror.database.write { connection in Array(try RowSet(sql, parameters, connection).rows) }
  }

  @Test("an answer that was requested before the row was written does not overwrite it")
  func older() async throws {
    for (stream, record) in [(StreamDescription.lookup([1]), AppleRecord.song(1)), (.chart(), .entry(1))] {
      try await mirror.walk(stream, [[record]])
      let versions = try await mirror.appleVersions()
      var old = record
      old.members["artistName"] = #""Old""#
      #expect(try await mirror.walk(stream, [[old]], age: .seconds(3600)).counters.unchanged == 1)
      #expect(try await mirror.appleVersions() == versions)
      #expect(try await mirror.walk(stream, [[old]]).counters.documentsUpdated == 1)
    }
    #expect(try await mirror.value("SELECT artist_name FROM itunes.item") == "Old")
    #expect(try await mirror.value("SELECT search_text FROM itunes.item") == "song 1 old album 1")
    #expect(try await mirror.value("SELECT artist_name FROM itunes.chart_item") == "Old")
    #expect(try await mirror.value("SELECT bool_and(changed_at > first_seen_at) FROM itunes.item") == "t")
  }

  @Test("a vanished item is live as soon as a page with it is written, before anything is published")
  func live() async throws {
    try await mirror.walk(.search(), [[.song(1), .song(2)]])
    try await mirror.execute(
      "UPDATE itunes.item SET vanished_at = '2020-01-01', changed_at = '2020-01-01', requested_at = NULL")
    let item = AppleRecord.song(1).item
    func write(rederiving: Bool) async throws {
      _ = try await Self.query(
        "write", .search(),
        [
          .ints([item.key]), .byteas([item.contentHash]), .ints([0]), .jsons([item.document]), .texts(["tw"]),
          .ints([2]), .bool(rederiving),
        ], mirror)
    }
    try await write(rederiving: true)
    #expect(try await mirror.value("SELECT count(*) FROM itunes.item WHERE vanished_at = '2020-01-01'") == "2")
    try await write(rederiving: false)
    try await mirror.expect(
      "SELECT vanished_at IS NULL, changed_at > now() - interval '1 day' FROM itunes.item ORDER BY id", "t|t", "f|f")
    _ = try await Self.query(
      "returned", .search(), [.ints([AppleRecord.song(2).key]), .texts(["tw"]), .int(2)], mirror)
    #expect(try await mirror.value("SELECT count(*) FROM itunes.item WHERE vanished_at IS NULL") == "2")
  }

  @Test("a dry run says what a run would change, and writes nothing")
  func dryRun() async throws {
    try await mirror.walk(.search(), [[.song(1), .song(2), .album(3)]])
    try await mirror.execute("UPDATE itunes.item SET vanished_at = now() - interval '1 day' WHERE id = 3")
    try await mirror.execute("UPDATE itunes.item SET changed_at = now() - interval '1 day', requested_at = NULL")
    let versions = try await mirror.appleVersions()
    let told = Mutex<[PlannedChange]>([])
    let store = DryRunStore(mirror.database, report: { changes in told.withLock { $0 += changes } })
    var walk = try await WalkedList(store, .search(), fresh: true)
    let records: [AppleRecord] = [.song(1), .song(2, ["trackPrice": "-1", "extra": "1"]), .song(4), .album(3)]
    try await walk.commit(1, records)
    _ = try await walk.finish()
    #expect(try await mirror.appleVersions() == versions)
    #expect(walk.counters.inserted == 1 && walk.counters.updated == 2)
    let changes = told.withLock { $0 }.map { change in
      "\(change.operation) \(change.key) "
        + change.columns.map { "\($0.name): \($0.from) > \($0.to)" }.joined(separator: ", ")
    }
    try #require(changes.count == 3)
    #expect(
      changes[0] == "update 33 is_sold_singly: true > false, price: 0.99 > null, raw: [\"trackPrice\"] > "
        + "[\"extra\", \"trackPrice\"], track_price: 0.99 > null")
    #expect(changes[1] == "insert 65 ")
    #expect(changes[2].hasPrefix("update 50 vanished_at: \""))
    let back = try await Self.query("preview_returned", .search(), [.ints([50]), .texts(["tw"]), .int(2)], mirror)
    #expect(back.map { $0[1] } == ["Album 3"])
    for (stream, keys, counts) in [
      (StreamDescription.search(), [17, 33] as [Int64], ["3", "1"]), (.search("no"), [], ["0", "0"]),
      (.lookup([1]), [], ["0", "0"]), (.chart(), [], ["0", "0"]),
    ] {
      let parameters: [PGParameter] = [.int(0), .texts(stream.sql.scope), .ints(keys), .int(0)]
      #expect(try await Self.query("preview_publish", stream, parameters, mirror) == [counts])
      let space = try await Self.query("space", stream, [.texts(stream.sql.scope)], mirror)
      #expect(space == [[stream.sql.folder == "itunes" ? stream.sql.scope[0] : "us/songs"]])
    }
  }

  @Test("a chart's dry run names what differs, and ignores lists of other types")
  func chartPreview() async throws {
    try await mirror.walk(.chart(), [[.entry(1), .entry(2)]])
    let records = [AppleRecord.entry(2, ["name": #""Renamed""#, "more": "1"]), .entry(3)]
    let rows = try await Self.query(
      "preview", .chart(),
      [
        .ints(records.map(\.key)), .jsons(records.map { Array($0.document.utf8) }),
        .texts(StreamDescription.chart().sql.scope),
      ], mirror)
    #expect(
      rows == [
        ["2", "Renamed", "f", nil, "name", "\"Song 2\"", "\"Renamed\""],
        ["2", "Renamed", "f", nil, "raw", "[]", "[\"more\"]"], ["3", "Song 3", "t", nil, nil, nil, nil],
      ])
  }

  private struct Mapping: DocumentMapping {
    let sql: StreamSQL
    let known: [AppleRecord]
    var name: String { sql.scope.joined(separator: "/") }
    var version: Int { 2 }

    func read(_ document: [UInt8], key: Int64) -> Page.Entry {
      guard var record = known.first(where: { $0.key == key }) else {
        return .rejected(RejectedItem(key: key, reason: "no", detail: "", excerpt: ""))
      }
      record.version = 2
      return .item(record.item)
    }
  }

  @Test("documents are derived again by another version of the mapping, by storefront, and count as unchanged")
  func rederivation() async throws {
    let songs: [AppleRecord] = [.album(3), .song(1), .song(2), AppleRecord("app", 1, [:])]
    try await mirror.walk(.search(), [songs])
    try await mirror.walk(.lookup([]), [songs])
    try await mirror.walk(.chart(), [[.entry(5), .entry(6)]])
    try await mirror.execute("UPDATE itunes.item SET title = 'stale', vanished_at = '2020-01-01' WHERE id = 1")
    try await mirror.execute("UPDATE itunes.chart_item SET name = 'stale'")
    let times =
      "SELECT country, class, id, first_seen_at::text, changed_at::text, vanished_at FROM itunes.item ORDER BY 1, 2, 3"
    let before = try await mirror.rows(times)
    let mappings = [
      Mapping(sql: StreamSQL(folder: "itunes", scope: ["tw"]), known: songs),
      Mapping(sql: StreamSQL(folder: "itunes", scope: ["us"]), known: songs),
      Mapping(sql: StreamSQL(folder: "itunes/charts", scope: ["us", "", "", "songs"]), known: [.entry(5), .entry(6)]),
    ]
    let derivation = Rederivation(mirror.database, mappings, batch: 1)
    #expect(try await derivation.waiting().map(\.documents) == [4, 4, 2])
    let outcomes = try await derivation.derive()
    #expect(outcomes.map(\.derived) == [4, 4, 2])
    #expect(outcomes.map(\.refused) == [0, 0, 0])
    #expect(try await derivation.waiting() == [])
    #expect(try await mirror.rows(times) == before)
    #expect(try await mirror.value("SELECT count(*) FROM itunes.item WHERE title = 'stale'") == "0")
    #expect(try await mirror.value("SELECT count(*) FROM itunes.chart_item WHERE name = 'stale'") == "0")
  }

  @Test("a page is touched if an item on it was written since, has vanished or is missing")
  func touched() async throws {
    let stream = StreamDescription.search()
    try await mirror.walk(
      stream, [[.song(1)], [.song(2)], [.song(3)], [.song(4)]], rejected: [AppleRecord.song(5).key])
    func pages(_ stream: StreamDescription) async throws -> [String?] {
      let walk = try #require(await mirror.value("SELECT max(id) FROM sync.walk").flatMap { Int64($0) })
      return try await Self.query(
        "touched", stream, [.int(walk), .ints([1, 2, 3, 4]), .texts(stream.sql.scope)], mirror
      ).map { $0[0] }.sorted { ($0 ?? "") < ($1 ?? "") }
    }
    #expect(try await pages(stream) == ["4"])
    try await mirror.execute("UPDATE itunes.item SET vanished_at = now() WHERE id = 2")
    try await mirror.execute("UPDATE itunes.item SET changed_at = now() + interval '1 hour' WHERE id = 3")
    #expect(try await pages(stream) == ["2", "3", "4"])
    try await mirror.walk(.chart(), [[.entry(1)], [.entry(2)], [.entry(3)]])
    #expect(try await pages(.chart()) == [])
    try await mirror.execute("UPDATE itunes.chart_item SET changed_at = now() + interval '1 hour' WHERE id = 3")
    #expect(try await pages(.chart()) == ["3"])
  }

  @Test("the worker publishes, marks and records; the reader queries, but not the searches")
  func roles() async throws {
    try await mirror.grant()
    try await mirror.asRole("syncctl_worker") { worker in
      for songs in [[AppleRecord.song(1), .song(2)], [.song(2), .song(3)]] {
        #expect(try await worker.walk(.search(), [songs]).status == .complete)
      }
      for songs in [[AppleRecord.song(1)], [], [], [.song(1)]] {
        #expect(try await worker.walk(.lookup([1]), [songs]).status == .complete)
      }
      for entries in [[AppleRecord.entry(1), .entry(2)], [.entry(2), .entry(3)]] {
        #expect(try await worker.walk(.chart(), [entries]).status == .complete)
      }
      try await ITunesQueries.record(
        [.init(action: .search, country: "us", term: "x", results: 0)], in: worker.database)
    }
    try await mirror.asRole("syncctl_reader") { reader in
      _ = try await ITunesQueries.results(of: "jay", sort: .artist, part: .init(limit: 9), in: reader.database)
      _ = try await ITunesQueries.find(
        .init(term: "song", country: "us"), sort: .price, part: .init(limit: 9), in: reader.database)
      #expect(try await reader.value("SELECT count(*) FROM itunes.search_publication") == "2")
      #expect(try await reader.value("SELECT count(*) > 0 FROM itunes.search_history") == "t")
      #expect(try await ITunesCharts.charts(in: reader.database).count == 1)
    }
    try await mirror.asRole("syncctl_user") { user in
      let noted = try await ITunesQueries.lookups(limit: 9, in: user.database).rows.rows
      #expect(noted.count == 1)
    }
  }
}
