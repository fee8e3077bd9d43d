import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct DeclaredActions {
    private static let actions = """
      response_actions: [{ status_code: 404, content: not yet, action: ignore }, \
      { path: error.code, equals: rate_limited, action: retry }, { path: error, action: fail }, \
      { status: 410, action: end }]
      """
    private static let notYet = #"{"message": "not yet"}"#

    private static func shop(_ paging: PagedAPI.Paging, resource: [String] = [Shop.lookup, Shop.counters]) -> Shop {
      Shop(paging: paging, endpoint: [actions], resource: resource)
    }

    /// Shops of each walk.
    private static let shops = [
      shop(.pages), shop(.cursor), shop(.single), shop(.offset, resource: [Shop.lookup, Shop.counters, "order: key"]),
    ]

    private static func age(_ mirror: Mirror) async throws {
      _ = try await mirror.sql(
        "UPDATE sync.stream_state SET last_complete_at = clock_timestamp() - interval '2 days'")
    }

    @Test(
      "an ignored page 1 changes nothing, proves no removal, is no failure and makes the stream fresh",
      arguments: shops)
    func ignored(shop: Shop) async throws {
      let api = PagedAPI(.products(1...7))
      try await Mirror.withShop(api, shop) { mirror, _ in
        try await mirror.walk()
        let lists = "SELECT string_agg(run_id::text || published_at::text, ' ') FROM sync.publication"
        let (goods, published) = (try await mirror.goods(), try await mirror.sql(lists))
        let lastRead = "SELECT last_complete_run_id FROM sync.stream_state"
        let run = try await mirror.sql(lastRead)
        try await Self.age(mirror)
        let health = ["health", "--source", "shop", "--max-age", "1h"]
        #expect(try await mirror.syncctl(health).end == .exit(1))

        api.forget()
        api.items.removeLast(2)
        api.hook = { _, _ in .json(Self.notYet, status: 404) }
        let planned = try await mirror.succeed("run", "--stream", "products", "--dry-run")
        #expect(planned.standardError.contains("would be partial"), "\(planned.standardError)")
        #expect(planned.standardError.contains("was ignored, as the declaration says"), "\(planned.standardError)")
        #expect(try await mirror.syncctl(health).end == .exit(1), "a dry run wrote something")

        let (report, said) = try await mirror.walk()
        #expect(report["status"] == .string("partial"), "\(report)")
        #expect(report["certificate"]?["ended_by"] == .string("ignored"), "\(report)")
        #expect(said.contains("was ignored, as the declaration says, so the published list stays as it is"), "\(said)")
        #expect(api.lists.count == 2 && api.lookups.isEmpty, "\(api.requests)")
        #expect(try await mirror.goods() == goods)
        #expect(try await mirror.sql(lists) == published)
        #expect(try await mirror.sql(lastRead) == run)
        #expect(try await mirror.vanished() == "")
        try await mirror.succeed(health)
        let checked = try await mirror.succeed("source", "check", "shop").standardOutput
        #expect(checked.contains("which response_actions[0] ignores: a run leaves the list as it is"), "\(checked)")

        api.hook = nil
        api.forget()
        let (next, _) = try await mirror.walk()
        #expect(next["status"] == .string("complete"), "\(next)")
        #expect(api.lists.first?.target == shop.firstPage)
      }
    }

    @Test(
      "an ignored page in the middle publishes nothing, and the message names the other action",
      arguments: shops.filter { $0.paging != .single })
    func ignoredLater(shop: Shop) async throws {
      let api = PagedAPI(.products(1...7))
      try await Mirror.withShop(api, shop) { mirror, _ in
        try await mirror.walk()
        let published = try await mirror.sql("SELECT run_id FROM sync.publication")
        api.forget()
        api.items[0] = .product(1, title: "Other")
        api.hook = { _, number in number == 2 ? .json(Self.notYet, status: 404) : nil }
        let (report, said) = try await mirror.walk()
        #expect(report["certificate"]?["ended_by"] == .string("ignored"), "\(report)")
        #expect(said.contains("if the list ends with this answer, declare action: end"), "\(said)")
        #expect(try await mirror.sql("SELECT run_id FROM sync.publication") == published)
        #expect(try await mirror.sql("SELECT title FROM shop.products WHERE id = 1") == "Other")
        #expect(try await mirror.vanished() == "" && api.lookups.isEmpty)
        #expect(try await mirror.sql("SELECT walk_id FROM sync.stream_state") == "", "the walk can be resumed")
      }
    }

    @Test("an ignored answer does not move the incremental cursor, and looks up nothing")
    func incremental() async throws {
      let api = PagedAPI(.products(1...20))
      let rules = "incremental: { cursor_path: updated_at, start_param: since, lag: 5s }"
      try await Mirror.withShop(api, Self.shop(.pages, resource: [Shop.lookup, Shop.counters, rules])) { mirror, _ in
        let cursor = "SELECT cursor #>> '{}' FROM sync.declared_resource"
        try await mirror.walk()
        let before = try await mirror.sql(cursor)
        api.items[2] = .product(3, title: "Third", second: 50)
        api.hook = { request, _ in
          request.parameters["page"] == "2" ? .json(Self.notYet, status: 404) : nil
        }
        #expect(try await mirror.walk().report["certificate"]?["ended_by"] == .string("ignored"))
        #expect(try await mirror.sql(cursor) == before)
        api.hook = nil
        try await mirror.walk().report.expect(["rows_seen": 7, "unchanged": 7])
        #expect(try await mirror.sql(cursor) != before && api.lookups.isEmpty)
      }
    }

    @Test("a declared error fails with its text, a declared retry is sent again, and a declared end publishes the list")
    func others() async throws {
      let api = PagedAPI(.products(1...7))
      api.total = .absent
      try await Mirror.withShop(api, Self.shop(.pages)) { mirror, _ in
        api.hook = { _, number in number == 2 ? .json(#"{"error": "no rights", "data": []}"#) : nil }
        let (failed, said) = try await mirror.walk(exit: 69)
        #expect(failed["status"] == .string("failed"), "\(failed)")
        #expect(said.contains("no rights") && said.contains("response_actions[2] of products"), "\(said)")
        let checked = try await mirror.succeed("source", "check", "shop").standardOutput
        #expect(checked.contains("the keys are unique"), "\(checked)")

        api.forget()
        api.hook = { _, number in
          switch number {
          case 1: .json(#"{"error": {"code": "rate_limited"}}"#)
          case 4: .json(#"{"message": "no more"}"#, status: 410)
          default: nil
          }
        }
        let (ended, _) = try await mirror.walk("--full")
        #expect(ended["retries"]?.int == 1 && ended["certificate"]?["ended_by"] == .string("empty_page"), "\(ended)")
        #expect(try await mirror.listed() == "1 2 3 4 5 6")

        api.hook = { _, _ in .json("{}", status: 410) }
        let empty = try await mirror.syncctl("source", "check", "shop")
        #expect(empty.end == .exit(0), "\(empty.standardOutput)")
        #expect(empty.standardOutput.contains("response_actions[3] declares as the end"), "\(empty.standardOutput)")
        let (none, _) = try await mirror.walk()
        #expect(none["certificate"]?["ended_by"] == .string("empty_page"), "\(none)")
        #expect(try await mirror.sql("SELECT count(*) FROM shop.products_list") == "0")
      }
    }

    @Test("one ignored list of several keeps its places and items, and the run is complete")
    func severalLists() async throws {
      let api = PagedAPI()
      // The item that stays has an address. An item of the ignored list has none, so a lookup would remove it.
      api.unlisted = [.product(1)]
      api.hook = { request, _ in
        let id = request.parameters["city"] == "berlin" ? 1 : 11
        return .json(#"{"meta": {"total": 2}, "data": [{"id": \#(id)}, {"id": \#(id + 1)}]}"#)
      }
      try await Mirror.with(api, start: .migrated) { mirror, server in
        _ = try mirror.home.write(
          """
          sources:
            shop:
              type: rest_api
              client: { base_url: \(server.baseURL) }
              resources:
                - name: products
                  primary_key: id
                  values: { city: [berlin, taipei] }
                  total_path: meta.total
                  lookup: items/{id}
                  endpoint:
                    path: pages
                    params: { city: "{city}" }
                    data_selector: data
                    paginator: single_page
                    \(Self.actions)
          """, to: "syncctl.yaml")
        try await mirror.asOwner.succeed("migrate")
        #expect(try await mirror.walk().report["status"] == .string("complete"))
        let places = "SELECT string_agg(syncctl_key::text, ' ' ORDER BY syncctl_key) FROM shop.products_list"
        #expect(try await mirror.sql(places) == "1 2 11 12")

        api.forget()
        api.hook = { request, _ in
          request.parameters["city"] == "berlin"
            ? .json(#"{"meta": {"total": 1}, "data": [{"id": 1}]}"#) : .json(Self.notYet, status: 404)
        }
        let (run, _) = try await mirror.walk()
        #expect(run["status"] == .string("complete") && run["certificate"]?["ended_by"] == .string("lists"), "\(run)")
        #expect(run["certificate"]?["lists"]?["ignored"]?.int == 1, "\(run)")
        #expect(try await mirror.sql(places) == "1 11 12")
        #expect(Set(api.lookups) == ["1", "2"], "\(api.lookups)")
        #expect(try await mirror.vanished() == "2")
      }
    }

    @Test("a recording has the ignored answer, and a run that reads it ends in the same way")
    func recorded() async throws {
      let api = PagedAPI(.products(1...7))
      api.hook = { _, number in number == 2 ? .json(Self.notYet, status: 404) : nil }
      let (recorded, copy) = (try await Mirror.make(), try await Mirror.make())
      let folder = recorded.home.path + "/recording"
      try await SimulatorServer.withServer(api) { server in
        for mirror in [recorded, copy] {
          try mirror.declare(Self.shop(.next), at: server.baseURL)
          try await mirror.asOwner.succeed("migrate")
        }
        let (report, _) = try await recorded.walk("--full", "--record", folder)
        #expect(report["certificate"]?["ended_by"] == .string("ignored"), "\(report)")
      }
      let goods = try await recorded.goods()
      #expect(goods.contains("products|3|"), "\(goods)")
      try await copy.reading(folder) { mirror in
        let (report, _) = try await mirror.walk("--full")
        #expect(report["certificate"]?["ended_by"] == .string("ignored"), "\(report)")
        #expect(try await copy.goods() == goods)
      }
    }

    @Test("a pause that the service demands is obeyed although an action fits its answer")
    func pauses() async throws {
      let api = PagedAPI(.products(1...4))
      api.hook = { _, number in
        number == 1 ? .json(Self.notYet, status: 404, headers: [HeaderField("Retry-After", "1")]) : nil
      }
      try await Mirror.withShop(api, Self.shop(.pages)) { mirror, _ in
        // Without the pause, the 404 would be ignored.
        let (report, _) = try await mirror.walk(exit: 69)
        #expect(report["status"] == .string("failed"), "\(report)")
      }
    }
  }
}
