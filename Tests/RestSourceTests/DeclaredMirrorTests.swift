import LibPQ
import PostgresTestKit
import SyncCore
import SyncPostgres
import SyncTestKit
import Synchronization
import Testing

@testable import RestSource

@Suite("Declared tables, from the page to the row", .timeLimit(.minutes(10)), .mirror)
struct DeclaredMirrorTests {
  @Test(
    "ids that change their JSON type neither double the table nor vanish; they are quarantined with that reason",
    arguments: [("1", "\"1\""), ("\"1\"", "1")])
  func otherJSONType(_ forms: (String, String)) async throws {
    let shop = try await DeclaredMirror("flip", "name: items\nprimary_key: id\ncolumns: { id: text, n: bigint }")
    func items(_ form: String, _ n: Int, _ ids: ClosedRange<Int> = 1...30) -> [String] {
      ids.map { #"{"id":\#(form.replacing("1", with: "\($0)")),"n":\#(n)}"# }
    }
    try await shop.walk(items(forms.0, 1))
    let other = items(forms.0, 2, 1...25) + items(forms.1, 2, 26...30)
    let report = try await shop.walk(other)
    #expect(report.counters.inserted == 0 && report.counters.updated == 25 && report.counters.quarantined == 5)
    try await mirror.expect(
      "SELECT count(*), count(DISTINCT id), count(vanished_at), sum(n) FROM flip.items", "30|30|0|55")
    try await mirror.expect("SELECT count(*) FROM flip.items_list", "30")
    try await mirror.expect(
      "SELECT DISTINCT reason, detail LIKE '%another JSON type than the stored key%' FROM sync.quarantine", "key_type|t"
    )
    // A dry run says the same.
    let changes = Mutex<[String]>([])
    let store = DryRunStore(mirror.database) { planned in
      changes.withLock { $0 += planned.map { "\($0.operation)" } }
    }
    let planned = try await shop.walk(items(forms.0, 3, 1...25) + items(forms.1, 3, 26...30), in: store)
    #expect(planned.counters.quarantined == 5 && planned.counters.updated == 25)
    // The declared form is accepted again.
    #expect(try await shop.walk(items(forms.0, 2)).counters.updated == 5)
  }

  @Test("a number key that is sent as a text is quarantined and counts as seen")
  func textForNumber() async throws {
    let shop = try await DeclaredMirror("digits", "name: items\nprimary_key: id")
    try await shop.walk((1...12).map { #"{"id":\#($0)}"# })
    let report = try await shop.walk((1...11).map { #"{"id":\#($0)}"# } + [#"{"id":"12"}"#])
    #expect(report.counters.quarantined == 1 && report.counters.inserted == 0)
    try await mirror.expect("SELECT count(*), count(vanished_at) FROM digits.items", "12|0")
    try await mirror.expect("SELECT item, reason FROM sync.quarantine", "12|key_type")
  }

  @Test("the same UUID in another case, and the same number in another spelling, are the same item")
  func spellings() async throws {
    let shop = try await DeclaredMirror(
      "spelled", "name: items\nprimary_key: [uid, no]\ncolumns: { uid: uuid, no: bigint }")
    let uid = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"
    try await shop.walk([#"{"uid":"\#(uid)","no":1,"n":1}"#])
    let report = try await shop.walk([#"{"uid":"\#(uid.uppercased())","no":1.0,"n":2}"#])
    #expect(report.counters.updated == 1 && report.counters.inserted + report.counters.quarantined == 0)
    try await mirror.expect("SELECT count(*), min(uid::text), min(no) FROM spelled.items", "1|\(uid)|1")
    try await mirror.expect(
      "SELECT syncctl_key = sync.key_hash(ARRAY[sync.key_json(raw->'uid', 'uuid'), sync.key_json(raw->'no', 'bigint')]) "
        + "FROM spelled.items", "t")
  }

  private static let odd = ["c", "d", "r", "i", "stored", "key", "old", "new", "item", "derived", "s", "v", "name"]

  @Test("columns can have the names that statements use: runs, dry runs, verify and repair work")
  func namesOfStatements() async throws {
    let columns = Self.odd.map { "\($0): bigint" }.joined(separator: ", ")
    let shop = try await DeclaredMirror(
      "odd", "name: items\nprimary_key: objectID\ncolumns: { objectID: text, \(columns) }\ncounters: [c, t, viewCount]")
    func item(_ id: String, _ n: Int) -> String {
      let members = (Self.odd + ["t", "viewCount"]).map { #""\#($0)":\#(n)"# }.joined(separator: ",")
      return #"{"objectID":"\#(id)",\#(members)}"#
    }
    try await shop.walk([item("a", 1), item("b", 2)])
    #expect(try await shop.verified().differences.isEmpty)
    let before = try await shop.rows()
    let told = Mutex<[String]>([])
    let store = DryRunStore(mirror.database) { changes in
      told.withLock { $0 += changes.flatMap { $0.columns.map { "\($0.name): \($0.from) → \($0.to)" } } }
    }
    try await shop.walk([item("a", 1), item("b", 3)], in: store)
    let names = (Self.odd + ["t", "view_count"]).sorted()
    #expect(told.withLock { $0.filter { !$0.hasPrefix("raw") }.sorted() } == names.map { "\($0): 2 → 3" })
    try await mirror.execute("UPDATE odd.items SET raw = raw || '{\"d\": 7}' WHERE object_id = 'a'")
    let found = try await shop.verified()
    #expect(found.differences.map(\.column) == ["content_hash"])
    try await shop.repair(found.outcome)
    try await shop.walk([item("a", 1), item("b", 2)])
    #expect(try await shop.rows() == before)
    try await mirror.expect("SELECT c, d, r, stored, view_count FROM odd.items_full WHERE object_id = 'b'", "2|2|2|2|2")
  }

  @Test("titles, formats and nested keys reach the tables and the favorites")
  func declared() async throws {
    let shop = try await DeclaredMirror(
      "titled",
      """
      name: items
      primary_key: attributes.id
      title: names.de
      columns:
        title: text
        german: { path: names.de, type: text }
        at: { type: timestamptz, format: epoch }
        day: { path: at, type: date, format: epoch }
        on: { path: active, type: boolean, format: number }
      """)
    try await shop.walk(
      [#"{"attributes":{"id":7},"title":"Lamp","names":{"de":"Lampe"},"at":1709164800,"active":1}"#])
    try await mirror.expect(
      "SELECT attributes__id, syncctl_key, at AT TIME ZONE 'UTC', day, \"on\" FROM titled.items",
      "7|7|2024-02-29T00:00:00|2024-02-29|t")
    try await mirror.expect("SELECT title FROM app.favorite_item WHERE source = 'titled'", "Lampe")
  }

  @Test("a run writes a stored counter that is missing again, and leaves items that have no such counter")
  func missingCounter() async throws {
    let shop = try await DeclaredMirror("lacking", "name: items\nprimary_key: id\ncounters: [stock, likes]")
    let items = (1...6).map { #"{"id":\#($0),"stock":\#($0)\#($0 % 2 == 0 ? #","likes":1"# : "")}"# }
    try await shop.walk(items)
    let before = try await shop.rows()
    let versions = "SELECT syncctl_key, xmin::text FROM lacking.items_counters ORDER BY 1"
    let first = try await mirror.rows(versions)
    #expect(try await shop.walk(items).counters.unchanged == 6)
    #expect(try await mirror.rows(versions) == first)
    for edit in ["raw - 'stock'", "raw - 'likes'", "'{}'", "'[]'"] {
      try await mirror.execute("UPDATE lacking.items_counters SET raw = \(edit)")
      try await shop.walk(items)
      #expect(try await shop.rows() == before, "\(edit)")
    }
  }

  private static func item(_ id: Int, _ random: inout SeededGenerator) -> String {
    let n = Int.random(in: 0..<100, using: &random)
    return """
      {"sku":"s\(id)","title":"T\(n)","price":\(n).5,"tags":["a","\(n)"],"at":"2026-01-02","meta":{"n":\(n)},\
      "other":\(n),"views":\(n),"stock":\(n + 1)\(id % 3 == 0 ? "" : ",\"likes\":\(n)")}
      """
  }

  /// Edits of stored values. `$` is the key of the row.
  private static let edits: [(table: String, sql: String)] = {
    let documents =
      ["title", "price", "tags", "at", "meta", "other", "views", "stock", "sku"].map { "raw = raw - '\($0)'" }
      + ["title", "price", "at", "meta", "other", "fresh"].map { "raw = raw || '{\"\($0)\": \"edited\"}'" }
      + ["raw = raw || '{\"meta\": {\"n\": -1}}'", "raw = raw || '{\"tags\": []}'", "raw = '[]'", "raw = '7'"]
      + [
        "raw = raw || '{\"sku\": \"s999\"}'",
        "content_hash = set_byte(content_hash, 5, 255 - get_byte(content_hash, 5))",
      ]
    let counters =
      ["views", "stock"].map { "raw = raw - '\($0)'" }
      + ["views", "stock", "fresh"].map { "raw = raw || '{\"\($0)\": -5}'" }
      + [
        "raw = raw - '{views,stock,likes}'::text[]", "raw = '{}'", "raw = '[]'", "raw = 'null'",
        "counter_hash = counter_hash + 1",
      ]
    return documents.map { ("", "UPDATE edited.items SET \($0) WHERE syncctl_key = $") }
      + counters.map { ("_counters", "UPDATE edited.items_counters SET \($0) WHERE syncctl_key = $") }
      + [
        ("_counters", "DELETE FROM edited.items_counters WHERE syncctl_key = $"),
        ("_list", "DELETE FROM edited.items_list WHERE syncctl_key = $"),
        ("_list", "UPDATE edited.items_list SET position = position + 1000 WHERE syncctl_key = $"),
        ("_list", "INSERT INTO edited.items_list VALUES ($ / 2, 5000)"),
        ("", "DELETE FROM edited.items WHERE syncctl_key = $"),
      ]
  }()

  @Test("every edit of every stored value is named once and healed")
  func everyEdit() async throws {
    let shop = try await DeclaredMirror(
      "edited",
      """
      name: items
      primary_key: sku
      columns: { sku: text, title: text, price: numeric, tags: "text[]", at: date, n: { path: meta.n, type: integer } }
      counters: [views, stock, likes]
      """)
    var random = SeededGenerator(seed: testSeed)
    let items = (1...Self.edits.count).map { Self.item($0, &random) }
    try await shop.walk(items)
    let before = try await shop.rows()
    let keys = try await mirror.rows("SELECT syncctl_key::text FROM edited.items ORDER BY 1").map { $0[0] ?? "" }
    // Each round makes each edit, of rows in another order.
    for round in 1...testFactor {
      for ((table, edit), key) in zip(Self.edits, keys.shuffled(using: &random)) {
        try await mirror.execute(edit.replacing("$", with: key))
        let found = try await shop.verified()
        let named = found.differences.map { "\($0.table) \($0.item ?? 0) \($0.column ?? "")" }
        let context = "seed \(testSeed), round \(round): \(edit) of \(key)\n\(found.differences)"
        let isDeletion = edit.hasPrefix("DELETE FROM edited.items ")
        let wanted = edit.hasPrefix("INSERT") ? "\((Int64(key) ?? 0) / 2)" : key
        let expected = found.differences.filter {
          $0.table == "edited.items\(table)" && $0.item.map(String.init) == wanted
        }
        #expect(expected.count == 1 && (isDeletion || named.count == 1), "\(context)")
        try await shop.repair(found.outcome)
        try await shop.walk(items)
        #expect(try await shop.verified().differences.isEmpty, "\(context)\nis left")
        #expect(try await shop.rows() == before, "\(context)\nis not healed")
      }
    }
  }
}
