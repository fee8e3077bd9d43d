import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  /// Services that divide or end their lists in other ways than they were asked to.
  @Suite struct DeclaredPaging {
    private static let ids = (1...30).map { "\($0)" }.joined(separator: " ")

    @Test(
      "a service that returns fewer items than requested loses none, with a total or without",
      arguments: [PagedAPI.Total.actual, .absent])
    func smallPages(total: PagedAPI.Total) async throws {
      let api = PagedAPI(.products(1...30))
      api.largestPage = 7
      api.total = total
      try await Mirror.withShop(api, Shop(paging: .offset, limit: 20)) { mirror, _ in
        let run = try await mirror.onlyRun(stream: "products")
        #expect(run["status"] == .string("complete") && run["rows_seen"]?.int == 30, "\(run)")
        #expect(try await mirror.listed() == Self.ids)
        api.forget()
        let again = try await mirror.onlyRun(stream: "products")
        #expect(again["status"] == .string("complete") && again["not_modified"]?.int == again["pages"]?.int, "\(again)")
        api.largestPage = 4
        let smaller = try await mirror.onlyRun(stream: "products")
        #expect(smaller["status"] == .string("complete"), "\(smaller)")
        #expect(try await mirror.listed() == Self.ids, "no item leaves the list")
        #expect(try await mirror.vanished() == "")
      }
    }

    @Test("a service that rounds an offset down is read page by page, without evidence")
    func alignedPages() async throws {
      let api = PagedAPI(.products(1...30))
      api.isAligned = true
      api.total = .absent
      try await Mirror.withShop(api, Shop(paging: .offset, limit: 7)) { mirror, _ in
        let run = try await mirror.onlyRun(stream: "products")
        #expect(run["status"] == .string("unproven") && run["rows_seen"]?.int == 30, "\(run)")
        #expect(try await mirror.listed() == Self.ids)
      }
    }

    @Test("a killed walk of a service with small pages continues after the last item")
    func killed() async throws {
      let (api, gate) = (PagedAPI(.products(1...30)), Gate())
      api.largestPage = 7
      api.wait(from: 3, at: gate)
      try await Mirror.withShop(api, Shop(paging: .offset, limit: 20)) { mirror, _ in
        defer { gate.open() }
        try await mirror.killWalk(after: 2, at: gate)
        api.forget()
        gate.open()
        try await mirror.onlyRun(stream: "products")
        #expect(api.lists.first?.parameters["offset"] == "14")
        #expect(try await mirror.listed() == Self.ids)
      }
    }

    /// Answers after the end of a list, each with the paging that gets it.
    private static let ends: [(paging: PagedAPI.Paging, end: PagedAPI.PastEnd)] = [
      (.pages, .status(400)), (.offset, .status(422)), (.pages, .nullList), (.offset, .noList), (.pages, .status(500)),
      (.pages, .namedError),
    ]

    @Test("a list whose items were all read ends, whatever the next page answers", arguments: ends)
    func refusedEnd(paging: PagedAPI.Paging, end: PagedAPI.PastEnd) async throws {
      let api = PagedAPI(.products(1...30))
      api.pastEnd = end
      try await Mirror.withShop(api, Shop(paging: paging, limit: 5)) { mirror, _ in
        let run = try await mirror.onlyRun(stream: "products")
        #expect(run["status"] == .string("complete"), "\(run)")
        #expect(try await mirror.listed() == Self.ids)
      }
    }

    @Test("without a claim, a refused page is the end after a short page, and a page cap after a full page")
    func refusedWithoutClaim() async throws {
      let api = PagedAPI(.products(1...29))
      api.total = .absent
      api.pastEnd = .status(400)
      try await Mirror.withShop(api, Shop(paging: .pages, limit: 5)) { mirror, _ in
        let (short, _) = try await mirror.walk()
        #expect(short["certificate"]?["ended_by"] == .string("refused"), "\(short)")
        api.items.append(.product(30))
        let (full, said) = try await mirror.walk()
        #expect(full["status"] == .string("partial"), "\(full)")
        #expect(full["certificate"]?["ended_by"] == .string("page_cap"), "\(full)")
        #expect(said.contains("answered 400"), "\(said)")
      }
    }

    @Test("a page that is refused before the claimed end fails the walk")
    func refusedBeforeEnd() async throws {
      let api = PagedAPI(.products(1...30))
      api.hook = { _, number in number == 3 ? .json(#"{"message": "bad page"}"#, status: 400) : nil }
      try await Mirror.withShop(api, Shop(paging: .pages, limit: 5)) { mirror, _ in
        let (run, said) = try await mirror.walk(exit: 69)
        #expect(run["status"] == .string("failed") && said.contains("bad page"), "\(run) \(said)")
        #expect(try await mirror.sql("SELECT count(*) FROM sync.publication") == "0")
      }
    }
  }
}
