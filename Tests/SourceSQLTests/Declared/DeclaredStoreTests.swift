import LibPQ
import PostgresTestKit
import SyncCore
import Synchronization
import Testing

@testable import SyncPostgres

@Suite(.timeLimit(.minutes(10)), .mirror)
struct DeclaredStoreTests {
  private static let list = """
    SELECT position, sku, views, stock FROM shop.products_list JOIN shop.products_full USING (syncctl_key)
    ORDER BY position
    """

  /// Equal results show that nothing was written, locked or moved.
  private static func versions() async throws -> [String] {
    try await mirror.rows(
      """
      SELECT 'document', syncctl_key, xmin::text, xmax::text, ctid::text FROM shop.products
      UNION ALL SELECT 'counters', syncctl_key, xmin::text, xmax::text, ctid::text FROM shop.products_counters
      UNION ALL SELECT 'list', syncctl_key, xmin::text, xmax::text, ctid::text FROM shop.products_list
      ORDER BY 1, 2
      """
    ).map { $0.compactMap(\.self).joined(separator: " ") }
  }

  /// Returns the tables and keys of the rows that `body` has written or deleted.
  private static func changed(_ body: () async throws -> Void) async throws -> Set<String> {
    let before = try await versions()
    try await body()
    let rows = Set(before).symmetricDifference(try await versions())
    return Set(rows.map { $0.split(separator: " ").prefix(2).joined(separator: " ") })
  }

  private static func cursor(_ table: DeclaredTable) async throws -> String? {
    try await mirror.value(
      "SELECT cursor FROM sync.declared_resource WHERE resource = $1", [.text(table.resource)])
  }

  @Test("documents, counters and positions are stored; an unchanged walk writes no row")
  func stored() async throws {
    try await mirror.migrate(.products)
    let pages = [[Product(1, "a"), Product(2, "b", ["views": nil])], [Product(3, "c")]]
    let first = try await mirror.walk(.products, pages)
    #expect(first.status == .complete && first.counters.inserted == 3)
    try await mirror.expect(
      "SELECT syncctl_key, sku, title, price, tags, updated_at::date FROM shop.products ORDER BY 1",
      "1|a|Title a|1.50|{a}|2026-01-02", "2|b|Title b|2.50|{a}|2026-01-03", "3|c|Title c|3.50|{a}|2026-01-04")
    try await mirror.expect(Self.list, "1|a|10|5", "2|b|∅|5", "3|c|30|5")
    try await mirror.expect("SELECT source, list, entries, consistent FROM sync.publication", "shop|products|3|t")
    let changed = try await Self.changed {
      let second = try await mirror.walk(.products, pages)
      #expect(second.counters.unchanged == 3 && second.counters.inserted + second.counters.updated == 0)
    }
    #expect(changed == [])
  }

  @Test("changed counters touch only their table, a changed document only its own row")
  func counters() async throws {
    try await mirror.migrate(.products)
    let (one, two) = (Product(1, "a"), Product(2, "b"))
    try await mirror.walk(.products, [[one, two]])
    var changed = try await Self.changed {
      let report = try await mirror.walk(.products, [[one.with(["views": "11"]), two]])
      #expect(report.counters.updated == 1 && report.counters.documentsUpdated == 0)
    }
    #expect(changed == ["counters 1"])
    try await mirror.expect(
      "SELECT views, raw->>'views', changed_at < counters_changed_at FROM shop.products_full WHERE sku = 'a'", "11|10|t"
    )
    changed = try await Self.changed {
      let report = try await mirror.walk(.products, [[one.with(["views": "11", "title": "\"New\""]), two]])
      #expect(report.counters.documentsUpdated == 1)
    }
    #expect(changed == ["document 1"])
    try await mirror.expect("SELECT title, raw->>'views' FROM shop.products WHERE sku = 'a'", "New|11")
    // The document of a vanished item is the stored one, with the current counters.
    let document = try #require(SourceSQL.optional("documents", DeclaredTable.products.sql()))
    try await mirror.walk(.products, [[one.with(["views": "12", "title": "\"New\""]), two]])
    let text = try await mirror.owner.write { connection in
      try connection.query(document, [.ints([1]), .texts(DeclaredTable.products.sql().scope)]).text(row: 0, column: 1)
    }
    #expect(text?.contains(#""views": 12"#) == true && text?.contains(#""title": "New""#) == true)
  }

  @Test("a list is published with its positions, and only differences are written")
  func published() async throws {
    try await mirror.migrate(.products)
    let items = (1...4).map { Product($0, String("abcd".dropFirst(Int($0) - 1).prefix(1))) }
    try await mirror.walk(.products, [[items[0], items[1]], [items[1], items[2], items[3]]])
    try await mirror.expect(Self.list, "1|a|10|5", "2|b|20|5", "3|c|30|5", "4|d|40|5")
    let changed = try await Self.changed { try await mirror.walk(.products, [[items[1], items[0], items[2]]]) }
    #expect(changed == ["list 1", "list 2", "list 4"])
    try await mirror.expect(Self.list, "1|b|20|5", "2|a|10|5", "3|c|30|5")
    #expect(try await mirror.value("SELECT count(*) FROM shop.products WHERE vanished_at IS NULL") == "4")

    // Items that the walk lacks can be the unreadable item, so they keep their positions, with a mark.
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), DeclaredTable.products.stream())
    try await walk.commit(1, [items[2]], rejected: .unusable([], unreadable: 1))
    _ = try await walk.finish()
    try await mirror.expect(
      "SELECT position, sku, unread FROM shop.products_list JOIN shop.products USING (syncctl_key) ORDER BY 1, 3",
      "1|c|f", "1|b|t", "2|a|t")
    // A change by hand clears the digest, so the next walk writes the list again although it is the same.
    try await mirror.walk(.products, [[items[2], items[1]]])
    try await mirror.execute("DELETE FROM shop.products_list WHERE position = 1")
    try await mirror.walk(.products, [[items[2], items[1]]])
    try await mirror.expect(Self.list, "1|c|30|5", "2|b|20|5")
  }

  @Test("items that a walk lacks are missing with their keys' members; they vanish, and return")
  func vanished() async throws {
    try await mirror.migrate(.products, .orders, .lines)
    let all = ["a", #"b \"é"#, "c"].enumerated().map { Product(Int64($0 + 1), $1, ["no": "7"]) }
    for (table, met, members) in [
      (DeclaredTable.products, ["a"], ["b \"é"]), (.orders, ["1"], ["2"]), (.lines, ["a", "7"], ["b \"é", "7"]),
    ] {
      let stream = table.stream()
      let control = MissingItem(key: 1, members: met, isControl: true)
      for (page, expected) in [(all, []), ([all[0], all[2]], [MissingItem(key: 2, members: members)])] {
        var walk = try await WalkedList(PostgresWalkStore(mirror.database), stream)
        try await walk.commit(1, page)
        let found = try await walk.store.missing(in: walk.open, stream: stream)
        #expect(found.filter { !$0.isControl } == expected, "\(table.name)")
        if !expected.isEmpty { #expect(found.filter(\.isControl).map(\.key) == [1, 3], "\(table.name)") }
        if !expected.isEmpty { #expect(found.first == control, "\(table.name)") }
        try await walk.lookUp(2, gone: expected.map(\.key))
        _ = try await walk.finish()
      }
      let state = "SELECT syncctl_key, vanished_at IS NULL FROM \(table.name) ORDER BY 1"
      try await mirror.expect(state, "1|t", "2|f", "3|t")
      try await mirror.expect(
        "SELECT state FROM app.favorite_item WHERE source = 'shop' AND kind = '\(table.resource)' AND id = 2",
        "vanished")
      var walk = try await WalkedList(PostgresWalkStore(mirror.database), stream)
      // A walk that met no item has no control item.
      let unmet = try await walk.store.missing(in: walk.open, stream: stream)
      #expect(unmet.map(\.key) == [1, 3] && !unmet.contains(where: \.isControl), "\(table.name)")
      try await walk.commit(1, all)
      #expect(walk.counters.updated == 1 && walk.counters.unchanged == 2)
      #expect(try await walk.store.missing(in: walk.open, stream: stream).allSatisfy(\.isControl))
      _ = try await walk.finish()
      try await mirror.expect(state, "1|t", "2|t", "3|t")
    }
  }

  @Test("the guard against removals counts only items of the published list")
  func guarded() async throws {
    try await mirror.migrate(.products)
    let stream = DeclaredTable.products.stream()
    let items = (1...100).map { Product($0, "\($0)") }
    for (listed, isRefused) in [(100, true), (51, false)] {
      try await mirror.walk(.products, [Array(items.prefix(listed))])
      var walk = try await WalkedList(PostgresWalkStore(mirror.database), stream, fresh: true)
      try await walk.commit(1, Array(items.prefix(50)))
      if isRefused {
        await expectError(.guarded, "50 of 100 items") { [walk] in
          _ = try await walk.store.missing(in: walk.open, stream: stream)
        }
      } else {
        let missing = try await walk.store.missing(in: walk.open, stream: stream).filter { !$0.isControl }
        #expect(missing.map(\.key) == Array(51...100))
      }
      _ = try await walk.finish(.partial, publishes: false)
    }
  }

  @Test("a page that was requested earlier changes neither documents nor counters")
  func newer() async throws {
    try await mirror.migrate(.products)
    let (old, new) = (Product(1, "a"), Product(1, "a", ["title": "\"New\"", "views": "99"]))
    try await mirror.walk(.products, [[old]])
    var late = try await WalkedList(PostgresWalkStore(mirror.database), DeclaredTable.products.stream())
    try await late.commit(1, [new])
    let changed = try await Self.changed {
      let changes = [["title": "\"Late\""], ["views": "7"], ["title": "\"Late\"", "views": "7"]]
      for (place, changes) in changes.enumerated() {
        try await late.commit(place + 2, [old.with(changes)], age: .seconds(3600))
      }
    }
    #expect(changed == [] && late.counters.updated == 1)
    try await mirror.expect("SELECT title, views FROM shop.products_full", "New|99")
  }

  @Test(
    "two keys with one hash: the later one goes to quarantine by name, and the stored row stays",
    arguments: [true, false])
  func collision(_ isSameWalk: Bool) async throws {
    try await mirror.migrate(.products, .lines, .orders)
    for (table, stored, sent) in [
      (DeclaredTable.products, #"["a"]"#, #"["b"]"#), (.lines, #"["a", 1]"#, #"["b", 1]"#),
    ] {
      let (one, other) = (Product(7, "a", ["no": "1"]), Product(7, "b", ["no": "1", "views": "1000"]))
      var walk = try await WalkedList(PostgresWalkStore(mirror.database), table.stream(), fresh: true)
      try await walk.commit(1, [one, Product(8, "c", ["no": "1"])])
      if !isSameWalk {
        _ = try await walk.finish()
        walk = try await WalkedList(PostgresWalkStore(mirror.database), table.stream(), fresh: true)
      }
      let before = walk.counters
      try await walk.commit(isSameWalk ? 2 : 1, [other, Product(9, "d", ["no": "1"])])
      #expect(walk.counters.quarantined == 1 && walk.counters.inserted == before.inserted + 1)
      #expect(walk.counters.updated == 0 && walk.counters.duplicates == 0)
      _ = try await walk.finish()
      try await mirror.expect("SELECT sku FROM \(table.name) ORDER BY syncctl_key", "a", "c", "d")
      try await mirror.expect(
        "SELECT item, reason, detail LIKE '%' || $1 FROM sync.quarantine WHERE stream = '\(table.resource)'",
        with: [.text("the key \(sent) has the same hash as the stored key \(stored)")], "7|refused|t")
      if table == .products { try await mirror.expect("SELECT views FROM shop.products_full WHERE sku = 'a'", "70") }
    }
    // A number is the key itself, so the same number is the same item.
    try await mirror.walk(.orders, [[Product(7, "a")]])
    #expect(try await mirror.walk(.orders, [[Product(7, "b")]]).counters.updated == 1)
  }

  private static func finish(
    _ table: DeclaredTable, _ values: [String?], publishes: Bool = true, endedBy: Certificate.EndedBy = .notFound,
    _ absence: Absence = .provesNothing
  ) async throws {
    let member = table.cursor?.count == 2 ? "meta" : "updated_at"
    let items = values.enumerated().map { place, value in
      let json = member == "meta" ? value.map { "{\"it's\":\($0)}" } : value
      return Product(Int64(place + 1), "\(place)", ["no": "1", member: json])
    }
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), table.stream(absence), fresh: true)
    if !items.isEmpty { try await walk.commit(1, items) }
    var certificate = Certificate.sample
    certificate.endedBy = endedBy
    _ = try await walk.store.finish(
      walk.open, stream: walk.stream,
      ending: WalkEnding(
        status: endedBy.isEnd ? .complete : .partial, certificate: certificate, counters: walk.counters, error: nil,
        readings: items.isEmpty ? 0 : 1, publishes: publishes, isResumable: !publishes))
  }

  @Test(
    "the cursor becomes the largest past time, or the second largest number or text of the first page",
    arguments: [
      ([#""2026-01-02""#, #""2026-01-10T05:00:00Z""#, nil, "null"], #""2026-01-10T05:00:00Z""#),
      ([#""2026-01-02""#, #""2999-01-01T00:00:00Z""#, #""2999-01-02""#], #""2026-01-02""#), ([#""2999-01-01""#], nil),
      (["9", "10", "null", "10"], "9"), (["9"], nil), (["10", #""10""#, "9"], "9"), (["true", "{}", "[]"], nil),
      (["1.5", #""1.25e1""#], "1.5"), (["9", #""10""#], "9"), ([#""Z""#, #""a""#, #""é""#, #""b""#], #""b""#),
      (["9007199254740993", "9007199254740992"], "9007199254740992"), (["null", nil], nil), ([], nil),
      // An instant, and not the text, decides.
      ([#""2026-01-10T05:00:00+02:00""#, #""2026-01-10T04:00:00Z""#], #""2026-01-10T04:00:00Z""#),
    ] as [([String?], String?)])
  func cursor(_ values: [String?], _ expected: String?) async throws {
    try await mirror.migrate(.products, .lines)
    for table in [DeclaredTable.products, .lines] {
      try await Self.finish(table, values)
      #expect(try await Self.cursor(table) == expected, "\(table.name)")
    }
  }

  @Test("an incremental walk moves the cursor only forward, and a walk of the whole list replaces it")
  func moves() async throws {
    try await mirror.migrate(.products)
    let (full, part) = (Absence.questionsItem(.wholeList, publishes: true), Absence.provesNothing)
    for absence in [full, part] {
      try await Self.finish(.products, ["\"2026-01-05\""], publishes: false, absence)
      try await Self.finish(.products, ["\"2026-01-05\""], endedBy: .pageCap, absence)
      #expect(try await Self.cursor(.products) == nil)
    }
    let version = "SELECT xmin::text, ctid::text FROM sync.declared_resource"
    let content = "SELECT cursor, reached, reached_by FROM sync.declared_resource"
    let steps: [(Absence, [String?], String?)] = [
      (full, ["05", "01"], "05"), (part, ["04"], "05"), (part, [nil], "05"), (part, ["05"], "05"), (part, ["06"], "06"),
      (full, ["04", "03"], "04"), (full, ["04"], "04"), (full, [nil], nil), (full, [nil], nil),
      // Items of earlier walks do not count.
      (part, ["02"], "02"),
    ]
    for (step, (absence, days, expected)) in steps.enumerated() {
      let before = (content: try await mirror.rows(content), version: try await mirror.rows(version))
      try await Self.finish(.products, days.map { $0.map { "\"2026-01-\($0)\"" } ?? "null" }, absence)
      let after = try await Self.cursor(.products)
      #expect(after == expected.map { "\"2026-01-\($0)\"" }, "step \(step)")
      let isWritten = try await mirror.rows(version) != before.version
      #expect(try await isWritten == (mirror.rows(content) != before.content), "step \(step)")
    }
  }

  private static func recorded(
    parameters: String = "", origin: String = DeclaredTable.products.stream().origin
  ) async throws -> DeclaredSchema.Recorded? {
    let walked = ["products", "other"].map { name in
      StreamDescription(
        id: StreamID(source: "shop", name: name), provider: "shop", origin: origin, pageSize: 25,
        absence: .provesNothing, sql: DeclaredTable.products.sql(), parameters: parameters)
    }
    return try await DeclaredSchema.recorded(of: "shop", walked: walked, in: mirror.database).first
  }

  @Test("the cursor is read with its type and spelling")
  func recordedCursor() async throws {
    try await mirror.migrate(.products)
    #expect(try await Self.recorded()?.cursor == nil)
    for cursor in [#""2026-03-01 00:30:00.75""#, "1000.50", #""1000""#] {
      try await mirror.execute("UPDATE sync.declared_resource SET cursor = $1::text::jsonb", [.text(cursor)])
      #expect(try await Self.recorded()?.cursor == cursor)
    }
  }

  @Test("a row of declared_resource that cannot be read is an error that names it")
  func unreadableRow() async throws {
    try await mirror.migrate(.products)
    for edit in [#"columns = '{"a": 1}'"#, "columns = '[]'", "columns = '\"x\"'"] {
      try await mirror.execute("UPDATE sync.declared_resource SET \(edit)")
      await expectError(.database, "the row of shop.products in sync.declared_resource", hint: "drop the table") {
        _ = try await Self.recorded()
      }
      await expectError(.database, "the row of shop.products in sync.declared_resource", hint: "drop the table") {
        try await mirror.migrate(.products)
      }
    }
  }

  @Test("only a published walk of the whole list with the same parameters and origin counts as a full walk")
  func hasFull() async throws {
    try await mirror.migrate(.products)
    #expect(try await Self.recorded()?.hasFull == false)
    try await Self.finish(.products, [], .provesNothing)
    #expect(try await Self.recorded()?.hasFull == false, "an incremental walk is no full one")
    try await mirror.walk(.products, [[Product(1, "a")]])
    try await mirror.execute("UPDATE sync.publication SET published_at = published_at - interval '1 h'")
    let full = try #require(try await Self.recorded())
    #expect(full.hasFull && (3600...3660).contains(full.fullAge ?? 0))
    #expect(try await Self.recorded(parameters: "per_page=3")?.hasFull == false)
    #expect(try await Self.recorded(origin: "https://other.example")?.hasFull == false)
    // An incremental walk does not replace the published walk.
    try await Self.finish(.products, ["null"], .provesNothing)
    #expect(try await Self.recorded()?.hasFull == true)
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), DeclaredTable.products.stream(), fresh: true)
    try await walk.commit(1, [Product(1, "a")])
    _ = try await walk.finish(.inconsistent)
    #expect(try await Self.recorded()?.hasFull == false, "an inconsistent walk is no full one")
  }

  @Test(
    "an unproven walk is published, fresh, and a full walk that moves the cursor, like a complete one",
    arguments: [RunStatus.complete, .unproven, .inconsistent])
  func unproven(status: RunStatus) async throws {
    try await mirror.migrate(.products)
    var walk = try await WalkedList(PostgresWalkStore(mirror.database), DeclaredTable.products.stream(), fresh: true)
    try await walk.commit(1, [Product(1, "a"), Product(2, "b")])
    var certificate = Certificate.sample
    if status != .complete {
      certificate.evidence = nil
      certificate.requireEvidence(missed: status == .unproven ? 0 : 1)
    }
    let report = try await walk.store.finish(
      walk.open, stream: walk.stream,
      ending: WalkEnding(
        status: status, certificate: certificate, counters: walk.counters, error: nil, readings: 1, publishes: true,
        isResumable: false))
    let isWhole = status != .inconsistent
    #expect(report.status == status && report.isFresh && report.status.isWhole == isWhole)
    #expect(try await Self.cursor(.products) == (isWhole ? "\"2026-01-03\"" : nil))
    #expect(try await Self.recorded()?.hasFull == isWhole)
    let flag = isWhole ? "t" : "f"
    try await mirror.expect(
      "SELECT status, certificate->>'unproven', certificate->>'missed' FROM sync.run",
      "\(status.rawValue)|\(status == .unproven)|\(isWhole ? 0 : 1)")
    try await mirror.expect("SELECT entries, consistent FROM sync.publication", "2|\(flag)")
    try await mirror.expect(
      "SELECT whole_at IS NOT NULL, consistent_at IS NOT NULL FROM sync.stream_freshness",
      "t|\(status == .complete ? "t" : "f")")
  }

  @Test("the key in a next address, and the items that a walk missed, are stored with the reading")
  func storedKeys() async throws {
    try await mirror.migrate(.products)
    let stream = DeclaredTable.products.stream()
    let claim = PageClaim(next: "?after=a", nextKey: "a")
    for isResumed in [false, true] {
      var walk = try await WalkedList(PostgresWalkStore(mirror.database), stream)
      if isResumed {
        #expect(walk.open.pages.map(\.claim) == [claim, PageClaim()])
        #expect(walk.open.pages.map(\.missed) == [0, 3])
        _ = try await walk.finish(.unproven)
      } else {
        try await walk.commit(1, [Product(1, "a")], claim: claim, etag: "\"1\"")
        let lookups = StoredPage(number: 2, page: nil, keys: [], unreadable: 0, claim: PageClaim(), missed: 3)
        try await walk.commit(PageCommit(page: lookups, rows: [], rejected: [], counters: .init(), requestedAt: .zero))
        _ = try await walk.finish(.partial, publishes: false, isResumable: true)
      }
    }
    let next = try await WalkedList(PostgresWalkStore(mirror.database), stream)
    #expect(try await next.cachedPages().map(\.claim) == [claim], "a page that is still the same keeps its evidence")
  }

  @Test("a worker with the rights of sql/roles.sql walks, marks, publishes and moves the cursor")
  func worker() async throws {
    try await mirror.migrate(.products)
    try await mirror.grant()
    try await mirror.asRole("syncctl_worker") { worker in
      try await worker.walk(.products, [[Product(1, "a"), Product(2, "b")]])
      var walk = try await WalkedList(PostgresWalkStore(worker.database), DeclaredTable.products.stream())
      try await walk.commit(1, [Product(1, "a", ["views": "7", "title": "\"New\""])])
      try await walk.lookUp(2, gone: [2])
      #expect(try await walk.finish().counters.vanished == 1)
      try await worker.expect("SELECT sku, title, views FROM shop.products_full WHERE vanished_at IS NULL", "a|New|7")
      try await worker.expect("SELECT cursor FROM sync.declared_resource", "\"2026-01-02\"")
      #expect(try await DeclaredSchema.recorded(of: "shop", in: worker.database).count == 1)
      for column in ["source", "resource", "key", "selector", "columns", "counters", "has_list", "declared_at"] {
        let statement = "UPDATE sync.declared_resource SET \(column) = \(column)"
        let error = await syncError { try await worker.execute(statement) }
        #expect(error?.code == .permission, "\(column)")
      }
    }
  }

  @Test("a dry run tells what a run would change, and writes nothing")
  func dryRun() async throws {
    try await mirror.migrate(.products)
    try await mirror.walk(.products, [[Product(1, "a"), Product(2, "b"), Product(3, "c")]])
    let told = Mutex<[String]>([])
    let changed = try await Self.changed {
      let store = DryRunStore(mirror.database) { changes in
        let lines = changes.map { change in
          let columns = change.columns.filter { $0.name != "raw" }.map { " \($0.name): \($0.from) → \($0.to)" }
          return "\(change.operation) \(change.key) \(change.title ?? "")\(columns.joined(separator: ","))"
        }
        told.withLock { $0 += lines }
      }
      var walk = try await WalkedList(store, DeclaredTable.products.stream())
      try await walk.commit(
        1, [Product(1, "a", ["views": "11"]), Product(2, "b", ["title": "\"New\"", "tags": "[]"]), Product(4, "d")])
      let control = MissingItem(key: 1, members: ["a"], isControl: true)
      #expect(
        try await store.missing(in: walk.open, stream: walk.stream) == [
          control, MissingItem(key: 2, members: ["b"], isControl: true), MissingItem(key: 3, members: ["c"]),
        ])
      try await walk.lookUp(2, gone: [3])
      #expect(try await walk.finish().counters.vanished == 1)
    }
    #expect(changed == [])
    #expect(
      told.withLock { $0 } == [
        "update 1 Title a views: 10 → 11", #"update 2 New tags: ["a"] → [], title: "Title b" → "New""#,
        "insert 4 Title d", "vanish 3 Title c",
      ])
  }
}
