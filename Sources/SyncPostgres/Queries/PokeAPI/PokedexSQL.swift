/// Pieces of the statements about Pokémon. `$1` is always `text[]`: the languages, the preferred one first.
enum PokedexSQL {
  /// The CTE `best_name` (endpoint, id, name, language, choice): the name of each document in the most preferred
  /// language that has one; `choice` is the place of the language among the preferred ones, null for any other.
  static let bestNames = """
    best_name AS (
      SELECT DISTINCT ON (n.endpoint, n.id) n.endpoint, n.id, n.name, n.language,
             array_position($1::text[], n.language) AS choice
      FROM pokeapi.name n
      WHERE n.endpoint IN ('pokemon-species', 'pokemon-form', 'type')
      ORDER BY n.endpoint, n.id, array_position($1::text[], n.language), n.language_id, n.language
    )
    """

  /// `bestNames`, and the CTE `entry`: pokeapi.pokedex with `slug` for the name in links, and `name`, `language` and
  /// `type_names` as people read them. A form has its own name if there is one in a language that is no worse than
  /// that of the species' name.
  static let entries = """
    \(bestNames), entry AS (
      SELECT p.id, p.species_id, p.species, p.name AS slug, p.is_form, p.generation_id, p.types,
             coalesce(CASE WHEN f.use_form THEN f.name ELSE s.name END, p.name) AS name,
             CASE WHEN f.use_form THEN f.language ELSE s.language END AS language,
             ARRAY(
               SELECT coalesce(tn.name, pt.type) FROM pokeapi.pokemon_type pt
               LEFT JOIN best_name tn ON tn.endpoint = 'type' AND tn.id = pt.type_id
               WHERE pt.pokemon_id = p.id ORDER BY pt.slot
             ) AS type_names,
             p.hp, p.attack, p.defense, p.special_attack, p.special_defense, p.speed, p.total,
             p.is_baby, p.is_legendary, p.is_mythical, p.owned
      FROM pokeapi.pokedex p
      LEFT JOIN best_name s ON s.endpoint = 'pokemon-species' AND s.id = p.species_id
      LEFT JOIN LATERAL (
        SELECT n.name, n.language, s.name IS NULL OR coalesce(n.choice, 1000) <= coalesce(s.choice, 1000) AS use_form
        FROM pokeapi.pokemon_form pf JOIN best_name n ON n.endpoint = 'pokemon-form' AND n.id = pf.id
        WHERE p.is_form AND pf.pokemon_id = p.id AND pf.is_default
        ORDER BY pf.id LIMIT 1
      ) f ON true
    )
    """

  /// The ways of evolution of the chain `$2`, with the conditions under the upstream's names. It needs `bestNames`.
  static let evolution = """
    SELECT e.chain_id, e.from_species_id AS from_id, e.from_species AS "from",
           coalesce(fn.name, e.from_species) AS from_name, e.species_id AS to_id, e.species AS "to",
           coalesce(tn.name, e.species) AS to_name, e.trigger, e.item, e.held_item, e.known_move, e.known_move_type,
           e.used_move, e.location, e.region, e.party_species, e.party_type, e.trade_species, e.base_form,
           e.evolved_form, e.gender, e.min_level, e.min_happiness, e.min_affection, e.min_beauty,
           e.min_damage_taken, e.min_move_count, e.min_steps, e.relative_physical_stats, e.time_of_day,
           e.near_special_rock, e.needs_multiplayer, e.needs_overworld_rain, e.turn_upside_down, e.is_default,
           e.version_group, e.sentence
    FROM pokeapi.evolution e
    LEFT JOIN best_name fn ON fn.endpoint = 'pokemon-species' AND fn.id = e.from_species_id
    LEFT JOIN best_name tn ON tn.endpoint = 'pokemon-species' AND tn.id = e.species_id
    WHERE e.chain_id = $2
    ORDER BY e.from_species_id NULLS FIRST, e.species_id, e.ordinal
    """
}
