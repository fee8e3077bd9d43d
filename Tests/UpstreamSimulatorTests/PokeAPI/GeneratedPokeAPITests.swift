import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("Generated PokeAPI", .timeLimit(.minutes(10)))
struct GeneratedPokeAPITests {
  private static let small = PokeWorld(seed: 1, scale: 0.02)

  private func document(_ kind: PokeKind, _ id: Int) throws -> JSONValue {
    try JSONValue(#require(Self.small.document(kind, id), "\(kind)/\(id)").bytes)
  }

  @Test("everything listed exists under its number and name, and no link is dead")
  func whole() throws {
    let world = Self.small
    var known: Set<String> = []
    for kind in PokeKind.allCases {
      for id in world.ids[kind] ?? [] { known.insert("\(PokeAPIFrontEnd.path)/\(kind.rawValue)/\(id)/") }
    }
    for id in world.ids[.pokemon] ?? [] { known.insert("\(PokeAPIFrontEnd.path)/pokemon/\(id)/encounters") }
    var dead: Set<String> = []
    for kind in PokeKind.allCases {
      let ids = try #require(world.ids[kind])
      #expect(!ids.isEmpty && ids == ids.sorted() && Set(ids).count == ids.count, "\(kind)")
      for id in ids {
        let bytes = try #require(world.document(kind, id), "\(kind)/\(id)").bytes
        let head = try JSONDecoder().decode(Head.self, from: Data(bytes))
        #expect(head.id == id && head.name == (kind.isUnnamed ? nil : world.name(kind, id)))
        dead.formUnion(links(bytes).subtracting(known))
      }
    }
    for id in world.ids[.pokemon] ?? [] {
      dead.formUnion(links(try #require(world.encountersDocument(id)).bytes).subtracting(known))
    }
    #expect(dead.isEmpty, "\(dead.sorted().prefix(10))")
    #expect(world.document(.pokemon, 5000) == nil && world.encountersDocument(5000) == nil)
  }

  private struct Head: Decodable {
    var id: Int
    var name: String?
  }

  private func links(_ bytes: [UInt8]) -> Set<String> {
    let strings = bytes.split(separator: 0x22).filter { $0.starts(with: "/api/v2/".utf8) }
    return Set(strings.map { String(decoding: $0, as: UTF8.self) })
  }

  @Test("Pikachu and its family are as they are")
  func pikachu() throws {
    let pikachu = try document(.pokemon, 25)
    #expect(pikachu["name"]?.string == "pikachu")
    #expect(pikachu["types"]?.elements.compactMap { $0["type"]?["name"]?.string } == ["electric"])
    #expect(pikachu["stats"]?.elements.compactMap { $0["base_stat"]?.number } == [35, 55, 40, 50, 50, 90])
    #expect(
      pikachu["abilities"]?.elements.compactMap { $0["ability"]?["name"]?.string } == ["static", "lightning-rod"])
    let species = try document(.pokemonSpecies, 25)
    #expect(species["evolves_from_species"]?["name"]?.string == "pichu")
    let names = (species["names"]?.elements ?? []).map {
      ($0["language"]?["name"]?.string ?? "", $0["name"]?.string ?? "")
    }
    let byLanguage = Dictionary(names, uniquingKeysWith: { one, _ in one })
    #expect(byLanguage["zh-hant"] == "皮卡丘" && byLanguage["ja"] == "ピカチュウ" && byLanguage["en"] == "Pikachu")
    let chain = try document(.evolutionChain, 10)["chain"]
    #expect(chain?["species"]?["name"]?.string == "pichu" && chain?["is_baby"] == .bool(true))
    let second = try #require(chain?["evolves_to"]?.elements.first)
    #expect(second["evolution_details"]?.elements.first?["min_happiness"]?.number == 220)
    let raichu = try #require(second["evolves_to"]?.elements.first)
    #expect(
      raichu["evolution_details"]?.elements.map { $0["item"]?["name"]?.string } == ["thunder-stone", "thunder-stone"])
    #expect(raichu["evolution_details"]?.elements.last?["evolved_form"]?["name"]?.string == "raichu-alola")
    let alola = try document(.pokemon, 10_100)
    #expect(alola["is_default"] == .bool(false) && alola["species"]?["name"]?.string == "raichu")
  }

  @Test("Eevee's eight evolutions and what it takes")
  func eevee() throws {
    let eevee = try document(.evolutionChain, 67)["chain"]
    let evolutions = eevee?["evolves_to"]?.elements ?? []
    let conditions = evolutions.map { evolution in
      let details = evolution["evolution_details"]?.elements ?? []
      let last = details.last
      let words = [
        last?["item"]?["name"]?.string, last?["time_of_day"]?.string, last?["known_move_type"]?["name"]?.string,
        last?["min_happiness"]?.number.map { "\(Int($0))" },
      ]
      return ([evolution["species"]?["name"]?.string] + words).compactMap(\.self).filter { !$0.isEmpty }.joined(
        separator: " ")
    }
    #expect(
      conditions == [
        "vaporeon water-stone", "jolteon thunder-stone", "flareon fire-stone", "espeon day 160", "umbreon night 160",
        "leafeon leaf-stone", "glaceon ice-stone", "sylveon fairy 160",
      ])
  }

  @Test("how types match, now and before")
  func types() throws {
    func relation(_ attacking: String, _ defending: String, in chart: PokeTypeChart) -> Double {
      let values: [PokeTypeChart.Relation: Double] = [.double: 2, .half: 0.5, .no: 0]
      return values.first { chart.targets(of: attacking, $0.key).contains(defending) }?.value ?? 1
    }
    let newest = PokeTypeChart()
    let onFireAndFlying = newest.types.map { type in
      (type, relation(type, "fire", in: newest) * relation(type, "flying", in: newest))
    }
    #expect(onFireAndFlying.filter { $0.1 == 4 }.map(\.0) == ["rock"])
    #expect(onFireAndFlying.filter { $0.1 == 2 }.map(\.0) == ["water", "electric"])
    #expect(onFireAndFlying.filter { $0.1 == 0 }.map(\.0) == ["ground"])
    for type in newest.types {
      for other in newest.types {
        for one in PokeTypeChart.Relation.allCases {
          #expect(newest.targets(of: type, one).contains(other) == newest.attackers(of: other, one).contains(type))
        }
      }
    }
    #expect(
      relation("ghost", "steel", in: PokeTypeChart(upTo: 5)) == 0.5 && relation("ghost", "steel", in: newest) == 1)
    #expect(relation("ghost", "psychic", in: PokeTypeChart(upTo: 1)) == 0)
    #expect(relation("ice", "fire", in: PokeTypeChart(upTo: 1)) == 1 && relation("ice", "fire", in: newest) == 0.5)
    let stellar = try document(.type, 19)["damage_relations"]
    #expect(stellar?["double_damage_to"]?.elements.isEmpty == true)
    #expect(try document(.type, 10_002)["name"]?.string == "shadow")
  }

  @Test("facts in two documents agree")
  func consistent() throws {
    let world = Self.small
    for id in [1, 6, 12, 25, 133, 700, 10_034] {
      let pokemon = try document(.pokemon, id)
      let name = try #require(pokemon["name"]?.string)
      for type in pokemon["types"]?.elements ?? [] {
        let number = try #require(world.number(.type, type["type"]?["name"]?.string ?? ""))
        #expect(world.index.pokemonOfType[number]?.contains { $0.id == id } == true)
      }
      for move in (pokemon["moves"]?.elements ?? []).prefix(3) {
        let number = try #require(world.number(.move, move["move"]?["name"]?.string ?? ""))
        #expect(try document(.move, number)["learned_by_pokemon"]?.linked.contains(name) == true)
      }
    }
    let area = try #require(world.index.encountersOfArea.keys.min())
    for encounter in try document(.locationArea, area)["pokemon_encounters"]?.elements ?? [] {
      let number = try #require(world.number(.pokemon, encounter["pokemon"]?["name"]?.string ?? ""))
      let places = try JSONValue(#require(world.encountersDocument(number)).bytes).elements
      let name = world.name(.locationArea, area)
      let place = places.first { $0["location_area"]?["name"]?.string == name }
      #expect(place?["version_details"] == encounter["version_details"])
    }
  }

  @Test("as many as the service had, and as large, at full scale")
  func sizes() throws {
    let world = PokeWorld(seed: 1, scale: 1)
    for (kind, count) in [
      (PokeKind.ability, 373), (.item, 2223), (.location, 1104), (.locationArea, 1533), (.machine, 2372), (.move, 937),
      (.pokemon, 1351), (.pokemonForm, 1579), (.pokemonSpecies, 1025), (.evolutionChain, 541), (.type, 21),
      (.encounterConditionValue, 352), (.moveAilment, 22), (.nature, 25), (.superContestEffect, 22),
    ] {
      #expect(world.count(kind) == count, "\(kind)")
    }
    #expect(world.ids[.pokemon]?.last == 10_326 && world.ids[.moveAilment]?.first == -1)
    #expect(Set((world.ids[.pokemonSpecies] ?? []).map { world.name(.pokemonSpecies, $0) }).count == 1025)
    #expect(world.name(.item, 723) == "roseli-berry" && world.name(.item, 2279) == "roseli-berry")
    func median(_ kind: PokeKind, step: Int) throws -> Int {
      let ids = try #require(world.ids[kind])
      let sizes = stride(from: 0, to: ids.count, by: step).map { world.document(kind, ids[$0])?.bytes.count ?? 0 }
        .sorted()
      return sizes[sizes.count / 2]
    }
    #expect(try (60_000...130_000).contains(median(.pokemon, step: 30)))
    #expect(try (10_000...40_000).contains(median(.pokemonSpecies, step: 30)))
    #expect(try (8_000...50_000).contains(median(.move, step: 30)))
  }

  @Test("texts are broken as the games' are")
  func texts() throws {
    let species = try document(.pokemonSpecies, 1)
    let texts = (species["flavor_text_entries"]?.elements ?? []).compactMap { $0["flavor_text"]?.string }
    for mark in ["\n", "\u{C}", "\u{AD}\n", "　"] {
      #expect(
        texts.contains { $0.unicodeScalars.contains { "\(mark)".unicodeScalars.first == $0 } },
        "\(mark.debugDescription)")
    }
  }

  @Test("the same seed gives the same, another seed another")
  func seeds() throws {
    let (again, other) = (PokeWorld(seed: 1, scale: 0.02), PokeWorld(seed: 2, scale: 0.02))
    for (kind, id) in [(PokeKind.pokemon, 11), (.move, 40), (.pokemonSpecies, 12), (.locationArea, 5)] {
      let bytes = try #require(Self.small.document(kind, id)).bytes
      #expect(again.document(kind, id)?.bytes == bytes && other.document(kind, id)?.bytes != bytes)
    }
  }

  @Test("and over a socket it is a PokeAPI like any other")
  func served() async throws {
    var settings = PokeAPISettings()
    settings.scale = 0.01
    try await SimulatorServer.withServer(GeneratedPokeAPI(settings)) { (server: SimulatorServer) async throws -> Void in
      let client = PokeAPIClient(base: server.baseURL)
      guard case .object(let index) = try await client.get("/api/v2/").json() else { Issue.record("no index"); return }
      #expect(index.count == 50)
      for (name, link) in index where name != "meta" {
        let list = try await client.list(#require(link.string))
        #expect(try await client.get(#require(list.results.last).url).status == 200, "\(name)")
      }
      let eevee = try await client.get("/api/v2/pokemon/eevee/")
      let hash = try await client.get("/api/v2/meta/").json()["hash"]?.string
      #expect(hash?.count == 40 && eevee.header("X-PokeAPI-Hash") == hash)
      let moves = try eevee.json()["moves"]?.elements
      #expect(moves?.first?["move"]?["url"]?.string?.hasPrefix(server.baseURL) == true)
      #expect(try await client.get("/api/v2/pokemon/133/encounters").status == 200)
    }
  }
}
