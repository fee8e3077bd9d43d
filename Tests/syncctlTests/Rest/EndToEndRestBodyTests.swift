import Foundation
import PostgresTestKit
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// Requests whose bodies, headers and paths depend on the list and on the run.
  @Suite struct DeclaredBodies {
    private static func declaration(at address: String) -> String {
      """
      sources:
        shop:
          type: rest_api
          rate_limits: none
          client: { base_url: \(address), paginator: single_page, headers: { X-Kind: plain } }
          resource_defaults: { primary_key: id, endpoint: { data_selector: data } }
          resources:
            - { name: stores, endpoint: "stores/{city}", values: { city: [taipei, berlin] }, columns: { name: text } }
            - name: orders
              include_from_parent: [name]
              endpoint:
                path: graphql
                method: POST
                idempotent: true
                headers: { x-kind: orders }
                json:
                  query: 'query($store: Int!) { orders(store: $store, where: "{resources.stores.city}") { id today } }'
                  variables:
                    store: "{resources.stores.id}"
                    period: ["{today - 7d}", { value: "{today}", format: epoch }]
            - { name: lines, endpoint: "lines/{resources.orders._stores_name}/{resources.orders.id}" }
      """
    }

    private struct Body: Decodable {
      struct Variables: Decodable {
        let store: Int
        let period: Period
      }
      /// A day, and a number of seconds.
      struct Period: Decodable {
        let start: String
        let end: Int

        init(from decoder: any Decoder) throws {
          var elements = try decoder.unkeyedContainer()
          start = try elements.decode(String.self)
          end = try elements.decode(Int.self)
        }
      }
      let query: String
      let variables: Variables
    }

    private static func body(_ request: SimulatedRequest) throws -> Body {
      try JSONDecoder().decode(Body.self, from: Data(request.body))
    }

    private static func list(_ items: [String]) -> SimulatedAnswer {
      .json("{\"data\": [\(items.joined(separator: ","))]}")
    }

    @Test("a child's body has members of its parent, the name of the parent's list, and dates; a header is its own")
    func children() async throws {
      let api = PagedAPI([])
      api.hook = { request, _ in
        switch request.path {
        case "/stores/berlin": return Self.list([#"{"id": 1, "name": "a/b"}"#, #"{"id": 2, "name": "c"}"#])
        // The first list of the store 2 is that of Berlin.
        case "/stores/taipei": return Self.list([#"{"id": 2, "name": "c"}"#, #"{"id": 3, "name": "d"}"#])
        case "/graphql":
          guard let store = try? Self.body(request).variables.store else { return .json("{}", status: 400) }
          // The order 30 belongs to the stores 2 and 3.
          return Self.list((store == 1 ? [10] : [store * 10, 30]).map { "{\"id\": \($0)}" })
        default: return Self.list(["{\"id\": \(request.path.utf8.reduce(7) { ($0 * 31 + Int($1)) % 1_000_003 })}"])
        }
      }
      try await Mirror.withShop(api, isMigrated: false) { mirror, address in
        _ = try mirror.home.write(Self.declaration(at: address), to: "syncctl.yaml")
        try await mirror.asOwner.succeed("migrate")
        let checked = try await mirror.succeed("source", "check", "shop")
        #expect(checked.standardOutput.contains("lines: 1 item in \(address)/lines/d/30"), "\(checked.standardOutput)")
        api.forget()

        let before = Int(Date().timeIntervalSince1970) / 86_400
        let runs = try mirror.runs(await mirror.succeed("run", "--source", "shop", "--format", "json"))
        let after = Int(Date().timeIntervalSince1970) / 86_400
        #expect(runs["orders"]?["status"] == .string("unproven") || runs["orders"]?["status"] == .string("complete"))

        let posts = api.requests.filter { $0.path == "/graphql" }
        let bodies = try posts.map(Self.body)
        #expect(bodies.map(\.variables.store) == [1, 2, 3])
        #expect(
          bodies.map(\.query)
            == ["berlin", "berlin", "taipei"].map { city in
              "query($store: Int!) { orders(store: $store, where: \"\(city)\") { id today } }"
            })
        #expect(posts.allSatisfy { $0.header("X-Kind") == "orders" })
        #expect(api.requests.filter { $0.method == "GET" }.allSatisfy { $0.header("X-Kind") == "plain" })
        for period in bodies.map(\.variables.period) {
          let day = period.end / 86_400
          #expect(period.end % 86_400 == 0 && (before...after).contains(day))
          let start = Date(timeIntervalSince1970: Double((day - 7) * 86_400))
          #expect(period.start == start.ISO8601Format(.iso8601.year().month().day()))
        }

        #expect(
          try await mirror.sql(
            "SELECT string_agg(list || ':' || syncctl_key, ' ' ORDER BY list, position) FROM shop.orders_list")
            == "1:10 2:20 2:30 3:30")
        // A member of the grandparent is that of the item's first list.
        let lines = Set(api.requests.map(\.path).filter { $0.hasPrefix("/lines/") })
        #expect(lines == ["/lines/a/b/10", "/lines/c/20", "/lines/c/30"])
      }
    }
  }
}
