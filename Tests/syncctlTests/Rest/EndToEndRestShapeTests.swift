import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// Services whose items are not the elements of one list, or whose next page depends on the last item.
  @Suite struct DeclaredShapes {
    private static func declaration(_ resources: String, at address: String) -> String {
      """
      sources:
        shop:
          type: rest_api
          client: { base_url: \(address), paginator: single_page }
          resources:
      \(resources)
      """
    }

    private static let shapes = """
            - name: connection
              primary_key: id
              total_path: data.things.total
              endpoint: { data_selector: "data.things.edges[*].node" }
            - name: rates
              primary_key: code
              columns: { code: text, rate: numeric }
              endpoint: { data_selector: rates.* }
            - name: station
              primary_key: id
              columns: { name: text }
              endpoint: { data_selector: station }
            - name: events
              primary_key: "*"
              columns: { at: timestamptz, text: text }
              endpoint: { data_selector: events }
      """

    private static let bodies = [
      "/connection": """
      {"data": {"things": {"total": 3, "edges": [{"cursor": "a", "node": {"id": 3}}, {"cursor": "b", "node": {"id": 1}},
        {"node": {"id": 2}}]}}}
      """,
      "/rates":
        #"{"base": "EUR", "rates": {"USD": {"code": "USD", "rate": 1.1}, "CHF": {"code": "CHF", "rate": 0.9}}}"#,
      "/station": #"{"station": {"id": 7, "name": "Bern"}}"#,
      "/events": """
      {"events": [{"at": "2026-01-01T00:00:00Z", "text": "a"}, {"text": "a", "at": "2026-01-01T00:00:00Z"},
        {"at": "2026-01-02T00:00:00Z", "text": "b"}]}
      """,
    ]

    @Test("edges with nodes, a dictionary, one object, and items without a key")
    func shapes() async throws {
      let api = PagedAPI([])
      api.hook = { request, _ in .json(Self.bodies[request.path] ?? "{}") }
      try await Mirror.withShop(api, isMigrated: false) { mirror, address in
        _ = try mirror.home.write(Self.declaration(Self.shapes, at: address), to: "syncctl.yaml")
        try await mirror.asOwner.succeed("migrate")
        let first = try mirror.runs(await mirror.succeed("run", "--source", "shop", "--format", "json"))
        for name in ["connection", "rates", "station", "events"] {
          #expect(first[name]?["status"] == .string("complete"), "\(first)")
        }
        #expect(
          try await mirror.sql(
            "SELECT string_agg(id::text, ' ' ORDER BY position) FROM shop.connection JOIN shop.connection_list USING (syncctl_key)"
          ) == "3 1 2")
        #expect(
          try await mirror.sql("SELECT string_agg(code || rate, ' ' ORDER BY code) FROM shop.rates") == "CHF0.9 USD1.1")
        #expect(try await mirror.sql("SELECT id, name FROM shop.station") == "7|Bern")
        // Equal documents are one row.
        #expect(try await mirror.sql("SELECT string_agg(text, ' ' ORDER BY at) FROM shop.events") == "a b")
        let again = try mirror.runs(await mirror.succeed("run", "--full", "--source", "shop", "--format", "json"))
        for name in ["connection", "rates", "station", "events"] {
          #expect(again[name]?["inserted"]?.int == 0 && again[name]?["updated"]?.int == 0, "\(again)")
        }
        // Another document is another item. The row of the first one stays, and leaves the list.
        api.hook = { request, _ in .json(Self.bodies[request.path]?.replacing(#""b""#, with: #""c""#) ?? "{}") }
        try await mirror.succeed("run", "--source", "shop")
        #expect(try await mirror.sql("SELECT string_agg(text, ' ' ORDER BY text) FROM shop.events") == "a b c")
        #expect(
          try await mirror.sql(
            """
            SELECT string_agg(text, ' ' ORDER BY position) FROM shop.events JOIN shop.events_list USING (syncctl_key)
            """) == "a c")
        let checked = try await mirror.succeed("source", "check", "shop")
        #expect(checked.standardOutput.contains("some items are equal, and are stored once"))
        try await mirror.succeed("verify", "--source", "shop")
        _ = try await mirror.sql("UPDATE shop.events SET raw = jsonb_set(raw, '{text}', '\"x\"') WHERE text = 'c'")
        #expect(try await mirror.syncctl("verify", "--source", "shop").end == .exit(1))
        try await mirror.succeed("run", "--full", "--source", "shop")
        try await mirror.succeed("verify", "--source", "shop")
        #expect(try await mirror.sql("SELECT string_agg(text, ' ' ORDER BY text) FROM shop.events") == "a b c")
      }
    }

    @Test("GraphQL: the cursor is in the body, a stopped walk continues, and an unchanged page is recognized")
    func graphQL() async throws {
      let resource = """
            - name: things
              primary_key: id
              total_path: data.things.total
              endpoint:
                path: graphql
                method: POST
                idempotent: true
                json:
                  query: "query ($n: Int, $after: String) { things(first: $n, after: $after) { total } }"
                  variables: { n: 3, after: null }
                data_selector: "data.things.edges[*].node"
                paginator:
                  type: cursor
                  cursor_path: data.things.pageInfo.endCursor
                  has_more_path: data.things.pageInfo.hasNextPage
                  cursor_body_path: variables.after
        """
      struct Query: Decodable {
        struct Variables: Decodable {
          let n: Int
          let after: String?
        }
        let query: String
        let variables: Variables
      }
      let api = PagedAPI([])
      let items: PagedAPI.Hook = { request, _ in
        guard request.method == "POST", request.header("Content-Type") == "application/json",
          let query = try? JSONDecoder().decode(Query.self, from: Data(request.body))
        else { return .json("{}", status: 400) }
        let start = query.variables.after.flatMap { Int($0.dropFirst()) } ?? 0
        let end = min(20, start + query.variables.n)
        let edges = (start..<end).map { "{\"node\": {\"id\": \(100 - $0)}}" }.joined(separator: ", ")
        return .json(
          """
          {"data": {"things": {"total": 20, "edges": [\(edges)],
            "pageInfo": {"endCursor": "c\(end)", "hasNextPage": \(end < 20)}}}}
          """)
      }
      api.hook = items
      try await Mirror.withShop(api, isMigrated: false) { mirror, address in
        _ = try mirror.home.write(Self.declaration(resource, at: address), to: "syncctl.yaml")
        try await mirror.asOwner.succeed("migrate")
        try await mirror.succeed("run", "--source", "shop", "--max-pages", "2")
        api.forget()
        let first = try mirror.runs(await mirror.succeed("run", "--source", "shop", "--format", "json"))["things"]
        #expect(first?["status"] == .string("complete") && api.requests.count == 5, "\(String(describing: first))")
        #expect(try await mirror.sql("SELECT count(*), min(id), max(id) FROM shop.things") == "20|81|100")
        let again = try mirror.runs(
          await mirror.succeed("run", "--source", "shop", "--record", "recording", "--format", "json"))["things"]
        #expect(again?["identical"]?.int == 7, "\(String(describing: again))")
        _ = try await mirror.sql("TRUNCATE sync.walk, sync.run, sync.publication, shop.things CASCADE")
        api.hook = { _, _ in .json(#"{"errors": [{"message": "no such field"}], "data": null}"#) }
        try await mirror.reading(mirror.home.path + "/recording") { mirror in
          try await mirror.succeed("run", "--source", "shop", "--adopt-origin")
        }
        #expect(try await mirror.sql("SELECT count(*) FROM shop.things_list") == "20")
        let failed = try await mirror.syncctl("run", "--source", "shop", "--adopt-origin")
        #expect(failed.end == .exit(69) && failed.standardError.contains("no such field"), "\(failed.standardError)")
        #expect(try await mirror.sql("SELECT count(*) FROM shop.things_list") == "20")
      }
    }

    @Test("a list with computed dates is a window: its items leave it without a guard, and their rows stay")
    func window() async throws {
      let resource = """
            - name: days
              primary_key: id
              endpoint: { data_selector: data, params: { from: "{today - 7d}", to: { value: "{now}", format: epoch } } }
        """
      let api = PagedAPI([])
      api.hook = { _, count in
        let first = count == 1 ? 0 : 300
        return .json("{\"data\": [\((first..<first + 200).map { "{\"id\": \($0 + 1)}" }.joined(separator: ","))]}")
      }
      try await Mirror.withShop(api, isMigrated: false) { mirror, address in
        _ = try mirror.home.write(Self.declaration(resource, at: address), to: "syncctl.yaml")
        try await mirror.asOwner.succeed("migrate")
        let before = Int(Date().timeIntervalSince1970)
        try await mirror.succeed("run", "--source", "shop")
        let sent = try #require(api.requests.first)
        let to = try #require(sent.parameters["to"].flatMap { Int($0) })
        #expect(before <= to && to <= Int(Date().timeIntervalSince1970))
        let days = [before, to].map { moment in
          Date(timeIntervalSince1970: Double(moment - 7 * 86_400)).ISO8601Format(.iso8601.year().month().day())
        }
        #expect(days.contains(sent.parameters["from"] ?? ""), "\(sent.parameters)")
        try await mirror.succeed("run", "--source", "shop")
        #expect(try await mirror.sql("SELECT count(*), min(syncctl_key) FROM shop.days_list") == "200|301")
        #expect(try await mirror.sql("SELECT count(*), count(vanished_at) FROM shop.days") == "400|0")
        try await mirror.succeed("verify", "--source", "shop")
      }
    }

    @Test("a list that continues after the last item is proven by it, also if it was stopped and resumed")
    func lastItem() async throws {
      let ids = (1...20).map { "ch_\($0 * 37 % 41)" }
      let api = PagedAPI([])
      api.hook = { request, _ in
        let start = request.parameters["starting_after"].flatMap { ids.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        let page = ids[start...].prefix(3).map { "{\"id\": \"\($0)\"}" }.joined(separator: ", ")
        return .json("{\"has_more\": \(start + 3 < ids.count), \"data\": [\(page)]}")
      }
      let resource = """
              - name: charges
                primary_key: id
                columns: { id: text }
                endpoint:
                  data_selector: data
                  paginator:
                    { type: cursor, cursor_path: "data[-1].id", cursor_param: starting_after, has_more_path: has_more }
        """
      try await Mirror.withShop(api, isMigrated: false) { mirror, address in
        _ = try mirror.home.write(Self.declaration(resource, at: address), to: "syncctl.yaml")
        try await mirror.asOwner.succeed("migrate")
        try await mirror.succeed("run", "--source", "shop", "--max-pages", "2")
        api.forget()
        let result = try mirror.runs(await mirror.succeed("run", "--source", "shop", "--format", "json"))
        let run = try #require(result["charges"])
        #expect(run["status"] == .string("complete") && run["certificate"]?["evidence"] == .string("key"), "\(run)")
        #expect(api.requests.first?.parameters["starting_after"] == ids[5] && api.requests.count == 5)
        #expect(
          try await mirror.sql(
            """
            SELECT string_agg(id, ' ' ORDER BY position) FROM shop.charges JOIN shop.charges_list USING (syncctl_key)
            """) == ids.joined(separator: " "))
      }
    }
  }
}
