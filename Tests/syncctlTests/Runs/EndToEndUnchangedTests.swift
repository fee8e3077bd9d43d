import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Unchanged {
    /// A multiple of 50.
    private static let items = DrillSize.number("SYNCCTL_TEST_ROWS", otherwise: 2500)
    private static let versions = """
      SELECT sum(n_tup_ins), sum(n_tup_upd), sum(n_tup_del) FROM pg_stat_user_tables WHERE schemaname = 'jikan'
      """
    private static let documents = """
      SELECT md5(string_agg(concat(kind, mal_id, ctid, xmin), ' ' ORDER BY kind, mal_id)) FROM jikan.media
      """

    /// The printed WAL size includes WAL of other tests. `StoreCostTests` measures the WAL of a walk alone.
    @Test func unchangedListWritesNoRow() async throws {
      let jikan = GeneratedJikan.plain(Self.items)
      let hasETags = Changing(false)
      let tagged = ConditionalUpstream(jikan)
      let upstream = ScriptedUpstream { request in
        hasETags.value ? await tagged.answer(request) : await jikan.answer(request)
      }
      try await Mirror.with(upstream) { mirror, _ in
        try await mirror.onlyRun()
        let before = try await mirror.settledVersions(Self.versions)
        let pages = Self.items / 25
        let same = try await mirror.onlyRun()
        try same.expect(["unchanged": Self.items, "inserted": 0, "updated": 0, "not_modified": 0])
        #expect(try await mirror.settledVersions(Self.versions) == before)
        let perPage = try #require(same["wal_bytes"]?.int) / pages
        tell("unchanged: \(perPage) bytes of WAL a page of 25")

        hasETags.value = true
        try await mirror.onlyRun().expect(["unchanged": Self.items, "not_modified": 0])
        let confirmed = try await mirror.onlyRun()
        try confirmed.expect(["unchanged": Self.items, "inserted": 0, "updated": 0, "rows_seen": Self.items])
        let share = Double(try #require(confirmed["not_modified"]?.int)) / Double(pages)
        #expect(share >= 0.95)
        #expect(confirmed["status"] == .string("complete"))
        #expect(try await mirror.settledVersions(Self.versions) == before)
        let walOf304 = try #require(confirmed["wal_bytes"]?.int) / pages
        tell("unchanged, with ETags: \(share * 100) % answered 304, \(walOf304) bytes of WAL a page")
        #expect(try #require(confirmed["bytes"]?.int) < 100_000)
        let documents = try await mirror.sql(Self.documents)
        jikan.edits.members = 1
        let moved = try await mirror.onlyRun()
        try moved.expect(["updated": Self.items, "documents_updated": 0, "unchanged": 0, "not_modified": 0])
        #expect(try await mirror.sql(Self.documents) == documents)
        let perRow = try #require(moved["wal_bytes"]?.int) / Self.items
        tell("counters of every row moved: \(perRow) bytes of WAL a row, the walk's own included")
        let id = try #require(Int(try await mirror.sql("SELECT mal_id FROM jikan.ranking WHERE position = 2345")))
        jikan.edits.titles = [id]
        let titled = try await mirror.onlyRun()
        try titled.expect(["updated": 1, "documents_updated": 1, "unchanged": Self.items - 1])
        #expect(try #require(titled["not_modified"]?.int) == pages - 1)
      }
    }

    /// Pages of a catalogue overlap, but the pages after a changed page are still not downloaded.
    @Test func oneChangeInACatalogueIsOnePage() async throws {
      let jikan = GeneratedJikan.plain(1000)
      try await Mirror.with(ConditionalUpstream(jikan)) { mirror, _ in
        try await mirror.onlyRun(stream: "anime-catalog")
        let middle = try await mirror.sql("SELECT mal_id FROM jikan.media ORDER BY mal_id OFFSET 500 LIMIT 1")
        let id = try #require(Int(middle))
        jikan.edits.titles = [id]
        let run = try await mirror.onlyRun(stream: "anime-catalog")
        try run.expect(["updated": 1, "unchanged": 999])
        let (pages, same) = (try #require(run["pages"]?.int), try #require(run["not_modified"]?.int))
        #expect(pages - same <= 2 && same > 30)
      }
    }
  }
}

extension Mirror {
  @discardableResult
  func onlyRun(stream: String = "top-anime", _ arguments: String...) async throws -> JSONValue {
    let result = try await succeed(["run", "--stream", stream, "--format", "json"] + arguments)
    let run = try #require(try runs(result)[stream])
    // A declared list without a total has no evidence, and most tests of declared lists do not depend on it.
    let isDeclared = stream == "products"
    #expect(run["status"] == .string("complete") || isDeclared && run["status"] == .string("unproven"), "\(run)")
    return run
  }

  fileprivate func settledVersions(_ query: String) async throws -> String {
    // A session reports all its counts before it ends, so the test waits until the other sessions have ended.
    try await waitUntil("the end of the other sessions") {
      try await sql(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()") == "0"
    }
    return try await sql(query)
  }
}

extension JSONValue {
  func expect(_ numbers: [String: Int], sourceLocation: SourceLocation = #_sourceLocation) throws {
    for (name, number) in numbers { #expect(self[name]?.int == number, "\(name)", sourceLocation: sourceLocation) }
  }
}
