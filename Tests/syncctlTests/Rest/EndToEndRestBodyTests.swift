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
            - name: lines
              endpoint: "lines/{resources.orders._stores_name}/{resources.orders.id}"
              refresh: changed
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

    /// The lists of the service, where the first store has this name.
    private static func answers(firstStore: String) -> PagedAPI.Hook {
      { request, _ in
        let items: [String]
        switch request.path {
        case "/stores/berlin": items = [#"{"id": 1, "name": "\#(firstStore)"}"#, #"{"id": 2, "name": "c"}"#]
        case "/stores/taipei": items = [#"{"id": 2, "name": "c"}"#, #"{"id": 3, "name": "d"}"#]
        case "/graphql":
          guard let store = try? body(request).variables.store else { return .json("{}", status: 400) }
          // The order 30 belongs to the stores 2 and 3.
          let orders = [1: [10], 2: [20, 30], 3: [30]][store] ?? []
          items = orders.map { "{\"id\": \($0)}" }
        default: items = [#"{"id": 7}"#]
        }
        return .json("{\"data\": [\(items.joined(separator: ","))]}")
      }
    }

    @Test("a child's body has members of its parent, the name of the parent's list, and dates; a header is its own")
    func children() async throws {
      let api = PagedAPI([])
      api.hook = Self.answers(firstStore: "a/b")
      try await Mirror.withShop(api, isMigrated: false) { mirror, address in
        _ = try mirror.home.write(Self.declaration(at: address), to: "syncctl.yaml")
        try await mirror.asOwner.succeed("migrate")
        let checked = try await mirror.succeed("source", "check", "shop")
        #expect(checked.standardOutput.contains("lines: 1 item in \(address)/lines/c/20"), "\(checked.standardOutput)")
        api.forget()

        let before = Int(Date().timeIntervalSince1970) / 86_400
        try await mirror.succeed("run", "--source", "shop")
        let after = Int(Date().timeIntervalSince1970) / 86_400

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
        // The store 2 and the order 30 are in two lists, of which the first counts.
        let lines = api.requests.map(\.path).filter { $0.hasPrefix("/lines/") }
        #expect(lines == ["/lines/a/b/10", "/lines/c/20", "/lines/c/30"])

        // The name of the store is part of the request for its orders' lines.
        api.forget()
        api.hook = Self.answers(firstStore: "z")
        try await mirror.succeed("run", "--source", "shop")
        #expect(api.requests.map(\.path).filter { $0.hasPrefix("/lines/") } == ["/lines/z/10"])
      }
    }
  }
}
