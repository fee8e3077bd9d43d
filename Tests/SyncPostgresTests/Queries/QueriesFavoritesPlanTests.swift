import LibPQ
import SyncTestKit
import Testing

@testable import SyncPostgres

/// The query plan of `syncctl favorites list`.
@Suite(.timeLimit(.minutes(10)), .mirror)
struct QueriesFavoritesPlanTests {
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
    let plan = try await mirror.rows("EXPLAIN " + statement, Array(repeating: .null, count: 8))
    Self.expectLookups(plan.compactMap { $0[0] })
  }

  private static func expectLookups(_ plan: [String]) {
    let scans = plan.filter { $0.contains("Seq Scan") || $0.contains("Hash Join") }
    // The table of favorites, also for the total, and forms of Pokémon, which are few.
    let expected = ["on favorite ", "on pokemon_form f_1"]
    #expect(scans.allSatisfy { scan in expected.contains { scan.contains($0) } }, "\(plan)")
    #expect(plan.contains { $0.contains("Index Scan using item_id on item") }, "\(plan)")
  }
}
