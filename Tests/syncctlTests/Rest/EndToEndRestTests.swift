import Foundation
import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct DeclaredLists {
    private static let versions = """
      SELECT md5(string_agg(concat(syncctl_key, ctid, xmin), ' ' ORDER BY syncctl_key)) FROM shop.products
      """
    private static let counterVersions = versions + "_counters"
    private static let writes = """
      SELECT sum(n_tup_ins), sum(n_tup_upd), sum(n_tup_del) FROM pg_stat_user_tables WHERE schemaname = 'shop'
      """

    @Test(
      "a list is mirrored, an unchanged list costs no row version, and counters rewrite no document",
      arguments: Shop.all)
    func list(shop: Shop) async throws {
      let api = PagedAPI(.products(1...7))
      try await Mirror.withShop(api, shop) { mirror, _ in
        let first = try await mirror.onlyRun(stream: "products")
        try first.expect(["rows_seen": 7, "inserted": 7, "quarantined": 0, "not_modified": 0])
        #expect(
          try await mirror.sql(
            """
            SELECT count(*), sum(price), min(published_at) AT TIME ZONE 'UTC', count(*) FILTER (WHERE tags = '{a,b}'),
              bool_and(id = syncctl_key AND title = 'Product ' || id AND vanished_at IS NULL),
              bool_and(raw->'pricing'->>'amount' = price::text) FROM shop.products
            """) == "7|31.50|2026-01-02 03:04:05|7|t|t")
        let full = "SELECT count(title), sum(views), sum(stock), count(counters_changed_at) FROM shop.products_full"
        #expect(try await mirror.sql(full) == "7|280|28|7")
        #expect(try await mirror.sql("SELECT sum(views), sum(stock) FROM shop.products_counters") == "280|28")
        if shop.isOrdered {
          #expect(try await mirror.sql("SELECT to_regclass('shop.products_list') IS NULL") == "t")
        } else {
          #expect(try await mirror.listed() == "1 2 3 4 5 6 7")
        }

        let rows = try await mirror.sql(Self.versions + ";" + Self.counterVersions)
        let before = try await mirror.settled(Self.writes)
        let same = try await mirror.onlyRun(stream: "products")
        try same.expect(["unchanged": 7, "inserted": 0, "updated": 0])
        // A page whose header names the next one is requested without a condition.
        let known = shop.paging == .link ? "identical" : "not_modified"
        #expect(same[known]?.int == same["pages"]?.int, "\(same)")
        #expect(try await mirror.settled(Self.writes) == before)
        #expect(try await mirror.sql(Self.versions + ";" + Self.counterVersions) == rows)

        let documents = try await mirror.sql(Self.versions)
        api.items = (1...7).map { .product($0, stock: 100 + $0) }
        try await mirror.onlyRun(stream: "products").expect(["updated": 7, "documents_updated": 0])
        #expect(try await mirror.sql(Self.versions) == documents)
        #expect(try await mirror.sql(full) == "7|280|728|7")
      }
    }

    @Test("a run without the tables exits with 78, requests nothing and creates nothing")
    func noTables() async throws {
      let api = PagedAPI(.products(1...3))
      try await Mirror.withShop(api, isMigrated: false) { mirror, _ in
        let refused = try await mirror.syncctl("run", "--source", "shop", "--dry-run")
        for result in [refused, try await mirror.syncctl("run", "--source", "shop")] {
          result.expectFailure(78, naming: "shop.products", "syncctl migrate", isQuiet: false)
        }
        #expect(api.requests.isEmpty)
        #expect(
          try await mirror.sql(
            """
            SELECT (SELECT count(*) FROM pg_namespace WHERE nspname = 'shop'), (SELECT count(*) FROM sync.walk),
              (SELECT count(*) FROM sync.declared_resource)
            """) == "0|0|0")
        let created = try #require(try await mirror.asOwner.follow(refused, ["migrate": 0]).first)
        #expect(created.standardError.contains("shop.products: created"), "\(created.standardError)")
        let again = try await mirror.asOwner.succeed("migrate")
        #expect(!again.standardError.contains("shop.products"), "\(again.standardError)")
        try await mirror.onlyRun(stream: "products").expect(["inserted": 3])
      }
    }

    @Test("items without a usable key go to quarantine, and members that do not fit are null and counted")
    func badItems() async throws {
      let api = PagedAPI(.products(1...6))
      api.items += [
        #"{"title": "no id"}"#, #"{"id": "8", "title": "a text"}"#, #"{"id": 9, "title": 8.5.1}"#,
        #"{"id": 10, "title": "Ten\u0000", "pricing": {"amount": "cheap"}, "tags": "x"}"#,
      ].map { PagedAPI.Item(key: "", json: $0) }
      try await Mirror.withShop(api) { mirror, _ in
        let (run, said) = try await mirror.walk()
        try run.expect(["rows_seen": 10, "inserted": 7, "quarantined": 3, "repaired": 1])
        for name in ["pricing.amount", "tags"] { #expect(run["not_understood"]?[name]?["count"]?.int == 1, "\(name)") }
        #expect(said.contains("3 items are in quarantine") && said.contains("pricing.amount"), "\(said)")
        let reasons = try await mirror.rows("runs", "show", "--quarantine").compactMap { $0["reason"]?.text }
        #expect(reasons.sorted() == ["key_type", "no_id", "syntax"])
        #expect(
          try await mirror.sql("SELECT count(*), count(price), count(tags), count(title) FROM shop.products")
            == "7|6|6|7")
        try await mirror.succeed("verify", "--source", "shop")
      }
    }

    @Test("a first run whose ids the declared key cannot be names the remedy at once", arguments: ["\"a\"", "-", "\""])
    func otherIds(kind: String) async throws {
      let api = PagedAPI(
        (1...12).map { number in
          let id = kind == "-" ? "-\(number)" : kind == "\"" ? "\"\(number)\"" : "\"a\(number)\""
          return PagedAPI.Item(key: "\(number)", json: #"{"id": \#(id)}"#)
        })
      try await Mirror.withShop(api) { mirror, _ in
        let (_, said) = try await mirror.walk(exit: 86)
        #expect(said.contains("12 of 12 items could not be used"), "\(said)")
        #expect(said.contains("declare columns: { id: text }"), "\(said)")
      }
    }

    @Test("keys of texts and of several members are hashed, looked up, and usable as words", arguments: [true, false])
    func textKeys(isComposite: Bool) async throws {
      let goods = [(1, "a.b é"), (1, "12x"), (2, "12x")].prefix(isComposite ? 3 : 2)
      let api = PagedAPI(
        goods.map { shop, sku in
          PagedAPI.Item(
            key: isComposite ? "\(shop)-\(sku)" : sku,
            json: #"{"shop": \#(shop), "sku": "\#(sku)", "title": "Title of \#(sku)"}"#)
        })
      let shop = Shop(
        paging: .next, key: isComposite ? "[shop, sku]" : "sku", columns: ["sku: text", "title: text"],
        resource: [isComposite ? #"lookup: "items/{shop}-{sku}""# : #"lookup: "items/{sku}""#])
      try await Mirror.withShop(api, shop) { mirror, _ in
        try await mirror.onlyRun(stream: "products").expect(["inserted": goods.count])
        #expect(
          try await mirror.sql("SELECT count(DISTINCT syncctl_key), min(syncctl_key) > 0 FROM shop.products")
            == "\(goods.count)|t")
        if !isComposite {
          let hash = """
            SELECT bool_and(syncctl_key = (('x' || encode(substr(sha256(convert_to(
              jsonb_build_array(sku)::text, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint >> 1) & 9223372036854775807)
            FROM shop.products
            """
          #expect(try await mirror.sql(hash) == "t")
          let owner = mirror.asOwner
          for sku in ["a.b é", "12x"] {
            let added = try await owner.succeed("favorites", "add", "shop", "products", sku)
            #expect(added.standardOutput.contains("Title of \(sku)"), "\(added.standardOutput)")
          }
          let missing = try await owner.syncctl("favorites", "add", "shop", "products", "z")
          missing.expectFailure(1, naming: "the mirror has no", "syncctl run")
        }
        api.items.removeFirst()
        try await mirror.onlyRun(stream: "products").expect(["vanished": 1])
        #expect(api.requests.last?.path == (isComposite ? "/items/1-a.b%20%C3%A9" : "/items/a.b%20%C3%A9"))
        #expect(try await mirror.sql("SELECT sku FROM shop.products WHERE vanished_at IS NOT NULL") == "a.b é")
      }
    }

    @Test("a 404 proves nothing for a key with a slash or of dots, because servers change such addresses")
    func unprovenKeys() async throws {
      let keys = ["a/b", #"a\\b"#, "..", ".", "w", "x", "y", "z"]
      let api = PagedAPI(keys.map { PagedAPI.Item(key: $0, json: #"{"sku": "\#($0)"}"#) })
      let shop = Shop(paging: .next, key: "sku", columns: ["sku: text"], resource: [#"lookup: "items/{sku}""#])
      try await Mirror.withShop(api, shop) { mirror, _ in
        try await mirror.onlyRun(stream: "products").expect(["inserted": 8])
        api.items.removeFirst(5)
        try await mirror.onlyRun(stream: "products").expect(["vanished": 1])
        #expect(api.lookups.contains("a/b"))
        #expect(try await mirror.sql("SELECT sku FROM shop.products WHERE vanished_at IS NOT NULL") == "w")
      }
    }

    @Test(
      "a weak validator is not sent in a chain, because it does not cover the next page's address",
      arguments: PagedAPI.Paging.some)
    func weakETags(paging: PagedAPI.Paging) async throws {
      let api = PagedAPI(.products(1...7))
      api.hasWeakETags = true
      try await Mirror.withShop(api, Shop(paging: paging)) { mirror, _ in
        try await mirror.onlyRun(stream: "products")
        api.forget()
        try await mirror.onlyRun(stream: "products").expect(["unchanged": 7])
        let isSent = api.lists.contains { $0.header("if-none-match")?.hasPrefix("W/") == true }
        #expect(isSent != paging.isChain, "\(api.lists)")
      }
    }

    @Test("a dry run writes nothing, and tells what a run then does", arguments: Shop.some)
    func dryRun(shop: Shop) async throws {
      let api = PagedAPI(.products(1...7))
      try await Mirror.withShop(api, shop) { mirror, _ in
        try await mirror.onlyRun(stream: "products")
        api.items[1] = .product(2, title: "Second", second: 2)
        api.items.remove(at: 2)
        api.items.append(.product(8))
        let before = try await mirror.everyTable()
        let dry = try await mirror.succeed("run", "--stream", "products", "--dry-run", "--format", "json")
        #expect(try await mirror.everyTable() == before, "a dry run has written")
        let plan = try JSONValue(dry.standardOutput)
        let changes = try #require(plan["changes"]?.array)
        let kinds = changes.map { "\($0["key"]?.int ?? 0) \($0["change"]?.text ?? "")" }.sorted()
        #expect(kinds == ["2 update", "3 vanish", "8 insert"], "\(changes)")
        let title = changes.first { $0["key"]?.int == 2 }?["columns"]?["title"]
        #expect(title == .object(["from": .string("Product 2"), "to": .string("Second")]))
        let planned = try #require(plan["runs"]?.array?.first)
        let run = try await mirror.onlyRun(stream: "products")
        for name in ["inserted", "updated", "unchanged", "vanished", "status"] {
          #expect(planned[name] == run[name], "\(name)")
        }
        try run.expect(["inserted": 1, "updated": 1, "vanished": 1])
      }
    }

    @Test("edits by hand are named by verify, and mended by --repair and one run")
    func verify() async throws {
      let api = PagedAPI(.products(1...9))
      try await Mirror.withShop(api) { mirror, _ in
        try await mirror.onlyRun(stream: "products")
        let before = try await mirror.goods()
        #expect(try await Self.differences(mirror, exit: 0).isEmpty)
        let edits: [(table: String, change: String, key: Int)] = [
          ("products", #"UPDATE shop.products SET raw = raw || '{"a": 1}'"#, 1),
          ("products_counters", #"UPDATE shop.products_counters SET raw = raw || '{"stock": 99}'"#, 2),
          ("products_list", "UPDATE shop.products_list SET position = 70", 3),
          ("products_list", "DELETE FROM shop.products_list", 4), ("products", "DELETE FROM shop.products", 5),
          ("products", "UPDATE shop.products SET content_hash = sha256('') || substr(content_hash, 33)", 6),
        ]
        for edit in edits { _ = try await mirror.sql("\(edit.change) WHERE syncctl_key = \(edit.key)") }
        let found = try await Self.differences(mirror, exit: 1)
        for edit in edits {
          let isNamed = found.contains {
            $0["table"]?.text == "shop.\(edit.table)" && $0["key"]?["syncctl_key"]?.int == edit.key
          }
          #expect(isNamed, "\(edit) is not in \(found)")
        }
        let repair = try await mirror.asOwner.syncctl("verify", "--source", "shop", "--repair")
        #expect(repair.end == .exit(1), "\(repair.standardError)")
        try await mirror.onlyRun(stream: "products").expect(["inserted": 1])
        #expect(try await Self.differences(mirror, exit: 0).isEmpty)
        #expect(try await mirror.goods() == before)
      }
    }

    private static func differences(_ mirror: Mirror, exit: Int32) async throws -> [JSONValue] {
      let result = try await mirror.syncctl("verify", "--source", "shop", "--format", "json")
      #expect(result.end == .exit(exit), "\(result.standardError)")
      let output = try JSONValue(result.standardOutput)
      #expect(output["checked"]?["documents"]?.int ?? 0 > 0)
      return try #require(output["differences"]?.array)
    }

    @Test("every command, the completion and the metrics know the source as they know a built-in one")
    func commands() async throws {
      let api = PagedAPI(.products(1...7))
      try await Mirror.withShop(api, Shop(paging: .next)) { fresh, address in
        _ = try fresh.home.write(
          Shop.file([Shop(paging: .next)], at: address)
            + "jobs: [{ name: shop-daily, source: shop, schedule: '@daily' }]\n", to: "syncctl.yaml")
        let mirror = fresh.asOwner
        let metrics = mirror.home.path + "/shop.prom"
        try await mirror.succeed("run", "--source", "shop", "--metrics-file", metrics)
        let figures = try String(contentsOfFile: metrics, encoding: .utf8)
        for sample in [
          #"syncctl_pages_total{source="shop",stream="products"} 3"#,
          #"syncctl_rows_total{source="shop",stream="products",outcome="inserted"} 7"#,
        ] { #expect(figures.contains(sample), "\(sample) is not in \(figures)") }
        for (command, words) in [
          ("status", ["✓ shop 1"]), ("status --all", ["products", "complete"]),
          ("config", ["sources.shop.base_url", address, "sources.shop.auth", "sources.shop.resources"]),
          ("doctor --all", ["upstream shop", "3 items on its first page"]), ("jobs list", ["shop-daily"]),
          ("source list --format json", ["shop", "json_link", "its 404 proves removal"]),
          ("source check shop", ["1 resource", "3 items", "the keys are unique", "the list claims 7 items"]),
          ("run --help", ["run --source shop"]), ("favorites add --help", ["products of shop"]),
          ("health --source shop --max-age 1h", ["products"]), ("migrate", []),
          ("favorites add shop products 2 --note mine", ["Product 2"]), ("favorites list", ["Product 2", "mine"]),
          ("favorites changes --since 1d", ["mirrored"]), ("verify --source shop", []),
          ("rankings --help", ["jikan"]), ("--generate-completion-script bash", ["shop"]),
          ("---completion run -- --stream 2 0 syncctl run --stream ''", ["products"]),
          ("---completion favorites add -- positional@0 4 0 syncctl favorites add shop ''", ["products"]),
        ] {
          let said = try await mirror.shell("\"$0\" \(command)")
          for word in words { #expect(said.standardOutput.contains(word), "\(command): \(said)") }
          if !command.hasPrefix("doctor") { #expect(said.end == .exit(0), "\(command): \(said.standardError)") }
          if command.hasPrefix("rankings") { #expect(!said.standardOutput.contains("shop"), "\(said)") }
        }
        try await mirror.syncctl("run", "--source", "shob").expectFailure(64, naming: "shob", "did you mean shop?")
        try await mirror.syncctl("run", "--source", "shop", "--stream", "product")
          .expectFailure(64, naming: "did you mean products?")
        try await mirror.syncctl("favorites", "add", "shop", "products", "99").expectFailure(1, naming: "99")
        try await mirror.syncctl("favorites", "add", "shop", "product", "1").expectFailure(64, naming: "products")
      }
    }

    @Test("doctor and the navigation speak of a declared source alone, until another source is named or mirrored")
    func onlySource() async throws {
      let api = PagedAPI(.products(1...3))
      try await Mirror.withShop(api, Shop(paging: .single)) { fresh, address in
        let unnamed = fresh.asOwner.with([
          "SYNCCTL_JIKAN_PROVIDER": "", "SYNCCTL_JIKAN_BASE_URL": "", "SYNCCTL_POKEAPI_BASE_URL": "",
          "SYNCCTL_ITUNES_BASE_URL": "",
        ])
        let others = ["upstream jikan", "upstream pokeapi", "upstream itunes"]
        let first = try await unnamed.syncctl("doctor", "--all").standardOutput
        #expect(first.contains("upstream shop"), "\(first)")
        for other in others { #expect(!first.contains(other), "\(first)") }
        try await unnamed.onlyRun(stream: "products")
        try await unnamed.browse { browser in
          let page = try await browser.get("/").body
          #expect(page.contains("href=\"/sources/shop\"") && !page.contains("href=\"/pokedex"), "\(page)")
          #expect(try await browser.get("/pokedex").status == 200)
        }
        let named = unnamed.with(["SYNCCTL_POKEAPI_BASE_URL": "\(address)/api/v2"])
        let second = try await named.syncctl("doctor", "--all").standardOutput
        #expect(second.contains("upstream pokeapi") && !second.contains("upstream jikan"), "\(second)")
        _ = try await unnamed.sql(
          """
          INSERT INTO sync.stream_state (source, stream, provider, origin, page_size)
          VALUES ('pokeapi', 'ability', 'pokeapi', 'http://127.0.0.1:9', 20)
          """)
        try await unnamed.browse { browser in
          let page = try await browser.get("/").body
          #expect(page.contains("href=\"/pokedex"), "\(page)")
        }
      }
    }

    @Test("the list has pages for a browser, with hearts")
    func page() async throws {
      let api = PagedAPI(.products(1...60))
      api.items[0] = .product(1, title: #"<script>\u202E"#)
      try await Mirror.withShop(api, Shop(paging: .single)) { fresh, _ in
        let mirror = fresh.asOwner
        try await mirror.onlyRun(stream: "products")
        try await mirror.browse { browser in
          let path = "/sources/shop/products"
          #expect(try await browser.get("/").body.contains("href=\"/sources/shop\""))
          let source = try await browser.get("/sources/shop").body
          for words in ["href=\"\(path)\"", ">60<", "price numeric", "complete"] {
            #expect(source.contains(words), "\(words) is not in \(source)")
          }
          let first = try await browser.get(path)
          #expect(first.status == 200 && !first.body.contains("\u{202E}"), "\(first)")
          for words in ["&lt;script&gt;\\u{202E}", "Product 50", "href=\"\(path)\" aria-current", "1.50"] {
            #expect(first.body.contains(words), "\(words) is not in \(first.body)")
          }
          #expect(!first.body.contains("Product 51"))
          let next = try #require(first.body.firstMatch(of: #/rel="next" href="([^"]+)"/#))
          let last = try await browser.get(String(next.1).replacing("&amp;", with: "&"))
          #expect(last.status == 200 && last.body.contains("Product 60") && !last.body.contains("Product 50<"))
          #expect(
            try await browser.submit("/favorites", "source=shop&kind=products&id=2", from: path).status == 303)
          let hearts = try await browser.get(path).body
          #expect(hearts.contains("Remove products 2 from favorites") && hearts.contains("Add products 3 to favorites"))
          #expect(try await browser.get("/favorites").body.contains("Product 2"))
          #expect(try await browser.get("/sources/shop/product").status == 404)
          #expect(try await browser.get(path + "?page=x").status == 400)
        }
      }
    }
  }
}

extension Mirror {
  fileprivate func settled(_ query: String) async throws -> String {
    // A session reports its counts before it ends.
    try await waitUntil("the end of the other sessions") {
      try await sql(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()") == "0"
    }
    return try await sql(query)
  }

  /// Digests of all rows and their versions, except for permits, which a dry run takes too.
  fileprivate func everyTable() async throws -> String {
    let names = try await sql(
      """
      SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
      WHERE schemaname IN ('sync', 'shop', 'app') AND tablename NOT LIKE 'rate%' ORDER BY 1
      """)
    return try await sql(
      names.split(separator: "\n").map {
        "SELECT '\($0)', count(*), md5(string_agg(concat(xmin, xmax, ctid, t), ' ' ORDER BY ctid)) FROM \($0) t"
      }.joined(separator: " UNION ALL "))
  }
}
