import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

enum PokeAPIFixture {
  /// Simulates 45 Pokémon, two items with one name, ailments from −1, machines without names, and the build `abc`.
  static func upstream() -> SimulatedPokeAPI {
    var lists: [String: [SimulatedPokeAPI.Row]] = [:]
    var documents: [PokeAPIAddress: [UInt8]] = [:]
    func add(_ endpoint: String, _ rows: [SimulatedPokeAPI.Row], _ member: String = "") {
      lists[endpoint] = rows
      for row in rows {
        let name = row.name.map { #","name":"\#($0)""# } ?? ""
        documents[PokeAPIAddress(endpoint, row.id)] = Array(#"{"id":\#(row.id)\#(name)\#(member)}"#.utf8)
      }
    }
    let member = #","types":[1,2,3,4,5,6,7,8],"sprites":{"other":{"home":1}},"text":"say \"/api/v2/\"","#
    add("pokemon", (1...45).map { ($0, "p\($0)") }, member + #""species":{"name":"s","url":"/api/v2/pokemon/1/"}"#)
    add("item", [(723, "roseli-berry"), (2279, "roseli-berry")])
    add("move-ailment", [(-1, "unknown"), (0, "none"), (24, "silence")])
    add("machine", [(1, nil), (2, nil)])
    documents[PokeAPIAddress("pokemon-encounters", 7)] = Array(
      #"[{"location_area":{"name":"a","url":"/api/v2/location-area/1/"}}]"#.utf8)
    return SimulatedPokeAPI(build: "abc", lists: lists) { [documents] address in documents[address] }
  }

  static func served<R>(_ body: (PokeAPIClient, SimulatedPokeAPI) async throws -> R) async throws -> R {
    let upstream = Self.upstream()
    return try await SimulatorServer.withServer(upstream) { server in
      try await body(PokeAPIClient(base: server.baseURL), upstream)
    }
  }
}

struct PokeAPIClient {
  let base: String

  struct Answer {
    var status: Int
    var headers: [AnyHashable: Any]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    func header(_ name: String) -> String? { headers[name] as? String }
    func json() throws -> JSONValue { try JSONValue(body) }
  }

  func get(_ path: String) async throws -> Answer {
    let url = try #require(URL(string: path.hasPrefix("http") ? path : base + path))
    let (data, response) = try await URLSession.shared.data(from: url)
    let answer = try #require(response as? HTTPURLResponse)
    return Answer(status: answer.statusCode, headers: answer.allHeaderFields, body: Array(data))
  }

  func list(_ path: String) async throws -> List {
    try JSONDecoder().decode(List.self, from: Data(try await get(path).body))
  }

  struct List: Decodable {
    struct Row: Decodable, Equatable {
      var name: String?
      var url: String
    }

    var count: Int
    var next: String?
    var previous: String?
    var results: [Row]
  }
}
