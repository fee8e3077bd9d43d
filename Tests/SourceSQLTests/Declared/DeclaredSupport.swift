import PostgresTestKit
import SyncCore

@testable import SyncPostgres

extension DeclaredTable.Column {
  init(_ name: String, _ base: ColumnType.Base, _ path: [String]? = nil, isArray: Bool = false) {
    self.init(name: name, path: path ?? [name], type: ColumnType(base, isArray: isArray))
  }
}

extension DeclaredTable {
  static func shop(
    _ resource: String = "products", key: [String] = ["sku"], selector: String = "data",
    columns: [Column] = shopColumns, counters: [Column] = shopCounters, hasList: Bool = true,
    cursor: [String]? = ["updated_at"], source: SourceID = "shop", title: String? = nil
  ) -> DeclaredTable {
    let ofKey = key.map { name in columns.first { $0.name == name } ?? Column(name, .bigint) }
    return DeclaredTable(
      source: source, resource: resource, key: key, hasNumberKey: ofKey.map(\.type) == [ColumnType(.bigint)],
      selector: selector, columns: ofKey + columns.filter { !key.contains($0.name) }, counters: counters,
      hasList: hasList, cursor: cursor, title: title)
  }

  static let shopColumns: [Column] = [
    Column("sku", .text), Column("title", .text), Column("price", .numeric, ["pricing", "amount"]),
    Column("tags", .text, isArray: true), Column("updated_at", .timestamptz),
  ]
  static let shopCounters: [Column] = [Column("views", .numeric), Column("stock", .integer, ["in \"stock\""])]

  // Statements are composed once per process. So the tests never embed another table with one of these names.
  static let products = shop().embedded
  static let orders = shop("orders", key: ["id"], selector: "", counters: [], hasList: false, cursor: nil).embedded
  // Some columns have names that the statements use, too.
  static let lines = shop(
    "lines", key: ["sku", "no"], columns: ["sku", "no", "key", "requested"].map { Column($0, .text) }, counters: [],
    cursor: ["meta", "it's"]
  ).embedded

  private var embedded: DeclaredTable {
    embed()
    return self
  }

  func stream(_ absence: Absence? = nil) -> StreamDescription {
    StreamDescription(
      id: StreamID(source: source, name: resource), provider: source.rawValue, origin: "https://shop.example",
      pageSize: 25, absence: absence ?? .questionsItem(.wholeList, publishes: hasList), sql: sql())
  }
}

extension StoredMirror {
  @discardableResult
  func migrate(_ tables: DeclaredTable..., dropping: Bool = false) async throws -> [String] {
    try await DeclaredSchema(tables).migrate(in: owner, dropsColumns: dropping).map { "\($0.table): \($0.text)" }
  }

  @discardableResult
  func walk(_ table: DeclaredTable, _ pages: [[Product]]) async throws -> RunReport {
    var walk = try await WalkedList(PostgresWalkStore(database), table.stream(), fresh: true)
    for (index, page) in pages.enumerated() { try await walk.commit(index + 1, page) }
    return try await walk.finish()
  }
}

/// An item of a declared source. Its key is given, because only the source's reader computes hashes.
struct Product: PagedItem {
  let key: Int64
  /// The values are JSON.
  private var members: [String: String]

  init(_ key: Int64, _ sku: String, _ changes: [String: String?] = [:]) {
    self.key = key
    members = [
      "id": "\(key)", "sku": "\"\(sku)\"", "title": "\"Title \(sku)\"", "pricing": "{\"amount\":\"\(key).50\"}",
      "tags": "[\"a\"]", "updated_at": "\"2026-01-0\(key % 9 + 1)\"", "views": "\(key * 10)", "in \"stock\"": "5",
    ]
    for (name, value) in changes { members[name] = value }
  }

  func with(_ changes: [String: String?]) -> Product {
    var copy = self
    for (name, value) in changes { copy.members[name] = value }
    return copy
  }

  private static let counters = ["views", "in \"stock\""]

  private static func text(_ members: [String: String]) -> String {
    let parts = members.sorted { $0.key < $1.key }.map { name, value in
      "\"\(name.replacing("\"", with: "\\\""))\":\(value)"
    }
    return "{\(parts.joined(separator: ","))}"
  }

  var item: PageItem {
    let counters = Self.text(members.filter { Self.counters.contains($0.key) })
    let content = members.map { ($0.key, Self.counters.contains($0.key) ? "" : $0.value) }
    let hashed = Self.text(Dictionary(content) { $1 })
    return PageItem(
      key: key, document: Array(Self.text(members).utf8), contentHash: contentHash("\(hashed.utf8.fnv1a)"),
      counterHash: Int64(bitPattern: counters.utf8.fnv1a), counters: Array(counters.utf8))
  }
}
