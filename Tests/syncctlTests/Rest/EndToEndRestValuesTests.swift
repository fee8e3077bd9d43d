import SyncTestKit
import Testing

extension EndToEnd {
  @Suite struct DeclaredValues {
    private static let cities = ["new york", "a/b", "q?x", "h#y", "50%", "東京", "%2F", "{0}", "+&="]

    /// The same lists with the values in the path and in a parameter.
    private static func resources(_ cities: [String], lookup: Bool = false) -> [String] {
      let values = "  values: { city: [\(cities.map { "\"\($0)\"" }.joined(separator: ", "))] }"
      func resource(_ name: String, _ endpoint: String) -> [String] {
        [
          "- name: \(name)", "  primary_key: id", "  columns: { id: text, city: text }",
          "  endpoint: { \(endpoint), paginator: single_page }", values,
        ]
      }
      return resource("weather", "path: \"weather/{city}\"") + (lookup ? ["  lookup: \"days/{id}\""] : [])
        + resource("forecast", "path: forecast, params: { city: \"{city}\" }")
    }

    private static func lists(_ mirror: Mirror, of resource: String = "weather") async throws -> String {
      try await mirror.sql(
        """
        SELECT string_agg(DISTINCT list, ',' ORDER BY list) FROM hub.\(resource)_list JOIN hub.\(resource)
        USING (syncctl_key) WHERE city = list AND id = list || '-' || position
        """)
    }

    @Test("values are encoded once, in the path and in parameters, and their lists are read in their order")
    func encoding() async throws {
      let api = ParentsAPI()
      try await Mirror.withHub(api, file: { Hub.file(Self.resources(Self.cities), at: $0) }) { mirror, address in
        let first = try await mirror.runHub().runs
        let encoded = [
          "new%20york", "a/b", "q%3Fx", "h%23y", "50%25", "%E6%9D%B1%E4%BA%AC", "%252F", "%7B0%7D", "%2B%26%3D",
        ]
        #expect(
          api.takeRequests() == encoded.map { "/weather/\($0)" } + encoded.map { "/forecast?city=\($0)" })
        for name in ["weather", "forecast"] {
          try first[name]?.expect(["inserted": 27])
          #expect(first[name]?["status"] == .string("complete"))
          #expect(try await Self.lists(mirror, of: name) == Self.cities.sorted().joined(separator: ","))
        }
        let before = try await mirror.rowVersions()
        let again = try await mirror.runHub().runs
        try again["weather"]?.expect(["unchanged": 27, "inserted": 0])
        #expect(try await mirror.rowVersions() == before)
        #expect(try await mirror.differences(exit: 0) == [])
      }
    }

    @Test(
      "the places of a removed value go, and its rows stay unless their own addresses answer 404",
      arguments: [false, true])
    func changed(hasLookup: Bool) async throws {
      let api = ParentsAPI()
      func file(_ cities: [String], _ address: String) -> String {
        Hub.file(Self.resources(cities, lookup: hasLookup), at: address)
      }
      try await Mirror.withHub(api, file: { file(["berlin", "oslo", "rome"], $0) }) { mirror, address in
        try await mirror.runHub()
        _ = api.takeRequests()
        _ = try mirror.home.write(file(["taipei", "rome"], address), to: "syncctl.yaml")
        api.lostCities = ["oslo"]
        let run = try #require(try await mirror.runHub("--stream", "weather").runs["weather"])
        try run.expect(["inserted": 3, "vanished": hasLookup ? 3 : 0])
        #expect(try await Self.lists(mirror) == "rome,taipei")
        let requests = api.takeRequests()
        #expect(requests.prefix(2) == ["/weather/taipei", "/weather/rome"])
        #expect(requests.count == 2 + (hasLookup ? 7 : 0), "\(requests)")
        #expect(
          try await mirror.sql("SELECT count(*), count(vanished_at) FROM hub.weather") == "12|\(hasLookup ? 3 : 0)")
        let vanished = "SELECT string_agg(DISTINCT city, ' ') FROM hub.weather WHERE vanished_at IS NOT NULL"
        #expect(try await mirror.sql(vanished) == (hasLookup ? "oslo" : ""))
        #expect(try await mirror.differences(exit: 0) == [])
      }
    }
  }
}
