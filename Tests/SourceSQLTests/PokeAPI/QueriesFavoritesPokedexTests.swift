import PostgresTestKit
import SyncCore
import SyncTestKit
import Testing

@testable import JikanSource
@testable import PokeAPISource
@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct QueriesFavoritesPokedexTests {
  private static func pokemon(_ id: Int64) -> Favorites.Item { .pokeapi(endpoint: "pokemon", id: id) }

  @Test("titles are those of the species, the form, or the document itself", .ownersAlone("keeps favorites"))
  func titles() async throws {
    let database = mirror.database
    try await mirror.storePokedex()
    try await WalkedList.run(mirror, [[Media(4)]])
    for (item, title) in [
      (Self.pokemon(386), "Deoxys"), (Self.pokemon(10_001), "Attack Deoxys"), (Self.pokemon(4), "Charmander"),
      (.pokeapi(endpoint: "move", id: 84), "Thunder Shock"), (.pokeapi(endpoint: "generation", id: 1), "generation-1"),
      (.pokeapi(endpoint: "evolution-chain", id: 2), "evolution-chain 2"), (.jikan(kind: "anime", id: 4), "Title 4"),
    ] {
      #expect(try await Favorites.add(item, to: "favorites", note: nil, in: database) == (title: title, isNew: true))
    }
    for item in [Self.pokemon(7), .pokeapi(endpoint: "nosuch", id: 4), .jikan(kind: "manga", id: 4)] {
      await expectError(.missing) { _ = try await Favorites.add(item, to: "favorites", note: nil, in: database) }
    }
    let listed = try await Favorites.list(nil, in: database).rows
    #expect(
      listed.rows.map { Array($0[1...7]) } == [
        ["pokeapi", "pokemon", "386", "Deoxys", "デオキシス", "water", nil],
        ["pokeapi", "pokemon", "10001", "Attack Deoxys", nil, "water", nil],
        ["pokeapi", "pokemon", "4", "Charmander", "ヒトカゲ", "fire", nil],
        ["pokeapi", "move", "84", "Thunder Shock", nil, nil, nil],
        ["pokeapi", "generation", "1", "generation-1", nil, nil, nil],
        ["pokeapi", "evolution-chain", "2", nil, nil, nil, nil], ["jikan", "anime", "4", "Title 4", nil, "TV", "8.5"],
      ])
    try await Favorites.remove(Self.pokemon(4), from: "favorites", in: database)
    #expect(try await Favorites.list(nil, in: database).rows.rows.count == 6)
    #expect(try await Pokedex.namedEndpoints(in: database).contains("pokemon"))
    #expect(try await Pokedex.namedEndpoints(in: database).contains("evolution-chain") == false)
  }

  @Test("an exported collection is imported unchanged, mirrored or not", .ownersAlone("keeps favorites"))
  func transfer() async throws {
    let database = mirror.database
    try await mirror.execute(
      """
      INSERT INTO app.favorite (collection, source, kind, id, note, added_at) VALUES
        ('a', 'jikan', 'anime', 1, NULL, '2026-01-01 00:00:00.000001Z'),
        ('a', 'jikan', 'manga', 1, '', '0001-01-01Z'),
        ('本', 'pokeapi', 'pokemon', -1, E'=1+1\\r\\n\\t🧡', '2026-06-01 12:34:56+02')
      """)
    let before = try await mirror.rows("SELECT f::text FROM app.favorite f ORDER BY 1")
    let exported = try await Favorites.export(nil, in: database)
    #expect(exported.columns.map(\.name).prefix(6) == ["collection", "source", "kind", "id", "note", "added_at"])
    #expect(try await Favorites.export("本", in: database).rows.count == 1)
    let records = try exported.rows.map { row in
      let id = try #require(row[3].flatMap { Int64($0) })
      let kind = row[2] ?? ""
      return Favorites.Record(
        collection: row[0] ?? "",
        item: row[1] == "jikan" ? .jikan(kind: kind, id: id) : .pokeapi(endpoint: kind, id: id),
        note: row[4], addedAt: row[5])
    }
    #expect(try await Favorites.insert(records, in: database).added == 0)
    try await mirror.execute("TRUNCATE app.favorite")
    #expect(try await Favorites.insert(records, in: database) == Favorites.Imported(added: 3, updated: 0, missing: 3))
    #expect(try await mirror.rows("SELECT f::text FROM app.favorite f ORDER BY 1") == before)
    #expect(try await Favorites.insert([], in: database).added == 0)
  }

  @Test("an existing favorite keeps its note and earlier time; a repeat counts once", .ownersAlone("keeps favorites"))
  func merge() async throws {
    let database = mirror.database
    func record(_ id: Int64, _ note: String?, _ year: Int) -> Favorites.Record {
      Favorites.Record(collection: "a", item: Self.pokemon(id), note: note, addedAt: "\(year)-01-01T00:00:00Z")
    }
    #expect(try await Favorites.insert([record(1, "mine", 2020), record(2, nil, 2020)], in: database).added == 2)
    let imported = try await Favorites.insert(
      [record(1, "theirs", 2010), record(2, "theirs", 2030), record(3, nil, 2001), record(3, "late", 2000)],
      in: database)
    #expect(imported.added == 1 && imported.updated == 2)
    #expect(
      try await Favorites.export("a", in: database).rows.map { [$0[3], $0[4], $0[5].map { String($0.prefix(4)) }] } == [
        ["3", "late", "2000"], ["1", "mine", "2010"], ["2", "theirs", "2020"],
      ])
  }
}
