import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct DeclaredWalks {
    private static let pagings = PagedAPI.Paging.allCases
    private static let severalPages = pagings.filter { $0 != .single }
    private static let chains = pagings.filter(\.isChain)

    @Test("a killed walk continues at the stored place, and each item has one row", arguments: Shop.all)
    func kill(shop: Shop) async throws {
      let (api, gate) = (PagedAPI(.products(1...12)), Gate())
      let pages = shop.paging == .single ? 0 : 2
      api.wait(from: pages + 1, at: gate)
      try await Mirror.withShop(api, shop) { mirror, _ in
        defer { gate.open() }
        try await mirror.killWalk(after: pages, at: gate)
        let place = api.lists.last?.target
        #expect(api.lists.count == pages + 1)
        api.forget()
        gate.open()
        let run = try await mirror.onlyRun(stream: "products")
        #expect(api.lists.first?.target == place)
        if shop.paging != .single { #expect(!api.lists.contains { $0.target == shop.firstPage }) }
        if !shop.isOrdered {
          #expect(run["pages"]?.int == (shop.paging == .single ? 1 : 2))
          #expect(try await mirror.listed() == (1...12).map { "\($0)" }.joined(separator: " "))
        }
        #expect(
          try await mirror.sql("SELECT count(*), count(DISTINCT id), sum(id) FROM shop.products") == "12|12|78")
      }
    }

    @Test(
      "a list that changes during the walk is read again",
      arguments: [PagedAPI.Paging.pages, .offset], ["removal", "insertion"])
    func drift(paging: PagedAPI.Paging, change: String) async throws {
      let api = PagedAPI(.products(1...12))
      let isRemoval = change == "removal"
      api.change(before: 2) { api in
        if isRemoval { api.items.removeFirst() } else { api.items.insert(.product(13), at: 0) }
      }
      try await Mirror.withShop(api, Shop(paging: paging)) { mirror, _ in
        let run = try await mirror.onlyRun(stream: "products")
        let proof = try #require(run["certificate"])
        #expect(try #require(proof["drift"]?.int) > 0 && #require(proof["rewalked"]?.int) > 0, "\(proof)")
        let ids = (isRemoval ? Array(2...12) : [13] + Array(1...12)).map { "\($0)" }
        #expect(try await mirror.listed() == ids.joined(separator: " "))
        // The first reading still met the removed item, so only the next walk proves the removal.
        try await mirror.onlyRun(stream: "products").expect(["vanished": isRemoval ? 1 : 0])
      }
    }

    @Test("an item that moves to a later page of a chain makes the walk inconsistent", arguments: chains)
    func chainDrift(paging: PagedAPI.Paging) async throws {
      let api = PagedAPI(.products(1...12))
      try await Mirror.withShop(api, Shop(paging: paging)) { mirror, _ in
        try await mirror.onlyRun(stream: "products")
        api.forget()
        api.change(before: 2) { api in
          api.items.removeLast()
          api.items.insert(.product(13), at: 0)
        }
        let (run, said) = try await mirror.walk()
        #expect(run["status"] == .string("inconsistent") && run["certificate"]?["repeats"]?.int == 1, "\(run)")
        #expect(said.contains("flagged as inconsistent"), "\(said)")
        #expect(try await mirror.sql("SELECT consistent FROM sync.publication") == "f")
        #expect(try await mirror.vanished() == "" && api.lookups.isEmpty)
        try await mirror.onlyRun(stream: "products").expect(["inserted": 1, "vanished": 1])
        #expect(try await mirror.listed() == "13 1 2 3 4 5 6 7 8 9 10 11")
        #expect(try await mirror.sql("SELECT consistent FROM sync.publication") == "t")
      }
    }

    @Test(
      "a list that claims more items than it has is not complete, and proves no removal",
      arguments: severalPages.filter(\.hasTotal))
    func lyingTotal(paging: PagedAPI.Paging) async throws {
      let api = PagedAPI(.products(1...12))
      try await Mirror.withShop(api, Shop(paging: paging)) { mirror, _ in
        try await mirror.onlyRun(stream: "products")
        api.items.removeLast()
        api.total = .claimed(1000)
        let (run, said) = try await mirror.walk()
        #expect(run["status"] == .string("inconsistent") && run["certificate"]?["complete"] == .bool(false), "\(run)")
        #expect(run["certificate"]?["claimed_total"]?.int == 1000)
        #expect(said.contains("989 of the claimed items were not seen"), "\(said)")
        #expect(try await mirror.vanished() == "" && api.lookups.isEmpty)
        let status = try #require(try await mirror.rows("status", "--source", "shop").first)
        #expect(status["last_run"] == .string("inconsistent") && status["consistent"] == .bool(false), "\(status)")
        api.total = .actual
        try await mirror.onlyRun(stream: "products").expect(["vanished": 1])
      }
    }

    @Test("a list without an end is not published", arguments: severalPages)
    func endless(paging: PagedAPI.Paging) async throws {
      let api = PagedAPI(.products(1...12))
      api.isEndless = true
      try await Mirror.withShop(api, Shop(paging: paging)) { mirror, _ in
        let (run, said) = try await mirror.walk(exit: 1)
        #expect(run["status"] == .string("partial") && run["certificate"]?["ended_by"] == .string("loop"), "\(run)")
        #expect(said.contains("the list does not end"), "\(said)")
        #expect(api.lists.count < 40)
        #expect(try await mirror.sql("SELECT count(*) FROM shop.products") == "12")
        #expect(try await mirror.sql("SELECT count(*) FROM sync.publication") == "0")
      }
    }

    @Test("a page that names itself as the next page ends the walk", arguments: [PagedAPI.Paging.next, .link])
    func stuck(paging: PagedAPI.Paging) async throws {
      let api = PagedAPI(.products(1...12))
      api.nextAddress = { $0.replacing(/at=0\.[0-9]+/, with: "at=0.3") }
      try await Mirror.withShop(api, Shop(paging: paging)) { mirror, _ in
        let (run, _) = try await mirror.walk(exit: 1)
        #expect(run["certificate"]?["ended_by"] == .string("loop") && api.lists.count < 10, "\(run)")
      }
    }

    @Test("an item that the list has twice is stored once", arguments: pagings)
    func repeatedItem(paging: PagedAPI.Paging) async throws {
      let api = PagedAPI(.products(1...11))
      api.items.insert(.product(2), at: 7)
      api.total = .absent
      try await Mirror.withShop(api, Shop(paging: paging)) { mirror, _ in
        let status = paging == .single ? "complete" : "inconsistent"
        #expect(try await mirror.walk().report["status"] == .string(status))
        let counts = "SELECT (SELECT count(*) FROM shop.products), (SELECT count(*) FROM shop.products_list)"
        #expect(try await mirror.sql(counts) == "11|11")
        let again = try await mirror.walk().report
        #expect(again["status"] == .string(status), "\(again)")
        try again.expect(["inserted": 0, "updated": 0])
        #expect(try await mirror.sql(counts) == "11|11")
      }
    }

    @Test("an item whose address is a 404 has vanished; an item that only left the list stays", arguments: Shop.some)
    func removal(shop: Shop) async throws {
      let api = PagedAPI(.products(1...12))
      try await Mirror.withShop(api, shop) { mirror, _ in
        try await mirror.onlyRun(stream: "products")
        let removed = api.items.remove(at: 4)
        api.unlisted = [api.items.remove(at: 4)]
        api.forget()
        let run = try await mirror.onlyRun(stream: "products")
        try run.expect(["vanished": 1])
        #expect(api.lookups == ["1", "5", "6"], "an item of the list is looked up first")
        #expect(try await mirror.vanished() == "5")
        if !shop.isOrdered { #expect(try await mirror.listed() == "1 2 3 4 7 8 9 10 11 12") }
        try await mirror.onlyRun(stream: "products").expect(["vanished": 0])
        api.items.insert(removed, at: 4)
        try await mirror.onlyRun(stream: "products")
        #expect(try await mirror.vanished() == "")
        try await mirror.succeed("verify", "--source", "shop")
      }
    }

    @Test(
      "a lookup that does not find the items of the list proves no removal: the run publishes, and warns",
      arguments: [Shop(), Shop(paging: .next), Shop.catalogue])
    func wrongLookup(shop: Shop) async throws {
      let api = PagedAPI(.products(1...12))
      var wrong = shop
      wrong.resource[0] = #"lookup: "items/no-{id}""#
      try await Mirror.withShop(api, wrong) { mirror, address in
        try await mirror.onlyRun(stream: "products")
        api.items.remove(at: 4)
        for isDry in [true, false] {
          api.forget()
          let (run, said) = try await isDry ? mirror.walk("--dry-run") : mirror.walk()
          #expect(run["status"] == .string("complete") && run["vanished"]?.int == 0, "\(run)")
          let warning = run["warning"]?.text ?? ""
          #expect(warning.contains("items/no-12 does not find an item that the list has"), "\(run)")
          #expect(said.contains("no missing item was marked as removed"), "\(said)")
          #expect(api.lookups == ["no-1", "no-12"])
          guard !isDry else { continue }
          let id = try #require(run["id"]?.text)
          #expect(try await mirror.sql("SELECT count(*) FROM sync.publication WHERE run_id = '\(id)'") == "1")
        }
        #expect(try await mirror.vanished() == "")
        if !shop.isOrdered { #expect(try await mirror.listed() == "1 2 3 4 6 7 8 9 10 11 12") }

        try mirror.declare(shop, at: address)
        api.forget()
        try await mirror.onlyRun(stream: "products").expect(["vanished": 1])
        #expect(try await mirror.vanished() == "5" && api.lookups == ["1", "5"])
      }
    }

    @Test("the guard does not count items that left the list in an earlier walk and still exist")
    func filteredList() async throws {
      let api = PagedAPI(.products(1...120))
      func unlist(_ count: Int) {
        api.forget()
        api.unlisted += api.items.suffix(count)
        api.items.removeLast(count)
      }
      try await Mirror.withShop(api, Shop(limit: 60)) { mirror, _ in
        try await mirror.onlyRun(stream: "products")
        unlist(50)
        let (held, said) = try await mirror.walk(exit: 86)
        #expect(held["held"] == .bool(true) && said.contains("50 of 120 items"), "\(said)")
        #expect(api.lookups.isEmpty)
        let (confirmed, _) = try await mirror.walk("--confirm-vanish", try #require(held["id"]?.text))
        #expect(confirmed["status"] == .string("complete") && confirmed["vanished"]?.int == 0, "\(confirmed)")
        // All 99 items are looked up, but the guard counts only the 49 that the last published list had.
        unlist(49)
        try await mirror.onlyRun(stream: "products").expect(["vanished": 0])
        #expect(api.lookups.count == 1 + 99)
        #expect(try await mirror.listed() == (1...21).map { "\($0)" }.joined(separator: " "))
        api.unlisted.removeFirst()
        try await mirror.onlyRun(stream: "products").expect(["vanished": 1])
        #expect(try await mirror.vanished() == "71")
      }
    }

    @Test("without lookup nothing vanishes, and the list loses the item", arguments: Shop.some)
    func noLookup(shop: Shop) async throws {
      let api = PagedAPI(.products(1...12))
      var shop = shop
      shop.resource.removeAll { $0 == Shop.lookup }
      try await Mirror.withShop(api, shop) { [shop] mirror, _ in
        try await mirror.onlyRun(stream: "products")
        api.items.remove(at: 4)
        try await mirror.onlyRun(stream: "products").expect(["vanished": 0])
        #expect(try await mirror.vanished() == "" && api.lookups.isEmpty)
        if !shop.isOrdered { #expect(try await mirror.listed() == "1 2 3 4 6 7 8 9 10 11 12") }
      }
    }

    @Test("if a cursor has expired at resume, a new walk starts and says so", arguments: chains)
    func expiredCursor(paging: PagedAPI.Paging) async throws {
      let api = PagedAPI(.products(1...12))
      try await Mirror.withShop(api, Shop(paging: paging)) { mirror, _ in
        try await mirror.walk("--max-pages", "2")
        api.era = 1
        api.forget()
        let (run, said) = try await mirror.walk()
        let status = paging.hasTotal ? "complete" : "unproven"
        #expect(run["status"] == .string(status) && said.contains("a new walk starts"), "\(run), \(said)")
        #expect(api.lists.count == 5 && api.lists.first?.target.contains("0.6") == true, "\(api.lists)")
        #expect(try await mirror.listed() == (1...12).map { "\($0)" }.joined(separator: " "))

        api.forget()
        api.change(before: 3) { $0.era = 2 }
        let (failed, words) = try await mirror.walk(exit: 69)
        #expect(failed["status"] == .string("failed") && words.contains("the next run starts a new walk"), "\(words)")
        api.forget()
        try await mirror.onlyRun(stream: "products").expect(["unchanged": 12])
        #expect(api.lists.first?.parameters.isEmpty == true)
      }
    }

    @Test(
      "a stopped walk resumes, unless the declaration requests or proves something else",
      arguments: [
        ("columns", PagedAPI.Paging.link), ("headers", .link), ("total_path", .link), ("columns", .pages),
        ("headers", .pages), ("order", .pages),
      ])
    func changedDeclaration(what: String, paging: PagedAPI.Paging) async throws {
      let api = PagedAPI(.products(1...70))
      api.pageSize = 20
      let shop = Shop(paging: paging, limit: 20)
      try await Mirror.withShop(api, shop) { mirror, address in
        try await mirror.walk("--max-pages", "2")
        #expect(api.lists.first?.target == shop.firstPage, "\(api.lists)")
        var changed = shop
        switch what {
        case "columns": changed.columns.append("updated: { path: updated_at, type: timestamptz }")
        case "headers": changed.client.append("headers: { Accept-Language: de }")
        case "total_path": changed.resource.append("total_path: meta.total")
        default: changed.resource.append("order: key")
        }
        try mirror.declare(changed, at: address)
        try await mirror.asOwner.succeed("migrate")
        api.forget()
        try await mirror.onlyRun(stream: "products")
        #expect(api.lists.contains { $0.target == shop.firstPage } == (what != "columns"), "\(api.lists)")
        #expect(try await mirror.sql("SELECT count(*) FROM shop.products") == "70")
      }
    }

    @Test("the next page is found if each link is a header of its own")
    func severalLinkHeaders() async throws {
      let api = PagedAPI(.products(1...7))
      api.hook = { request, number in
        guard number == 1 else { return nil }
        let next = "<http://\(request.header("host") ?? "")/link?at=0.3>; rel=\"next\""
        let list = [PagedAPI.Item].products(1...3).map(\.json).joined(separator: ",")
        let links = ["<https://first.example>; rel=\"first\"", next]
        return .json("[\(list)]", headers: links.map { HeaderField("Link", $0) })
      }
      try await Mirror.withShop(api, Shop(paging: .link)) { mirror, _ in
        try await mirror.onlyRun(stream: "products")
        #expect(try await mirror.listed() == "1 2 3 4 5 6 7")
      }
    }

    @Test(
      "an item behind a last page that was full is found, although that page is the same",
      arguments: PagedAPI.Paging.some)
    func anotherPage(paging: PagedAPI.Paging) async throws {
      let api = PagedAPI(.products(1...6))
      api.total = .absent
      try await Mirror.withShop(api, Shop(paging: paging)) { mirror, _ in
        for (id, hasETags) in [(7, true), (10, false)] {
          api.hasETags = hasETags
          try await mirror.onlyRun(stream: "products")
          while api.items.count < id { api.items.append(.product(api.items.count + 1)) }
          let run = try await mirror.onlyRun(stream: "products")
          #expect(try await mirror.sql("SELECT count(*) FROM shop.products_list") == "\(id)", "\(run)")
          while api.items.count < 9 { api.items.append(.product(api.items.count + 1)) }
        }
      }
    }

    @Test(
      "a page that fails once is requested again, and a limit of the service is honoured",
      arguments: PagedAPI.Paging.some.filter { $0 != .single })
    func faults(paging: PagedAPI.Paging) async throws {
      let api = PagedAPI(.products(1...7))
      api.pastEnd = .status(404)
      api.hook = { _, number in
        switch number {
        case 2: SimulatedAnswer(status: 503)
        case 4: SimulatedAnswer(status: 429, headers: [HeaderField("Retry-After", "1")])
        default: nil
        }
      }
      try await Mirror.withShop(api, Shop(paging: paging)) { mirror, _ in
        try await mirror.onlyRun(stream: "products").expect(["inserted": 7, "retries": 2])
        #expect(try await mirror.listed() == "1 2 3 4 5 6 7")
      }
    }
  }
}

extension Shop {
  /// The path and the query of the first page's request.
  var firstPage: String {
    switch paging {
    case .pages: "/pages?per_page=\(limit)&page=1"
    case .offset: "/offset?offset=0&limit=\(limit)"
    default: "/\(paging.rawValue)"
    }
  }
}
