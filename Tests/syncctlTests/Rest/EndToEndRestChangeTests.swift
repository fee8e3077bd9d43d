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
        let refused = try await mirror.syncctl("run", "--source", "shop")
        refused.expectFailure(78, naming: "products", "syncctl migrate", isQuiet: false)
        let migrated = try #require(try await mirror.follow(refused, ["migrate": 0]).first)
        let added = migrated.standardError
        for words in ["shop.products: column updated derived", "price is no longer declared", "--drop-columns"] {
          #expect(added.contains(words), "\(added)")
        }
        #expect(api.requests.isEmpty)
        #expect(try await mirror.sql(Self.columns) == "price published_at tags title updated")
        #expect(try await mirror.sql("SELECT count(DISTINCT updated) FROM shop.products") == "7")
        try await mirror.onlyRun(stream: "products").expect(["unchanged": 7])
        try await mirror.succeed("verify", "--source", "shop")

        let dropped = try #require(try await mirror.follow(migrated, ["migrate --drop-columns": 0]).first).standardError
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
        for option in ["--drop-columns", "--dry-run", "--status"] {
          let refused = try await mirror.syncctl("migrate", option)
          refused.expectFailure(78, naming: "shop.products", "another name", isQuiet: false)
        }
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

    @Test("a counter with another type is derived again, if --drop-columns permits it, and one can get another name")
    func counterColumns() async throws {
      try await Self.withGoods { mirror, api, address in
        for (column, options) in [
          ("stock: bigint", ["--drop-columns"]), ("in_stock: { path: stock, type: bigint }", []),
        ] as [(String, [String])] {
          var shop = Shop()
          shop.columns.append(column)
          try mirror.declare(shop, at: address)
          try await mirror.syncctl("run", "--source", "shop").expectFailure(78, naming: "migrate", isQuiet: false)
          if !options.isEmpty {
            try await mirror.syncctl("migrate").expectFailure(78, naming: "stock", "--drop-columns", isQuiet: false)
          }
          try await mirror.succeed(["migrate"] + options)
          let name = options.isEmpty ? "in_stock" : "stock"
          for table in ["products_counters", "products_full"] {
            let values = "SELECT min(pg_typeof(\(name))::text), sum(\(name)), sum(views) FROM shop.\(table)"
            #expect(try await mirror.sql(values) == "bigint|28|280", "\(table)")
          }
          #expect(api.requests.isEmpty)
          try await mirror.onlyRun(stream: "products")
          api.forget()
          try await mirror.succeed("verify", "--source", "shop")
        }
      }
    }

    @Test(
      "a member moves from the columns to the counters and back", arguments: ["numeric", "text"],
      [[], ["--drop-columns"]])
    func moving(type: String, options: [String]) async throws {
      var asColumn = Shop(resource: [Shop.lookup, "counters: [stock]"])
      asColumn.columns.append("views: \(type)")
      try await Self.withGoods(asColumn) { mirror, api, address in
        for (shop, views) in [(Shop(), 100), (asColumn, 200), (Shop(), 300)] {
          try mirror.declare(shop, at: address)
          try await mirror.succeed(["migrate"] + options)
          var first = PagedAPI.Item.product(1)
          first.json = first.json.replacing(#""views": 10"#, with: #""views": \#(views)"#)
          api.items[0] = first
          try await mirror.onlyRun(stream: "products")
          let all = "SELECT sum(views::integer), max(views::integer) FROM shop.products_full"
          #expect(try await mirror.sql(all) == "\(views + 270)|\(views)")
          try await mirror.succeed("verify", "--source", "shop")
        }
      }
    }

    @Test("migrate --dry-run and --status name what migrate would do with declared tables, and change nothing")
    func planned() async throws {
      let catalogue = """
        SELECT md5(string_agg(concat_ws(' ', c.oid, c.xmin, a.attname, a.xmin), ' ' ORDER BY c.oid, a.attnum)),
          (SELECT string_agg(xmin::text, ' ') FROM sync.declared_resource)
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace::regnamespace::text IN ('shop', 'app')
        """
      try await Self.withGoods { mirror, _, address in
        var shop = Shop(resource: [Shop.lookup, "counters: [stock]"])
        shop.columns.append("updated: { path: updated_at, type: timestamptz }")
        shop.columns.removeAll { $0.hasPrefix("price") }
        try mirror.declare(shop, at: address)
        let before = try await mirror.sql(catalogue)
        for option in ["--dry-run", "--status"] {
          for (more, price) in [
            ([], "price is no longer declared"), (["--drop-columns"], "column price dropped"),
          ] as [([String], String)] {
            let said = try await mirror.succeed(["migrate", option] + more)
            for words in ["shop.products: ", "column updated derived", "other counters", price] {
              #expect(said.standardError.contains(words), "\(option) \(more): \(said.standardError)")
            }
            #expect(!said.standardError.contains("Nothing to do"), "\(option) \(more)")
          }
        }
        #expect(try await mirror.sql(catalogue) == before)
        try await mirror.succeed("migrate", "--drop-columns")
        for option in ["--dry-run", "--status"] {
          let said = try await mirror.succeed("migrate", option).standardError
          #expect(!said.contains("shop."), "\(said)")
        }
      }
    }

    /// Makes an item of the shop and one of a built-in source favorites.
    private static func addFavorites(_ mirror: Mirror) async throws {
      _ = try await mirror.sql(
        """
        INSERT INTO jikan.media (kind, mal_id, title, raw, content_hash)
        VALUES ('anime', 1, 'Film', '{}', decode(repeat('00', 33), 'hex'))
        """)
      for item in [["shop", "products", "3"], ["jikan", "anime", "1"]] {
        try await mirror.succeed(["favorites", "add"] + item)
      }
    }

    private static func titles(_ mirror: Mirror) async throws -> [String] {
      try await mirror.succeed("favorites", "changes", "--since", "1d")
      return try await mirror.rows("favorites", "list").map { $0["title"]?.text ?? "" }.sorted()
    }

    @Test(
      "a table that was dropped by hand is created again, and the next run reads the whole list",
      arguments: ["DROP TABLE shop.products CASCADE", "DROP SCHEMA shop CASCADE"])
    func dropped(statement: String) async throws {
      let isSchema = statement.contains("SCHEMA")
      var shop = Shop()
      shop.resource.append(
        """
        incremental: { cursor_path: updated_at, start_param: since }
              - name: orders
                primary_key: id
                endpoint: { path: single, paginator: single_page }
        """)
      try await Self.withGoods(shop) { mirror, api, _ in
        try await mirror.onlyRun(stream: "orders").expect(["inserted": 7])
        try await Self.addFavorites(mirror)
        let before = try await mirror.goods()
        _ = try await mirror.sql(statement)
        api.forget()
        let refused = try await mirror.syncctl("run", "--source", "shop")
        refused.expectFailure(78, naming: "shop.products", "syncctl migrate", isQuiet: false)
        for option in ["--dry-run", "--status"] {
          let planned = try await mirror.succeed("migrate", option).standardError
          #expect(planned.contains("pending: shop.products: created"), "\(planned)")
        }
        let said = try #require(try await mirror.follow(refused, ["migrate": 0]).first).standardError
        for words in ["was dropped", "created"] {
          #expect(said.contains("shop.products: \(words)"), "\(said)")
          #expect(said.contains("shop.orders: \(words)") == isSchema, "\(said)")
        }
        #expect(try await mirror.sql("SELECT count(*) FROM shop.orders") == (isSchema ? "0" : "7"))
        #expect(api.requests.isEmpty)

        try await mirror.onlyRun(stream: "products").expect(["inserted": 7, "not_modified": 0])
        for request in api.lists {
          #expect(request.parameters["since"] == nil && request.header("if-none-match") == nil, "\(request)")
        }
        try await mirror.onlyRun(stream: "orders").expect([(isSchema ? "inserted" : "unchanged"): 7])
        #expect(try await mirror.goods() == before)
        #expect(try await Self.titles(mirror) == ["Film", "Product 3"])
        try await mirror.succeed("verify", "--source", "shop")
        #expect(try await !mirror.succeed("migrate").standardError.contains("shop."))
      }
    }

    @Test(
      "a dropped schema of a source that is no longer declared is forgotten; another one with its name is the user's",
      arguments: ["made after migrate", "made before migrate"])
    func droppedAndUndeclared(when: String) async throws {
      try await Self.withGoods { mirror, _, address in
        try await Self.addFavorites(mirror)
        _ = try await mirror.sql("DROP SCHEMA shop CASCADE")
        try FileManager.default.removeItem(atPath: mirror.home.path + "/syncctl.yaml")
        let ofUser = "CREATE SCHEMA shop; CREATE TABLE shop.products_list (note text)"
        if when == "made before migrate" { _ = try await mirror.sql(ofUser) }
        let said = try await mirror.succeed("migrate").standardError
        #expect(said.contains("shop.products: was dropped") && !said.contains("created"), "\(said)")
        #expect(try await !mirror.succeed("migrate").standardError.contains("shop."))
        #expect(try await Self.titles(mirror) == ["", "Film"])
        if when == "made after migrate" { _ = try await mirror.sql(ofUser) }

        try mirror.declare(Shop(), at: address)
        try await mirror.syncctl("migrate")
          .expectFailure(78, naming: "has a schema shop, which syncctl did not make", isQuiet: false)
        try await mirror.syncctl("run", "--source", "shop").expectFailure(78, naming: "shop", isQuiet: false)
        let tables = "SELECT string_agg(relname, ' ') FROM pg_class WHERE relnamespace = 'shop'::regnamespace"
        #expect(try await mirror.sql(tables) == "products_list")
        #expect(try await Self.titles(mirror) == ["", "Film"])
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

    @Test("counters that are declared during a stopped walk are complete, and the pages before are read again")
    func countersDuringAWalk() async throws {
      let api = PagedAPI(.products(1...30))
      try await Mirror.withShop(api, Shop(resource: [Shop.lookup])) { mirror, address in
        try await mirror.walk("--max-pages", "4")
        try mirror.declare(Shop(), at: address)
        try await mirror.succeed("migrate")
        api.forget()
        let (report, _) = try await mirror.walk()
        #expect(report["status"]?.text == "complete", "\(report)")
        #expect(
          try await mirror.sql("SELECT count(*), count(stock), count(views) FROM shop.products_full") == "30|30|30")
        #expect(api.lists.count >= 10, "the pages before were not read again")
        try await mirror.succeed("verify", "--source", "shop")
      }
    }

    @Test("an id that changes its JSON type is quarantined and stays; verify --repair heals a counter that is missing")
    func otherJSONType() async throws {
      var shop = Shop()
      shop.columns.append("id: text")
      try await Self.withGoods(shop) { mirror, api, _ in
        api.items[2].json = api.items[2].json.replacing(#""id": 3"#, with: #""id": "3""#)
        try await mirror.onlyRun(stream: "products").expect(["unchanged": 6, "quarantined": 1, "inserted": 0])
        #expect(
          try await mirror.sql("SELECT count(*), count(DISTINCT id), count(vanished_at) FROM shop.products") == "7|7|0")
        #expect(try await mirror.sql("SELECT reason FROM sync.quarantine") == "key_type")
        #expect(try await mirror.sql("SELECT count(*) FROM shop.products_list") == "7")
        api.items[2] = .product(3)
        try await mirror.onlyRun(stream: "products").expect(["unchanged": 7])

        _ = try await mirror.sql("UPDATE shop.products_counters SET raw = raw - 'stock' WHERE raw->>'stock' = '5'")
        let found = try await mirror.syncctl("verify", "--source", "shop")
        #expect(found.standardOutput.contains("counter_hash"), "\(found.standardOutput)")
        _ = try await mirror.syncctl("verify", "--source", "shop", "--repair")
        try await mirror.onlyRun(stream: "products")
        #expect(try await mirror.sql("SELECT count(stock) FROM shop.products_full") == "7")
        try await mirror.succeed("verify", "--source", "shop")
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
