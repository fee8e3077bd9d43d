/// The documents, one after the other, by kind.
extension PokeWorld {
  /// Nil for a number that there is not.
  func document(_ kind: PokeKind, _ id: Int) -> PokeJSON? {
    guard link(kind, id).bytes != PokeJSON.null.bytes else { return nil }
    switch kind {
    case .pokemon: return pokemonDocument(id)
    case .pokemonSpecies: return speciesDocument(id)
    case .pokemonForm: return formDocument(id)
    case .evolutionChain: return chainDocument(id)
    case .move: return moveDocument(id)
    case .machine: return machineDocument(id)
    case .ability: return abilityDocument(id)
    case .item: return itemDocument(id)
    case .berry: return berryDocument(id)
    case .location: return locationDocument(id)
    case .locationArea: return areaDocument(id)
    case .region: return regionDocument(id)
    case .type: return typeDocument(id)
    case .stat: return statDocument(id)
    case .nature: return natureDocument(id)
    case .pokeathlonStat: return pokeathlonDocument(id)
    case .pokedex: return pokedexDocument(id)
    case .gender: return genderDocument(id)
    case .growthRate: return growthDocument(id)
    case .generation: return generationDocument(id)
    case .versionGroup: return groupDocument(id)
    default: return itemGroup(kind, id) ?? placeGroup(kind, id) ?? moveGroup(kind, id) ?? smallDocument(kind, id)
    }
  }

  private func generationDocument(_ id: Int) -> PokeJSON {
    [
      "abilities": links(.ability, (ids[.ability] ?? []).filter { Self.generation(ofAbility: $0) == id }),
      "id": .int(id),
      "main_region": link(.region, PokeGames.mainRegions[id - 1]), "moves": moveLinks { $1.generation == id },
      "name": .string(name(.generation, id)), "names": names(.generation, id),
      "pokemon_species": speciesLinks { $0.generation == id },
      "types": links(.type, (ids[.type] ?? []).filter { PokeGames.generation(ofType: $0) == id }),
      "version_groups": links(.versionGroup, PokeGames.ids { $0.generation == id }),
    ]
  }

  private func groupDocument(_ id: Int) -> PokeJSON? {
    guard let group = PokeGames.group(id) else { return nil }
    return [
      "generation": link(.generation, group.generation), "id": .int(id),
      "move_learn_methods": links(.moveLearnMethod, 1...4),
      "name": .string(name(.versionGroup, id)), "order": .int(group.order),
      "pokedexes": links(.pokedex, group.pokedexes),
      "regions": links(.region, group.regions), "versions": links(.version, group.versions),
    ]
  }

  /// The documents that group moves; nil for other kinds.
  private func moveGroup(_ kind: PokeKind, _ id: Int) -> PokeJSON? {
    let head: [(String, PokeJSON)] = [("id", .int(id)), ("name", .string(name(kind, id)))]
    let names: (String, PokeJSON) = ("names", names(kind, id))
    let descriptions: (String, PokeJSON) = ("descriptions", descriptions(draws(kind, id)))
    switch kind {
    case .moveAilment: return .object(head + [names, ("moves", moveLinks { $1.ailment == id })])
    case .moveBattleStyle: return .object(head + [names])
    case .moveCategory: return .object(head + [descriptions, ("moves", moveLinks { $1.category == id })])
    case .moveDamageClass: return .object(head + [names, descriptions, ("moves", moveLinks { $1.damageClass == id })])
    case .moveTarget: return .object(head + [names, descriptions, ("moves", moveLinks { $1.target == id })])
    case .moveLearnMethod:
      let groups = id <= 4 ? PokeGames.since(1) : []
      return .object(head + [names, descriptions, ("version_groups", links(.versionGroup, groups))])
    default: return nil
    }
  }

  private func smallDocument(_ kind: PokeKind, _ id: Int) -> PokeJSON? {
    let draws = draws(kind, id)
    let head: [(String, PokeJSON)] = [("id", .int(id)), ("name", .string(name(kind, id)))]
    let names: (String, PokeJSON) = ("names", names(kind, id))
    switch kind {
    case .eggGroup: return .object(speciesGroup(kind, id) { $0.eggGroups.contains(id) })
    case .pokemonColor: return .object(speciesGroup(kind, id) { $0.color == id })
    case .pokemonHabitat: return .object(speciesGroup(kind, id) { $0.habitat == id })
    case .evolutionTrigger:
      let trigger = name(kind, id)
      return .object(
        speciesGroup(kind, id) { species in evolutions(into: species.id).contains { $0.trigger == trigger } })
    case .pokemonShape:
      let title = PokeJSON.string(PokeNames.title(name(kind, id)))
      let awesome: PokeJSON = [["awesome_name": title, "language": language(9)]]
      return .object([("awesome_names", awesome)] + speciesGroup(kind, id) { $0.shape == id })
    case .version:
      return .object(head + [names, ("version_group", link(.versionGroup, PokeGames.group(ofVersion: id)))])
    case .language:
      let parts = Self.languages[(id - 1) % Self.languages.count]
      return .object(
        head + [
          names, ("iso3166", .string(parts.country)), ("iso639", .string(parts.code)), ("official", .bool(id != 10)),
        ])
    case .currency: return .object(head + [names])
    case .contestType:
      let known: PokeJSON = [
        ["color": "Red", "language": language(9), "name": .string(PokeNames.title(name(kind, id)))]
      ]
      return .object(head + [("berry_flavor", link(.berryFlavor, id)), ("names", known)])
    default: return unnamedDocument(kind, id, draws)
    }
  }

  private func unnamedDocument(_ kind: PokeKind, _ id: Int, _ draws: Draws) -> PokeJSON? {
    switch kind {
    case .contestEffect:
      return [
        "appeal": .int(draws.number(1, 1...8)), "effect_entries": effects(draws),
        "flavor_text_entries": shortTexts(draws), "id": .int(id), "jam": .int(draws.pick(2, [0, 0, 1, 4])),
      ]
    case .superContestEffect:
      return [
        "appeal": .int(draws.number(1, 0...3)), "flavor_text_entries": shortTexts(draws), "id": .int(id),
        "moves": moveLinks { $1.generation <= 4 && superContestEffect(ofMove: $0) == id },
      ]
    case .characteristic:
      let modulo = (id - 1) / 6
      return [
        "descriptions": descriptions(draws), "gene_modulo": .int(modulo), "highest_stat": link(.stat, (id - 1) % 6 + 1),
        "id": .int(id), "possible_values": .array((0...6).map { modulo + 5 * $0 }.filter { $0 <= 31 }.map { .int($0) }),
      ]
    default: return nil
    }
  }

  private func shortTexts(_ draws: Draws) -> PokeJSON {
    .array([5, 9].map { ["flavor_text": PokeText.short($0, draws), "language": language($0)] })
  }

  private static let languages: [(code: String, country: String)] = [
    ("ja", "jp"), ("ja", "jp"), ("ko", "kr"), ("zh", "tw"), ("fr", "fr"), ("de", "de"), ("es", "es"),
    ("it", "it"), ("en", "us"), ("cs", "cz"), ("ja", "jp"), ("zh", "cn"), ("pt", "br"), ("es", "mx"),
  ]
}
