import SyncCore
import SyncProgram

/// The search for links and cursors.
extension PaginatorSearch {
  /// Returns a paginator whose link or cursor leads from the first page to another page of the list.
  mutating func chainPaginator() async throws -> DraftedPaginator? {
    if signs.hasLinkHeader {
      let paginator = DraftedPaginator(yaml: "header_link")
      if try await follows(paginator) { return paginator }
    }
    for link in signs.links {
      let paginator = DraftedPaginator(yaml: "{ type: json_link, next_url_path: \(link.path.yamlPath) }")
      if try await follows(paginator) { return paginator }
    }
    for cursor in signs.cursors {
      if let paginator = try await cursorPaginator(cursor) { return paginator }
    }
    return nil
  }

  /// Whether the next page that the first answer names is a page of the list.
  private mutating func follows(_ paginator: DraftedPaginator) async throws -> Bool {
    let stream = try draft.stream(paginator)
    let start = stream.request(stream.description.firstPage)
    let next: String?
    do {
      next = try stream.read(first.response, to: start).claim.next
    } catch let error as SyncError {
      refusals.append(error.message)
      return false
    }
    guard let next else { return false }

    let page = try await page(at: stream.request(PageAddress(page: 2, size: stream.description.pageSize, next: next)))
    guard let page, page.items.isEmpty || isOther(page) else { return false }
    confirmation = page
    return true
  }

  /// Tries the parameters that services use for a cursor with this member.
  private mutating func cursorPaginator(_ cursor: PageSigns.Sign<String>) async throws -> DraftedPaginator? {
    let typedNames = draft.parameters.map(\.name).filter { UsualParameters.isCursor($0) }
    let names = (typedNames + UsualParameters.names(for: cursor)).distinct()
    for name in names.prefix(5) {
      // The first request keeps a typed cursor such as `*`. Later requests replace its value.
      let paginator = DraftedPaginator(
        yaml: "{ type: cursor, cursor_path: \(cursor.path.yamlPath), cursor_param: \(name.yaml) }")
      if try await follows(paginator) { return paginator }
    }
    refusals.append("No usual parameter accepts \(cursor.path.joined(separator: "."))")
    return nil
  }
}
