import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct ITunesPublishTests {
  private static let results = "SELECT position, class, id FROM itunes.search_result ORDER BY search, position"

  @Test("a search twice, with one entry removed and one new: the history has both lists, and nothing has vanished")
  func twice() async throws {
    try await mirror.walk(.search(), [[.song(3), .song(1), .album(1), .song(2)]])
    let first = try #require(await mirror.value("SELECT clock_timestamp()::text"))
    let report = try await mirror.walk(.search(), [[.song(3), .album(1), .song(1), .song(4)]])
    #expect(report.counters.inserted == 1)
    #expect(report.counters.vanished == 0)
    try await mirror.expect(Self.results, "1|track|3", "2|collection|1", "3|track|1", "4|track|4")
    let asOf = "SELECT position, country, class, id, title FROM itunes.search_as_of('jay', $1::text::timestamptz)"
    try await mirror.expect(
      asOf, with: [.text(first)], "1|tw|track|3|Song 3", "2|tw|track|1|Song 1", "3|tw|collection|1|Album 1",
      "4|tw|track|2|Song 2")
    #expect(try await mirror.rows(asOf, [.text("infinity")]).map { $0[3] } == ["3", "1", "1", "4"])
    #expect(try await mirror.value("SELECT count(*) FROM itunes.item WHERE vanished_at IS NOT NULL") == "0")
    try await mirror.expect(
      "SELECT name, country, term, media, entity, attribute, lang, result_limit FROM itunes.search",
      "jay|tw|周杰倫|music|song|∅|∅|200")
    let publications = try await mirror.rows(
      "SELECT run_id, entries, consistent FROM itunes.search_publication ORDER BY published_at DESC")
    let firstRun = try await Self.firstRun(mirror)
    #expect(publications == [[report.id, "4", "t"], [firstRun, "4", "t"]])
    #expect(try await mirror.value("SELECT entries FROM sync.publication") == "4")
    try await mirror.walk(.search(), [[.song(4), .song(3)]])
    let intervals = try await mirror.rows(
      """
      SELECT h.id, h.position, f.n, t.n FROM itunes.search_history h
      JOIN (SELECT published_at, row_number() OVER (ORDER BY published_at) AS n FROM itunes.search_publication) f
        ON f.published_at = h.valid_from
      LEFT JOIN (SELECT published_at, row_number() OVER (ORDER BY published_at) AS n FROM itunes.search_publication) t
        ON t.published_at = h.valid_to
      WHERE h.class = 'track' ORDER BY 1, 3
      """)
    let expected: [[String?]] = [
      ["1", "2", "1", "2"], ["1", "3", "2", "3"], ["2", "4", "1", "2"], ["3", "1", "1", "3"], ["3", "2", "3", nil],
      ["4", "4", "2", "3"], ["4", "1", "3", nil],
    ]
    #expect(intervals == expected)
  }

  private static func firstRun(_ mirror: StoredMirror) async throws -> String {
    try #require(await mirror.value("SELECT id FROM sync.run ORDER BY started_at LIMIT 1"))
  }

  @Test("a search with the same results writes no row, whatever the term's other parameters do")
  func unchanged() async throws {
    let pages = [[AppleRecord.song(3), .song(1)], [.song(2), .song(9)]]
    try await mirror.walk(.search(), pages)
    try await mirror.walk(.search("other", country: "us"), pages)
    let versions = try await mirror.appleVersions()
    #expect(versions.count == 28)
    #expect(try await mirror.walk(.search(), pages).counters.unchanged == 4)
    #expect(try await mirror.appleVersions() == versions)
    // The division into pages has no effect, so the same entries on one page change nothing.
    try await mirror.walk(.search(), [pages.flatMap { $0 }])
    #expect(try await mirror.appleVersions() == versions)
    try await mirror.walk(.search(lang: "ja_jp"), pages)
    let changed = try await mirror.appleVersions().filter { !versions.contains($0) }
    #expect(changed.map { $0[0] } == ["search"])
    try await mirror.walk(.search(lang: "ja_jp"), pages, status: .inconsistent)
    #expect(try await mirror.value("SELECT count(*) FROM itunes.search_publication WHERE NOT consistent") == "1")
  }

  @Test("a search of another storefront with the same results is published, and so is the first one after it")
  func otherStorefront() async throws {
    for country in ["tw", "us", "tw"] {
      try await mirror.walk(.search(country: country), [[.song(1), .song(2)]])
      #expect(try await mirror.rows("SELECT DISTINCT country FROM itunes.search_result") == [[country]])
      #expect(try await mirror.value("SELECT country FROM itunes.search") == country)
    }
  }

  @Test("an unchanged search brings back items of other classes with an id that it met")
  func returning() async throws {
    try await mirror.walk(.search("albums"), [[.album(3)]])
    for _ in 1...2 {
      try await mirror.walk(.search(), [[.song(3)]])
      let gone = "SELECT count(*) FROM itunes.item WHERE vanished_at IS NOT NULL"
      #expect(try await mirror.value(gone) == "0")
      try await mirror.execute("UPDATE itunes.item SET vanished_at = now() WHERE class = 'collection'")
      #expect(try await mirror.value(gone) == "1")
    }
  }

  @Test("results, history and publications that somebody else has written to are published again")
  func meddled() async throws {
    let contents = """
      SELECT r.id, r.position, h.position, p.entries, s.term
      FROM itunes.search_result r FULL JOIN itunes.search_history h USING (search, id),
           itunes.search s, (SELECT entries FROM itunes.search_publication ORDER BY published_at DESC LIMIT 1) p
      WHERE h.valid_to IS NULL ORDER BY 1
      """
    try await mirror.walk(.search(), [[.song(1), .song(2)]])
    let published = try await mirror.rows(contents)
    for statement in [
      "DELETE FROM itunes.search_result WHERE id = 1", "UPDATE itunes.search_result SET position = 9 WHERE id = 1",
      "UPDATE itunes.search_publication SET entries = 9", "UPDATE itunes.search SET term = 'other'",
    ] {
      try await mirror.execute(statement)
      #expect(try await mirror.rows(contents) != published)
      try await mirror.walk(.search(), [[.song(1), .song(2)]])
      #expect(try await mirror.rows(contents) == published, "\(statement)")
    }
  }

  @Test("a repeated entry counts once, at its first place; an unusable one keeps its place")
  func repeats() async throws {
    let again = [AppleRecord.song(1), .song(2), .song(3)]
    let report = try await mirror.walk(
      .search(), [again + [.song(2)], again.reversed()], rejected: [AppleRecord.song(7).key], unreadable: 1)
    #expect(report.counters.duplicates == 4)
    try await mirror.expect(Self.results, "1|track|1", "2|track|2", "3|track|3", "4|track|7")
    #expect(try await mirror.rows("SELECT title FROM itunes.search_item WHERE id = 7") == [[nil]])
    try await mirror.walk(.search(), [[]])
    #expect(try await mirror.rows(Self.results) == [])
    #expect(try await mirror.value("SELECT entries FROM itunes.search_publication ORDER BY 1 LIMIT 1") == "0")
  }

  private static let gone =
    "SELECT class, id, vanished_at IS NOT NULL FROM itunes.item WHERE country = 'us' ORDER BY 1, 2"
  private static let absent = "SELECT country, id, missed FROM itunes.lookup_absence ORDER BY 1, 2"

  @Test("an id missed by two look-ups in a row has vanished; when it is met again, it returns")
  func vanishing() async throws {
    let stream = StreamDescription.lookup([1, 2, 99])
    try await mirror.walk(.lookup([1, 2], country: "tw"), [[.song(1), .song(2)]])
    try await mirror.walk(stream, [[.song(1), .song(2), .album(2)]])
    #expect(try await mirror.rows(Self.absent) == [["us", "99", "1"]])
    try await mirror.walk(stream, [[.song(1)]])
    #expect(try await mirror.rows(Self.absent) == [["us", "2", "1"], ["us", "99", "2"]])
    #expect(try await mirror.rows(Self.gone).allSatisfy { $0[2] == "f" })
    try await mirror.walk(stream, [[.song(1)]])
    #expect(try await mirror.rows(Self.absent) == [["us", "2", "2"], ["us", "99", "2"]])
    try await mirror.expect(Self.gone, "collection|2|t", "track|1|f", "track|2|t")
    try await mirror.expect("SELECT count(*) FROM itunes.item WHERE country = 'tw' AND vanished_at IS NULL", "2")
    let versions = try await mirror.appleVersions()
    try await mirror.walk(stream, [[.song(1)]])
    #expect(try await mirror.appleVersions() == versions)
    #expect(try await mirror.walk(stream, [[.song(1), .song(2)]]).counters.updated == 1)
    #expect(try await mirror.rows(Self.absent) == [["us", "99", "2"]])
    #expect(try await mirror.rows(Self.gone).allSatisfy { $0[2] == "f" })
  }

  @Test("missed, met, missed: not in a row; a search that meets the id counts too, one that does not proves nothing")
  func notInARow() async throws {
    let stream = StreamDescription.lookup([1, 2])
    let search = StreamDescription.search(country: "us")
    try await mirror.walk(stream, [[.song(1), .song(2)]])
    for met in [stream, search] {
      try await mirror.walk(stream, [[.song(1)]])
      #expect(try await mirror.rows(Self.absent) == [["us", "2", "1"]])
      // The item's presence in the storefront tw proves nothing about the storefront us.
      try await mirror.walk(.search("tw"), [[.song(2)]])
      #expect(try await mirror.rows(Self.absent) == [["us", "2", "1"]])
      try await mirror.walk(met, [[.song(1), .song(2)]])
      #expect(try await mirror.rows(Self.absent) == [])
    }
    for _ in 0..<3 { try await mirror.walk(search, [[.song(1)]]) }
    #expect(try await mirror.rows(Self.gone).allSatisfy { $0[2] == "f" })
    try await mirror.walk(stream, [[.song(1)]])
    try await mirror.walk(.lookup([1, 2], as: "refresh"), [[.song(1)]])
    #expect(try await mirror.rows(Self.gone) == [["track", "1", "f"], ["track", "2", "t"]])
    try await mirror.walk(search, [[.song(2)]])
    #expect(try await mirror.rows(Self.gone).allSatisfy { $0[2] == "f" })
    #expect(try await mirror.rows(Self.absent) == [])
  }

  @Test("nothing is missing when an id was unreadable; an unusable entry counts as met")
  func unreadable() async throws {
    let stream = StreamDescription.lookup([1, 2])
    try await mirror.walk(stream, [[.song(1), .song(2)]])
    for _ in 0..<2 { try await mirror.walk(stream, [[.song(1)]], unreadable: 1) }
    #expect(try await mirror.rows(Self.absent) == [])
    for _ in 0..<2 { try await mirror.walk(stream, [[.song(1)]], rejected: [AppleRecord.song(2).key]) }
    #expect(try await mirror.rows(Self.absent) == [])
    for _ in 0..<2 { try await mirror.walk(stream, [[]]) }
    #expect(try await mirror.rows(Self.gone).allSatisfy { $0[2] == "t" })
    try await mirror.walk(stream, [[]], rejected: [AppleRecord.song(2).key])
    #expect(try await mirror.rows(Self.gone) == [["track", "1", "t"], ["track", "2", "f"]])
  }

  @Test("an item that was requested after the walk began is not marked by the walk; a time after now proves nothing")
  func newer() async throws {
    let stream = StreamDescription.lookup([1])
    try await mirror.walk(stream, [[.song(1)]])
    try await mirror.walk(stream, [[]])
    try await mirror.execute(
      """
      CREATE FUNCTION public.requests() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN UPDATE itunes.item SET requested_at = clock_timestamp(); RETURN NULL; END'
      """)
    try await mirror.execute(
      "CREATE TRIGGER requests AFTER INSERT ON sync.walk FOR EACH ROW EXECUTE FUNCTION public.requests()")
    try await mirror.walk(stream, [[]])
    #expect(try await mirror.rows(Self.gone) == [["track", "1", "f"]])
    try await mirror.execute("DROP TRIGGER requests ON sync.walk")
    try await mirror.execute("UPDATE itunes.item SET requested_at = clock_timestamp() + interval '1 hour'")
    try await mirror.walk(stream, [[]])
    #expect(try await mirror.rows(Self.gone) == [["track", "1", "t"]])
  }

  @Test(
    "records, charts and lists that a trigger drops end the run",
    arguments: ["item", "search_result", "search_history", "chart_item", "chart_entry", "chart_history"])
  func dropped(_ table: String) async throws {
    let fault = RowFault.trigger("itunes.\(table)", "BEFORE INSERT")
    try await fault.install(mirror)
    let isChart = table.hasPrefix("chart")
    var error: SyncError?
    do {
      error = try await mirror.walk(
        isChart ? .chart() : .search(), [isChart ? [.entry(1), .entry(2)] : [.song(1), .album(2)]]
      ).error
    } catch let thrown as SyncError { error = thrown }
    fault.expect(error)
    #expect(try await mirror.value("SELECT count(*) FROM sync.publication") == "0")
  }
}
