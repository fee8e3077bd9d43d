/// Species, families, and lists of species.
extension PokeWorld {
  func speciesDocument(_ id: Int) -> PokeJSON? {
    guard let species = species[id] else { return nil }
    let draws = draws(.pokemonSpecies, id)
    let isRare = species.flags != "-"
    return [
      "base_happiness": .int(isRare ? 0 : 50), "capture_rate": .int(species.captureRate),
      "color": link(.pokemonColor, species.color), "egg_groups": links(.eggGroup, species.eggGroups),
      "evolution_chain": link(.evolutionChain, species.chain),
      "evolves_from_species": link(.pokemonSpecies, species.parent), "flavor_text_entries": speciesTexts(species),
      "form_descriptions": draws.draw(60, below: 20) == 0 ? descriptions(draws) : [],
      "forms_switchable": .bool(species.varieties.count > 1), "gender_rate": .int(species.genderRate),
      "genera": genera(draws), "generation": link(.generation, species.generation),
      "growth_rate": link(.growthRate, species.growth), "habitat": link(.pokemonHabitat, species.habitat),
      "has_gender_differences": .bool(draws.draw(61, below: 10) == 0),
      "hatch_counter": .int(draws.pick(62, [10, 15, 20, 25, 40])), "id": .int(id),
      "is_baby": .bool(species.flags.contains("b")), "is_legendary": .bool(species.flags.contains("l")),
      "is_mythical": .bool(species.flags.contains("m")), "name": .string(name(.pokemonSpecies, id)),
      "names": names(speciesNames(species)), "order": .int(id), "pal_park_encounters": palPark(species),
      "pokedex_numbers": .array(
        pokedexes(of: species).map { ["entry_number": .int($0.number), "pokedex": link(.pokedex, $0.pokedex)] }),
      "shape": link(.pokemonShape, species.shape),
      "varieties": .array(
        species.varieties.map { ["is_default": .bool($0 == species.varieties.first), "pokemon": link(.pokemon, $0)] }),
    ]
  }

  private func speciesNames(_ species: PokeSpecies) -> [(Int, String)] {
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 14].map { language in
      (language, species.names[language] ?? PokeNames.invented(species.id, of: species, language: language))
    }
  }

  private func genera(_ draws: Draws) -> PokeJSON {
    let word = draws.draw(63, below: 8)
    let english = ["Mouse", "Seed", "Lizard", "Dream", "Wind", "Stone", "Night", "Coral"][word]
    let chinese = ["鼠", "種子", "蜥蜴", "夢", "風", "石", "夜", "珊瑚"][word]
    let japanese = ["ねずみ", "たね", "とかげ", "ゆめ", "かぜ", "いし", "よる", "さんご"][word]
    let genera = [
      (1, "\(japanese)ポケモン"), (4, "\(chinese)寶可夢"), (5, "Pokémon \(english)"), (6, "\(english)-Pokémon"),
      (9, "\(english) Pokémon"), (11, "\(japanese)ポケモン"), (12, "\(chinese)宝可梦"),
    ]
    return .array(genera.map { ["genus": .string($0.1), "language": language($0.0)] })
  }

  private func speciesTexts(_ species: PokeSpecies) -> PokeJSON {
    let draws = draws(.pokemonSpecies, species.id)
    let first = ids[.version]?.filter { PokeGames.generation(ofVersion: $0) >= species.generation } ?? []
    // Not every game has every species.
    let versions = first.prefix(6) + first.dropFirst(6).filter { draws.of($0).draw(64, below: 5) == 0 }
    return .array(
      versions.flatMap { version in
        let generation = PokeGames.generation(ofVersion: version)
        return (generation < 6 ? [9] : PokeText.languages).map { language -> PokeJSON in
          [
            "flavor_text": PokeText.flavor(language, generation: generation, draws.of(version)),
            "language": self.language(language), "version": link(.version, version),
          ]
        }
      })
  }

  private func palPark(_ species: PokeSpecies) -> PokeJSON {
    guard species.id <= 493 else { return [] }
    return [["area": link(.palParkArea, species.id % 5 + 1), "base_score": 50, "rate": .int(10 + species.id % 4 * 10)]]
  }

  /// The lists of a region hold each its own part of all species.
  private func pokedexes(of species: PokeSpecies) -> [(pokedex: Int, number: Int)] {
    let regional = (ids[.pokedex] ?? []).filter { $0 > 1 && isListed(species.id, in: $0) }
    return [(1, species.id)] + regional.map { ($0, species.id % 400 + 1) }
  }

  private func isListed(_ species: Int, in pokedex: Int) -> Bool {
    pokedex == 2 ? species <= 151 : draws(.pokedex, pokedex).of(species).draw(65, below: 4) == 0
  }

  func pokedexDocument(_ id: Int) -> PokeJSON {
    let entries = (ids[.pokemonSpecies] ?? []).compactMap { number -> PokeJSON? in
      guard let species = species[number], let entry = pokedexes(of: species).first(where: { $0.pokedex == id }) else {
        return nil
      }
      return ["entry_number": .int(entry.number), "pokemon_species": link(.pokemonSpecies, number)]
    }
    let groups = PokeGames.ids { $0.pokedexes.contains(id) }
    let region = groups.lazy.compactMap { PokeGames.group($0)?.regions.last }.first
    return [
      "descriptions": descriptions(draws(.pokedex, id)), "id": .int(id), "is_main_series": .bool(id != 11),
      "name": .string(name(.pokedex, id)), "names": names(.pokedex, id), "pokemon_entries": .array(entries),
      "region": link(.region, region), "version_groups": links(.versionGroup, groups),
    ]
  }

  /// A kind whose documents hold little more than the species that belong to it.
  func speciesGroup(_ kind: PokeKind, _ id: Int, where belongs: (PokeSpecies) -> Bool) -> [(String, PokeJSON)] {
    [
      ("id", .int(id)), ("name", .string(name(kind, id))), ("names", names(kind, id)),
      ("pokemon_species", speciesLinks(where: belongs)),
    ]
  }

  func speciesLinks(where belongs: (PokeSpecies) -> Bool) -> PokeJSON {
    links(.pokemonSpecies, (ids[.pokemonSpecies] ?? []).filter { species[$0].map(belongs) ?? false })
  }

  func genderDocument(_ id: Int) -> PokeJSON {
    let details = (ids[.pokemonSpecies] ?? []).compactMap { number -> PokeJSON? in
      guard let rate = species[number]?.genderRate else { return nil }
      let isOfIt = id == 1 ? rate > 0 : id == 2 ? (0..<8).contains(rate) : rate < 0
      return isOfIt ? ["pokemon_species": link(.pokemonSpecies, number), "rate": .int(rate)] : nil
    }
    let required = speciesLinks { species in evolutions(into: species.id).contains { $0["gender"] == id } }
    return [
      "id": .int(id), "name": .string(name(.gender, id)), "pokemon_species_details": .array(details),
      "required_for_evolution": required,
    ]
  }

  func growthDocument(_ id: Int) -> PokeJSON {
    let levels = (1...100).map { level -> PokeJSON in
      ["experience": .int(PokeGames.experience(id, level: level)), "level": .int(level)]
    }
    return [
      "descriptions": descriptions(draws(.growthRate, id)), "formula": .string(PokeGames.formulas[(id - 1) % 6]),
      "id": .int(id), "levels": .array(levels), "name": .string(name(.growthRate, id)),
      "pokemon_species": speciesLinks { $0.growth == id },
    ]
  }
}
