/// Items, berries and their groups.
extension PokeWorld {
  private func category(ofItem id: Int) -> Int {
    let categories = ids[.itemCategory] ?? [1]
    return categories[id % categories.count]
  }

  private func attributes(ofItem id: Int) -> [Int] { [1, 2, 5].map { ($0 + id) % 8 + 1 }.sorted() }

  /// The effect of throwing it; most have none.
  private func fling(ofItem id: Int) -> Int? { id % 70 == 3 ? id / 70 % 7 + 1 : nil }

  func itemDocument(_ id: Int) -> PokeJSON {
    let draws = draws(.item, id)
    let title = PokeNames.title(name(.item, id))
    let isSold = id <= 30
    let indices = (3...9).filter { draws.of($0).draw(1, below: 3) > 0 }
    return [
      "attributes": links(.itemAttribute, attributes(ofItem: id)),
      "baby_trigger_for": link(.evolutionChain, index.chainsOfItem[id]),
      "category": link(.itemCategory, category(ofItem: id)), "effect_entries": verboseEffects(draws, [5, 9]),
      "flavor_text_entries": groupTexts("text", draws, since: 3, most: 14),
      "fling_effect": link(.itemFlingEffect, fling(ofItem: id)),
      "fling_power": draws.draw(2, below: 3) == 0 ? .int(draws.number(3, 1...10) * 10) : .null,
      "game_indices": .array(
        indices.map { ["game_index": .int(id + $0), "generation": link(.generation, $0)] }),
      "held_by_pokemon": .array(
        (index.holders[id] ?? []).map { ["pokemon": link(.pokemon, $0), "version_details": heldDetails($0)] }),
      "id": .int(id), "machines": machines(index.machinesOfItem[id]),
      "name": .string(name(.item, id)), "names": itemNames(id, title),
      "prices": isSold ? prices(draws) : [],
      "sprites": [
        "default": .string(
          "https://raw.githubusercontent.com/PokeAPI/sprites/master/sprites/items/\(name(.item, id)).png")
      ],
    ]
  }

  private func itemNames(_ id: Int, _ title: String) -> PokeJSON {
    let known: [Int: [(Int, String)]] = [
      4: [(1, "モンスターボール"), (4, "精靈球"), (11, "モンスターボール"), (12, "精灵球")],
      82: [(1, "ほのおのいし"), (4, "火之石"), (11, "ほのおのいし"), (12, "火之石")],
      83: [(1, "かみなりのいし"), (4, "雷之石"), (11, "かみなりのいし"), (12, "雷之石")],
      84: [(1, "みずのいし"), (4, "水之石"), (11, "みずのいし"), (12, "水之石")],
    ]
    return names((known[id] ?? []) + [5, 6, 7, 8, 9].map { ($0, title) })
  }

  private func prices(_ draws: Draws) -> PokeJSON {
    [
      [
        "currency": link(.currency, 1), "purchase_price": .int(draws.number(4, 1...30) * 100),
        "sell_price": draws.draw(5, below: 3) == 0 ? .null : .int(draws.number(6, 1...30) * 50),
        "version_group": link(.versionGroup, 20),
      ]
    ]
  }

  func berryDocument(_ id: Int) -> PokeJSON {
    let draws = draws(.berry, id)
    let isNew = id > 66
    func number(_ aspect: Int, _ range: ClosedRange<Int>) -> PokeJSON {
      isNew ? .null : .int(draws.number(aspect, range))
    }
    let flavors = (1...5).map { flavor -> PokeJSON in
      ["flavor": link(.berryFlavor, flavor), "potency": .int(potency(ofBerry: id, flavor))]
    }
    return [
      "firmness": isNew ? .null : link(.berryFirmness, firmness(ofBerry: id)), "flavors": isNew ? [] : .array(flavors),
      "growth_time": number(2, 2...24), "id": .int(id), "item": link(.item, PokeFacts.berryItems[(id - 1) % 68]),
      "max_harvest": number(3, 5...15), "name": .string(name(.berry, id)), "natural_gift_power": number(4, 60...80),
      "natural_gift_type": isNew ? .null : link(.type, draws.number(5, 1...17)), "size": number(6, 20...300),
      "smoothness": number(7, 20...60), "soil_dryness": number(8, 4...15),
    ]
  }

  private func potency(ofBerry id: Int, _ flavor: Int) -> Int {
    draws(.berry, id).of(flavor).pick(1, [0, 0, 10, 15, 20])
  }

  private func firmness(ofBerry id: Int) -> Int { id % 5 + 1 }

  /// The documents that group items and berries; nil for other kinds.
  func itemGroup(_ kind: PokeKind, _ id: Int) -> PokeJSON? {
    let head: [(String, PokeJSON)] = [("id", .int(id)), ("name", .string(name(kind, id)))]
    let names: (String, PokeJSON) = ("names", names(kind, id))
    let items = ids[.item] ?? []
    let berries = (ids[.berry] ?? []).filter { $0 <= 66 }
    switch kind {
    case .berryFirmness:
      return .object(head + [names, ("berries", links(.berry, berries.filter { firmness(ofBerry: $0) == id }))])
    case .berryFlavor:
      let rows = berries.map { berry -> PokeJSON in
        ["berry": link(.berry, berry), "potency": .int(potency(ofBerry: berry, id))]
      }
      return .object(head + [names, ("berries", .array(rows)), ("contest_type", link(.contestType, id))])
    case .itemAttribute:
      let items = items.filter { attributes(ofItem: $0).contains(id) }
      return .object(head + [names, ("descriptions", descriptions(draws(kind, id))), ("items", links(.item, items))])
    case .itemCategory:
      let items = items.filter { category(ofItem: $0) == id }
      return .object(head + [names, ("items", links(.item, items)), ("pocket", link(.itemPocket, id % 8 + 1))])
    case .itemFlingEffect:
      let items = items.filter { fling(ofItem: $0) == id }
      return .object(head + [("effect_entries", effects(draws(kind, id))), ("items", links(.item, items))])
    case .itemPocket:
      let categories = (ids[.itemCategory] ?? []).filter { $0 % 8 + 1 == id }
      return .object(head + [names, ("categories", links(.itemCategory, categories))])
    default: return nil
    }
  }
}
