/// Types, stats and natures.
extension PokeWorld {
  private static let newest = PokeTypeChart()
  private static let past = [1: PokeTypeChart(upTo: 1), 5: PokeTypeChart(upTo: 5)]

  func typeDocument(_ id: Int) -> PokeJSON {
    let name = name(.type, id)
    let damageClass = id <= 9 ? 2 : id <= 16 ? 3 : id == 17 ? 3 : nil
    let owners = (index.pokemonOfType[id] ?? []).map { owner -> PokeJSON in
      ["pokemon": link(.pokemon, owner.id), "slot": .int(owner.slot)]
    }
    let past = PokeTypeChart.changes(of: name).compactMap { generation -> PokeJSON? in
      Self.past[generation].map {
        ["damage_relations": relations(of: name, in: $0), "generation": link(.generation, generation)]
      }
    }
    let generations = (1...5).filter { $0 >= PokeGames.generation(ofType: id) }
    return [
      "damage_relations": relations(of: name, in: Self.newest),
      "game_indices": .array(
        (id > 17 ? [] : generations).map { ["game_index": .int(id - 1), "generation": link(.generation, $0)] }),
      "generation": link(.generation, PokeGames.generation(ofType: id)), "id": .int(id),
      "move_damage_class": link(.moveDamageClass, damageClass), "moves": moveLinks { $1.type == id },
      "name": .string(name), "names": names(.type, id), "past_damage_relations": .array(past),
      "pokemon": .array(owners), "sprites": typeSprites(id),
    ]
  }

  private func relations(of type: String, in chart: PokeTypeChart) -> PokeJSON {
    .object(
      PokeTypeChart.Relation.allCases.flatMap { relation -> [(String, PokeJSON)] in
        let (from, to) = (chart.attackers(of: type, relation), chart.targets(of: type, relation))
        return [
          ("\(relation.rawValue)_damage_from", .array(from.map { link(.type, named: $0) })),
          ("\(relation.rawValue)_damage_to", .array(to.map { link(.type, named: $0) })),
        ]
      })
  }

  private static let icons: [(String, [String])] = [
    ("generation-iii", ["colosseum", "emerald", "firered-leafgreen", "ruby-sapphire", "xd"]),
    ("generation-iv", ["diamond-pearl", "heartgold-soulsilver", "platinum"]), ("generation-ix", ["scarlet-violet"]),
    ("generation-v", ["black-2-white-2", "black-white"]),
    ("generation-vi", ["omega-ruby-alpha-sapphire", "x-y"]),
    ("generation-vii", ["lets-go-pikachu-lets-go-eevee", "sun-moon", "ultra-sun-ultra-moon"]),
    ("generation-viii", ["brilliant-diamond-shining-pearl", "legends-arceus", "sword-shield"]),
  ]

  private func typeSprites(_ id: Int) -> PokeJSON {
    let root = "https://raw.githubusercontent.com/PokeAPI/sprites/master/sprites/types"
    return .object(
      Self.icons.map { generation, games in
        let entries = games.map { game -> (String, PokeJSON) in
          let address = "\(root)/\(generation)/\(game)"
          let hasSymbol = ["generation-viii", "generation-ix"].contains(generation) && id <= 18
          return (
            game,
            [
              "name_icon": id > 18 ? .null : .string("\(address)/\(id).png"),
              "symbol_icon": hasSymbol ? .string("\(address)/small/\(id).png") : .null,
            ]
          )
        }
        return (generation, .object(entries))
      })
  }

  /// The items that raise a stat for good.
  private static let vitamins = [1: 45, 2: 46, 3: 47, 4: 49, 5: 52, 6: 48]

  func statDocument(_ id: Int) -> PokeJSON {
    func moves(_ holds: (Int) -> Bool) -> PokeJSON {
      let rows = (ids[.move] ?? []).flatMap { move in
        traits(ofMove: move).statChanges.filter { $0.stat == id && holds($0.change) }.map { change -> PokeJSON in
          ["change": .int(change.change), "move": link(.move, move)]
        }
      }
      return .array(rows)
    }
    func natures(_ holds: ((raised: Int, lowered: Int)) -> Bool) -> PokeJSON {
      links(.nature, zip(1..., PokeGames.natures).filter { $0.1.map(holds) ?? false }.map(\.0))
    }
    let characteristics = (ids[.characteristic] ?? []).filter { ($0 - 1) % 6 + 1 == id }
    let damageClass = [2: 2, 3: 2, 4: 3, 5: 3][id]
    return [
      "affecting_items": links(.item, Self.vitamins[id].map { [$0] } ?? []),
      "affecting_moves": ["decrease": moves { $0 < 0 }, "increase": moves { $0 > 0 }],
      "affecting_natures": ["decrease": natures { $0.lowered == id }, "increase": natures { $0.raised == id }],
      "characteristics": links(.characteristic, characteristics),
      "game_index": .int([1, 2, 3, 5, 6, 4, 7, 8, 0][id - 1]),
      "id": .int(id), "is_battle_only": .bool(id == 7 || id == 8),
      "move_damage_class": link(.moveDamageClass, damageClass),
      "name": .string(name(.stat, id)), "names": names(.stat, id),
    ]
  }

  func natureDocument(_ id: Int) -> PokeJSON {
    let effect = PokeGames.natures[id - 1]
    let draws = draws(.nature, id)
    let styles = (1...3).map { style -> PokeJSON in
      let preference = draws.of(style).number(1, 10...60)
      return [
        "high_hp_preference": .int(preference), "low_hp_preference": .int(70 - preference),
        "move_battle_style": link(.moveBattleStyle, style),
      ]
    }
    return [
      "decreased_stat": link(.stat, effect?.lowered),
      "hates_flavor": link(.berryFlavor, effect.flatMap { PokeGames.flavors[$0.lowered] }),
      "id": .int(id), "increased_stat": link(.stat, effect?.raised),
      "likes_flavor": link(.berryFlavor, effect.flatMap { PokeGames.flavors[$0.raised] }),
      "move_battle_style_preferences": .array(styles), "name": .string(name(.nature, id)), "names": names(.nature, id),
      "pokeathlon_stat_changes": .array(
        [id % 5 + 1, (id + 2) % 5 + 1].enumerated().map { position, stat in
          ["max_change": .int(position == 0 ? 2 : -1), "pokeathlon_stat": link(.pokeathlonStat, stat)]
        }),
    ]
  }

  func pokeathlonDocument(_ id: Int) -> PokeJSON {
    func natures(_ shift: Int, _ change: Int) -> PokeJSON {
      .array(
        (ids[.nature] ?? []).filter { ($0 + shift) % 5 + 1 == id }.map {
          ["max_change": .int(change), "nature": link(.nature, $0)]
        })
    }
    return [
      "affecting_natures": ["decrease": natures(2, -1), "increase": natures(0, 2)], "id": .int(id),
      "name": .string(name(.pokeathlonStat, id)), "names": names(.pokeathlonStat, id),
    ]
  }
}
