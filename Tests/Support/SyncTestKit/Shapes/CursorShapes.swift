import UpstreamSimulator

extension ServiceShape {
  /// Lists whose pages have a cursor for the next request, or that go on after the last item's id.
  static let cursors = [slack, notion, stripe, crossref]

  /// Slack, "Pagination": `response_metadata.next_cursor`, an empty text on the last page.
  private static let slack = ServiceShape("slack", "Slack documentation, Pagination", "/api/users.list?limit=20") {
    guard let place = $0["cursor"].map(shapePlace) ?? 0 else {
      return .json(#"{"ok": false, "error": "invalid_cursor"}"#)
    }
    let page = ShapePage(from: place, size: $0.number("limit", 250))
    let members = page.json {
      #"{"id": "W0\#($0)DE", "team_id": "T012AB3C4", "name": "user\#($0)", "deleted": false, "updated": 1502138686}"#
    }
    let cursor = page.hasNext ? shapeToken(place + page.size) : ""
    return .json(
      """
      {"ok": true, "members": \(members), "cache_ts": 1498777272, "response_metadata": {"next_cursor": "\(cursor)"}}
      """)
  }

  /// Notion, "Pagination": `next_cursor` and `has_more`, and the parameter `start_cursor`.
  private static let notion = ServiceShape("notion", "Notion API reference, Pagination", "/v1/users?page_size=50") {
    guard let place = $0["start_cursor"].map(shapePlace) ?? 0 else {
      return .json(#"{"object": "error", "status": 400, "code": "validation_error"}"#, status: 400)
    }
    let page = ShapePage(from: place, size: $0.number("page_size", 100))
    let results = page.json {
      #"{"object": "user", "id": "\#(shapeUUID($0))", "type": "person", "name": "Avo \#($0)", "avatar_url": null}"#
    }
    let cursor = page.hasNext ? shapeToken(place + page.size) : nil
    return .json(
      """
      {"object": "list", "results": \(results), "next_cursor": \(cursor.orNull), "has_more": \(page.hasNext), \
      "type": "user", "user": {}}
      """)
  }

  /// Stripe, "Pagination": `has_more`, and the next request names the last item's id. No member has a cursor. The
  /// service refuses other parameters.
  private static let stripe = ServiceShape("stripe", "Stripe API reference, Pagination", "/v1/customers?limit=10") {
    guard $0.hasOnly("limit", "starting_after", "ending_before") else {
      return .json(#"{"error": {"type": "invalid_request_error", "code": "parameter_unknown"}}"#, status: 400)
    }
    let after = $0["starting_after"].flatMap { Int($0.dropFirst("cus_".count)) }
    let place = after.flatMap { numbers.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    let page = ShapePage(from: place, size: $0.number("limit", 10))
    let data = page.json {
      #"{"id": "cus_\#($0)", "object": "customer", "created": 1405641735, "livemode": false, "name": "Jo \#($0)"}"#
    }
    return .json(#"{"object": "list", "url": "/v1/customers", "has_more": \#(page.hasNext), "data": \#(data)}"#)
  }

  /// Crossref, "Deep paging with cursors": `next-cursor` on each page, also on the empty one after the last item.
  private static let crossref = ServiceShape(
    "crossref", "Crossref REST API documentation, Deep paging with cursors", "/works?rows=20&cursor=*"
  ) {
    let cursor = $0["cursor"] ?? "*"
    guard let place = cursor == "*" ? 0 : shapePlace(cursor) else {
      return .json(#"{"status": "failed", "message-type": "validation-failure"}"#, status: 400)
    }
    let page = ShapePage(from: place, size: $0.number("rows", 20))
    let items = page.json {
      #"{"DOI": "10.5555/\#($0)", "title": ["Work \#($0)"], "type": "journal-article", "score": 1.0}"#
    }
    return .json(
      """
      {"status": "ok", "message-type": "work-list", "message-version": "1.0.0", "message": {"facets": {}, \
      "next-cursor": "\(shapeToken(place + page.numbers.count))", "total-results": \(itemCount), "items": \(items), \
      "items-per-page": \(page.size), "query": {"start-index": 0, "search-terms": null}}}
      """)
  }
}
