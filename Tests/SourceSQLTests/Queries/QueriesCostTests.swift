import Foundation
import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import JikanSource
@testable import SyncPostgres

/// The number of rows that a query reads depends on the size of its answer, not on the size of the mirror.
@Suite(.timeLimit(.minutes(5)), .mirror)
struct QueriesCostTests {
  private static func rowsLookedAt(
    _ sql: SQL, _ parameters: [PGParameter], of table: String? = nil, _ mirror: StoredMirror
  ) async throws -> Int {
    let explain: SQL = "EXPLAIN (ANALYZE, TIMING off, FORMAT JSON) "
    let text = try await mirror.owner.write { connection in
      try connection.query(explain + sql, parameters).text(row: 0, column: 0)
    }
    let plans = try #require(try JSONSerialization.jsonObject(with: Data((text ?? "").utf8)) as? [[String: Any]])
    return rows(try #require(plans.first?["Plan"] as? [String: Any]), of: table)
  }

  private static func rows(_ step: [String: Any], of table: String?) -> Int {
    func number(_ key: String) -> Double { (step[key] as? NSNumber)?.doubleValue ?? 0 }
    let dropped = number("Rows Removed by Filter") + number("Rows Removed by Join Filter")
    let isCounted = table == nil || step["Relation Name"] as? String == table
    let own = isCounted ? Int((number("Actual Rows") + dropped) * number("Actual Loops")) : 0
    let steps = step["Plans"] as? [[String: Any]] ?? []
    return own + steps.map { rows($0, of: table) }.reduce(0, +)
  }

  private static let ledger = """
    INSERT INTO sync.run (source, stream, walk_id, status, started_at)
    SELECT 'source', 'stream-' || s, n * 8 + s, CASE WHEN n + s = 2001 THEN 'running' ELSE 'complete' END,
           now() - n * interval '1 hour'
    FROM generate_series(1, 2000) n, generate_series(1, 8) s
    UNION ALL SELECT 'source', 'once', 0, 'complete', now() - interval '1 year'
    """

  @Test("the status and the end of a run look at their own runs, not at the whole ledger")
  func ledger() async throws {
    try await mirror.execute(Self.ledger)
    try await mirror.execute(
      """
      INSERT INTO sync.stream_state (source, stream, provider, origin, page_size)
      SELECT DISTINCT source, stream, 'provider', 'origin', 25 FROM sync.run
      """)
    try await mirror.execute("ANALYZE sync.run")
    try await mirror.execute("ANALYZE sync.stream_state")
    let status = try await Self.rowsLookedAt(try QuerySQL.text("status"), [], mirror)
    #expect(status <= 100)
    #expect(try await Self.rowsLookedAt("SELECT FROM sync.run WHERE walk_id = $1", [.int(808)], mirror) == 1)
    let running = try await Self.rowsLookedAt(
      "SELECT FROM sync.run WHERE source = $1 AND stream = $2 AND status = 'running'",
      [.text("source"), .text("stream-1")], mirror)
    #expect(running <= 1)
  }

  @Test("a ranking looks up the titles of what it shows, and of nothing else", arguments: ["ranking", "as_of"])
  func titles(_ name: String) async throws {
    _ = try await WalkedList.run(mirror, [(1...8000).map { Media($0) }])
    try await mirror.execute(
      """
      SELECT jikan.note_ranking('anime', 'all', 'none', array_agg(mal_id ORDER BY position),
        array_agg(position ORDER BY position), array_agg(unread ORDER BY position), '{}', '{}', '{}', '{}', 8000,
        gen_random_uuid(), true) FROM jikan.ranking
      """)
    for table in ["media", "media_counters", "ranking", "ranking_history"] {
      try await mirror.execute("ANALYZE jikan.\(table)")
    }
    let parameters =
      try JikanRankings.Question(kind: "anime", limit: 10).parameters
      + (name == "ranking"
        ? [.null, .null, .null, .null, .int(10), .text("top"), .bool(false), .null, .int(0)]
        : [.text("all"), .int(8000), .text("infinity"), .int(0), .int(10), .null, .int(0)])
    let sql = try QuerySQL.text(name, of: "jikan")
    #expect(try await mirror.database.rows(sql, parameters).rows.count == 10)
    let looked = try await Self.rowsLookedAt(sql, parameters, of: "media", mirror)
    #expect(looked <= 10, "\(looked) titles")
  }

  @Test("the Pokédex reads its names once, not once for each Pokémon")
  func names() async throws {
    let species = 400
    for statement in [
      "INSERT INTO pokeapi.species (id, name) SELECT n, 's' || n FROM generate_series(1, \(species)) n",
      """
      INSERT INTO pokeapi.pokemon (id, name, species_id) SELECT n, 'p' || n, n FROM generate_series(1, \(species)) n
      UNION ALL SELECT 10000 + n, 'f' || n, n FROM generate_series(1, \(species)) n
      """,
      "INSERT INTO pokeapi.pokemon_type (pokemon_id, slot, type_id, type) SELECT id, 1, 1, 't' FROM pokeapi.pokemon",
      "INSERT INTO pokeapi.pokemon_form (id, pokemon_id, is_default) SELECT id, id, true FROM pokeapi.pokemon",
      """
      INSERT INTO pokeapi.name (endpoint, id, language, language_id, name)
      SELECT e.endpoint, p.id, 'en', 9, e.endpoint || p.id FROM pokeapi.pokemon p,
        unnest(ARRAY['pokemon-species', 'pokemon-form', 'type']) AS e (endpoint)
      """,
      "ANALYZE pokeapi.name", "ANALYZE pokeapi.pokemon", "ANALYZE pokeapi.pokemon_form", "ANALYZE pokeapi.species",
      "ANALYZE pokeapi.pokemon_type",
    ] { try await mirror.execute(statement) }
    let sql = try QuerySQL.text("list", of: "pokeapi")
    let looked = try await Self.rowsLookedAt(
      sql,
      [
        .texts(["en"]), .texts([]), .null, .bool(true), .null, .bool(false), .bool(false), .null, .null, .bool(false),
        .null, .text("id"), .int(0), .null,
      ], mirror)
    print("Pokédex: \(looked) rows looked at for \(species * 2) Pokémon")
    #expect(looked < species * 2 * 60)
  }

  @Test("each batch of documents that are derived again begins where the last one ended")
  func stale() async throws {
    try await mirror.execute(
      """
      INSERT INTO itunes.item (country, class, id, raw, content_hash)
      SELECT country, class, n, '{}', decode(repeat('00', 32) || '01', 'hex') FROM generate_series(1, 2000) n,
        unnest(ARRAY['tw', 'us']) AS c (country), unnest(ARRAY['track', 'collection']) AS k (class)
      """)
    try await mirror.execute("ANALYZE itunes.item")
    let sql = try SourceSQL.text("stale", StreamSQL(folder: "itunes", scope: ["tw"]))
    func parameters(after key: PGParameter) -> [PGParameter] { [.texts(["tw"]), .int(2), key, .int(100)] }
    let key = try await mirror.value("SELECT itunes.key('track', 1000)").flatMap { Int64($0) }
    let looked = try await Self.rowsLookedAt(sql, parameters(after: .int(try #require(key))), mirror)
    #expect(looked < 1000)
    var keys: [Int64] = []
    while true {
      let batch = try await mirror.database.write { [last = keys.last ?? .min] connection in
        try connection.query(sql, [.texts(["tw"]), .int(2), .int(last), .int(300)]).map { try $0.int(0) ?? 0 }
      }
      guard !batch.isEmpty else { break }
      keys += batch
    }
    #expect(keys.count == 4000 && keys == keys.sorted() && Set(keys).count == keys.count)
  }

  @Test("no transaction compiles its statements, which takes longer than most of them")
  func jit() async throws {
    let read = try await mirror.database.rows("SHOW jit").rows
    let write = try await mirror.database.write { connection in
      try connection.query("SHOW jit").text(row: 0, column: 0)
    }
    #expect(read == [["off"]] && write == "off")
  }

  @Test("the titles of favorites are looked up one by one, whatever the mirror contains")
  func plan() async throws {
    try await mirror.execute(
      """
      WITH n AS (SELECT generate_series(1, 3000) AS id), hash AS (SELECT decode(repeat('00', 33), 'hex') AS hash),
      media AS (
        INSERT INTO jikan.media (kind, mal_id, title, raw, content_hash)
        SELECT 'anime', id, 'x', '{}', hash FROM n, hash),
      counters AS (
        INSERT INTO jikan.media_counters (kind, mal_id, counter_hash) SELECT 'anime', id, 0 FROM n),
      items AS (
        INSERT INTO itunes.item (country, class, id, raw, content_hash)
        SELECT 'us', 'track', id, '{}', hash FROM n, hash),
      charts AS (
        INSERT INTO itunes.chart_item (country, type, id, raw, content_hash)
        SELECT 'us', 'songs', id, '{}', hash FROM n, hash),
      names AS (
        INSERT INTO pokeapi.name (endpoint, id, language, name) SELECT 'pokemon-species', id, 'en', 'x' FROM n),
      pokemon AS (INSERT INTO pokeapi.pokemon (id, species_id) SELECT id, id FROM n),
      types AS (INSERT INTO pokeapi.pokemon_type (pokemon_id, slot, type) SELECT id, 1, 'x' FROM n)
      INSERT INTO pokeapi.resource (endpoint, id, raw, content_hash) SELECT 'pokemon', id, '{}', hash FROM n, hash
      """)
    try await mirror.execute(
      """
      INSERT INTO app.favorite (collection, source, kind, id)
      SELECT 'x', s.source, s.kind, n FROM generate_series(1, 20) n,
        (VALUES ('jikan', 'anime'), ('pokeapi', 'pokemon'), ('itunes', 'track')) s (source, kind)
      """)
    try await mirror.execute("ANALYZE")
    let statement = try QuerySQL.text("favorites").text
    let rows = try await mirror.rows("EXPLAIN " + statement, Array(repeating: .null, count: 10))
    let plan = rows.compactMap { $0[0] }
    let scans = plan.filter { $0.contains("Seq Scan") || $0.contains("Hash Join") }
    let expected = ["on favorite ", "on pokemon_form f_1"]
    #expect(scans.allSatisfy { scan in expected.contains { scan.contains($0) } }, "\(plan)")
    #expect(plan.contains { $0.contains("Index Scan using item_id on item") }, "\(plan)")
  }
}
