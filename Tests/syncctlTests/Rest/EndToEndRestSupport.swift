import Foundation
import PostgresTestKit
import SyncTestKit
import Testing
import UpstreamSimulator

/// The declared source `shop`, whose resource `products` is a list of a `PagedAPI`.
struct Shop: Sendable, CustomTestStringConvertible {
  static let columns = [
    "title: text", "price: { path: pricing.amount, type: numeric }", "published_at: timestamptz", #"tags: "text[]""#,
  ]
  static let lookup = #"lookup: "items/{id}""#
  static let counters = "counters: [views, stock]"

  var name = "shop"
  var paging = PagedAPI.Paging.pages
  var path: String?
  var limit = 3
  var key = "id"
  var columns = Self.columns
  /// Lines of the client, such as `auth: …`.
  var client: [String] = []
  /// More members of the endpoint.
  var endpoint: [String] = []
  /// More lines of the resource.
  var resource = [Self.lookup, Self.counters]

  /// A list in the order of its keys, whose pages can begin at any item.
  static let catalogue = Shop(resource: [lookup, counters, "order: key"])
  static let all = PagedAPI.Paging.allCases.map { Shop(paging: $0) } + [catalogue]
  /// The shops of tests whose subject differs little between paginators. `scripts/torture paging` uses all.
  static let some = PagedAPI.Paging.some.map { Shop(paging: $0) } + [catalogue]

  var isOrdered: Bool { resource.contains("order: key") }

  var testDescription: String { paging.rawValue + (isOrdered ? " in the order of keys" : "") }

  private var paginator: String {
    switch paging {
    case .pages: "{ type: page_number, base_page: 1 }"
    case .offset: "{ type: offset, limit: \(limit) }"
    case .next: "json_link"
    case .link: "header_link"
    case .cursor: "{ type: cursor, cursor_path: cursors.next, cursor_param: cursor }"
    case .single: "single_page"
    }
  }

  private func lines(at base: String) -> [String] {
    let selector = paging.hasTotal ? ["data_selector: data"] : []
    let limits = paging == .pages ? ["params: { per_page: \(limit) }"] : []
    let endpoint = ["path: \(path ?? paging.rawValue)", "paginator: \(paginator)"] + selector + limits + endpoint
    return ["  \(name):", "    type: rest_api", "    client:", "      base_url: \(base)"]
      + client.map { "      \($0)" }
      + [
        "    resources:", "      - name: products", "        primary_key: \(key)",
        "        columns: { \(columns.joined(separator: ", ")) }",
        "        endpoint: { \(endpoint.joined(separator: ", ")) }",
      ] + ((paging.hasTotal ? ["total_path: meta.total"] : []) + resource).map { "        \($0)" }
  }

  /// A configuration file.
  static func file(_ shops: [Shop], at base: String) -> String {
    (["sources:"] + shops.flatMap { $0.lines(at: base) }).joined(separator: "\n") + "\n"
  }
}

extension PagedAPI.Paging {
  static let some = allCases.filter { DrillSize.isLong || [.pages, .cursor].contains($0) }
}

/// Databases with the tables of a declared source. Tests copy them, because `syncctl migrate` takes longer than a copy.
actor MigratedDatabases {
  static let shared = MigratedDatabases()

  private var names: [String: Task<String, any Error>] = [:]

  func name(for shop: Shop) async throws -> String {
    var plain = shop
    // `migrate` reads the selector, the key, the columns and the order.
    plain.client = []
    plain.endpoint = []
    plain.path = nil
    plain.limit = 3
    plain.paging = shop.paging.hasTotal ? .pages : .link
    return try await name(for: Shop.file([plain], at: "http://127.0.0.1:9"))
  }

  /// Returns the name of a database with the tables of a configuration file.
  func name(for file: String) async throws -> String {
    let made =
      names[file]
      ?? Task {
        let mirror = try await Mirror.make()
        _ = try mirror.home.write(file, to: "syncctl.yaml")
        try await mirror.asOwner.succeed("migrate")
        return mirror.database.name
      }
    names[file] = made
    return try await made.value
  }
}

extension Mirror {
  /// Runs `body` with a mirror whose configuration declares the shop, and with the API's address.
  static func withShop(
    _ api: PagedAPI, _ shop: Shop = Shop(), isMigrated: Bool = true,
    _ body: (_ mirror: Mirror, _ address: String) async throws -> Void
  ) async throws {
    let start = isMigrated ? Start.copy(of: try await MigratedDatabases.shared.name(for: shop)) : .migrated
    try await Mirror.with(api, start: start) { mirror, server in
      try mirror.declare(shop, at: server.baseURL)
      try await body(mirror, server.baseURL)
    }
  }

  /// Writes the file `syncctl.yaml`, which the program finds in its working folder.
  func declare(_ shops: Shop..., at address: String) throws {
    _ = try home.write(Shop.file(shops, at: address), to: "syncctl.yaml")
  }

  /// Runs the stream `products`.
  @discardableResult
  func walk(
    _ arguments: String..., exit: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> (report: JSONValue, said: String) {
    let result = try await syncctl(["run", "--stream", "products", "--format", "json"] + arguments)
    #expect(result.end == .exit(exit), "\(result.standardError)", sourceLocation: sourceLocation)
    let report = try? runs(result)["products"]
    return (report ?? .null, result.standardError)
  }

  /// Runs the stream `products` and kills the process when the stated number of pages is stored and the next page is
  /// requested. The API must let this request wait at the gate.
  func killWalk(after pages: Int, at gate: Gate) async throws {
    let killed = try await syncctl("run", "--stream", "products") { program in
      try await waitUntil("the next request") { gate.arrivals > 0 }
      try await waitUntil("page \(pages)") {
        try await sql("SELECT coalesce(cursor, 0) FROM sync.stream_state") == "\(pages)"
      }
      program.signal(SIGKILL)
    }
    #expect(killed.end == .signal(SIGKILL), "\(killed.standardError)")
  }

  /// The ids of the published list, in its order.
  func listed() async throws -> String {
    try await sql("SELECT string_agg(syncctl_key::text, ' ' ORDER BY position) FROM shop.products_list")
  }

  func vanished() async throws -> String {
    try await sql("SELECT string_agg(id::text, ' ' ORDER BY id) FROM shop.products WHERE vanished_at IS NOT NULL")
  }

  /// A digest of all rows of the shop without times.
  func goods(of schema: String = "shop") async throws -> String {
    let tables = try await sql(
      """
      SELECT table_name FROM information_schema.tables
      WHERE table_schema = '\(schema)' AND table_type = 'BASE TABLE' ORDER BY 1
      """)
    var digests: [String] = []
    for table in tables.split(separator: "\n") {
      digests.append(
        try await sql(
          """
          SELECT '\(table)', count(*), md5(string_agg(
            (to_jsonb(t) - '{first_seen_at,changed_at,requested_at,vanished_at}'::text[])::text, ' '
            ORDER BY syncctl_key)) FROM \(schema).\(table) t
          """))
    }
    return digests.joined(separator: "\n")
  }
}
