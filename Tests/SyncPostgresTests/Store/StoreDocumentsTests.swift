import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror) struct StoreDocumentsTests {
  func stream(
    build: String? = "b1", origin: String = "http://test", version: Int = 1, ttl: Duration = .seconds(3600)
  ) -> StreamDescription {
    StreamDescription(
      id: StreamID(source: "pokeapi", name: "things"), provider: "pokeapi", origin: origin, pageSize: 100,
      method: .documents(ttl: ttl), absence: .questionsItem(.wholeList),
      sql: StreamSQL(folder: "pokeapi", scope: ["things"]), mappingVersion: version, build: build)
  }

  private func item(_ id: Int64) -> PageItem {
    PageItem(
      key: id, document: Array(#"{"id":\#(id),"name":"thing-\#(id)"}"#.utf8),
      contentHash: contentHash("hash \(id)"), counterHash: 0)
  }

  @discardableResult
  func walk(
    _ stream: StreamDescription, _ store: PostgresWalkStore, list: [Int64], batches: [(keys: [Int64], build: String?)],
    status: RunStatus = .complete, listBuild: String? = nil
  ) async throws -> OpenWalk {
    var walk = try await WalkedList(store, stream)
    let listed = StoredPage(
      number: 1, page: 1, keys: list, unreadable: 0, claim: PageClaim(total: list.count, hasNext: false))
    var commit = PageCommit(page: listed, rows: [], rejected: [], counters: RunCounters(), requestedAt: .zero)
    commit.build = listBuild ?? stream.build
    try await walk.commit(commit)
    for (index, batch) in batches.enumerated() {
      var commit = walk.reading(
        index + 2, page: nil, batch.keys.map { item($0) }, rejected: [], claim: PageClaim(), age: .zero)
      commit.build = batch.build
      try await walk.commit(commit)
    }
    _ = try await walk.finish(status, publishes: status == .complete)
    return walk.open
  }

  private func build(_ mirror: StoredMirror) async throws -> String? {
    try await mirror.value("SELECT build FROM sync.stream_state WHERE stream = 'things'")
  }

  @Test("a document is fresh if an earlier walk of its service and mapping fetched it within its time to live")
  func fresh() async throws {
    let store = PostgresWalkStore(mirror.database)
    try await walk(stream(), store, list: [1, 2, 3, 4], batches: [([1, 2], "b1"), ([3], "b1")])
    func young(_ stream: StreamDescription) async throws -> Set<Int64> {
      let open = try await store.open(stream, fresh: true)
      let young = try await store.fresh([-1, 1, 2, 3, 4], in: open, stream: stream)
      try await mirror.abandonLeases()
      return young
    }
    #expect(try await young(stream()) == [1, 2, 3])
    #expect(try await young(stream(version: 2)).isEmpty)
    try await mirror.execute("DELETE FROM pokeapi.resource WHERE id = 2")
    try await mirror.execute("UPDATE pokeapi.resource SET vanished_at = now() WHERE id = 3")
    #expect(try await young(stream()) == [1])
    try await mirror.execute("UPDATE sync.walk_page SET fetched_at = fetched_at - interval '1 hour'")
    #expect(try await young(stream()).isEmpty)
    #expect(try await young(stream(ttl: .seconds(7200))) == [1])
    let published =
      "UPDATE sync.stream_state SET origin = 'http://other'; UPDATE sync.walk SET origin = 'http://other'"
    for statement in published.split(separator: ";") { try await mirror.execute(String(statement)) }
    #expect(try await young(stream(origin: "http://other", ttl: .seconds(7200))) == [1])
  }

  @Test("a build is recorded if the last fetch of every document of the list was of it")
  func builds() async throws {
    let store = PostgresWalkStore(mirror.database)
    try await walk(stream(), store, list: [1, 2], batches: [([1], "b1"), ([2], nil)])
    #expect(try await build(mirror) == nil, "a batch of several builds")
    try await walk(stream(), store, list: [1, 2], batches: [([2], "b1")])
    #expect(try await build(mirror) == "b1", "the first document is that of the walk before")
    try await walk(stream(build: "b2"), store, list: [1, 2], batches: [([1], "b2")])
    #expect(try await build(mirror) == nil, "the second document is of the build before")
    try await walk(stream(build: "b2"), store, list: [1, 2, 3], batches: [([2], "b2")])
    #expect(try await build(mirror) == nil, "the third document was never fetched")
    try await walk(stream(build: "b2"), store, list: [1, 2, 3], batches: [([3], "b2")], status: .partial)
    #expect(try await build(mirror) == nil, "the walk was not complete")
    try await walk(stream(build: "b2"), store, list: [1, 2, 3], batches: [], listBuild: "b1")
    #expect(try await build(mirror) == nil, "the list is of the build before")
    try await walk(stream(build: "b2"), store, list: [1, 2, 3], batches: [])
    #expect(try await build(mirror) == "b2")
    // Another service can have a different build with the same name.
    let moved = PostgresWalkStore(mirror.database, options: .init(adoptsOrigin: true))
    _ = try await moved.open(stream(build: "b2", origin: "http://moved"), fresh: false)
    #expect(try await build(mirror) == nil)
  }

  @Test("an index run is in the ledger, stores what it has found, and makes mirrored streams as fresh as itself")
  func index() async throws {
    let index = PostgresIndexStore(mirror.database)
    #expect(try await index.index(of: "pokeapi", origin: "http://test") == StoredIndex())
    var counters = RunCounters()
    counters.requests = 2
    func look(
      _ build: String?, _ streams: [String]?, _ error: SyncError? = nil, isInterrupted: Bool = false
    ) -> IndexLook {
      IndexLook(
        source: "pokeapi", origin: "http://test", build: build, streams: streams, counters: counters,
        duration: .seconds(1), error: error, isInterrupted: isInterrupted)
    }
    let report = try await index.record(look("b1", ["things", "others"]))
    #expect(report.status == .complete)
    try await walk(stream(), PostgresWalkStore(mirror.database), list: [1], batches: [([1], "b1")])
    try await mirror.execute("UPDATE sync.stream_state SET last_complete_at = now() - interval '1 day'")
    #expect(
      try await index.index(of: "pokeapi", origin: "http://test")
        == StoredIndex(streams: ["things", "others"], builds: ["things": "b1"]))
    #expect(try await index.index(of: "pokeapi", origin: "http://elsewhere") == StoredIndex())
    let isFresh = "SELECT now() - whole_at < interval '1 hour' FROM sync.stream_freshness"
    #expect(try await mirror.value(isFresh) == "t")
    _ = try await index.record(look("b1", nil))
    #expect(try await index.index(of: "pokeapi", origin: "http://test").streams == ["things", "others"])
    let failed = try await index.record(look("b2", nil, SyncError(.upstream, "down")))
    #expect(failed.status == .failed)
    #expect(try await index.record(look("b2", nil, isInterrupted: true)).status == .interrupted)
    #expect(try await mirror.value("SELECT build FROM sync.source_index") == "b1", "neither stores anything")
    _ = try await index.record(look("b2", nil))
    #expect(try await mirror.value(isFresh) == "f")
    try await mirror.expect(
      "SELECT status, requests FROM sync.run WHERE stream = 'index' ORDER BY started_at", "complete|2", "complete|2",
      "failed|2", "interrupted|2", "complete|2")
  }
}
