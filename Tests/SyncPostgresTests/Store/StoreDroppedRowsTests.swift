import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct StoreDroppedRowsTests {
  private static let swallowsOne = "IF NEW.mal_id = 2 THEN RETURN NULL; END IF; RETURN NEW;"
  private static let takesBack = "DELETE FROM jikan.media WHERE kind = NEW.kind AND mal_id = NEW.mal_id; RETURN NULL;"

  static let pageFaults: [RowFault] = [
    .trigger("jikan.media", "BEFORE INSERT"), .trigger("jikan.media", "BEFORE UPDATE"),
    .trigger("jikan.media", "BEFORE INSERT", swallowsOne), .trigger("jikan.media", "AFTER INSERT", takesBack),
    .trigger("jikan.media_counters", "BEFORE INSERT", swallowsOne), .trigger("jikan.media_counters", "BEFORE UPDATE"),
    .rule("jikan.media", "INSERT TO TABLE"), .rule("jikan.media", "INSERT TO TABLE WHERE NEW.mal_id = 2"),
    .rule("jikan.media", "UPDATE TO TABLE"), .trigger("sync.walk_page", "BEFORE INSERT"),
    .rule("sync.walk_page", "INSERT TO TABLE"), .trigger("sync.run", "BEFORE UPDATE"),
  ]

  @Test(
    "a row that is neither stored nor newer ends the run, which names the table", arguments: pageFaults)
  func page(_ fault: RowFault) async throws {
    try await WalkedList.run(mirror, [[Media(1), Media(3)]])
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), .topAnime, fresh: true)
    try await fault.install(mirror)
    let before = try await mirror.rowVersions()
    let error = await syncError {
      try await walk.commit(1, [Media(1).with(["title": "\"New\""]), Media(2), Media(3).with(["members": "99"])])
    }
    fault.expect(error)
    #expect(error?.disposition == .stopRun)
    #expect(try await mirror.rowVersions().map { $0[2] } == before.map { $0[2] })
    #expect(try await mirror.value("SELECT count(*) FROM sync.walk_page WHERE walk_id = 2") == "0")
  }

  @Test(
    "a list whose rows a table did not take unchanged is not published",
    arguments: [
      RowFault.trigger("jikan.ranking", "BEFORE INSERT", swallowsOne), .trigger("jikan.ranking", "BEFORE DELETE"),
      .rule("jikan.ranking", "INSERT TO TABLE"), .trigger("sync.publication", "BEFORE UPDATE"),
    ])
  func list(_ fault: RowFault) async throws {
    let first = try await WalkedList.run(mirror, [[Media(1), Media(3)]])
    try await fault.install(mirror)
    let report = try await WalkedList.run(mirror, [[Media(2), Media(1)]])
    fault.expect(report.error)
    #expect(report.status == .failed)
    #expect(try await mirror.rows("SELECT mal_id FROM jikan.ranking ORDER BY position") == [["1"], ["3"]])
    #expect(try await mirror.value("SELECT run_id::text FROM sync.publication") == first.id)
    try await mirror.expect(
      "SELECT status, error IS NOT NULL FROM sync.run ORDER BY started_at", "complete|f",
      "failed|t")
    try await mirror.execute(
      fault.name.hasPrefix("rule") ? "DROP RULE ignores ON \(fault.table)" : "DROP FUNCTION public.drops() CASCADE")
    #expect(try await WalkedList.run(mirror, [[Media(2), Media(1)]]).error == nil)
    #expect(try await mirror.rows("SELECT mal_id FROM jikan.ranking ORDER BY position") == [["2"], ["1"]])
  }

  @Test("a vanished mark that was not set, or not removed", arguments: [true, false])
  func vanished(_ returns: Bool) async throws {
    try await WalkedList.run(mirror, [[Media(1), Media(2)]])
    if returns { try await mirror.execute("UPDATE jikan.media SET vanished_at = now() WHERE mal_id = 2") }
    try await StoreVanishTests.makeOld(mirror)
    var walk = try await StoreVanishTests.walk(mirror, .catalogue(), [[Media(1)]])
    let fault = RowFault.trigger("jikan.media", "BEFORE UPDATE")
    try await fault.install(mirror)
    let rejected = RejectedItem(key: 2, reason: "wrong_type", detail: "x", excerpt: "{}")
    fault.expect(
      await syncError {
        if returns { try await walk.commit(2, [], rejected: [rejected]) } else { try await walk.lookUp(2, gone: [2]) }
      })
  }

  @Test("genres: the stored, counted and removed rows", arguments: ["INSERT", "UPDATE", "DELETE"])
  func genres(_ event: String) async throws {
    typealias Genre = StoreGenresTests.Genre
    try await StoreGenresTests.walk(mirror, [Genre(1, "A", 1), Genre(2, "B", 1)])
    let fault = RowFault.trigger("jikan.genre", "BEFORE \(event)")
    try await fault.install(mirror)
    let genres = ["INSERT": [Genre(1, "A", 1), Genre(2, "B", 1), Genre(3, "C", 1)], "UPDATE": [Genre(1, "A", 2)]]
    let error: SyncError?
    do { error = try await StoreGenresTests.walk(mirror, genres[event] ?? [Genre(1, "A", 1)]).error } catch {
      fault.expect(error as? SyncError)
      return
    }
    fault.expect(error)
  }

  @Test(
    "documents of PokeAPI",
    arguments: [RowFault.trigger("pokeapi.resource", "BEFORE INSERT"), .rule("pokeapi.resource", "INSERT TO TABLE")])
  func documents(_ fault: RowFault) async throws {
    try await fault.install(mirror)
    let documents = StoreDocumentsTests()
    fault.expect(
      await syncError {
        try await documents.walk(
          documents.stream(), PostgresWalkStore(mirror.database), list: [1, 2], batches: [([1, 2], "b1")])
      })
  }

  @Test("documents that are derived again by another mapping")
  func derivation() async throws {
    try await StoreRederivationTests.fill(mirror)
    let fault = RowFault.trigger("jikan.media", "BEFORE UPDATE")
    try await fault.install(mirror)
    fault.expect(await syncError { _ = try await StoreRederivationTests.rederivation(mirror).derive() })
  }
}
