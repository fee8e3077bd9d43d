import LibPQ
import PostgresTestKit
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct PokeAPITextTests {
  @Test("lines and pages are joined by the rules of the language")
  func clean() async throws {
    let cases: [(language: String?, text: String, cleaned: String)] = [
      ("en", "When several of\nthese POKéMON\ngather,\u{c}storms.", "When several of these POKéMON gather, storms."),
      ("en", "flames that cir\u{ad}\nculate through\u{ad}\u{c}out", "flames that circulate throughout"),
      ("en", "in\u{ad}visible", "invisible"),
      ("en", "its soft,  supple\t wings \n\n that\r\nfly \u{2028}", "its soft, supple wings that fly"),
      ("en", "dance-\nlike steps, power -\na", "dance-like steps, power - a"),
      ("en", "Normal-\nand Fighting-type", "Normal- and Fighting-type"), ("en", "Watch—\nPokétch", "Watch—Pokétch"),
      ("de", "Wasser-\nund Käfer-\nPokémon", "Wasser- und Käfer-Pokémon"),
      ("fr", "électro-\nmagnétiques. Quoi\u{a0}?", "électro-magnétiques. Quoi\u{a0}?"),
      ("zh-hant", "長在背上的大花\n能夠吸收太陽光，\n並轉換成能量。", "長在背上的大花能夠吸收太陽光，並轉換成能量。"),
      ("zh-hans", "回复HP\n以及\n20点\nPP\nHP", "回复HP以及20点PP HP"), ("zh-hant", "也有所謂\u{3000}「黑暗鴉", "也有所謂\u{3000}「黑暗鴉"),
      ("ja", "背中の\u{3000}殻は\n高熱の\u{3000}\n炎が。\nふきだす。\n", "背中の\u{3000}殻は\u{3000}高熱の\u{3000}炎が。\u{3000}ふきだす。"),
      ("ja-hrkt", "くずれ\nやすい", "くずれ\u{3000}やすい"), ("ko", "등껍질은 깨어지기\n쉬우며", "등껍질은 깨어지기 쉬우며"),
      (nil, "a\nb", "a b"), ("en", "", ""), ("ja", "\n\n", ""),
    ]
    for (language, text, cleaned) in cases {
      let found = try await mirror.value("SELECT pokeapi.clean($1, $2)", [.text(text), .text(language)])
      #expect(found == cleaned, "\(language ?? "") \(text)")
    }
    #expect(try await mirror.value("SELECT pokeapi.clean(NULL, 'en')") == nil)
  }

  /// Each line: the JSON members of one evolution, and the expected sentence.
  static let ways =
    """
    trigger=level-up min_level=16 | level up at level 16
    trigger=level-up | level up
    trigger=level-up min_happiness=160 | level up with high friendship (160)
    trigger=level-up min_happiness=160 time_of_day=day | level up with high friendship (160), during the day
    trigger=level-up min_level=20 time_of_day=night | level up at level 20, at night
    trigger=level-up time_of_day=dusk | level up at dusk
    trigger=use-item item=peat-block time_of_day=full-moon | use Peat Block under a full moon
    trigger=level-up time_of_day=early-morning | level up at the time early morning
    trigger=use-item item=thunder-stone | use Thunder Stone
    trigger=use-item | use an item
    trigger=use-item item=dawn-stone gender=1 | use Dawn Stone if female
    trigger=level-up min_level=20 gender=2 | level up at level 20, if male
    trigger=level-up gender=3 | level up if without gender
    trigger=trade | trade
    trigger=trade held_item=metal-coat | trade while holding Metal Coat
    trigger=trade trade_species=shelmet | trade in exchange for Shelmet
    trigger=trade item=linking-cord | trade with Linking Cord
    trigger=level-up known_move=ancient-power | level up knowing Ancient Power
    trigger=level-up min_affection=2 known_move_type=fairy | \
    level up with high affection (2), knowing a Fairy-type move
    trigger=level-up min_beauty=170 | level up with high beauty (170)
    trigger=level-up min_level=20 relative_physical_stats=1 | level up at level 20, with Attack higher than Defense
    trigger=level-up relative_physical_stats=-1 | level up with Attack lower than Defense
    trigger=level-up relative_physical_stats=0 | level up with Attack equal to Defense
    trigger=level-up location=mt-coronet near_special_rock=true | level up at Mt Coronet, near a special rock
    trigger=level-up region=alola near_special_rock=false | level up in Alola
    trigger=level-up party_species=remoraid | level up with Remoraid in the party
    trigger=level-up min_level=32 party_type=dark | \
    level up at level 32, with another Dark-type Pokémon in the party
    trigger=level-up needs_multiplayer=true | level up in a multiplayer session
    trigger=level-up min_level=50 needs_overworld_rain=true | level up at level 50, while it rains
    trigger=level-up min_level=30 turn_upside_down=true | level up at level 30, with the console held upside down
    trigger=level-up min_steps=1000 | level up after 1000 steps
    trigger=use-move used_move=rage-fist min_move_count=20 | use Rage Fist 20 times
    trigger=use-move min_move_count=1 | use a move once
    trigger=agile-style-move used_move=psyshield-bash min_move_count=20 | \
    use Psyshield Bash in the agile style 20 times
    trigger=strong-style-move used_move=barb-barrage min_move_count=20 | \
    use Barb Barrage in the strong style 20 times
    trigger=level-up used_move=rollout min_move_count=3 | level up after using Rollout 3 times
    trigger=take-damage min_damage_taken=49 | take at least 49 damage
    trigger=take-damage min_damage_taken=49 location=dusty-bowl | take at least 49 damage at Dusty Bowl
    trigger=recoil-damage min_damage_taken=294 | lose at least 294 HP to recoil
    trigger=recoil-damage | lose HP to recoil
    trigger=level-up min_damage_taken=10 | level up after taking at least 10 damage
    trigger=shed | be shed as another evolves, with room in the party and a Poké Ball in the bag
    trigger=spin held_item=love-sweet | spin around while holding Love Sweet
    trigger=tower-of-darkness | train in the Tower of Darkness
    trigger=tower-of-waters | train in the Tower of Waters
    trigger=three-critical-hits | land three critical hits in one battle
    trigger=three-defeated-bisharp | defeat three Bisharp that hold a Leader's Crest
    trigger=gimmighoul-coins | collect 999 Gimmighoul Coins
    trigger=other min_level=5 | evolve in a way of its own from level 5
    trigger=meteor-shower min_level=9 | meteor shower from level 9
    trigger=level-up base_form=eevee | level up
    trigger=use-item item=leaf-stone base_form=voltorb-hisui evolved_form=electrode-hisui | \
    use Leaf Stone from Voltorb Hisui, into Electrode Hisui
    min_level=7 | evolve from level 7
     | evolve in an unknown way
    """.split(separator: "\n").map { line in
      let parts = line.split(separator: " | ", omittingEmptySubsequences: false).map(String.init)
      return (members: parts[0], sentence: parts[1])
    }

  @Test("every condition is in the sentence")
  func sentences() async throws {
    for (members, sentence) in Self.ways {
      // In `ways`, a word stands for a link whose `name` is this word.
      let found = try await mirror.value(
        """
        SELECT pokeapi.evolution_sentence(jsonb_object_agg(key, CASE
          WHEN value ~ '^(-?[0-9]+|true|false)$' THEN value::jsonb
          WHEN key = 'time_of_day' THEN to_jsonb(value) ELSE jsonb_build_object('name', value) END), 'eevee')
        FROM unnest(string_to_array($1, ' ')) AS m, split_part(m, '=', 1) AS key, split_part(m, '=', 2) AS value
        """, [.text(members)])
      #expect(found == sentence)
    }
  }

  @Test("every column that is a condition is in some sentence of these tests")
  func conditionsAreTried() async throws {
    let columns = try await mirror.rows(
      """
      SELECT attname FROM pg_attribute WHERE attrelid = 'pokeapi.evolution'::regclass AND attnum > 0
      """
    ).compactMap { $0[0] }
    let others: Set = [
      "chain_id", "species_id", "ordinal", "species", "from_species", "is_baby", "sentence", "is_default",
      "version_group",
    ]
    let conditions = columns.filter { name in
      !others.contains(name) && !(name.hasSuffix("_id") && columns.contains(String(name.dropLast(3))))
    }
    #expect(conditions.count == 27)
    for condition in conditions {
      #expect(Self.ways.contains { " \($0.members)".contains(" \(condition)=") }, "\(condition)")
    }
  }

  @Test("ways of evolution are rows, in the order of the games, from the previous species")
  func evolution() async throws {
    try await mirror.storeSamples()
    try await mirror.expect(
      """
      SELECT chain_id, from_species_id, from_species, species_id, species, ordinal, trigger, item, min_happiness,
        region, base_form_id, evolved_form, is_default, near_special_rock, time_of_day, sentence
      FROM pokeapi.evolution ORDER BY 4, 6
      """, "10|172|pichu|25|pikachu|1|level-up|∅|220|∅|∅|∅|t|∅|∅|level up with high friendship (220)",
      "10|25|pikachu|26|raichu|1|use-item|thunder-stone|∅|∅|25|∅|∅|∅|∅|use Thunder Stone",
      "10|25|pikachu|26|raichu|2|use-item|thunder-stone|∅|alola|25|raichu-alola|∅|∅|∅|"
        + "use Thunder Stone in Alola, into Raichu Alola")
    try await mirror.expect("SELECT * FROM pokeapi.evolution_chain", "10|172|pichu|213|light-ball")
    try await mirror.store(
      [
        PokeDocument(
          11,
          """
          {"chain": {"species": \(PokeSamples.link("pokemon-species", 489, "phione")), "evolves_to": [
            {"species": \(PokeSamples.link("pokemon-species", 490, "manaphy")), "evolution_details": []}]}}
          """)
      ], in: "evolution-chain")
    try await mirror.expect(
      "SELECT from_species, species, ordinal, trigger, sentence FROM pokeapi.evolution WHERE chain_id = 11",
      "phione|manaphy|1|∅|evolve in an unknown way")
  }
}
