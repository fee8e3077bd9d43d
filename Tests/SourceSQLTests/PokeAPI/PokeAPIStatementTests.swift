import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct PokeAPIStatementTests {
  private static func nature(_ id: Int64, _ name: String, version: UInt8 = 1) -> PokeDocument {
    PokeDocument(
      id, #"{"id": \#(id), "name": "\#(name)", "names": [{"language": {"name": "en"}, "name": "\#(name) in words"}]}"#,
      version: version)
  }

  private static func compare(
    _ documents: [PokeDocument], _ mirror: StoredMirror, endpoint: String = "nature", requestTime: Int64 = 2
  ) async throws -> [[String?]] {
    try await mirror.poke(
      "compare",
      [
        .ints(documents.map(\.id)), .byteas(documents.map(\.contentHash)), .ints(documents.map { _ in 0 }),
        .texts([endpoint]), .ints(documents.map { _ in requestTime }),
      ])
  }

  private static let kept =
    "SELECT id, name, vanished_at IS NOT NULL, first_seen_at, changed_at, raw FROM pokeapi.resource"

  @Test("only differences are written, with the rows derived from them")
  func writes() async throws {
    let natures = [Self.nature(1, "hardy"), Self.nature(2, "bold")]
    #expect(
      try await Self.compare(natures, mirror) == [
        ["1", "t", "t", "f", "pokeapi.resource"], ["2", "t", "t", "f", "pokeapi.resource"],
      ])
    try await mirror.store(natures, in: "nature")
    #expect(try await Self.compare(natures, mirror) == [])
    #expect(try await Self.compare(natures, mirror, endpoint: "stat").count == 2)
    let versions = "SELECT id, xmin::text, ctid::text FROM pokeapi.resource ORDER BY 1"
    let before = try await mirror.rows(versions)
    try await mirror.store(natures, in: "nature")
    #expect(try await mirror.rows(versions) == before)
    let changed = Self.nature(2, "brave")
    #expect(try await Self.compare([natures[0], changed], mirror) == [["2", "f", "t", "f", "pokeapi.resource"]])
    try await mirror.store([natures[0], changed], in: "nature")
    let after = try await mirror.rows(versions)
    #expect(after[0] == before[0] && after[1] != before[1])
    try await mirror.expect("SELECT id, name FROM pokeapi.resource ORDER BY 1", "1|hardy", "2|brave")
    #expect(try await mirror.value("SELECT changed_at > first_seen_at FROM pokeapi.resource WHERE id = 2") == "t")
    try await mirror.expect("SELECT id, name FROM pokeapi.nature ORDER BY 1", "1|hardy", "2|brave")
    try await mirror.expect("SELECT name FROM pokeapi.name ORDER BY id", "hardy in words", "brave in words")
  }

  @Test("rows whose content was requested later than the documents stay")
  func newer() async throws {
    try await mirror.store([Self.nature(1, "hardy")], in: "nature")
    let older = Self.nature(1, "older")
    #expect(try await Self.compare([older], mirror, requestTime: 1) == [])
    // An equal `xmax` shows that the row was not even locked.
    let versions = "SELECT xmin::text, xmax::text, ctid::text FROM pokeapi.resource"
    let before = try await mirror.rows(versions)
    try await mirror.store([older], in: "nature", requestTime: 1)
    #expect(try await mirror.rows(versions) == before)
    #expect(try await mirror.value("SELECT name FROM pokeapi.resource") == "hardy")
    #expect(try await mirror.value("SELECT name FROM pokeapi.nature") == "hardy")
    try await mirror.poke("vanish", [.ints([1]), .texts(["nature"]), .int(1)])
    #expect(try await mirror.value("SELECT vanished_at FROM pokeapi.resource") == nil)
  }

  @Test("documents vanish, keep their rows, and return when they are met or written")
  func vanishes() async throws {
    let natures = (1...4).map { Self.nature($0, "nature \($0)") }
    try await mirror.store(natures, in: "nature")
    try await mirror.store([natures[0]], in: "stat")
    let keys = PGParameter.ints([2, 3, 4, 77])
    let scope = PGParameter.texts(["nature"])
    #expect(
      try await mirror.poke("preview_vanish", [keys, scope, .int(2)])
        == [["2", "nature 2", nil], ["3", "nature 3", nil], ["4", "nature 4", nil]])
    #expect(try await mirror.poke("vanish", [keys, scope, .int(2)]) == [["3", nil]])
    let vanished = try await mirror.value("SELECT max(changed_at)::text FROM pokeapi.resource")
    #expect(try await mirror.poke("vanish", [keys, scope, .int(2)]) == [["0", nil]])
    #expect(try await mirror.value("SELECT count(*) FROM pokeapi.nature") == "4")
    #expect(try await mirror.poke("absent", [.ints([1, 2, 77, 0]), scope]) == [["0"], ["2"], ["77"]])
    #expect(try await Self.compare(natures, mirror).map { $0[3] } == ["t", "t", "t"])
    let back = try await mirror.poke("preview_returned", [.ints([1, 2]), scope, .int(2)])
    #expect(back.count == 1 && back.first?.first == "2" && back.first?.last??.contains("T") == true)
    try await mirror.poke("returned", [.ints([1, 2]), scope, .int(2)])
    try await mirror.store([natures[2], Self.nature(4, "changed")], in: "nature")
    try await mirror.expect(
      "SELECT id, name FROM pokeapi.resource WHERE endpoint = 'nature' AND vanished_at IS NULL ORDER BY 1",
      "1|nature 1", "2|nature 2", "3|nature 3", "4|changed")
    try await mirror.expect(
      "SELECT count(*) FROM pokeapi.resource WHERE changed_at > $1::timestamptz", with: [.text(vanished ?? "")], "3")
  }

  @Test("documents that a walk has not met are missing, vanished ones are not")
  func missing() async throws {
    try await mirror.store((-1...5).map { Self.nature($0, "nature \($0)") }, in: "nature")
    try await mirror.store([Self.nature(99, "other")], in: "stat")
    try await mirror.poke("vanish", [.ints([5]), .texts(["nature"]), .int(2)])
    try await mirror.execute(
      """
      WITH walk AS (
        INSERT INTO sync.walk (source, stream, provider, origin, page_size)
        VALUES ('pokeapi', 'nature', 'x', 'y', 20) RETURNING id
      )
      INSERT INTO sync.walk_page (walk_id, page, list_page, keys)
      SELECT id, 1, 1, '{1,2}'::bigint[] FROM walk UNION ALL SELECT id, 2, NULL, '{2,3}' FROM walk
      """)
    let walk = try await mirror.value("SELECT id FROM sync.walk")
    let number = try #require(walk.flatMap { Int64($0) })
    #expect(
      try await mirror.poke("missing", [.int(number), .texts(["nature"]), .ints([]), .int(0)])
        == [["-1", "6"], ["0", "6"], ["4", "6"]])
    #expect(
      try await mirror.poke("missing", [.int(number), .texts(["nature"]), .ints([0, -1]), .int(2)]) == [["4", "8"]])
    #expect(try await mirror.poke("space", [.texts(["nature"])]) == [["nature"]])
  }

  @Test("documents of another mapping are found in order, and derived again without counting as changed")
  func rederived() async throws {
    let natures = (-1...4).map { Self.nature($0, "nature \($0)") }
    try await mirror.store(natures, in: "nature")
    try await mirror.poke("vanish", [.ints([3]), .texts(["nature"]), .int(2)])
    try await mirror.execute("DELETE FROM pokeapi.nature")
    let before = try await mirror.rows("\(Self.kept) ORDER BY id")
    let scope = PGParameter.texts(["nature"])
    #expect(try await mirror.poke("count_stale", [scope, .int(1)]) == [["0"]])
    #expect(try await mirror.poke("count_stale", [scope, .int(2)]) == [["6"]])
    let stale = try await mirror.poke("stale", [scope, .int(2), .int(.min), .int(2)])
    #expect(stale.map { $0[0] } == ["-1", "0"])
    #expect(try await mirror.poke("stale", [scope, .int(2), .int(2), .int(10)]).map { $0[0] } == ["3", "4"])
    let documents = try await mirror.poke("stale", [scope, .int(2), .int(.min), .int(100)]).map { row in
      PokeDocument(Int64(row[0] ?? "") ?? 0, row[1] ?? "", version: 2)
    }
    try await mirror.store(documents, in: "nature", rederiving: true)
    #expect(try await mirror.poke("count_stale", [scope, .int(2)]) == [["0"]])
    #expect(try await mirror.rows("\(Self.kept) ORDER BY id") == before)
    #expect(try await mirror.value("SELECT count(*) FROM pokeapi.nature") == "6")
  }

  @Test("a dry run says which columns and members would change")
  func preview() async throws {
    try await mirror.store([Self.nature(1, "hardy"), Self.nature(2, "bold")], in: "nature")
    try await mirror.store([PokeDocument(25, "[1, 2]")], in: "pokemon-encounters")
    try await mirror.poke("vanish", [.ints([2]), .texts(["nature"]), .int(2)])
    func preview(_ documents: [PokeDocument], _ endpoint: String) async throws -> [[String?]] {
      try await mirror.poke(
        "preview", [.ints(documents.map(\.id)), .jsons(documents.map { Array($0.json.utf8) }), .texts([endpoint])])
    }
    let changed = PokeDocument(1, #"{"id": 1, "name": "brave", "names": [], "likes_flavor": null}"#)
    let rows = try await preview([changed, Self.nature(2, "bold"), Self.nature(3, "new")], "nature")
    #expect(
      rows.map { $0.count == 7 ? [$0[0], $0[1], $0[2], $0[3], $0[4]] : [] } == [
        ["1", "brave", "f", nil, "name"], ["1", "brave", "f", nil, "raw"], ["2", "bold", "f", nil, "vanished_at"],
        ["3", "new", "t", nil, nil],
      ])
    #expect(rows.first.map { Array($0.suffix(2)) } == [#""hardy""#, #""brave""#])
    #expect(rows.dropFirst().first.map { Array($0.suffix(2)) } == [#"["names"]"#, #"["likes_flavor", "names"]"#])
    #expect(rows.dropFirst(2).first?.last == "null")
    try await mirror.store([PokeDocument(8, #"{"id": 8, "a": [1, [2, 3], {"b": [4, 5]}], "c": [6]}"#)], in: "nature")
    let reordered = try await preview(
      [PokeDocument(8, #"{"c": [6, 7], "a": [{"b": [5, 4]}, [3, 2], 1], "id": 8}"#)], "nature")
    #expect(reordered == [["8", nil, "f", nil, "raw", #"["c"]"#, #"["c"]"#]])
    try await mirror.store([PokeDocument(9, #"{"id": 9, "a": [{"k": 1, "v": 2}, {"k": 3, "v": 4}]}"#)], in: "nature")
    let swapped = try await preview(
      [PokeDocument(9, #"{"id": 9, "a": [{"k": 1, "v": 4}, {"k": 3, "v": 2}]}"#)], "nature")
    #expect(swapped == [["9", nil, "f", nil, "raw", #"["a"]"#, #"["a"]"#]])
    let list = try await preview([PokeDocument(25, "[1, 2, 3]")], "pokemon-encounters")
    #expect(list == [["25", nil, "f", nil, "raw", #"["2 entries"]"#, #"["3 entries"]"#]])
  }
}
