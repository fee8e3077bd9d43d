import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite(.ownersAlone("may change tables")) struct DeclaredChanges {
    private static let columns = """
      SELECT string_agg(attname, ' ' ORDER BY attname) FROM pg_attribute
      WHERE attrelid = 'shop.products'::regclass AND attname IN ('title', 'price', 'published_at', 'updated', 'tags')
      """

    /// Runs `body` with a mirror of seven items.
    private static func withGoods(
      _ shop: Shop = Shop(), _ body: (_ mirror: Mirror, _ api: PagedAPI, _ address: String) async throws -> Void
    ) async throws {
      let api = PagedAPI(.products(1...7))
      try await Mirror.withShop(api, shop) { mirror, address in
        try await mirror.onlyRun(stream: "products").expect(["inserted": 7])
        api.forget()
        try await body(mirror, api, address)
      }
    }

    @Test("new columns are derived from stored documents, and removed ones stay until they are dropped")
    func columns() async throws {
      try await Self.withGoods { mirror, api, address in
        var shop = Shop()
        shop.columns.append("updated: { path: updated_at, type: timestamptz }")
        shop.columns.removeAll { $0.hasPrefix("price") }
        try mirror.declare(shop, at: address)
        try await mirror.syncctl("run", "--source", "shop")
          .expectFailure(78, naming: "products", "syncctl migrate", isQuiet: false)
        let added = try await mirror.succeed("migrate").standardError
        for words in ["shop.products: column updated derived", "price is no longer declared", "--drop-columns"] {
          #expect(added.contains(words), "\(added)")
        }
        #expect(api.requests.isEmpty)
        #expect(try await mirror.sql(Self.columns) == "price published_at tags title updated")
        #expect(try await mirror.sql("SELECT count(DISTINCT updated) FROM shop.products") == "7")
        try await mirror.onlyRun(stream: "products").expect(["unchanged": 7])
        try await mirror.succeed("verify", "--source", "shop")

        let dropped = try await mirror.succeed("migrate", "--drop-columns").standardError
        #expect(dropped.contains("column price dropped"), "\(dropped)")
        #expect(try await mirror.sql(Self.columns) == "published_at tags title updated")
        api.items[0] = .product(1, title: "First")
        try await mirror.onlyRun(stream: "products").expect(["updated": 1])
        try await mirror.succeed("verify", "--source", "shop")
        #expect(try await mirror.sql("SELECT sum(stock) FROM shop.products_full") == "28")
      }
    }

    @Test("the column that names items can be dropped or get another type", arguments: [nil, "title: jsonb"])
    func titles(column: String?) async throws {
      try await Self.withGoods { mirror, _, address in
        try await mirror.succeed("favorites", "add", "shop", "products", "3")
        var shop = Shop()
        shop.columns[0] = column ?? "updated: { path: updated_at, type: timestamptz }"
        try mirror.declare(shop, at: address)
        try await mirror.succeed("migrate", "--drop-columns")
        let listed = try await mirror.rows("favorites", "list")
        #expect(listed.map { $0["title"] } == [.string("3")], "\(listed)")
        try await mirror.onlyRun(stream: "products").expect(["unchanged": 7])
      }
    }

    @Test("a column with another type or path is derived again, if --drop-columns permits it")
    func types() async throws {
      try await Self.withGoods { mirror, api, address in
        var shop = Shop()
        shop.columns[1] = "price: { path: pricing.amount, type: text }"
        shop.columns[2] = "published_at: { path: updated_at, type: timestamptz }"
        try mirror.declare(shop, at: address)
        let before = try await mirror.goods()
        try await mirror.syncctl("migrate").expectFailure(78, naming: "price", "--drop-columns", isQuiet: false)
        #expect(try await mirror.goods() == before)
        try await mirror.succeed("migrate", "--drop-columns")
        let values = "SELECT min(pg_typeof(price)::text), max(published_at) AT TIME ZONE 'UTC' FROM shop.products"
        #expect(try await mirror.sql(values) == "text|2026-01-01 00:00:07")
        #expect(api.requests.isEmpty)
        try await mirror.onlyRun(stream: "products").expect(["unchanged": 7])
        try await mirror.succeed("verify", "--source", "shop")
      }
    }

    @Test("another key, key type or selector is refused", arguments: ["key", "type", "path"])
    func otherKey(what: String) async throws {
      try await Self.withGoods { mirror, api, address in
        var shop = Shop()
        switch what {
        case "key": (shop.key, shop.resource) = ("stock", [])
        case "type": shop.columns.append("id: text")
        default: (shop.paging, shop.path) = (.single, "single")
        }
        try mirror.declare(shop, at: address)
        let before = try await mirror.goods()
        let refused = try await mirror.syncctl("migrate", "--drop-columns")
        refused.expectFailure(78, naming: "shop.products", "another name", isQuiet: false)
        try await mirror.syncctl("run", "--source", "shop").expectFailure(78, naming: "shop.products", isQuiet: false)
        #expect(try await mirror.goods() == before && api.requests.isEmpty)
      }
    }

    @Test("added counters leave the documents, and are filled by the next run")
    func counters() async throws {
      try await Self.withGoods(Shop(resource: [Shop.lookup])) { mirror, api, address in
        for (counters, sum) in [("[stock]", "28|"), ("[stock, views]", "28|280")] {
          try mirror.declare(Shop(resource: [Shop.lookup, "counters: \(counters)"]), at: address)
          try await mirror.syncctl("run", "--source", "shop").expectFailure(78, naming: "migrate", isQuiet: false)
          let said = try await mirror.succeed("migrate").standardError
          #expect(said.contains("other counters"), "\(said)")
          try await mirror.onlyRun(stream: "products")
          let views = counters.contains("views") ? "sum(views)" : "NULL"
          #expect(try await mirror.sql("SELECT sum(stock), \(views) FROM shop.products_full") == sum)
          try await mirror.succeed("verify", "--source", "shop")
        }
        api.items = (1...7).map { .product($0, stock: 50) }
        try await mirror.onlyRun(stream: "products").expect(["updated": 7, "documents_updated": 0])
        #expect(try await mirror.sql("SELECT sum(stock) FROM shop.products_counters") == "350")
      }
    }

    @Test("a view of the user survives migrate, and blocks --drop-columns with an error that names it")
    func views() async throws {
      try await Self.withGoods { mirror, _, address in
        _ = try await mirror.sql("CREATE VIEW public.cheap AS SELECT id, price FROM shop.products WHERE price < 5")
        var shop = Shop()
        shop.columns.removeAll { $0.hasPrefix("price") }
        shop.columns.append("updated: { path: updated_at, type: timestamptz }")
        try mirror.declare(shop, at: address)
        try await mirror.succeed("migrate")
        #expect(try await mirror.sql("SELECT count(*) FROM public.cheap") == "4")
        try await mirror.syncctl("migrate", "--drop-columns")
          .expectFailure(78, naming: "cheap", "syncctl migrate", isQuiet: false)
        #expect(try await mirror.sql("SELECT count(*) FROM public.cheap") == "4")
        #expect(try await mirror.sql("SELECT count(*) FROM shop.products_full") == "7")
        _ = try await mirror.sql("DROP VIEW public.cheap")
        try await mirror.succeed("migrate", "--drop-columns")
        #expect(try await mirror.sql(Self.columns) == "published_at tags title updated")
      }
    }

    @Test("a schema that the user has made is never touched")
    func foreignSchema() async throws {
      let api = PagedAPI(.products(1...3))
      try await Mirror.withShop(api, isMigrated: false) { mirror, _ in
        _ = try await mirror.sql("CREATE SCHEMA shop; CREATE TABLE shop.products (id int, note text)")
        _ = try await mirror.sql("INSERT INTO shop.products VALUES (1, 'mine')")
        let facts =
          "SELECT oid, relacl, (SELECT string_agg(p::text, ' ') FROM shop.products p) FROM pg_class "
          + "WHERE relnamespace = 'shop'::regnamespace"
        let before = try await mirror.sql(facts)
        for command in [["migrate"], ["migrate", "--drop-columns"], ["run", "--source", "shop"]] {
          try await mirror.syncctl(command).expectFailure(78, naming: "shop", isQuiet: false)
        }
        #expect(try await mirror.sql(facts) == before)
        #expect(try await mirror.sql("SELECT count(*) FROM sync.declared_resource") == "0")
        try await mirror.succeed("db", "backup", "mirror.dump")
        #expect(api.requests.isEmpty)
      }
    }

    @Test("a backup has the declared source, and a restored mirror goes on with it")
    func backup() async throws {
      try await Self.withGoods { mirror, api, address in
        try await mirror.succeed("favorites", "add", "shop", "products", "3")
        try await mirror.succeed("db", "backup", "mirror.dump")
        let target = try await Mirror.make(.empty).asOwner
        try target.declare(Shop(), at: address)
        let dump = mirror.home.path + "/mirror.dump"
        try await target.succeed("db", "restore", dump)
        #expect(try await target.goods() == (try await mirror.goods()))
        try await target.onlyRun(stream: "products").expect(["unchanged": 7, "not_modified": 3])
        #expect(try await target.succeed("favorites", "list").standardOutput.contains("Product 3"))
        try await target.succeed("verify", "--source", "shop")
        try await target.succeed("migrate")
        api.items[0] = .product(1, title: "First")
        try await target.onlyRun(stream: "products").expect(["updated": 1])
        try await target.syncctl("db", "restore", dump).expectFailure(86, naming: "--replace")
        try await target.succeed("db", "restore", "--replace", dump)
        #expect(try await target.goods() == (try await mirror.goods()))
      }
    }

    @Test("two declared sources have schemas of their own, and one that the file no longer has keeps its data")
    func twoSources() async throws {
      try await Self.withGoods { mirror, api, address in
        let market = Shop(name: "market", paging: .cursor, resource: ["order: key"])
        try mirror.declare(Shop(), market, at: address)
        try await mirror.succeed("migrate")
        let both = try await mirror.succeed("run", "--source", "shop", "--source", "market", "--format", "json")
        let runs = try #require(try JSONValue(both.standardOutput)["runs"]?.array)
        #expect(
          runs.map { "\($0["source"]?.text ?? "") \($0["inserted"]?.int ?? -1)" } == ["shop 0", "market 7"], "\(runs)")
        try await mirror.syncctl("run", "--stream", "products").expectFailure(64, naming: "shop or market")
        for source in ["shop", "market"] { try await mirror.succeed("favorites", "add", source, "products", "1") }
        #expect(
          try await mirror.sql("SELECT string_agg(source, ' ' ORDER BY source) FROM app.favorite_item WHERE id = 1")
            == "market shop")
        let kept = try await mirror.goods()

        try mirror.declare(market, at: address)
        try await mirror.succeed("migrate")
        try await mirror.syncctl("run", "--source", "shop").expectFailure(64, naming: "shop")
        try await mirror.succeed("run", "--source", "market")
        #expect(try await mirror.succeed("status", "--all").standardOutput.contains("shop"))
        #expect(try await mirror.rows("favorites", "list").count == 2)
        try await mirror.succeed("db", "backup", "mirror.dump")
        #expect(try await mirror.goods() == kept)

        try mirror.declare(Shop(), market, at: address)
        #expect(try await !mirror.succeed("migrate").standardError.contains("created"))
        try await mirror.succeed("run", "--source", "shop")
        #expect(try await mirror.goods() == kept)
      }
    }

    @Test("a stopped walk is not resumed with another paginator or path", arguments: ["paginator", "path"])
    func otherWalk(what: String) async throws {
      let api = PagedAPI(.products(1...250))
      api.pageSize = 100
      let before = Shop(paging: .offset, limit: 100, resource: [])
      try await Mirror.withShop(api, before) { mirror, address in
        try await mirror.walk("--max-pages", "1")
        #expect(try await mirror.sql("SELECT count(*) FROM shop.products") == "100")
        var shop = before
        if what == "path" { shop.path = "elsewhere" } else { shop.paging = .next }
        api.hook = { request, _ in
          request.path == "/elsewhere" ? .json(#"{"meta": {"total": 1}, "data": [{"id": 500}]}"#) : nil
        }
        try mirror.declare(shop, at: address)
        api.forget()
        try await mirror.walk()
        let first = try #require(api.lists.first?.target, "the walk was resumed, and ended at once")
        #expect(!first.contains("offset=100"), "the walk was resumed")
        let count = "SELECT count(*) FROM shop.products_list"
        #expect(try await mirror.sql(count) == (what == "path" ? "1" : "250"))
      }
    }
  }
}
