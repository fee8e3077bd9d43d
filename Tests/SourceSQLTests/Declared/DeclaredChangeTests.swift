import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

@Suite("Changes of declared tables between and during walks", .timeLimit(.minutes(10)), .mirror)
struct DeclaredChangeTests {
  typealias Column = DeclaredTable.Column

  /// The number of pages of the walk that the next run continues.
  private static func resumablePages() async throws -> String? {
    try await mirror.value("SELECT count(*) FROM sync.stream_state JOIN sync.walk_page USING (walk_id)")
  }

  @Test("what changes the meaning of stored pages forgets the unfinished walk, and keeps the cursor; nothing else does")
  func unfinished() async throws {
    let items = (1...4).map { Product($0, "\($0)") }
    let more = DeclaredTable.shop(columns: DeclaredTable.shopColumns + [Column("color", .text)])
    let renamed = DeclaredTable.shop(
      counters: [Column("hits", .numeric, ["views"]), DeclaredTable.shopCounters[1]])
    for (change, table, isKept) in [
      ("nothing", DeclaredTable.products, true), ("a new column", more, true), ("a renamed counter", renamed, true),
      ("fewer counters", .shop(counters: [DeclaredTable.shopCounters[0]]), false),
      ("no counters", .shop(counters: []), false),
      ("no list", .shop(hasList: false), true),
    ] {
      try await mirror.migrate(.products)
      try await mirror.walk(.products, [items])
      try await mirror.execute("UPDATE sync.declared_resource SET cursor = '7'")
      var walk = try await WalkedList(PostgresWalkStore(mirror.database), DeclaredTable.products.stream())
      try await walk.commit(1, Array(items.prefix(2)))
      _ = try await walk.finish(.partial, publishes: false, isResumable: true)
      try await mirror.migrate(table)
      #expect(try await Self.resumablePages() == (isKept ? "1" : "0"), "\(change)")
      try await mirror.expect("SELECT cursor FROM sync.declared_resource", "7")
      try await mirror.execute("DROP SCHEMA shop CASCADE")
      try await mirror.migrate(.products)
    }
  }

  @Test("migrate ends the lease of a run under way, whose next page is refused")
  func underWay() async throws {
    try await mirror.migrate(.products)
    let items = (1...4).map { Product($0, "\($0)") }
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), DeclaredTable.products.stream())
    try await walk.commit(1, Array(items.prefix(2)))
    let less = DeclaredTable.shop(counters: [DeclaredTable.shopCounters[0]])
    try await mirror.migrate(less)
    await expectError(.tryLater, "has ended this run's lease, as syncctl migrate does", hint: "run again") {
      [walk] in
      var late = walk
      try await late.commit(2, Array(items.suffix(2)))
    }
    await expectError(.tryLater, "ended this run's lease") { [walk] in _ = try await walk.finish() }
    try await mirror.expect("SELECT count(*) FROM shop.products", "2")
    try await mirror.expect("SELECT count(*) FROM sync.publication", "0")
    #expect(try await Self.resumablePages() == "0")
  }

  @Test("a run that read its declaration before a migrate does not begin")
  func earlierDeclaration() async throws {
    try await mirror.migrate(.products)
    try await mirror.migrate(.shop(counters: [DeclaredTable.shopCounters[0]]))
    await expectError(.configuration, "was migrated to another declaration", hint: "syncctl migrate") {
      _ = try await WalkedList(PostgresWalkStore(mirror.database), DeclaredTable.products.stream())
    }
  }

  @Test("a column that is only derived leaves a run under way alone")
  func derivedMeanwhile() async throws {
    try await mirror.migrate(.products)
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), DeclaredTable.products.stream())
    try await walk.commit(1, [Product(1, "a")])
    try await mirror.migrate(.shop(columns: DeclaredTable.shopColumns + [Column("color", .text)]))
    try await walk.commit(2, [Product(2, "b")])
    #expect(try await walk.finish().counters.inserted == 2)
  }

  @Test("a dropped list or table of counters is refused by run, and created and filled again")
  func droppedParts() async throws {
    try await mirror.migrate(.products)
    let items = [[Product(1, "a"), Product(2, "b")]]
    try await mirror.walk(.products, items)
    let rows =
      "SELECT position, sku, views, stock FROM shop.products_list JOIN shop.products_full USING (syncctl_key) ORDER BY 1"
    let before = try await mirror.rows(rows)
    for name in ["list", "counters"] {
      try await mirror.execute("DROP TABLE shop.products_\(name) CASCADE")
      await expectError(.configuration, "shop.products_\(name) was dropped", hint: "syncctl migrate creates it again") {
        try DeclaredSchema.expect(.products, among: await DeclaredSchema.recorded(of: "shop", in: mirror.database))
      }
      let said = try await mirror.migrate(.products)
      #expect(said.first?.hasPrefix("shop.products_\(name): was dropped; created") == true, "\(said)")
      #expect(try await mirror.migrate(.products) == [])
      try await mirror.walk(.products, items)
      #expect(try await mirror.rows(rows) == before, "\(name)")
    }
    try await mirror.execute("DROP VIEW shop.products_full")
    #expect(try await mirror.migrate(.products) == ["shop.products_full: created"])
    #expect(try await mirror.rows(rows) == before)
  }

  @Test("views of an older program or another title are brought up to date")
  func views() async throws {
    try await mirror.migrate(.products)
    try await mirror.walk(.products, [[Product(1, "a")]])
    let number = "SELECT number FROM sync.function_set WHERE folder = 'sources/shop'"
    let current = try await mirror.value(number)
    try await mirror.execute("UPDATE sync.function_set SET number = number - 1 WHERE folder = 'sources/shop'")
    let said = ["shop: views brought up to date"]
    #expect(
      try await DeclaredSchema([.products]).pending(in: mirror.owner, dropsColumns: false).map(\.text) == [
        "views brought up to date"
      ])
    #expect(try await mirror.migrate(.products) == said)
    #expect(try await mirror.value(number) == current)
    #expect(try await mirror.migrate(.products) == [])
    #expect(try await mirror.migrate(.shop(title: "sku")) == said)
    try await mirror.expect("SELECT title FROM app.favorite_item WHERE source = 'shop'", "a")
  }

  /// Stores rows as an older program did, whose hashes depended on the spelling of the key.
  private static func storeOld(_ rows: [(key: Int, raw: String)]) async throws {
    for row in rows {
      try await mirror.execute(
        "INSERT INTO shop.products (syncctl_key, raw, content_hash) VALUES ($1, $2::text::jsonb, '\\x01')",
        [.int(Int64(row.key)), .text(row.raw)])
      try await mirror.execute(
        "INSERT INTO shop.products_counters (syncctl_key, raw, counter_hash) VALUES ($1, '{\"views\": 3}', 1)",
        [.int(Int64(row.key))])
      try await mirror.execute(
        "INSERT INTO app.favorite (collection, source, kind, id) VALUES ('favorites', 'shop', 'products', $1)",
        [.int(Int64(row.key))])
    }
    try await mirror.execute("UPDATE sync.declared_resource SET identity = 1")
  }

  private static let hash = "sync.key_hash(ARRAY[sync.key_json(raw->'sku', 'text')])"

  @Test("migrate gives rows of an older program the keys of their values, with all that refers to them")
  func rekeyed() async throws {
    try await mirror.migrate(.products)
    // The published walk and the list have the old keys.
    try await mirror.walk(.products, [[Product(11, "1"), Product(12, "2")], [Product(13, "c")]])
    try await mirror.execute(
      "UPDATE shop.products SET raw = raw || jsonb_build_object('sku', (raw->>'sku')::integer) WHERE syncctl_key < 13")
    try await mirror.execute(
      "INSERT INTO app.favorite (collection, source, kind, id) VALUES ('owned', 'shop', 'products', 12)")
    try await mirror.execute("UPDATE sync.declared_resource SET identity = 1")
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), DeclaredTable.products.stream())
    try await walk.commit(1, [Product(11, "1")])
    _ = try await walk.finish(.partial, publishes: false, isResumable: true)
    await expectError(.configuration, "shop.products: an older syncctl computed its keys", hint: "syncctl migrate") {
      try DeclaredSchema.expect(.products, among: await DeclaredSchema.recorded(of: "shop", in: mirror.database))
    }
    let rows = """
      SELECT position, sku, views FROM shop.products_list JOIN shop.products_full USING (syncctl_key) ORDER BY 1
      """
    let before = try await mirror.rows(rows)
    #expect(try await mirror.migrate(.products) == ["shop.products: keys computed again"])
    try DeclaredSchema.expect(.products, among: await DeclaredSchema.recorded(of: "shop", in: mirror.database))
    #expect(try await mirror.rows(rows) == before && before.count == 3)
    try await mirror.expect("SELECT bool_and(syncctl_key = \(Self.hash)), count(*) FROM shop.products", "t|3")
    try await mirror.expect(
      "SELECT sku FROM app.favorite JOIN shop.products ON syncctl_key = id WHERE source = 'shop'", "2")
    try await mirror.expect(
      """
      SELECT count(*), count(p.syncctl_key) FROM sync.publication JOIN sync.run r ON r.id = run_id
      JOIN sync.walk_page w USING (walk_id) CROSS JOIN unnest(keys) AS key
      LEFT JOIN shop.products p ON syncctl_key = key
      """, "3|3")
    #expect(try await Self.resumablePages() == "0")
    #expect(try await mirror.migrate(.products) == [])
  }

  @Test("items that are stored twice are refused with the one command, which keeps the newer row of each")
  func merged() async throws {
    try await mirror.migrate(.products)
    try await Self.storeOld([
      (1, #"{"sku":1,"title":"old"}"#), (2, #"{"sku":"1","title":"new"}"#), (3, #"{"sku":2,"title":"alone"}"#),
      (4, #"{"sku":"x","title":"text"}"#),
    ])
    let before = try await mirror.rows("SELECT * FROM shop.products ORDER BY 1")
    await expectError(.configuration, "1 items are stored twice", hint: "syncctl migrate --merge-keys") {
      try await mirror.migrate(.products)
    }
    #expect(try await mirror.rows("SELECT * FROM shop.products ORDER BY 1") == before)
    let first = try await mirror.value("SELECT first_seen_at FROM shop.products WHERE syncctl_key = 1")
    _ = try await DeclaredSchema([.products]).migrate(in: mirror.owner, dropsColumns: false, mergesKeys: true)
    try await mirror.expect("SELECT sku, title FROM shop.products ORDER BY sku", "1|new", "2|alone", "x|text")
    try await mirror.expect("SELECT bool_and(syncctl_key = \(Self.hash)) FROM shop.products", "t")
    #expect(try await mirror.value("SELECT first_seen_at FROM shop.products WHERE sku = '1'") == first)
    try await mirror.expect("SELECT count(*), count(views) FROM shop.products_full", "3|3")
    try await mirror.expect(
      "SELECT count(*), count(DISTINCT sku) FROM app.favorite JOIN shop.products ON syncctl_key = id", "3|3")
    #expect(try await mirror.migrate(.products) == [])
  }
}
