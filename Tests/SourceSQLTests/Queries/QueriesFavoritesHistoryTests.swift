import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import JikanSource
@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct QueriesFavoritesHistoryTests {
  private static func anime(_ id: Int64) -> Favorites.Item { .jikan(kind: "anime", id: id) }

  /// The score is in hundredths.
  private static func publish(_ mirror: StoredMirror, _ ids: [Int64], score: Int = 850) async throws {
    try await WalkedList.run(mirror, [ids.map { Media($0) }])
    try await HistoryList(mirror: mirror).publish(ids.enumerated().map { Listed(id: $1, rank: $0 + 1, score: score) })
  }

  private static func age(_ mirror: StoredMirror, days: Int) async throws {
    try await HistoryList(mirror: mirror).age(by: "\(days) days")
    let interval = "interval '\(days) days'"
    try await mirror.execute(
      "UPDATE jikan.media SET first_seen_at = first_seen_at - \(interval), changed_at = changed_at - \(interval)")
    try await mirror.execute("UPDATE app.favorite SET added_at = added_at - \(interval)")
  }

  @Test("the rank, how far it climbed since it was added, and the state", .ownersAlone("keeps favorites"))
  func ranks() async throws {
    let database = mirror.database
    try await Self.publish(mirror, [1, 2, 3, 4])
    try await Self.age(mirror, days: 40)
    for id in [1, 3, 4] as [Int64] { _ = try await Favorites.add(Self.anime(id), to: "a", note: nil, in: database) }
    try await Self.publish(mirror, [3, 1, 2, 4])
    let records = [(1, "30 days"), (2, "90 days"), (9, "30 days")].map { id, age in
      Favorites.Record(collection: "b", item: Self.anime(Int64(id)), note: age, addedAt: "2020-01-01T00:00:00Z")
    }
    _ = try await Favorites.insert(records.filter { $0.item.id != 1 }, in: database)
    let then = try await mirror.value("SELECT (now() - interval '30 days')::text")
    _ = try await Favorites.insert(
      [Favorites.Record(collection: "b", item: Self.anime(1), note: nil, addedAt: then)], in: database)
    try await mirror.execute("UPDATE jikan.media SET vanished_at = now() WHERE mal_id = 4")

    func check() async throws {
      let rows = try await Favorites.list(nil, in: database).rows
      let shown = ["collection", "id", "rank", "rank_change", "state"]
      let columns = try shown.map { try column($0, rows) }
      #expect(
        rows.rows.indices.map { row in columns.map { $0[row] } } == [
          ["a", "1", "2", "-1", "mirrored"], ["a", "3", "1", "2", "mirrored"], ["a", "4", "4", "0", "removed"],
          ["b", "2", "3", "-1", "mirrored"], ["b", "9", nil, nil, "missing"], ["b", "1", "2", "-1", "mirrored"],
        ])
      #expect(try column("url", rows).count == 6 && rows.columns.prefix(10).last?.name == "added_at")
    }
    try await check()
    // The favorites already store their first ranks, so `check` needs no history.
    try await mirror.execute("DELETE FROM jikan.ranking_history WHERE valid_to IS NOT NULL")
    try await check()
    try await Self.publish(mirror, [9, 3, 1, 2, 4])
    try await Self.publish(mirror, [3, 9, 1, 2, 4])
    let later = try await Favorites.list("b", in: database).rows
    #expect(try column("rank_change", later) == ["-2", "-1", "-2"])
  }

  @Test("what changed since a time, each with its proof in a table", .ownersAlone("keeps favorites"))
  func changes() async throws {
    let database = mirror.database
    try await Self.publish(mirror, [1, 2, 3, 4, 5])
    try await Self.age(mirror, days: 1)
    try await Self.publish(mirror, [2, 1, 3, 5])
    try await Self.age(mirror, days: 10)
    for id in [1, 2, 3, 4, 5] as [Int64] {
      _ = try await Favorites.add(Self.anime(id), to: "a", note: nil, in: database)
    }
    _ = try await Favorites.add(Self.anime(3), to: "b", note: nil, in: database)
    try await Self.publish(mirror, [2, 1, 3, 4, 5], score: 870)
    try await Self.publish(mirror, [2, 3, 1, 4])
    try await mirror.execute("UPDATE jikan.media SET vanished_at = now() WHERE mal_id = 5")
    try await mirror.execute("UPDATE jikan.media SET changed_at = now() WHERE mal_id = 1")
    _ = try await Favorites.insert(
      [Favorites.Record(collection: "a", item: Self.anime(6), note: nil, addedAt: nil)], in: database)
    try await Self.publish(mirror, [2, 3, 1, 4, 6])

    func rows(_ since: String, _ collection: String? = nil) async throws -> [String] {
      let rows = try await Favorites.changes(since: try #require(Moment(since)), collection, in: database)
      #expect(
        rows.columns.map(\.name) == [
          "collection", "source", "kind", "id", "title", "what", "before", "after", "at", "list",
        ])
      // The Z is dropped, because it sorts after the digits of a longer fraction.
      let times = rows.rows.map { ($0[8] ?? "").dropLast() }
      #expect(times == times.sorted(by: >))
      return rows.rows.map { "\($0[0] ?? "") \($0[3] ?? "") \($0[5] ?? "") \($0[6] ?? "-") \($0[7] ?? "-")" }.sorted()
    }
    // The scores rose to 8.7 and fell back to 8.5, so no change of a score is listed.
    #expect(
      try await rows("5d") == [
        "a 1 changed - -", "a 1 rank 2 3", "a 3 rank 3 2", "a 4 returned - -", "a 5 left - -", "a 5 vanished - -",
        "a 6 entered - -", "a 6 mirrored - -", "b 3 rank 3 2",
      ])
    #expect(try await rows("5d", "b") == ["b 3 rank 3 2"])
    #expect(try await rows("5d", "none") == [])
    // If the time is before the history, the current list is compared with the first list.
    #expect(
      try await rows("30d", "a").filter { !$0.contains("mirrored") && !$0.contains("changed") } == [
        "a 1 rank 1 3", "a 2 rank 2 1", "a 3 rank 3 2", "a 5 left - -", "a 5 vanished - -", "a 6 entered - -",
      ])
    #expect(try await rows("2100-01-01") == [])
  }

  @Test("the progress of a newer file replaces the stored one, another's completes it", .ownersAlone("has favorites"))
  func progress() async throws {
    let database = mirror.database
    func record(_ status: Favorites.Status?, _ episodes: Int64?, note: String?) -> Favorites.Record {
      var progress = Favorites.Progress()
      progress.status = status
      progress.episodes = episodes
      return Favorites.Record(collection: "a", item: Self.anime(1), note: note, addedAt: nil, progress: progress)
    }
    func stored() async throws -> [String?]? {
      try await mirror.rows("SELECT status, episodes_watched::text, note FROM app.favorite").first
    }
    let first = [record(.watching, 5, note: nil)]
    #expect(
      try await Favorites.insert(first, isNewer: true, in: database)
        == Favorites.Imported(added: 1, updated: 0, missing: 1))
    #expect(try await Favorites.insert(first, isNewer: true, in: database).updated == 0)
    try await mirror.execute("UPDATE app.favorite SET note = 'mine'")
    let second = try await Favorites.insert([record(.completed, nil, note: "theirs")], isNewer: true, in: database)
    #expect(second.added == 0 && second.updated == 1)
    #expect(try await stored() == ["completed", nil, "mine"])
    #expect(try await Favorites.insert([record(.dropped, 1, note: nil)], in: database).updated == 0)
    try await mirror.execute("UPDATE app.favorite SET status = NULL")
    #expect(try await Favorites.insert([record(.dropped, 1, note: nil)], in: database).updated == 1)
    #expect(try await stored() == ["dropped", "1", "mine"])
    // If a member of the record was unreadable, the stored value stays.
    var partial = record(.watching, nil, note: nil)
    partial.progress.isWhole = false
    #expect(try await Favorites.insert([partial], isNewer: true, in: database).updated == 1)
    #expect(try await stored() == ["watching", "1", "mine"])
    try await mirror.execute("UPDATE app.favorite SET status = 'dropped'")
    #expect(try await Favorites.list("a", status: .dropped, in: database).rows.rows.count == 1)
    #expect(try await Favorites.list("a", status: .watching, in: database).rows.rows.count == 0)
  }

  @Test("a collection that no favorite has is an error, an empty database none", .ownersAlone("keeps favorites"))
  func collections() async throws {
    try await Favorites.check(collection: "owned", in: mirror.database)
    try await WalkedList.run(mirror, [[Media(1)]])
    for name in ["owned", "z\u{1B}[31m"] {
      _ = try await Favorites.add(Self.anime(1), to: name, note: nil, in: mirror.database)
    }
    try await Favorites.check(collection: "owned", in: mirror.database)
    try await Favorites.check(collection: nil, in: mirror.database)
    let error = await syncError { try await Favorites.check(collection: "ownd", in: mirror.database) }
    #expect(error?.code == .missing && error?.message == "there is no collection ownd")
    #expect(error?.hint == "did you mean owned? collections: owned, z [31m")
  }
}
