import Foundation
import SyncTestKit
import Testing

@testable import UpstreamSimulator

/// Compares with documents of the real service, which are not in the repository.
@Suite(
  "Generated documents and recorded ones",
  .enabled(
    if: PokeAPIRecording.archive != nil, "\(UpstreamFixtures.missing)"), .timeLimit(.minutes(10)))
struct RecordedPokeAPIShapesTests {
  @Test("have the members of recorded ones and no others, and types match as they do in truth")
  func shapes() async throws {
    let recorded = try await PokeAPIRecording.upstream()
    let generated = SimulatedPokeAPI()
    let names = try await endpoints(of: recorded)
    #expect(try await endpoints(of: generated) == names && names.count >= 48)
    for name in names.map({ [$0] }) + [["pokemon", "encounters"]] {
      let real = try await shapes(of: recorded, name)
      let ours = try await shapes(of: generated, name)
      #expect(!real.isEmpty, "\(name)")
      for (path, members) in real where ours[path] != nil { #expect(ours[path] == members, "\(name) \(path)") }
      #expect(Set(ours.keys).subtracting(real.keys).isSubset(of: Self.rare), "\(name)")
    }
    try await compareTypes(recorded, generated)
  }

  /// Members of so few documents that a sample may miss them.
  private static let rare: Set<String> = [
    "[].version_details[].encounter_details[].pokemon_details", "form_descriptions[]", "past_types[]",
    "past_types[].types[]", "pokemon_encounters[].version_details[].encounter_details[].pokemon_details",
  ]

  private func body(_ upstream: some SimulatedUpstream, _ path: String, _ query: String = "") async throws -> Data {
    let answer = await upstream.answer(SimulatedRequest(path: "/api/v2/\(path)", query: query))
    try #require(answer.status == 200, "\(path)")
    return Data(answer.body)
  }

  private func endpoints(of upstream: some SimulatedUpstream) async throws -> [String] {
    let index = try JSONDecoder().decode([String: String].self, from: try await body(upstream, ""))
    return index.keys.filter { $0 != "meta" }.sorted()
  }

  /// The names of the members of each object, by path, without links.
  private func shapes(of upstream: some SimulatedUpstream, _ name: [String]) async throws -> [String: Set<String>] {
    let list = try await body(upstream, name[0], "limit=100000")
    let rows = try JSONDecoder().decode(PokeAPIClient.List.self, from: list).results
    let ids = rows.compactMap { $0.url.split(separator: "/").last }
    var shapes: [String: Set<String>] = [:]
    // Pokémon documents are large and alike.
    let step = max(1, ids.count / (name[0] == "pokemon" ? 15 : 60))
    for position in stride(from: 0, to: ids.count, by: step) {
      let path = ([name[0], String(ids[position])] + name.dropFirst()).joined(separator: "/")
      // Several times as fast as decoding to a type; the documents have tens of megabytes.
      add(try JSONSerialization.jsonObject(with: try await body(upstream, path)), at: "", to: &shapes)
    }
    return shapes
  }

  private func add(_ value: Any, at path: String, to shapes: inout [String: Set<String>]) {
    if let elements = value as? [Any] {
      for element in elements { add(element, at: "\(path)[]", to: &shapes) }
    } else if let members = value as? [String: Any] {
      if members["url"] != nil, members.count <= 2 { return }
      shapes[path, default: []].formUnion(members.keys)
      for (name, member) in members where member is [Any] || member is [String: Any] {
        // Families have different depths.
        let isDeeper = path.hasSuffix("evolves_to[]") && name == "evolves_to"
        add(member, at: isDeeper ? String(path.dropLast(2)) : path.isEmpty ? name : "\(path).\(name)", to: &shapes)
      }
    }
  }

  private func compareTypes(_ recorded: some SimulatedUpstream, _ generated: some SimulatedUpstream) async throws {
    for id in Array(1...19) + [10_001, 10_002] {
      let real = try SimulatedValue(Array(try await body(recorded, "type/\(id)")))
      let ours = try SimulatedValue(Array(try await body(generated, "type/\(id)")))
      #expect(relations(real["damage_relations"]) == relations(ours["damage_relations"]), "\(id)")
      #expect(past(real) == past(ours), "\(id)")
    }
  }

  private func relations(_ value: SimulatedValue?) -> [String: Set<String>] {
    guard case .object(let members)? = value else { return [:] }
    return members.mapValues { Set($0.linked) }
  }

  private func past(_ type: SimulatedValue) -> [String: [String: Set<String>]] {
    let rows = (type["past_damage_relations"]?.elements ?? []).map {
      ($0["generation"]?["name"]?.string ?? "", relations($0["damage_relations"]))
    }
    return Dictionary(rows, uniquingKeysWith: { one, _ in one })
  }
}
