import LibPQ
import SyncCore
import SyncPostgres
import SyncProgram
import SyncWeb

/// A page for each resource, with its key and its typed columns.
struct RestPages: Sendable {
  let declaration: Declaration

  var part: WebPart {
    let resources = declaration.resources
    return WebPart(links: [WebLink(declaration.id.rawValue, to: path(resources[0]))], pages: resources.map(page))
  }

  private func path(_ resource: Declaration.Resource) -> String { "/sources/\(declaration.id)/\(resource.name)" }

  private func page(_ resource: Declaration.Resource) -> WebPage {
    WebPage(path(resource), template: "sources/rest/resource") { request, database in
      let (id, table) = (declaration.id, resource.table)
      guard try await DeclaredSchema.recorded(of: id, in: database).contains(where: { $0.resource == resource.name })
      else {
        throw SyncError(.missing, "the table \(table.name) does not exist yet", hint: "syncctl migrate creates it")
      }
      let listing = "declared/\(id)/\(resource.name)"
      let start = try request.start()
      let after: [PGParameter] =
        switch start {
        case .cursor(let cursor): try cursor.parameters(of: listing, [.bigint, .bigint])
        case .id(let position): [.int(position), .int(.max)]
        case nil, .offset: [.null, .null]
        }
      let rows = try await database.rows(table.pageOfItems, after + [.pageLimit(Limits.itemsOnPage)])
      let page = ListPage(rows, limit: Limits.itemsOnPage, listing: listing)
      let hearts = try await request.hearts(
        of: page.rows.namedRows.compactMap { $0["syncctl_key"].flatMap { Int64($0) } }, kind: resource.name,
        source: id.rawValue, in: database)
      let items = Listing(
        page.rows, emptyMessage: "The mirror has no items of this resource; syncctl run fetches them."
      ).withJoinedLists.laidOut(hiding: table.hasNumberKey ? ["syncctl_key"] : [], ifEmpty: ["syncctl_unread"])
      return WebContent(
        title: "\(id) \(resource.name)",
        [
          "choices": .list(
            declaration.resources.map { other in
              WebPath(path(other)).choice(other.name, isChosen: other.name == resource.name)
            }),
          "resource": items.webTable(
            "\(resource.name)", heart: { row in row["syncctl_key"]?.integer.flatMap { hearts[$0] } }),
          "nextPath": page.next.map { .text(WebPath(path(resource)).with("after", "\($0)").text) },
        ])
    }
  }
}

extension DeclaredTable {
  /// $1 after this key or position bigint, and $2 after this key bigint there, because an unread item can have the
  /// position of another item; $3 limit
  fileprivate var pageOfItems: SQL {
    let columns = (["syncctl_key"] + columns.map(\.name)).map { "d.\"\($0)\"" }.joined(separator: ", ")
    // The positions of several lists are no order of their items.
    let hasList = hasList && lists == nil
    let list = hasList ? "l.position, CASE WHEN l.unread THEN 'not read' END AS syncctl_unread, " : ""
    let (position, join) = hasList ? ("l.position", "JOIN \(name)_list l USING (syncctl_key)") : ("d.syncctl_key", "")
    return SQL(
      trusted: """
        SELECT \(list)\(columns), \(position)::bigint AS cursor_position, d.syncctl_key AS cursor_key
        FROM \(name) d \(join)
        WHERE d.vanished_at IS NULL AND ($1::bigint IS NULL OR (\(position), d.syncctl_key) > ($1::bigint, $2::bigint))
        ORDER BY \(position), d.syncctl_key LIMIT $3::bigint
        """)
  }
}
