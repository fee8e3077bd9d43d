import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

@testable import PokeAPISource

final class HandmadePokeAPI: SimulatedUpstream {
  private let upstream: SimulatedPokeAPI

  init(pokemon count: Int) {
    var lists: [String: [SimulatedPokeAPI.Row]] = [:]
    var documents: [PokeAPIAddress: [UInt8]] = [:]
    func add(_ rows: [(id: Int, name: String?, text: String)], to endpoint: String) {
      lists[endpoint] = rows.map { (id: $0.id, name: $0.name) }
      for row in rows { documents[PokeAPIAddress(endpoint, row.id)] = Array(row.text.utf8) }
    }
    let types = [(1, "normal"), (10, "fire"), (11, "water")]
    add(types.map { ($0.0, Optional($0.1), Self.type($0.0, $0.1)) }, to: "type")
    let ailments = (-1...2).map { ($0, Optional("ailment-\($0 + 1)"), #"{"id":\#($0),"name":"ailment-\#($0 + 1)"}"#) }
    add(ailments, to: "move-ailment")
    add(
      (1...3).map { ($0, nil, #"{"id":\#($0),"item":{"name":"tm0\#($0)","url":"/api/v2/item/\#($0)/"}}"#) },
      to: "machine")
    add((1...count).map { ($0, Optional(Self.name($0)), Self.pokemon($0)) }, to: "pokemon")
    for id in 1...count { documents[PokeAPIAddress("pokemon-encounters", id)] = Array("[]".utf8) }
    upstream = SimulatedPokeAPI(build: "build-1", lists: lists) { [documents] address in documents[address] }
  }

  var settings: PokeAPISettings {
    get { upstream.settings }
    set { upstream.settings = newValue }
  }

  func answer(_ request: SimulatedRequest) async -> SimulatedAnswer { await upstream.answer(request) }

  static let documents = 3 + 4 + 3
  static let streams = 5

  private static func name(_ id: Int) -> String { "monster-\(id)" }

  private static func type(_ id: Int, _ name: String) -> String {
    #"{"id":\#(id),"name":"\#(name)","damage_relations":{"double_damage_to":[]},"names":[]}"#
  }

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

extension Mirror {
  /// A digest of all rows and the transactions that wrote them. Equal digests mean that nothing was written.
  func pokeAPIRowVersions() async throws -> String {
    try await sql(
      "SELECT count(*), md5(string_agg(r.ctid::text || r.xmin, ' ' ORDER BY endpoint, id)) FROM pokeapi.resource r")
  }

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
  func documentRequests(after seen: Int = 0) -> [String: Int] {
    history.records.dropFirst(seen).reduce(into: [:]) { counts, record in
      let parts = record.path.split(separator: "/")
      guard parts.count >= 4 else { return }
      counts[parts.dropFirst(2).joined(separator: "/"), default: 0] += 1
    }
  }
}
