import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

/// A small PokeAPI, with its files laid out like the real one's data.
final class HandmadePokeAPI: SimulatedUpstream {
  /// Removed when no server uses it any more.
  private let folder: TemporaryFolder
  private let recorded: RecordedPokeAPI

  /// Three types, a few ailments from −1 up, machines without names, and `count` Pokémon with encounters each.
  init(pokemon count: Int) throws {
    let folder = try TemporaryFolder()
    let tree = Tree(folder: folder)
    let types = [(1, "normal"), (10, "fire"), (11, "water")]
    try tree.write(types.map { ($0.0, Optional($0.1), Self.type($0.0, $0.1)) }, to: "type")
    let ailments = (-1...2).map { ($0, Optional("ailment-\($0 + 1)"), #"{"id":\#($0),"name":"ailment-\#($0 + 1)"}"#) }
    try tree.write(ailments, to: "move-ailment")
    try tree.write(
      (1...3).map { ($0, nil, #"{"id":\#($0),"item":{"name":"tm0\#($0)","url":"/api/v2/item/\#($0)/"}}"#) },
      to: "machine")
    try tree.write((1...count).map { ($0, Optional(Self.name($0)), Self.pokemon($0)) }, to: "pokemon")
    for id in 1...count { try tree.write("[]", to: "pokemon/\(id)/encounters/index.json") }
    try tree.write(#"{"deploy_date":"1786004122","hash":"build-1","tag":null}"#, to: "meta/index.json")
    self.folder = folder
    recorded = try RecordedPokeAPI(folder: folder.path)
  }

  /// From the next request on.
  var settings: PokeAPISettings {
    get { recorded.settings }
    set { recorded.settings = newValue }
  }

  func answer(_ request: SimulatedRequest) async -> SimulatedAnswer { await recorded.answer(request) }

  static let documents = 3 + 4 + 3
  static let streams = 5

  private static func name(_ id: Int) -> String { "monster-\(id)" }

  private static func type(_ id: Int, _ name: String) -> String {
    #"{"id":\#(id),"name":"\#(name)","damage_relations":{"double_damage_to":[]},"names":[]}"#
  }

  /// With arrays whose order has no meaning.
  private static func pokemon(_ id: Int) -> String {
    let stats = [("hp", 1), ("attack", 2), ("speed", 6)].map { name, number in
      #"{"base_stat":\#(id % 100 + number),"effort":0,"stat":{"name":"\#(name)","url":"/api/v2/stat/\#(number)/"}}"#
    }
    return """
      {"id":\(id),"name":"\(name(id))","height":7,"weight":69,"is_default":true,"order":\(id),
       "species":{"name":"\(name(id))","url":"/api/v2/pokemon-species/\(id)/"},
       "stats":[\(stats.joined(separator: ","))],
       "types":[{"slot":1,"type":{"name":"fire","url":"/api/v2/type/10/"}},
                {"slot":2,"type":{"name":"water","url":"/api/v2/type/11/"}}],
       "sprites":{"front_default":"https://example.com/\(id).png"}}
      """
  }
}

/// The layout of the folder.
private struct Tree {
  let folder: TemporaryFolder

  func write(_ documents: [(id: Int, name: String?, text: String)], to endpoint: String) throws {
    let rows = documents.map { id, name, _ in
      let link = #""url":"/api/v2/\#(endpoint)/\#(id)/""#
      return name.map { #"{"name":"\#($0)",\#(link)}"# } ?? "{\(link)}"
    }
    try write(
      #"{"count":\#(rows.count),"next":null,"previous":null,"results":[\#(rows.joined(separator: ","))]}"#,
      to: "\(endpoint)/index.json")
    for (id, _, text) in documents { try write(text, to: "\(endpoint)/\(id)/index.json") }
  }

  func write(_ text: String, to path: String) throws {
    let file = URL(filePath: "\(folder.path)/api/v2/\(path)")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}

extension Mirror {
  /// Every row of PokeAPI's mirror with the transaction that wrote it: the same text means that nothing was written.
  func pokeAPIRowVersions() async throws -> String {
    try await sql(
      "SELECT count(*), md5(string_agg(r.ctid::text || r.xmin, ' ' ORDER BY endpoint, id)) FROM pokeapi.resource r")
  }

  /// All mirrored data of PokeAPI, without times.
  func pokeAPIContents() async throws -> String {
    try await sql(
      """
      SELECT count(*), md5(string_agg((to_jsonb(r) - '{first_seen_at,changed_at,requested_at}'::text[])::text, ' '
        ORDER BY endpoint, id)) FROM pokeapi.resource r
      """)
  }

  /// Runs PokeAPI and returns the sums of its runs.
  func pokeAPI(_ arguments: String..., exit: Int32 = 0) async throws -> Sums {
    let result = try await program.run(
      ["run", "--source", "pokeapi", "--format", "json"] + arguments, environment: wholeEnvironment, in: home.path)
    #expect(result.end == .exit(exit), "\(result.standardError)")
    return Sums(runs: try runs(result), standardError: result.standardError)
  }

  struct Sums {
    let runs: [String: JSONValue]
    let standardError: String

    subscript(name: String) -> Int { runs.values.reduce(0) { $0 + ($1[name]?.int ?? 0) } }
    var isComplete: Bool { runs.values.allSatisfy { $0["status"]?.text == "complete" } }
  }
}

extension SimulatorServer {
  /// How often each document was requested, by any form of its address.
  func documentRequests(after seen: Int = 0) -> [String: Int] {
    history.records.dropFirst(seen).reduce(into: [:]) { counts, record in
      let parts = record.path.split(separator: "/")
      guard parts.count >= 4 else { return }
      counts[parts.dropFirst(2).joined(separator: "/"), default: 0] += 1
    }
  }
}
