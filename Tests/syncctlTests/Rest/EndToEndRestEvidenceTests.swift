import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct DeclaredEvidence {
    private static let cursor = "SELECT cursor #>> '{}' FROM sync.declared_resource"
    private static let published = "SELECT consistent, entries FROM sync.publication"

    @Test(
      "a removal on a page that was already read, which nothing shows, never leads to a complete walk",
      arguments: [PagedAPI.Paging.pages, .link])
    func removals(paging: PagedAPI.Paging) async throws {
      let items = [PagedAPI.Item].products(1...12)
      let api = PagedAPI(items)
      api.total = .absent
      try await Mirror.withShop(api, Shop(paging: paging, resource: [Shop.counters])) { mirror, _ in
        for number in 0..<20 {
          api.items = items
          api.forget()
          let page = 2 + number % 3
          // The first item of the page moves to the page before it, which was already read.
          api.change(before: page) { $0.items.remove(at: number % (3 * (page - 1))) }
          let (run, said) = try await mirror.walk("--full")
          #expect(run["status"] == .string("unproven"), "\(number): \(run)")
          #expect(run["certificate"]?["evidence"] == .null && run["certificate"]?["unproven"] == .bool(true), "\(run)")
          // The list of numbered pages declares a total, which its pages lack.
          let remedy = paging == .pages ? "check total_path" : "declare total_path, or cursor: by_key"
          #expect(said.contains("nothing proves that no item was removed") && said.contains(remedy), "\(said)")
          let skipped = "\(3 * (page - 1) + 1)"
          let listed = try await mirror.listed().split(separator: " ")
          #expect(!listed.contains { $0 == skipped }, "\(number)")
        }
        #expect(try await mirror.sql(Self.published) == "t|11")
        let stream = try #require(try await mirror.rows("status", "--source", "shop").first)
        #expect(stream["last_run"] == .string("unproven") && stream["last_complete_at"] != .null, "\(stream)")
        let shown = try await mirror.succeed("runs", "show")
        #expect(shown.standardOutput.contains("unproven: the list"), "\(shown.standardOutput)")
      }
    }

    @Test("an increment of a header_link without a total sends its cursor in the second run")
    func increment() async throws {
      let api = PagedAPI(.products(1...12))
      let incremental = "incremental: { cursor_path: updated_at, start_param: since }"
      let shop = Shop(paging: .link, resource: [Shop.counters, incremental])
      try await Mirror.withShop(api, shop) { mirror, _ in
        let (first, _) = try await mirror.walk()
        #expect(first["status"] == .string("unproven"), "\(first)")
        let time = "2026-01-01T00:00:12Z"
        #expect(try await mirror.sql(Self.cursor) == time)
        api.forget()
        let (second, said) = try await mirror.walk()
        #expect(second["status"] == .string("complete") && second["rows_seen"]?.int == 1, "\(second)")
        #expect(Set(api.lists.map { $0.parameters["since"] }) == [time], "\(api.lists)")
        #expect(!said.contains("nothing proves"), "an increment proves nothing about missing items: \(said)")
      }
    }

    @Test("a lookup that finds an item of the previous list makes a walk without evidence inconsistent")
    func missed() async throws {
      let api = PagedAPI(.products(1...12))
      try await Mirror.withShop(api, Shop(paging: .link)) { mirror, _ in
        let (first, _) = try await mirror.walk()
        #expect(first["status"] == .string("unproven"), "\(first)")
        api.forget()
        api.change(before: 3) { $0.items.removeFirst() }
        let (run, said) = try await mirror.walk()
        #expect(run["status"] == .string("inconsistent") && run["certificate"]?["missed"]?.int == 1, "\(run)")
        #expect(said.contains("1 item of the previous list, which the walk did not see, still exists"), "\(said)")
        // The removed item is only requested as a control, because the walk met it.
        #expect(api.lookups == ["1", "12", "7"])
        #expect(try await mirror.vanished() == "")
        #expect(try await mirror.sql(Self.published) == "f|11")
        // Now the list is still. The removed item is missing for the first time, and its own address proves it.
        let (next, _) = try await mirror.walk()
        #expect(next["status"] == .string("unproven") && next["vanished"]?.int == 1, "\(next)")
        #expect(try await mirror.vanished() == "1")
        #expect(try await mirror.sql(Self.published) == "t|11")
        // A document without its key cannot be looked up. The other missing item is still judged.
        _ = try await mirror.sql("UPDATE shop.products SET raw = raw - 'id' WHERE syncctl_key = 2")
        api.items.removeFirst(2)
        try await mirror.walk()
        #expect(try await mirror.vanished() == "1 3")
      }
    }

    @Test("a chain that continues after the last item's key is complete, also if it was stopped and resumed")
    func keys() async throws {
      let ids = [3, 7, 19, 21, 40, 41, 45, 70, 71, 99, 120, 150]
      let api = PagedAPI(ids.map { .product($0) })
      api.nextAddress = { address in
        let place = address.split(separator: ".").last.flatMap { Int($0) } ?? 0
        return "\(address)&after=\(ids[place - 1])"
      }
      try await Mirror.withShop(api, Shop(paging: .link)) { mirror, _ in
        try await mirror.walk("--max-pages", "3")
        let (run, _) = try await mirror.walk()
        #expect(run["status"] == .string("complete") && run["certificate"]?["evidence"] == .string("key"), "\(run)")
        #expect(
          try await mirror.sql("SELECT string_agg(next_key, ' ' ORDER BY page) FROM sync.walk_page") == "19 41 71")
      }
    }
  }
}
