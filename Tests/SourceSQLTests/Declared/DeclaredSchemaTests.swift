import LibPQ
import PostgresTestKit
import SyncCore
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct DeclaredSchemaTests {
  typealias Column = DeclaredTable.Column

  private static let shopColumns = DeclaredTable.shopColumns
  private static let color = Column("color", .text, ["attributes", "color"])

  private static let ownColumns = """
    syncctl_key bigint, sku text*, title text*, price numeric*, tags text[]*, updated_at timestamp with time zone*, \
    raw jsonb, content_hash bytea, first_seen_at timestamp with time zone, requested_at timestamp with time zone, \
    changed_at timestamp with time zone, vanished_at timestamp with time zone
    """

  /// The names and types of a relation's columns, with `*` for generated columns.
  private static func columns(_ relation: String) async throws -> String? {
    try await mirror.value(
      """
      SELECT string_agg(
        concat(attname, ' ', format_type(atttypid, atttypmod), CASE attgenerated WHEN 's' THEN '*' END), ', '
        ORDER BY attnum)
      FROM pg_attribute WHERE attrelid = to_regclass('shop.' || $1) AND attnum > 0 AND NOT attisdropped
      """, [.text(relation)])
  }

  private static func store(_ key: Int, _ raw: String) async throws {
    try await mirror.execute(
      "INSERT INTO shop.products (syncctl_key, raw, content_hash) VALUES ($1, $2::text::jsonb, '\\x01')",
      [.int(Int64(key)), .text(raw)])
  }

  /// The versions of all rows and definitions that `migrate` writes.
  private static func versions() async throws -> [[String?]] {
    try await mirror.rows(
      """
      SELECT 'resource', resource, xmin::text FROM sync.declared_resource
      UNION ALL SELECT 'functions', folder, xmin::text FROM sync.function_set
      UNION ALL SELECT 'relation', oid::regclass::text, xmin::text FROM pg_class
                WHERE relnamespace::regnamespace::text IN ('shop', 'app')
      UNION ALL SELECT 'view', ev_class::regclass::text, r.xmin::text
                FROM pg_rewrite r JOIN pg_class c ON c.oid = ev_class
                WHERE relnamespace::regnamespace::text IN ('shop', 'app')
      UNION ALL SELECT 'function', oid::regprocedure::text, xmin::text FROM pg_proc
                WHERE pronamespace::regnamespace::text = 'shop'
      ORDER BY 1, 2
      """)
  }

  private static func expect(_ table: DeclaredTable) async throws {
    try DeclaredSchema.expect(table, among: await DeclaredSchema.recorded(of: table.source, in: mirror.database))
  }

  private static func pending(_ table: DeclaredTable, dropping: Bool = false) async throws -> [String] {
    let changes = try await DeclaredSchema([table]).pending(in: mirror.owner, dropsColumns: dropping)
    return changes.map { "\($0.table): \($0.text)" }
  }

  @Test("tables, views, comments and the record are created once; the second time nothing is written")
  func created() async throws {
    await expectError(.configuration, "shop.products does not exist yet", hint: "syncctl migrate") {
      try await Self.expect(.products)
    }
    #expect(try await mirror.migrate(.products) == ["shop.products: created"])
    try await Self.expect(.products)
    #expect(try await Self.columns("products") == Self.ownColumns)
    #expect(
      try await Self.columns("products_counters") == """
        syncctl_key bigint, views numeric*, stock integer*, raw jsonb, counter_hash bigint, \
        requested_at timestamp with time zone, changed_at timestamp with time zone
        """)
    #expect(try await Self.columns("products_list") == "syncctl_key bigint, position integer, unread boolean")
    #expect(
      try await Self.columns("products_full") == """
        syncctl_key bigint, sku text, title text, price numeric, tags text[], updated_at timestamp with time zone, \
        raw jsonb, content_hash bytea, first_seen_at timestamp with time zone, changed_at timestamp with time zone, \
        vanished_at timestamp with time zone, views numeric, stock integer, \
        counters_changed_at timestamp with time zone
        """)
    try await mirror.expect(
      "SELECT source, resource, key, selector, columns->'price', counters, has_list FROM sync.declared_resource",
      #"shop|products|{sku}|data|{"path": ["pricing", "amount"], "type": "numeric"}|{views,"in \"stock\""}|t"#)
    try await Self.store(
      7, #"{"sku":"a","title":"Lamp","pricing":{"amount":"1.50"},"tags":["x"],"updated_at":"2024-02-30"}"#)
    try await mirror.expect("SELECT sku, price, tags, updated_at FROM shop.products", "a|1.50|{x}|∅")
    try await mirror.expect(
      "SELECT source, kind, id, title, url, state FROM app.favorite_item WHERE source = 'shop'",
      "shop|products|7|Lamp|∅|mirrored")
    try await mirror.expect(
      "SELECT kind, id, what FROM app.favorite_history WHERE source = 'shop'", "products|7|mirrored")
    let before = try await Self.versions()
    #expect(try await mirror.migrate(.products) == [])
    #expect(try await Self.versions() == before)
    let ofUsers = try await mirror.owner.read { connection in
      try MirrorDependents.names(in: Migration.schemas + DeclaredSchema.schemas(connection), connection)
    }
    #expect(ofUsers == [], "a restore would name them as the user's")
  }

  @Test("each schema, relation, column and function has a comment, also an added one")
  func comments() async throws {
    try await mirror.migrate(.products, .orders, .lines)
    try await mirror.migrate(
      .shop(columns: Self.shopColumns + [Self.color], counters: DeclaredTable.shopCounters + [Column("sold", .bigint)]))
    try await mirror.expect(
      """
      SELECT 'relation ' || oid::regclass FROM pg_class
      WHERE relnamespace = 'shop'::regnamespace AND relkind IN ('r', 'v') AND obj_description(oid, 'pg_class') IS NULL
      UNION ALL
      SELECT 'column ' || c.oid::regclass || '.' || attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE relnamespace = 'shop'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
        AND coalesce(col_description(c.oid, attnum), '') = ''
      UNION ALL
      SELECT 'function ' || oid::regprocedure FROM pg_proc
      WHERE pronamespace = 'shop'::regnamespace AND obj_description(oid, 'pg_proc') IS NULL
      """)
    try await mirror.expect(
      "SELECT count(*) FROM pg_class WHERE relnamespace = 'shop'::regnamespace AND relkind IN ('r', 'v')", "9")
  }

  @Test("a new column is derived from stored documents; a removed one stays until it is dropped")
  func newAndRemoved() async throws {
    let more = DeclaredTable.shop(columns: Self.shopColumns + [Self.color])
    try await mirror.migrate(.products)
    let full = try await Self.columns("products_full")
    try await Self.store(1, #"{"sku":"a","attributes":{"color":"red"}}"#)
    await expectError(.configuration, "products has changed", hint: "syncctl migrate") { try await Self.expect(more) }
    #expect(try await mirror.migrate(more) == ["shop.products: column color derived from raw"])
    try await Self.expect(more)
    try await mirror.expect("SELECT color FROM shop.products_full", "red")
    #expect(try await Self.columns("products_full")?.hasSuffix(", color text") == true)

    let left = "shop.products: the column color is no longer declared; syncctl migrate --drop-columns drops it"
    try await Self.expect(.products)
    let before = try await Self.versions()
    for _ in 1...2 { #expect(try await mirror.migrate(.products) == [left]) }
    #expect(try await Self.versions() == before, "a reminder writes nothing")
    try await mirror.expect("SELECT color FROM shop.products_full", "red")
    #expect(try await mirror.migrate(.products, dropping: true) == ["shop.products: column color dropped"])
    #expect(try await Self.columns("products") == Self.ownColumns)
    #expect(try await Self.columns("products_full") == full)
    #expect(try await mirror.migrate(.products, dropping: true) == [])
  }

  @Test(
    "a column with another type or path is refused, or dropped and derived again; favorites show it",
    arguments: [Column("price", .text, ["pricing", "amount"]), Column("title", .text, ["names", "en"])])
  func changed(_ column: Column) async throws {
    try await mirror.migrate(.products)
    try await Self.store(1, #"{"sku":"a","title":"Lamp","names":{"en":"Light"},"pricing":{"amount":"1.50 EUR"}}"#)
    let other = DeclaredTable.shop(columns: Self.shopColumns.map { $0.name == column.name ? column : $0 })
    await expectError(.configuration, "changed since") { try await Self.expect(other) }
    let before = try await Self.versions()
    for isPlan in [true, false] {
      await expectError(.configuration, "\(column.name) has another path or type", hint: "--drop-columns") {
        _ = try await isPlan ? Self.pending(other) : mirror.migrate(other)
      }
    }
    #expect(try await Self.versions() == before)
    let derived = "shop.products: column \(column.name) derived from raw"
    #expect(try await mirror.migrate(other, dropping: true) == [derived])
    try await Self.expect(other)
    let isTitle = column.name == "title"
    try await mirror.expect("SELECT price, title FROM shop.products_full", isTitle ? "∅|Light" : "1.50 EUR|Lamp")
    try await mirror.expect(
      "SELECT title FROM app.favorite_item WHERE source = 'shop'", isTitle ? "Light" : "Lamp")
  }

  @Test("a view of a user on a dropped column is named, and nothing has changed")
  func inTheWay() async throws {
    try await mirror.migrate(.products)
    try await mirror.execute("CREATE VIEW public.mine AS SELECT price FROM shop.products")
    let before = try await Self.versions()
    let less = DeclaredTable.shop(columns: Self.shopColumns.filter { $0.name != "price" })
    await expectError(.configuration, "mine depends on column price") { try await mirror.migrate(less, dropping: true) }
    #expect(try await Self.versions() == before)
  }

  @Test("counters come and go; then each document is written again")
  func counters() async throws {
    let all = DeclaredTable.shopCounters
    try await mirror.migrate(.products)
    try await Self.store(1, #"{"sku":"a","views":3}"#)
    for counters in [[all[0]], all, [], [all[1]], all] {
      let table = DeclaredTable.shop(counters: counters)
      let changes = try await mirror.migrate(table)
      #expect(changes == ["shop.products: other counters: the next run writes each document again"], "\(counters)")
      try await Self.expect(table)
      try await mirror.expect("SELECT get_byte(content_hash, 0) FROM shop.products", "0")
      try await mirror.execute("UPDATE shop.products SET content_hash = '\\x01'")
      if !counters.isEmpty {
        _ = try await mirror.rows("SELECT \(counters.map(\.name).joined(separator: ", ")) FROM shop.products_full")
      }
    }
    let asColumn = DeclaredTable.shop(columns: Self.shopColumns + [Column("views", .integer)], counters: [all[1]])
    let moved = try await mirror.migrate(asColumn)
    #expect(moved.first == "shop.products: column views derived from raw" && moved.count == 2)
    try await mirror.expect("SELECT views, stock FROM shop.products_full", "3|∅")
    try await mirror.expect(
      "SELECT content_hash = set_byte(decode(repeat('00', 33), 'hex'), 32, 1) FROM shop.products", "t")
  }

  @Test("a counter with another type is refused, or dropped and derived again; one with another name is a new column")
  func counterColumns() async throws {
    let stock = DeclaredTable.shopCounters[1]
    try await mirror.migrate(.products)
    try await Self.store(1, #"{"sku":"a","views":3}"#)
    try await mirror.execute(
      "INSERT INTO shop.products_counters (syncctl_key, raw, counter_hash) VALUES (1, '{\"views\": 3}', 1)")
    let text = DeclaredTable.shop(counters: [Column("views", .text), stock])
    await expectError(.configuration, "changed since") { try await Self.expect(text) }
    let before = try await Self.versions()
    for isPlan in [true, false] {
      await expectError(.configuration, "views has another path or type", hint: "--drop-columns") {
        _ = try await isPlan ? Self.pending(text) : mirror.migrate(text)
      }
    }
    #expect(try await Self.versions() == before)
    #expect(try await mirror.migrate(text, dropping: true) == ["shop.products: column views derived from raw"])
    try await Self.expect(text)
    try await mirror.expect("SELECT views, pg_typeof(views) FROM shop.products_counters", "3|text")
    try await mirror.expect("SELECT views, pg_typeof(views) FROM shop.products_full", "3|text")

    let renamed = DeclaredTable.shop(counters: [Column("hits", .bigint, ["views"]), stock])
    await expectError(.configuration, "changed since") { try await Self.expect(renamed) }
    let made = try await mirror.migrate(renamed)
    #expect(made.contains { $0.contains("column hits") }, "\(made)")
    try await Self.expect(renamed)
    try await mirror.expect("SELECT hits, pg_typeof(hits) FROM shop.products_full", "3|bigint")
  }

  @Test("a counter that returns with another type gets this type", arguments: [false, true])
  func returningCounter(_ wasDropping: Bool) async throws {
    try await mirror.migrate(.products)
    try await mirror.migrate(.shop(counters: []), dropping: wasDropping)
    try await mirror.migrate(.shop(counters: [Column("views", .text)]), dropping: true)
    #expect(try await Self.columns("products_counters")?.contains("views text*") == true)
    #expect(try await Self.columns("products_full")?.contains("views text") == true)
  }

  @Test("a plan names what migrate then does, and changes nothing")
  func plan() async throws {
    let more = DeclaredTable.shop(columns: Self.shopColumns + [Self.color])
    let prices = Self.shopColumns.map { $0.name == "price" ? Column("price", .text, $0.path) : $0 }
    let left = "shop.products: the column color is no longer declared; syncctl migrate --drop-columns drops it"
    for (table, isDropping, expected) in [
      (DeclaredTable.shop(hasList: false), false, ["shop.products: created"]),
      (.products, false, ["shop.products_list: created"]),
      (more, false, ["shop.products: column color derived from raw"]),
      (.products, false, [left]), (.products, true, ["shop.products: column color dropped"]),
      (.shop(columns: prices), true, ["shop.products: column price derived from raw"]),
      (
        .shop(columns: prices, counters: []), false,
        ["shop.products: other counters: the next run writes each document again"]
      ),
    ] as [(DeclaredTable, Bool, [String])] {
      let before = try await Self.versions()
      #expect(try await Self.pending(table, dropping: isDropping) == expected)
      #expect(try await Self.versions() == before)
      #expect(try await mirror.migrate(table, dropping: isDropping) == expected)
      #expect(try await Self.pending(table, dropping: isDropping) == (expected == [left] ? [left] : []))
    }
  }

  @Test(
    "what was stored about a dropped table is deleted, its list is published again, and the roles can read favorites",
    arguments: ["DROP TABLE shop.products CASCADE", "DROP SCHEMA shop CASCADE"])
  func dropped(_ statement: String) async throws {
    try await mirror.grant()
    try await mirror.migrate(.products, .orders)
    let items = [Product(1, "a"), Product(2, "b")]
    for table in [DeclaredTable.products, .orders] { try await mirror.walk(table, [items]) }
    try await mirror.execute(statement)
    await expectError(.configuration, "shop.products does not exist yet", hint: "syncctl migrate") {
      try await Self.expect(.products)
    }
    let gone = statement.contains("SCHEMA") ? ["shop.orders", "shop.products"] : ["shop.products"]
    let told = gone.map { "\($0): was dropped; what was stored about its walks is deleted" }
    #expect(try await mirror.migrate(.products, .orders) == told + gone.reversed().map { "\($0): created" })
    for table in [DeclaredTable.products, .orders] { try await Self.expect(table) }
    try await mirror.expect(
      """
      SELECT resource, cursor, (SELECT count(*) FROM sync.walk WHERE stream = resource),
        (SELECT count(*) FROM sync.publication WHERE list = resource)
      FROM sync.declared_resource WHERE resource = 'products'
      """, "products|∅|0|0")
    #expect(try await mirror.walk(.products, [items]).counters.inserted == 2)
    #expect(try await mirror.walk(.orders, [items]).counters.inserted == (gone.count == 2 ? 2 : 0))
    try await mirror.expect("SELECT syncctl_key, position FROM shop.products_list ORDER BY position", "1|1", "2|2")
    for role in Self.roles {
      try await mirror.asRole(role) { reader in
        for view in ["favorite_item", "favorite_history"] {
          try await reader.expect("SELECT count(DISTINCT (kind, id)) FROM app.\(view) WHERE source = 'shop'", "4")
        }
      }
    }
  }

  @Test("a view of a user on what is left of a dropped table is named, and nothing has changed")
  func inTheWayOfTheRest() async throws {
    try await mirror.migrate(.products)
    try await mirror.execute("CREATE VIEW public.mine AS SELECT position FROM shop.products_list")
    try await mirror.execute("DROP TABLE shop.products CASCADE")
    let before = try await Self.versions()
    await expectError(.configuration, "mine depends on table shop.products_list", hint: "drop these") {
      try await mirror.migrate(.products)
    }
    #expect(try await Self.versions() == before)
    try await mirror.execute("DROP VIEW public.mine")
    #expect(try await mirror.migrate(.products).last == "shop.products: created")
    try await Self.expect(.products)
  }

  @Test("a list can be added; one that is no longer declared stays")
  func list() async throws {
    let without = DeclaredTable.shop(hasList: false)
    #expect(try await mirror.migrate(without) == ["shop.products: created"])
    await expectError(.configuration, "changed since") { try await Self.expect(.products) }
    #expect(try await mirror.migrate(.products) == ["shop.products_list: created"])
    for table in [.products, without] {
      try await Self.expect(table)
      #expect(try await mirror.migrate(table) == [])
    }
  }

  @Test(
    "another key or selector is refused, and nothing has changed; another name makes another table",
    arguments: [
      (DeclaredTable.shop(key: ["title"]), "primary_key sku"), (.shop(key: ["sku", "title"]), "primary_key sku"),
      (.shop(selector: "items"), "data_selector data"), (.shop(columns: numberKey), "primary_key sku"),
    ])
  func otherKey(_ other: DeclaredTable, _ words: String) async throws {
    try await mirror.migrate(.products)
    await expectError(.configuration, words) { try await Self.expect(other) }
    let before = try await Self.versions()
    for isPlan in [true, false] {
      await expectError(.configuration, words, hint: "another name") {
        _ = try await isPlan ? Self.pending(other, dropping: true) : mirror.migrate(other, dropping: true)
      }
    }
    #expect(try await Self.versions() == before)
    let renamed = DeclaredTable.shop(
      "goods", key: other.key, selector: other.selector, columns: other.columns, counters: other.counters)
    #expect(try await mirror.migrate(.products, renamed) == ["shop.goods: created"])
    try await Self.expect(renamed)
  }

  private static let numberKey = shopColumns.map { $0.name == "sku" ? Column("sku", .bigint) : $0 }

  @Test("a schema of the user is refused, and the tables of other sources are not created either")
  func foreignSchema() async throws {
    try await mirror.execute("CREATE SCHEMA shop")
    await expectError(.configuration, "has a schema shop, which syncctl did not make", hint: "another name") {
      try await mirror.migrate(.shop(source: "depot"), .products)
    }
    try await mirror.expect("SELECT to_regnamespace('depot'), to_regclass('shop.products')", "∅|∅")
    try await mirror.expect("SELECT count(*) FROM sync.declared_resource", "0")
    try await mirror.execute("DROP SCHEMA shop")
    #expect(
      try await mirror.migrate(.shop(source: "depot"), .products) == [
        "depot.products: created", "shop.products: created",
      ])
    #expect(try await mirror.owner.read { try DeclaredSchema.schemas($0) } == ["depot", "shop"])
  }

  @Test("a statement that fails leaves nothing")
  func failing() async throws {
    let bad = DeclaredTable.shop("orders", columns: Self.shopColumns + [Column("title", .text)])
    #expect(await syncError { try await mirror.migrate(.products, bad) } != nil)
    try await mirror.expect("SELECT to_regnamespace('shop'), count(*) FROM sync.declared_resource", "∅|0")
    try await mirror.migrate(.products)
    let before = try await Self.versions()
    let more = DeclaredTable.shop(columns: Self.shopColumns + [Self.color])
    #expect(await syncError { try await mirror.migrate(more, bad) } != nil)
    #expect(try await Self.versions() == before)
    #expect(try await Self.columns("products") == Self.ownColumns)
  }

  private static let roles = ["syncctl_worker", "syncctl_user", "syncctl_reader"]

  private static func expectRights(_ tables: Int) async throws {
    let rows = try await mirror.rows(
      """
      SELECT r.name, string_agg(p.letter, '' ORDER BY p.place) || count(DISTINCT c.oid),
             bool_and(has_schema_privilege(r.name, 'shop', 'USAGE')),
             bool_or(has_schema_privilege(r.name, 'shop', 'CREATE'))
      FROM unnest($1::text[]) WITH ORDINALITY AS r (name, place)
      CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'], ARRAY['S', 'I', 'U', 'D'])
        WITH ORDINALITY AS p (name, letter, place)
      JOIN pg_class c ON c.relnamespace = 'shop'::regnamespace AND has_table_privilege(r.name, c.oid, p.name)
        AND (c.relkind = 'r' OR c.relkind = 'v' AND p.name = 'SELECT')
      GROUP BY r.name, r.place ORDER BY r.place
      """, [.texts(roles)])
    let (reads, writes) = (String(repeating: "S", count: tables + 3), ["I", "U", "D"])
    let all = writes.map { String(repeating: $0, count: tables) }.joined()
    let expected = zip(roles, [reads + all, reads, reads]).map { role, rights in
      [role, "\(rights)\(tables + 3)", "t", "f"]
    }
    #expect(rows == expected)
  }

  @Test("the roles have their rights, whether sql/roles.sql ran before or after migrate", arguments: [true, false])
  func rights(_ isFirst: Bool) async throws {
    if isFirst { try await mirror.grant() }
    try await mirror.migrate(.products)
    if !isFirst { try await mirror.grant() }
    try await Self.expectRights(3)
    try await mirror.migrate(.products, .orders)
    try await Self.expectRights(4)
    let changed = DeclaredTable.shop(counters: [DeclaredTable.shopCounters[0]])
    try await mirror.migrate(changed, .orders)
    try await Self.expectRights(4)
    // The worker writes no view and no relation of a user.
    for statement in [
      "CREATE TABLE shop.mine (note text)", "CREATE VIEW shop.products_of_mine AS SELECT note FROM shop.mine",
    ] {
      try await mirror.execute(statement)
    }
    try await mirror.execute("SELECT shop.grant_rights()")
    let written = try await mirror.rows(
      """
      SELECT string_agg(c.relname, ' ' ORDER BY c.relname) FROM pg_class c
      WHERE c.relnamespace = 'shop'::regnamespace AND c.relkind IN ('r', 'v')
        AND has_table_privilege('syncctl_worker', c.oid, 'INSERT, UPDATE, DELETE')
      """)
    #expect(written == [["orders products products_counters products_list"]])
    _ = try await mirror.asRole("syncctl_worker") { worker in
      let schema = DeclaredSchema([.lines])
      await expectError(.permission) { _ = try await schema.migrate(in: worker.database, dropsColumns: false) }
    }
  }

  @Test(
    "a database without sql/roles.sql grants nothing, although the server has the roles",
    .ownersAlone("has a database without grants"))
  func withoutRoles() async throws {
    let another = try await ThrowawayPostgres.shared().makeProductDatabase()
    try await ThrowawayPostgres.shared().grant(in: another)
    try await mirror.migrate(.products)
    try await mirror.expect("SELECT has_schema_privilege('syncctl_worker', 'shop', 'USAGE')", "f")
    try await ThrowawayPostgres.shared().drop(another)
  }

  @Test("changes that need no other table need no migrate")
  func sufficient() async throws {
    try await mirror.migrate(.products)
    for table in [
      DeclaredTable.products, .shop(columns: Array(Self.shopColumns.prefix(2))), .shop(hasList: false),
      .shop(cursor: nil), .shop(columns: Self.shopColumns.reversed()),
    ] { try await Self.expect(table) }
    for counters in [[], DeclaredTable.shopCounters + [Column("sold", .bigint)]] {
      await expectError(.configuration, "changed since") { try await Self.expect(.shop(counters: counters)) }
    }
  }
}
