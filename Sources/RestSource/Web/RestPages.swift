import LibPQ
import SyncCore
import SyncPostgres
import SyncProgram
import SyncWeb

/// A page of a declared source with its resources, and a page for each resource, with its key and its typed columns.
struct RestPages: Sendable {
  let declaration: Declaration
  private let cachedCounts = WebCache<[String: Int]>()

  init(declaration: Declaration) { self.declaration = declaration }

  var part: WebPart {
    WebPart(
      links: [WebLink(declaration.id.rawValue, to: path, covering: ["\(path)/"])],
      pages: [overview] + declaration.resources.map(page))
  }

  private var path: String { "/sources/\(declaration.id)" }

  private func path(_ resource: Declaration.Resource) -> String { "\(path)/\(resource.name)" }

  // MARK: The source

  private var overview: WebPage {
    WebPage(path, template: "sources/rest/source") { request, database in
      let recorded = try await DeclaredSchema.recorded(of: declaration.id, in: database).map(\.resource)
      let resources = declaration.resources.filter { recorded.contains($0.name) }
      let counts = try await cachedCounts.value(of: declaration.id.rawValue, for: request.rights, life: Limits.newsLife)
      {
        try await Self.counts(resources.map(\.table), in: database)
      }
      let states = try await Runs.status(database).namedRows.filter { $0["source"] == declaration.id.rawValue }
      let rows = declaration.resources.map { resource -> [Cell] in
        let state = states.first { $0["stream"] == resource.name }
        let time = state?["last_complete_at"].map { Cell.time($0) } ?? .null
        let columns = resource.table.columns + resource.table.counters
        return [
          .text(resource.name), counts[resource.name].map { .int(Int64($0)) } ?? .null, time,
          state?["last_run"].map { .text($0) } ?? .text(recorded.contains(resource.name) ? "" : "not migrated"),
          .text(columns.map { "\($0.name) \($0.type.name)" }.joined(separator: ", ")),
        ]
      }
      let listing = Listing(
        columns: [
          Column("resource"), Column("items"), Column("complete"), Column("last_run", title: "last run"),
          Column("columns"),
        ], rows: rows)
      let name = declaration.id.rawValue
      return WebContent(
        title: name,
        [
          "resources": listing.webTable(
            HumanFormat.counted(rows.count, "resource"),
            path: { key, row in
              guard let resource = row["resource"]?.string else { return nil }
              switch key {
              case "resource": return recorded.contains(resource) ? "\(path)/\(resource)" : nil
              case "last_run": return WebPath("/runs").with("source", name).with("stream", resource).text
              default: return nil
              }
            }),
          "runsPath": .text(WebPath("/runs").with("source", name).text),
          "start": states.isEmpty ? .text("syncctl run --source \(name)") : nil,
        ]
      ).printed(by: "syncctl status --source \(name) --all")
    }
  }

  /// Returns the number of items of each table, by the name of its resource.
  private static func counts(_ tables: [DeclaredTable], in database: Database) async throws -> [String: Int] {
    guard !tables.isEmpty else { return [:] }
    let numbers = tables.map { "(SELECT count(*) FROM \($0.name) WHERE vanished_at IS NULL)" }.joined(separator: ", ")
    let rows = try await database.rows(SQL(trusted: "SELECT \(numbers)")).rows
    let counts = rows.first?.map { $0.flatMap { Int($0) } ?? 0 } ?? []
    return Dictionary(zip(tables.map(\.resource), counts), uniquingKeysWith: { first, _ in first })
  }

  // MARK: A resource

  private func page(_ resource: Declaration.Resource) -> WebPage {
    WebPage(path(resource), template: "sources/rest/resource") { request, database in
      let (id, table) = (declaration.id, resource.table)
      guard try await DeclaredSchema.recorded(of: id, in: database).contains(where: { $0.resource == resource.name })
      else {
        throw SyncError(.missing, "the table \(table.name) does not exist yet", hint: "syncctl migrate creates it")
      }
      let limit = Limits.itemsOnPage
      let page = try request.page()
      let rows = try await database.rows(
        table.pageOfItems, [.limit(limit), .int(Int64(try request.offset(limit: limit)))])
      let hearts = try await request.hearts(
        of: rows.namedRows.compactMap { $0["syncctl_key"].flatMap { Int64($0) } }, kind: resource.name,
        source: id.rawValue, in: database)
      let items = Listing(
        rows, emptyMessage: "The mirror has no items of this resource; syncctl run fetches them."
      ).withJoinedLists.laidOut(hiding: table.hasNumberKey ? ["syncctl_key"] : [], ifEmpty: ["syncctl_unread"])
      let caption = rows.total.map { HumanFormat.counted($0, "item") } ?? resource.name
      return WebContent(
        title: "\(id) \(resource.name)",
        [
          "choices": .list(
            [WebPath(path).choice("all resources", isChosen: false)]
              + declaration.resources.map { other in
                WebPath(path(other)).choice(other.name, isChosen: other.name == resource.name)
              }),
          "resource": items.webTable(
            caption, heart: { row in row["syncctl_key"]?.integer.flatMap { hearts[$0] } }),
          "pager": rows.total.flatMap {
            WebPath(path(resource)).pager(page: page, shown: rows.rows.count, limit: limit, total: $0)
          },
        ]
      ).printed(by: nil, parameters: ["page"])
    }
  }
}

extension DeclaredTable {
  /// The items in the order of their list, or of their keys, with the number of all items. $1 limit, $2 rows to skip.
  fileprivate var pageOfItems: SQL {
    let columns = (["syncctl_key"] + columns.map(\.name)).map { "d.\"\($0)\"" }.joined(separator: ", ")
    // The positions of several lists are no order of their items.
    let hasList = hasList && lists == nil
    let list = hasList ? "l.position, CASE WHEN l.unread THEN 'not read' END AS syncctl_unread, " : ""
    let (position, join) = hasList ? ("l.position", "JOIN \(name)_list l USING (syncctl_key)") : ("d.syncctl_key", "")
    let found = "FROM \(name) d \(join) WHERE d.vanished_at IS NULL"
    return SQL(
      trusted: """
        SELECT \(list)\(columns), (SELECT count(*) \(found)) AS page_total
        \(found) ORDER BY \(position), d.syncctl_key LIMIT $1::bigint OFFSET $2::bigint
        """)
  }
}
