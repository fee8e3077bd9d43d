import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct DeclaredIncrements {
    private static let pagings = PagedAPI.Paging.allCases
    private static let cursor = "SELECT cursor #>> '{}' FROM sync.declared_resource"

    private static func shop(
      _ paging: PagedAPI.Paging, _ more: String = "lag: 5s", cursor: String = "updated_at"
    ) -> Shop {
      let members = ["cursor_path: \(cursor)", "start_param: since"] + (more.isEmpty ? [] : [more])
      return Shop(
        paging: paging, resource: [Shop.lookup, Shop.counters, "incremental: { \(members.joined(separator: ", ")) }"])
    }

    private static func time(_ second: Int) -> String { "2026-01-01T00:00:\(second < 10 ? "0" : "")\(second)Z" }

    private static func age(_ mirror: Mirror) async throws {
      _ = try await mirror.sql("UPDATE sync.publication SET published_at = published_at - interval '8 days'")
    }

    @Test("runs request what changed, until the next walk of everything", arguments: PagedAPI.Paging.some)
    func increments(paging: PagedAPI.Paging) async throws {
      let api = PagedAPI(.products(1...20))
      try await Mirror.withShop(api, Self.shop(paging)) { mirror, _ in
        try await mirror.onlyRun(stream: "products").expect(["inserted": 20])
        #expect(api.lists.allSatisfy { $0.parameters["since"] == nil }, "\(api.lists)")
        #expect(try await mirror.sql(Self.cursor) == Self.time(20))

        api.forget()
        api.items[2] = .product(3, title: "Third", second: 30)
        api.items.removeAll { ["1", "18"].contains($0.key) }
        let run = try await mirror.onlyRun(stream: "products")
        #expect(api.lists.allSatisfy { $0.parameters["since"] == Self.time(15) }, "\(api.lists)")
        try run.expect(["rows_seen": 6, "updated": 1, "unchanged": 5, "vanished": 0])
        #expect(try await mirror.sql(Self.cursor) == Self.time(30))
        #expect(try await mirror.vanished() == "" && api.lookups.isEmpty)
        #expect(try await mirror.listed().split(separator: " ").count == 20)

        api.forget()
        try await mirror.onlyRun(stream: "products").expect(["rows_seen": 1, "unchanged": 1])
        #expect(api.lists.first?.parameters["since"] == Self.time(25))

        try await Self.age(mirror)
        api.forget()
        try await mirror.onlyRun(stream: "products").expect(["rows_seen": 18, "vanished": 2])
        #expect(api.lists.allSatisfy { $0.parameters["since"] == nil }, "\(api.lists)")
        #expect(try await mirror.vanished() == "1 18")
        #expect(try await mirror.sql(Self.cursor) == Self.time(30))
        try await mirror.succeed("verify", "--source", "shop")
      }
    }

    @Test("only a walk that reached the end moves the cursor", arguments: PagedAPI.Paging.some.filter { $0 != .single })
    func stopped(paging: PagedAPI.Paging) async throws {
      let (api, gate) = (PagedAPI(.products(1...20)), Gate())
      try await Mirror.withShop(api, Self.shop(paging)) { mirror, _ in
        defer { gate.open() }
        try await mirror.walk("--max-pages", "2")
        #expect(try await mirror.sql(Self.cursor) == "")
        try await mirror.onlyRun(stream: "products")
        #expect(try await mirror.sql(Self.cursor) == Self.time(20))

        for id in 1...10 { api.items[id - 1] = .product(id, title: "New \(id)", second: 40 + id) }
        api.forget()
        api.wait(from: 3, at: gate)
        try await mirror.killWalk(after: 2, at: gate)
        #expect(try await mirror.sql(Self.cursor) == Self.time(20))
        let place = api.lists.last?.target
        api.forget()
        gate.open()
        try await mirror.onlyRun(stream: "products")
        #expect(api.lists.first?.target == place && place?.contains("since=") == true, "\(api.lists)")
        #expect(try await mirror.sql(Self.cursor) == Self.time(50))
        #expect(try await mirror.sql("SELECT count(*) FROM shop.products WHERE title LIKE 'New %'") == "10")
      }
    }

    @Test("--full and full_every walk everything")
    func full() async throws {
      let api = PagedAPI(.products(1...7))
      try await Mirror.withShop(api, Self.shop(.pages, "full_every: 1s")) { mirror, _ in
        for arguments in [[], ["--full"], []] {
          api.forget()
          if arguments.isEmpty { try await Self.age(mirror) }
          let result = try await mirror.succeed(["run", "--stream", "products", "--format", "json"] + arguments)
          #expect(try mirror.runs(result)["products"]?["rows_seen"]?.int == 7)
          #expect(api.lists.allSatisfy { $0.parameters["since"] == nil }, "\(api.lists)")
        }
      }
    }

    @Test(
      "the first run after a change of the request walks everything", arguments: ["params", "cursor_path", "base_url"])
    func changed(_ what: String) async throws {
      // The new cursor is smaller than the old one.
      let api = PagedAPI((1...7).map { PagedAPI.Item.product($0, extra: #", "made": "2025-01-01T00:00:0\#($0)Z""#) })
      let (cursor, year) = what == "cursor_path" ? ("made", 2025) : ("updated_at", 2026)
      try await Mirror.withShop(api, Self.shop(.pages)) { mirror, address in
        try await SimulatorServer.withServer(api) { other in
          try await mirror.onlyRun(stream: "products")
          var shop = Self.shop(.pages, cursor: cursor)
          if what == "params" { shop.limit = 4 }
          try mirror.declare(shop, at: what == "base_url" ? other.baseURL : address)
          api.forget()
          let (run, said) = try await mirror.walk("--adopt-origin")
          #expect(run["status"] == .string("complete") && run["rows_seen"]?.int == 7, "\(run), \(said)")
          #expect(api.lists.allSatisfy { $0.parameters["since"] == nil }, "\(api.lists)")
          #expect(try await mirror.sql(Self.cursor) == "\(year)-01-01T00:00:07Z")
          api.forget()
          try await mirror.onlyRun(stream: "products")
          let since = api.lists.map { $0.parameters["since"] }
          #expect(Set(since) == ["\(year)-01-01T00:00:02Z"], "\(api.lists)")
        }
      }
    }

    @Test("an inconsistent walk of everything does not count as one", arguments: pagings.filter(\.isChain))
    func inconsistent(paging: PagedAPI.Paging) async throws {
      let api = PagedAPI(.products(1...12))
      try await Mirror.withShop(api, Self.shop(paging)) { mirror, _ in
        for id in [13, 14] {
          let cursor = try await mirror.sql(Self.cursor)
          api.forget()
          api.change(before: 2) { api in
            api.items.removeLast()
            api.items.insert(.product(id), at: 0)
          }
          let (run, said) = try await mirror.walk("--full")
          #expect(run["status"] == .string("inconsistent"), "\(run), \(said)")
          #expect(try await mirror.sql(Self.cursor) == cursor)
          for since in [nil, Self.time(id - 5)] {
            api.forget()
            try await mirror.onlyRun(stream: "products")
            #expect(Set(api.lists.map { $0.parameters["since"] }) == [since], "\(api.lists)")
            #expect(try await mirror.sql(Self.cursor) == Self.time(id))
          }
        }
      }
    }

    @Test("an increment whose first page is a 404 fails and changes nothing", arguments: PagedAPI.Paging.some)
    func missingList(paging: PagedAPI.Paging) async throws {
      let api = PagedAPI(.products(1...7))
      try await Mirror.withShop(api, Self.shop(paging)) { mirror, _ in
        try await mirror.onlyRun(stream: "products")
        api.items.removeFirst()
        api.forget()
        api.hook = { _, _ in SimulatedAnswer(status: 404) }
        let (run, said) = try await mirror.walk(exit: 69)
        #expect(run["status"] == .string("failed"), "\(run), \(said)")
        #expect(Set(api.lists.map { $0.parameters["since"] }) == [Self.time(2)], "\(api.lists)")
        #expect(try await mirror.sql(Self.cursor) == Self.time(7))
        #expect(try await mirror.vanished() == "" && api.lookups.isEmpty)
        #expect(try await mirror.listed() == "1 2 3 4 5 6 7")
        api.forget()
        api.hook = nil
        try await mirror.onlyRun(stream: "products").expect(["rows_seen": 6, "vanished": 0])
        #expect(Set(api.lists.map { $0.parameters["since"] }) == [Self.time(2)], "\(api.lists)")
      }
    }

    @Test("an item from the future does not move the cursor past the others")
    func future() async throws {
      let api = PagedAPI(.products(1...7))
      let future = "2999-01-01T00:00:00Z"
      api.items[2].json = api.items[2].json.replacing(Self.time(3), with: future)
      api.items[2].updated = future
      try await Mirror.withShop(api, Self.shop(.pages)) { mirror, _ in
        try await mirror.onlyRun(stream: "products")
        #expect(try await mirror.sql(Self.cursor) == Self.time(7))
        api.items[0] = .product(1, title: "First", second: 30)
        try await mirror.onlyRun(stream: "products").expect(["rows_seen": 7, "updated": 1])
        #expect(try await mirror.sql(Self.cursor) == Self.time(30))
        try await mirror.onlyRun(stream: "products").expect(["rows_seen": 2])
      }
    }

    @Test("a walk of everything begins at initial_value, and a cursor can be a number")
    func initialValue() async throws {
      let api = PagedAPI(.products(1...7))
      for index in 0..<7 { api.items[index].updated = "\(101 + index)" }
      var shop = Self.shop(.cursor)
      shop.resource[2] = #"incremental: { cursor_path: version, start_param: since, initial_value: "100", lag: 2s }"#
      for index in 0..<7 {
        let version = #""version": \#(101 + index), "tags""#
        api.items[index].json = api.items[index].json.replacing(#""tags""#, with: version)
      }
      try await Mirror.withShop(api, shop) { mirror, _ in
        for (since, cursor) in [("100", "102"), ("100", "106"), ("104", "106"), ("104", "106")] {
          api.forget()
          try await mirror.onlyRun(stream: "products")
          #expect(api.lists.allSatisfy { $0.parameters["since"] == since }, "\(api.lists)")
          #expect(try await mirror.sql(Self.cursor) == cursor)
        }
      }
    }

    private static func numbered(_ id: Int, _ version: Int, title: String? = nil) -> PagedAPI.Item {
      var item = PagedAPI.Item.product(id, title: title, extra: #", "version": \#(version)"#)
      item.updated = "\(version)"
      return item
    }

    @Test("the next run requests what changed while numbers were read", arguments: PagedAPI.Paging.some)
    func changeDuringNumbers(paging: PagedAPI.Paging) async throws {
      let api = PagedAPI((1...9).map { Self.numbered($0, 100 + $0) })
      try await Mirror.withShop(api, Self.shop(paging, "", cursor: "version")) { mirror, _ in
        for (run, versions) in [(110, 111), (112, 113)].enumerated() {
          api.forget()
          api.change(before: 3) { api in
            api.items[0] = Self.numbered(1, versions.0, title: "First \(run)")
            // The walk reads this item afterwards.
            api.items[7] = Self.numbered(8, versions.1)
          }
          try await mirror.onlyRun(stream: "products")
        }
        api.forget()
        try await mirror.onlyRun(stream: "products")
        #expect(api.lists.allSatisfy { $0.parameters["since"] != nil }, "\(api.lists)")
        #expect(try await mirror.sql("SELECT title FROM shop.products WHERE id = 1") == "First 1")
        try await mirror.onlyRun(stream: "products")
        api.forget()
        let settled = try await mirror.onlyRun(stream: "products")
        try settled.expect(["rows_seen": 2, "unchanged": 2])
        #expect(Set(api.lists.map { $0.parameters["since"] }) == ["112"], "\(api.lists)")
      }
    }

    /// Products whose member `updated_at` and whose answer to `since=` have another format.
    private static func products(_ count: Int, format: (String) -> String) -> [PagedAPI.Item] {
      (1...count).map { id in
        var item = PagedAPI.Item.product(id)
        let text = format(item.updated)
        item.json = item.json.replacing(item.updated, with: text)
        item.updated = text
        return item
      }
    }

    @Test("the lag keeps the format of the service, which compares texts")
    func lagKeepsFormat() async throws {
      let api = PagedAPI(Self.products(20) { $0.replacing("T", with: " ").replacing("Z", with: "") })
      try await Mirror.withShop(api, Self.shop(.pages)) { mirror, _ in
        try await mirror.onlyRun(stream: "products")
        try await mirror.succeed("source", "check", "shop")
        api.forget()
        try await mirror.onlyRun(stream: "products").expect(["rows_seen": 6])
        #expect(Set(api.lists.map { $0.parameters["since"] }) == ["2026-01-01 00:00:15"], "\(api.lists)")
      }
    }

    @Test("a lag that the cursor's format does not allow is an error of check and of run")
    func lagOfAnotherFormat() async throws {
      let api = PagedAPI(Self.products(7) { "10/01/2025 " + $0.suffix(9) })
      try await Mirror.withShop(api, Self.shop(.pages)) { mirror, _ in
        let checked = try await mirror.syncctl("source", "check", "shop")
        #expect(checked.end == .exit(69) && checked.standardOutput.contains("do not sort as texts"), "\(checked)")
        try await mirror.onlyRun(stream: "products")
        api.forget()
        let (_, said) = try await mirror.walk(exit: 78)
        #expect(said.contains("do not sort as texts") && said.contains("use another member"), "\(said)")
        #expect(api.lists.isEmpty, "\(api.lists)")
        try await mirror.walk("--full")
      }
      api.items = Self.products(7) { "token-" + $0.suffix(3) }
      try await Mirror.withShop(api, Self.shop(.pages)) { mirror, address in
        let checked = try await mirror.syncctl("source", "check", "shop")
        #expect(checked.end == .exit(69) && checked.standardOutput.contains("the lag cannot be"), "\(checked)")
        try await mirror.onlyRun(stream: "products")
        let (_, said) = try await mirror.walk(exit: 78)
        #expect(said.contains("the lag cannot be subtracted") && said.contains("remove lag"), "\(said)")
        // The remedy helps.
        try mirror.declare(Self.shop(.pages, ""), at: address)
        api.forget()
        try await mirror.onlyRun(stream: "products")
        #expect(api.lists.allSatisfy { $0.parameters["since"] != nil }, "\(api.lists)")
        try mirror.declare(Self.shop(.pages, "", cursor: "no_such_member"), at: address)
        let other = try await mirror.syncctl("source", "check", "shop")
        #expect(other.end == .exit(69) && other.standardOutput.contains("no item has the cursor"), "\(other)")
      }
    }

    @Test("an empty answer is a complete increment", arguments: PagedAPI.Paging.some)
    func nothingNew(paging: PagedAPI.Paging) async throws {
      let api = PagedAPI(.products(1...7))
      try await Mirror.withShop(api, Self.shop(paging, "")) { mirror, _ in
        try await mirror.onlyRun(stream: "products")
        api.items.removeLast()
        for total in [PagedAPI.Total.actual, .absent] {
          api.total = total
          let (run, said) = try await mirror.walk()
          #expect(run["status"] == .string("complete") && run["rows_seen"]?.int == 0, "\(run), \(said)")
          #expect(!said.contains("returned no items"), "\(said)")
          #expect(try await mirror.sql(Self.cursor) == Self.time(7))
          #expect(try await mirror.listed() == "1 2 3 4 5 6 7")
        }
        #expect(try await mirror.vanished() == "")
        try await mirror.succeed("health", "--source", "shop", "--max-age", "1h")
      }
    }

    @Test("a dry run of an increment writes nothing and moves no cursor")
    func dryRun() async throws {
      let api = PagedAPI(.products(1...7))
      try await Mirror.withShop(api, Self.shop(.next)) { mirror, _ in
        try await mirror.onlyRun(stream: "products")
        api.items[0] = .product(1, title: "First", second: 30)
        let (run, _) = try await mirror.walk("--dry-run")
        try run.expect(["rows_seen": 7, "updated": 1])
        #expect(try await mirror.sql(Self.cursor) == Self.time(7))
        try await mirror.onlyRun(stream: "products").expect(["updated": 1])
        #expect(try await mirror.sql(Self.cursor) == Self.time(30))
      }
    }
  }
}
