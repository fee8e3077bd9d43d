import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import PokeAPISource
@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct PokeAPIModelTests {
  @Test("Pokémon and forms become rows")
  func derives() async throws {
    try await mirror.storeSamples()
    try await mirror.expect(
      """
      SELECT id, name, species_id, species, is_default, height, weight, base_experience, "order", total, sprite_url,
        sprite_female_url, artwork_url, artwork_female_url, cry_url
      FROM pokeapi.pokemon WHERE id = 25
      """,
      "25|pikachu|25|pikachu|t|4|60|112|35|320|https://raw.example/25.png|https://raw.example/f/25.png|"
        + "https://raw.example/art/25.png|https://raw.example/home/f/25.png|https://raw.example/cries/25.ogg")
    try await mirror.expect(
      "SELECT * FROM pokeapi.pokemon_type ORDER BY 1, 2", "25|1|13|electric", "10080|1|13|electric")
    try await mirror.expect(
      "SELECT * FROM pokeapi.pokemon_past_type WHERE pokemon_id = 25 ORDER BY 1, 2, 3", "25|5|1|1|normal",
      "25|5|2|13|electric")
    try await mirror.expect(
      "SELECT stat_id, stat, base_stat, effort FROM pokeapi.pokemon_stat WHERE pokemon_id = 25 ORDER BY 1", "1|hp|35|0",
      "2|attack|55|0", "3|defense|40|0", "4|special-attack|50|0", "5|special-defense|50|0", "6|speed|90|2")
    try await mirror.expect("SELECT * FROM pokeapi.pokemon_past_stat WHERE pokemon_id = 25", "25|1|9|special|50|0")
    try await mirror.expect(
      "SELECT * FROM pokeapi.pokemon_ability WHERE pokemon_id = 25 ORDER BY slot", "25|1|9|static|f",
      "25|3|31|lightning-rod|t")
    try await mirror.expect(
      "SELECT * FROM pokeapi.pokemon_form",
      "25|pikachu||25|pikachu|28|red-green-japan|36|1|t|f|f|https://raw.example/25.png")
    try await mirror.expect("SELECT * FROM pokeapi.pokemon_form_type", "25|1|13|electric")
  }

  @Test("moves, abilities, items, natures, languages and games become rows")
  func others() async throws {
    try await mirror.storeSamples()
    try await mirror.expect(
      "SELECT id, name, generation_id, type, damage_class, power, accuracy, pp, priority, effect_chance, target, "
        + "ailment_id, ailment, category_id, ailment_chance, min_hits FROM pokeapi.move",
      "84|thunder-shock|1|electric|special|40|100|30|0|10|selected-pokemon|-1|unknown|0|10|∅")
    try await mirror.expect("SELECT * FROM pokeapi.move_stat_change", "84|6|speed|-1")
    try await mirror.expect("SELECT * FROM pokeapi.move_past_value", "84|3|gold-silver|∅|∅|45|∅|∅|∅")
    try await mirror.expect(
      "SELECT * FROM pokeapi.effect ORDER BY endpoint", "ability|9|en|9|Paralyzes.|Paralyzes.",
      "item|4|en|9|Catches.|Catches.", "move|84|en|9|May paralyze.|Inflicts damage.\n\nMay paralyze.")
    try await mirror.expect("SELECT * FROM pokeapi.ability", "9|static|3|generation-iii|t")
    try await mirror.expect(
      "SELECT * FROM pokeapi.item", "4|poke-ball|34|standard-balls|30|2|burn|10|https://raw.example/poke-ball.png")
    try await mirror.expect(
      "SELECT * FROM pokeapi.item_price ORDER BY 2", "4|1|1|red-blue|poke-dollar|200|100",
      "4|25|2|scarlet-violet|league-points|5|∅")
    try await mirror.expect("SELECT * FROM pokeapi.nature", "2|bold|3|defense|2|attack|5|sour|∅|∅")
    try await mirror.expect("SELECT * FROM pokeapi.language", "4|zh-hant|zh|tw|t")
    try await mirror.expect("SELECT * FROM pokeapi.version", "1|red|1|red-blue")
    try await mirror.expect("SELECT * FROM pokeapi.version_group", "1|red-blue|1|1|generation-i")
  }

  @Test("a species has its groups, texts, genera, numbers and names")
  func species() async throws {
    try await mirror.storeSamples()
    try await mirror.expect(
      """
      SELECT id, name, generation_id, is_baby, has_gender_differences, color, shape, habitat_id, habitat, growth_rate,
        capture_rate, base_happiness, gender_rate, hatch_counter, evolves_from_species_id, evolves_from_species,
        evolution_chain_id
      FROM pokeapi.species
      """, "25|pikachu|1|f|t|yellow|quadruped|∅|∅|medium|190|70|4|10|172|pichu|10")
    try await mirror.expect("SELECT * FROM pokeapi.species_egg_group ORDER BY 2", "25|5|ground", "25|6|fairy")
    try await mirror.expect(
      "SELECT * FROM pokeapi.species_text ORDER BY language",
      "25|en|9|1|red|It raises its tail to watch its surroundings.", "25|zh-hant|4|33|sword|會立起尾巴觀察四周。")
    #expect(try await mirror.rows("SELECT * FROM pokeapi.species_genus") == [["25", "en", "9", "Mouse Pokémon"]])
    try await mirror.expect(
      "SELECT * FROM pokeapi.pokedex_number ORDER BY 2", "25|1|national|25", "25|3|original-johto|22")
    try await mirror.expect(
      "SELECT endpoint, id, language, name FROM pokeapi.name ORDER BY 1, 2, 3", "ability|9|en|Static",
      "egg-group|5|en|Field", "item|4|en|Poké Ball", "language|4|en|Traditional Chinese", "move|84|en|Thunder Shock",
      "nature|2|en|Bold", "pokemon-species|25|en|Pikachu", "pokemon-species|25|zh-hant|皮卡丘", "type|8|en|Ghost")
  }

  @Test("encounters have an area, a game and conditions")
  func encounters() async throws {
    try await mirror.storeSamples()
    try await mirror.expect(
      "SELECT * FROM pokeapi.encounter ORDER BY ordinal",
      "25|118|12|1|trophy-garden-area|diamond|1|walk|16|18|5|10|{radar-on,time-night}|∅|∅|∅|∅",
      "25|118|12|2|trophy-garden-area|diamond|1|walk|18|18|5|10|{}|t|f|t|3")
  }

  @Test("the list of the Pokédex: forms distinguished, stats in columns, owned ones marked, and no vanished one")
  func pokedex() async throws {
    try await mirror.storeSamples()
    _ = try await mirror.execute(
      "INSERT INTO app.favorite (collection, source, kind, id) VALUES ('owned', 'pokeapi', 'pokemon', 25), "
        + "('favorites', 'pokeapi', 'pokemon', 10080), ('owned', 'pokeapi', 'item', 10080)")
    let list = "SELECT * FROM pokeapi.pokedex ORDER BY id"
    let pikachu: [String?] = [
      "25", "25", "pikachu", "pikachu", "f", "1", "{electric}", "35", "55", "40", "50", "50", "90", "320", "f", "f",
      "f", "t",
    ]
    let form: [String?] = [
      "10080", "25", "pikachu-rock-star", "pikachu", "t", "1", "{electric}", "35", "55", "40", "50", "50", "90",
      "320", "f", "f", "f", "f",
    ]
    #expect(try await mirror.rows(list) == [pikachu, form])
    try await mirror.execute("UPDATE pokeapi.resource SET vanished_at = now() WHERE endpoint = 'pokemon' AND id = 25")
    #expect(try await mirror.rows(list) == [form])
    #expect(try await mirror.value("SELECT count(*) FROM pokeapi.pokemon") == "2")
  }

  @Test("what is stored is what the functions make of the documents, and each table is one of an endpoint")
  func made() async throws {
    try await mirror.storeSamples()
    var made: [String: [String]] = [:]
    for (endpoint, documents) in PokeSamples.all {
      for table in try await mirror.rows("SELECT relation FROM pokeapi.derived_tables($1)", [.text(endpoint)]) {
        let table = try #require(table[0])
        made[table, default: []] += try await mirror.rows(
          "SELECT t::text FROM pokeapi.made_\(table)($1, $2) t", [.text(endpoint), .ints(documents.map(\.id))]
        ).compactMap { $0[0] }
      }
    }
    #expect(made.mapValues { $0.sorted() } == (try await mirror.derivedRows()).mapValues { $0.sorted() })
  }

  @Test("deriving twice makes the same rows; a changed document leaves only its new rows")
  func again() async throws {
    try await mirror.storeSamples()
    let before = try await mirror.derivedRows()
    // Empty tables would prove nothing.
    #expect(before.allSatisfy { !$0.value.isEmpty }, "\(before.filter { $0.value.isEmpty }.keys)")
    for (endpoint, documents) in PokeSamples.all {
      try await mirror.execute("SELECT pokeapi.derive($1, $2)", [.text(endpoint), .ints(documents.map(\.id))])
    }
    #expect(try await mirror.derivedRows() == before)
    for (endpoint, documents) in PokeSamples.all {
      try await mirror.store(
        documents.map { PokeDocument($0.id, endpoint == "pokemon-encounters" ? "[]" : "{}") }, in: endpoint)
    }
    let emptied = try await mirror.derivedRows()
    // An empty document makes only one row, in its endpoint's own table.
    #expect(emptied.values.reduce(0) { $0 + $1.count } == 13)
    try await mirror.storeSamples()
    #expect(try await mirror.derivedRows() == before)
  }
}
