import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import JikanSource
@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct QueriesFavoritesTests {
  private static let one = Favorites.Item.jikan(kind: "anime", id: 1)

  @Test("add, annotate, list, remove", .ownersAlone("keeps favorites"))
  func life() async throws {
    let database = mirror.database
    try await WalkedList.run(mirror, [[Media(1).with(["title_japanese": "\"一\""]), Media(2)]])
    let added = try await Favorites.add(Self.one, to: "favorites", note: nil, in: database)
    #expect(added == (title: "Title 1", isNew: true))
    #expect(try await Favorites.add(Self.one, to: "favorites", note: "again!", in: database).isNew == false)
    _ = try await Favorites.add(Self.one, to: "favorites", note: nil, in: database)
    #expect(try await Favorites.add(Self.one, to: "owned", note: "DVD", in: database).isNew)
    _ = try await Favorites.add(.jikan(kind: "anime", id: 2), to: "owned", note: nil, in: database)
    let all = try await Favorites.list(nil, in: database).rows
    #expect(all.columns.map(\.name).prefix(5) == ["collection", "source", "kind", "id", "title"])
    #expect(
      all.rows.map { Array($0[0...8]) } == [
        ["favorites", "jikan", "anime", "1", "Title 1", "一", "TV", "8.5", "again!"],
        ["owned", "jikan", "anime", "1", "Title 1", "一", "TV", "8.5", "DVD"],
        ["owned", "jikan", "anime", "2", "Title 2", nil, "TV", "8.5", nil],
      ])
    #expect(all.rows.allSatisfy { ($0[9] ?? "").contains(#/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/#) })
    #expect(try await Favorites.list("owned", in: database).rows.rows.count == 2)
    #expect(try await Favorites.list("none", in: database).rows.rows == [])
    try await Favorites.remove(Self.one, from: "owned", in: database)
    #expect(try await Favorites.list(nil, in: database).rows.rows.map { $0[3] } == ["1", "2"])
  }

  @Test("an item that the mirror lacks, and one that is not in the collection", .ownersAlone("keeps favorites"))
  func missing() async throws {
    try await WalkedList.run(mirror, [[Media(1)]])
    for item in [Favorites.Item.jikan(kind: "manga", id: 1), .jikan(kind: "anime", id: 9)] {
      await expectError(.missing) { _ = try await Favorites.add(item, to: "favorites", note: nil, in: mirror.database) }
    }
    #expect(try await Favorites.list(nil, in: mirror.database).rows.rows == [])
    _ = try await Favorites.add(Self.one, to: "favorites", note: nil, in: mirror.database)
    let error = await expectError(.missing) {
      try await Favorites.remove(Self.one, from: "x\u{1B}[31m", in: mirror.database)
    }
    #expect(error?.message == "anime 1 is not in x [31m")
    #expect(try await Favorites.list(nil, in: mirror.database).rows.rows.count == 1)
  }

  @Test("pages: favorites that leave between two of them shift nothing", .ownersAlone("keeps favorites"))
  func pages() async throws {
    let records = [("a", 1), ("a", 3), ("b", 1), ("b", 2), ("c", 5), ("c", 2)].map { collection, id in
      Favorites.Record(
        collection: collection, item: .jikan(kind: "anime", id: id), note: nil,
        addedAt: "2026-11-01T00:00:00.00000\(id % 3)Z")
    }
    _ = try await Favorites.insert(records, in: mirror.database)
    func page(_ collection: String?, _ size: Int, _ start: PageStart?) async throws -> ListPage {
      try await Favorites.list(collection, limit: size, after: start, in: mirror.database)
    }
    let whole = try await Favorites.list(nil, in: mirror.database)
    #expect(whole.rows.rows.map { $0[3] } == ["3", "1", "1", "2", "2", "5"] && whole.next == nil)
    #expect(try await page(nil, 2, .id(3)).rows.rows.map { $0[3] } == ["1", "1"])
    #expect(try await page("b", 2, .id(1)).rows.rows.map { $0[3] } == ["2"])
    #expect(await syncError { _ = try await page(nil, 2, .id(1)) }?.code == .usage)
    #expect(await syncError { _ = try await page("a", 2, .id(2)) }?.code == .missing)
    var found: [[String?]] = []
    var next: PageStart?
    repeat {
      let page = try await page(nil, 1, next)
      found += page.rows.rows
      next = page.next.map { .cursor($0) }
      try await mirror.execute("DELETE FROM app.favorite WHERE collection = 'a'")
    } while next != nil
    #expect(found.map { $0[3] } == ["3", "1", "2", "2", "5"])
  }

  @Test("a collection that is stored decomposed is found in either form of Unicode", .ownersAlone("keeps favorites"))
  func composition() async throws {
    let database = mirror.database
    try await WalkedList.run(mirror, [(1...3).map { Media($0) }])
    let names = ["caf\u{e9}", "cafe\u{301}"]
    // Earlier versions on macOS stored names in decomposed form.
    try await mirror.execute(
      "INSERT INTO app.favorite (collection, source, kind, id) VALUES ('\(names[1])', 'jikan', 'anime', 1)")
    #expect(try await Favorites.add(Self.one, to: names[0], note: "x", in: database).isNew == false)
    #expect(try await Favorites.add(.jikan(kind: "anime", id: 2), to: names[0], note: nil, in: database).isNew)
    let records = [(names[0], 1), (names[1], 1), (names[0], 3)].map { collection, id in
      Favorites.Record(collection: collection, item: .jikan(kind: "anime", id: id), note: nil, addedAt: nil)
    }
    #expect(try await Favorites.insert(records, in: database) == Favorites.Imported(added: 1, updated: 0, missing: 0))
    #expect(try await mirror.value("SELECT count(DISTINCT collection) FROM app.favorite") == "1")
    let since = try #require(Moment("1d"))
    for name in names {
      #expect(try await Favorites.list(name, in: database).rows.rows.map { $0[3] } == ["1", "2", "3"])
      #expect(try await Favorites.list(name, after: .id(1), in: database).rows.rows.map { $0[3] } == ["2", "3"])
      #expect(try await Favorites.export(name, in: database).rows.count == 3)
      #expect(try await Favorites.changes(since: since, name, in: database).rows.isEmpty == false)
    }
    try await Favorites.remove(Self.one, from: names[0], in: database)
    #expect(try await Favorites.list(nil, in: database).rows.rows.map { $0[3] } == ["2", "3"])
    _ = try await Favorites.add(Self.one, to: "nai\u{308}ve", note: nil, in: database)
    let stored = try await mirror.value("SELECT DISTINCT collection FROM app.favorite WHERE id = 1")
    #expect(stored.map { Array($0.utf8) } == Array("na\u{ef}ve".utf8))
  }

  @Test("a note is any text that PostgreSQL can store", .ownersAlone("keeps favorites"))
  func notes() async throws {
    try await WalkedList.run(mirror, [[Media(1)]])
    for note in ["", "'; DROP TABLE app.favorite; --", "🧡\n\u{202E}", "e\u{301}"] {
      _ = try await Favorites.add(Self.one, to: "favorites", note: note, in: mirror.database)
      let stored = try await Favorites.list(nil, in: mirror.database).rows.rows[0][8]
      #expect(stored.map { Array($0.utf8) } == Array(note.utf8))
    }
    let error = await syncError {
      _ = try await Favorites.add(Self.one, to: "favorites", note: "a\0b", in: mirror.database)
    }
    #expect(error != nil)
  }
}
