/// Regions, places, and how Pokémon are met there.
extension PokeWorld {
  private func location(ofArea id: Int) -> Int {
    let locations = ids[.location] ?? [1]
    return locations[id % locations.count]
  }

  /// The region of a place; some have none.
  private func region(ofLocation id: Int) -> Int? { id % 50 == 49 ? nil : id % 11 + 1 }

  func locationDocument(_ id: Int) -> PokeJSON {
    let areas = (ids[.locationArea] ?? []).filter { location(ofArea: $0) == id }
    return [
      "areas": links(.locationArea, areas),
      "game_indices": [["game_index": .int(id), "generation": link(.generation, 4)]], "id": .int(id),
      "name": .string(name(.location, id)), "names": names(.location, id),
      "region": link(.region, region(ofLocation: id)),
    ]
  }

  func areaDocument(_ id: Int) -> PokeJSON {
    let draws = draws(.locationArea, id)
    let rates = some(.encounterMethod, draws.number(1, 0...3), draws, 2).map { method -> PokeJSON in
      let details = some(.version, 3, draws.of(method), 3).map { version -> PokeJSON in
        ["rate": .int(draws.pick(4, [5, 10, 20, 25])), "version": link(.version, version)]
      }
      return ["encounter_method": link(.encounterMethod, method), "version_details": .array(details)]
    }
    let encounters = (index.encountersOfArea[id] ?? []).map { encounter -> PokeJSON in
      ["pokemon": link(.pokemon, encounter.pokemon), "version_details": versionDetails(encounter)]
    }
    return [
      "encounter_method_rates": .array(rates), "game_index": .int(id), "id": .int(id),
      "location": link(.location, location(ofArea: id)), "name": .string(name(.locationArea, id)),
      "names": names(.locationArea, id), "pokemon_encounters": .array(encounters),
    ]
  }

  func regionDocument(_ id: Int) -> PokeJSON {
    let groups = PokeGames.ids { $0.regions.contains(id) }
    let pokedexes = Set(groups.flatMap { PokeGames.group($0)?.pokedexes ?? [] }).sorted()
    let locations = (ids[.location] ?? []).filter { region(ofLocation: $0) == id }
    let generation = PokeGames.mainRegions.firstIndex(of: id).map { $0 + 1 }
    return [
      "id": .int(id), "locations": links(.location, locations), "main_generation": link(.generation, generation),
      "name": .string(name(.region, id)), "names": names(.region, id), "pokedexes": links(.pokedex, pokedexes),
      "version_groups": links(.versionGroup, groups),
    ]
  }

  /// How Pokémon are met, and the park that some of them live in; nil for other kinds.
  func placeGroup(_ kind: PokeKind, _ id: Int) -> PokeJSON? {
    let head: [(String, PokeJSON)] = [
      ("id", .int(id)), ("name", .string(name(kind, id))), ("names", names(kind, id)),
    ]
    switch kind {
    case .encounterMethod: return .object(head + [("order", .int(id))])
    case .encounterCondition:
      let values = (ids[.encounterConditionValue] ?? []).filter { $0 % 30 + 1 == id }
      return .object(head + [("values", links(.encounterConditionValue, values))])
    case .encounterConditionValue: return .object(head + [("condition", link(.encounterCondition, id % 30 + 1))])
    case .palParkArea:
      let rows = (ids[.pokemonSpecies] ?? []).filter { $0 <= 493 && $0 % 5 + 1 == id }.map { species -> PokeJSON in
        [
          "base_score": 50, "pokemon_species": link(.pokemonSpecies, species), "rate": .int(10 + species % 4 * 10),
        ]
      }
      return .object(head + [("pokemon_encounters", .array(rows))])
    default: return nil
    }
  }
}
