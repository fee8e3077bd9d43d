import UpstreamSimulator

extension ServiceShape {
  /// Lists whose pages have the address of the next page.
  static let links = [
    drf, laravel, graph, jsonAPI, github, wordpress, hubspot, zendesk, facebook, discourse, rickAndMorty,
  ]

  /// Django REST framework, "LimitOffsetPagination". Django redirects if the final slash is missing.
  private static let drf = ServiceShape(
    "drf", "Django REST framework, Pagination, LimitOffsetPagination", "/accounts/?limit=100"
  ) {
    let page = ShapePage(from: $0.number("offset", 0), size: $0.number("limit", 100))
    let next = page.hasNext ? $0.address([("offset", "\(page.start + page.size)")]) : nil
    let previous = page.start > 0 ? $0.address([("offset", "\(max(0, page.start - page.size))")]) : nil
    let results = page.json { #"{"id": \#($0), "account_name": "Account \#($0)", "created": "2020-08-13"}"# }
    return .json(
      """
      {"count": \(itemCount), "next": \(next.orNull), "previous": \(previous.orNull), "results": \(results)}
      """)
  }

  /// Laravel, "Eloquent: API Resources, Pagination". `meta.links` is a list too, and has more elements than a page.
  private static let laravel = ServiceShape(
    "laravel", "Laravel documentation, Eloquent: API Resources, Pagination", "/api/users"
  ) { request in
    let number = request.number("page", 1)
    let page = ShapePage(from: (number - 1) * 15, size: 15)
    func address(_ number: Int) -> String { request.address([("page", "\(number)")]) }
    let data = page.json { #"{"id": \#($0), "name": "Eladio Schroeder \#($0)", "email": "\#($0)@example.com"}"# }
    let next = page.hasNext ? address(number + 1) : nil
    let previous = number > 1 ? address(number - 1) : nil
    let steps =
      [#"{"url": \#(previous.orNull), "label": "&laquo; Previous", "active": false}"#]
      + (1...page.pages).map { #"{"url": "\#(address($0))", "label": "\#($0)", "active": \#($0 == number)}"# }
      + [#"{"url": \#(next.orNull), "label": "Next &raquo;", "active": false}"#]
    return .json(
      """
      {"data": \(data), "links": {"first": "\(address(1))", "last": "\(address(page.pages))", \
      "prev": \(previous.orNull), "next": \(next.orNull)}, "meta": {"current_page": \(number), \
      "from": \(page.start + 1), "last_page": \(page.pages), "links": [\(steps.joined(separator: ","))], \
      "path": "\(request.root)/api/users", "per_page": 15, "to": \(page.start + page.numbers.count), \
      "total": \(itemCount)}}
      """)
  }

  /// Microsoft Graph, "Paging": OData with `@odata.nextLink`, whose name contains a dot.
  private static let graph = ServiceShape("graph", "Microsoft Graph, Paging data", "/v1.0/users?$top=25") {
    guard let place = $0["$skiptoken"].map(shapePlace) ?? 0 else {
      return .json(#"{"error": {"code": "Request_BadRequest", "message": "Invalid skip token"}}"#, status: 400)
    }
    let page = ShapePage(from: place, size: $0.number("$top", 100))
    let value = page.json {
      #"{"businessPhones": [], "displayName": "User \#($0)", "mail": null, "id": "\#(shapeUUID($0))"}"#
    }
    let next = page.hasNext ? $0.address([("$skiptoken", shapeToken(place + page.size))]) : nil
    return .json(
      """
      {"@odata.context": "\($0.root)/v1.0/$metadata#users", \
      \(next.map { "\"@odata.nextLink\": \"\($0)\", " } ?? "")"value": \(value)}
      """)
  }

  /// JSON:API, "Pagination Links": `page[number]`, ids that are texts, and links that are not encoded.
  private static let jsonAPI = ServiceShape(
    "jsonapi", "JSON:API, Examples, Pagination Links", "/articles?page[number]=1&page[size]=20"
  ) { request in
    let number = request.number("page[number]", 1)
    let page = ShapePage(from: (number - 1) * request.number("page[size]", 20), size: request.number("page[size]", 20))
    func address(_ number: Int) -> String {
      "\(request.root)/articles?page[number]=\(number)&page[size]=\(page.size)"
    }
    let data = page.json {
      #"{"type": "articles", "id": "\#($0)", "attributes": {"title": "Article \#($0)", "body": "The shortest"}}"#
    }
    return .json(
      """
      {"meta": {"totalPages": \(page.pages)}, "data": \(data), "links": {"self": "\(address(number))", \
      "first": "\(address(1))", "prev": \((number > 1 ? address(number - 1) : nil).orNull), \
      "next": \((page.hasNext ? address(number + 1) : nil).orNull), "last": "\(address(page.pages))"}}
      """)
  }

  /// GitHub, "Using pagination in the REST API": the header `Link`, and an array.
  private static let github = ServiceShape(
    "github", "GitHub Docs, Using pagination in the REST API", "/repos/octocat/Spoon-Knife/issues"
  ) { request in
    let number = request.number("page", 1)
    let page = ShapePage(from: (number - 1) * request.number("per_page", 30), size: request.number("per_page", 30))
    var links: [String] = []
    if number > 1 { links.append("<\(request.address([("page", "\(number - 1)")]))>; rel=\"prev\"") }
    if page.hasNext {
      links.append("<\(request.address([("page", "\(number + 1)")]))>; rel=\"next\"")
      links.append("<\(request.address([("page", "\(page.pages)")]))>; rel=\"last\"")
    }
    return .json(
      page.json {
        """
        {"id": \($0), "node_id": "MDU6SXNzdWUx\($0)", "number": \($0 - 900), "title": "Found a bug", \
        "state": "open", "user": {"login": "octocat", "id": 1}, "labels": [{"id": 208045946, "name": "bug"}]}
        """
      },
      headers: links.isEmpty ? [] : [HeaderField("Link", links.joined(separator: ", "))])
  }

  /// WordPress, "Pagination": the headers `X-WP-Total`, `X-WP-TotalPages` and `Link`; a page past the end is an error.
  private static let wordpress = ServiceShape(
    "wordpress", "WordPress REST API handbook, Pagination", "/wp-json/wp/v2/posts"
  ) {
    let number = $0.number("page", 1)
    let page = ShapePage(from: (number - 1) * $0.number("per_page", 10), size: $0.number("per_page", 10))
    guard (1...page.pages).contains(number) else {
      return .json(#"{"code": "rest_post_invalid_page_number", "data": {"status": 400}}"#, status: 400)
    }
    var headers = [HeaderField("X-WP-Total", "\(itemCount)"), HeaderField("X-WP-TotalPages", "\(page.pages)")]
    if page.hasNext {
      headers.append(HeaderField("Link", "<\($0.address([("page", "\(number + 1)")]))>; rel=\"next\""))
    }
    return .json(
      page.json {
        """
        {"id": \($0), "date": "2024-01-02T03:04:05", "slug": "post-\($0)", "status": "publish", \
        "title": {"rendered": "Post \($0)"}, "author": 1, "categories": [1]}
        """
      }, headers: headers)
  }

  /// HubSpot, "CRM objects": `paging.next` has a cursor and a link. The service refuses other parameters.
  private static let hubspot = ServiceShape(
    "hubspot", "HubSpot API reference, CRM contacts", "/crm/v3/objects/contacts?limit=10"
  ) {
    guard $0.hasOnly("limit", "after", "properties", "archived"), let place = $0["after"].map(shapePlace) ?? 0 else {
      return .json(#"{"status": "error", "message": "Invalid input", "category": "VALIDATION_ERROR"}"#, status: 400)
    }
    let page = ShapePage(from: place, size: $0.number("limit", 10))
    let results = page.json {
      """
      {"id": "\($0)", "properties": {"email": "\($0)@example.com", "lastname": null}, \
      "createdAt": "2024-03-15T14:30:00.000Z", "updatedAt": "2024-03-15T14:30:00.000Z", "archived": false}
      """
    }
    let token = shapeToken(place + page.size)
    let paging =
      page.hasNext
      ? #", "paging": {"next": {"after": "\#(token)", "link": "\#($0.address([("after", token)]))"}}"# : ""
    return .json("{\"results\": \(results)\(paging)}")
  }

  /// Zendesk, "Pagination": `links.next` beside `meta.has_more`. The last page still has a link, to an empty page.
  private static let zendesk = ServiceShape(
    "zendesk", "Zendesk developer docs, Pagination", "/api/v2/tickets.json?page[size]=100"
  ) { request in
    guard let place = request["page[after]"].map(shapePlace) ?? 0 else {
      return .json(#"{"error": "InvalidPaginationParameter"}"#, status: 400)
    }
    let page = ShapePage(from: place, size: request.number("page[size]", 100))
    let tickets = page.json {
      #"{"url": "\#($0).json", "id": \#($0), "subject": "Help \#($0)", "status": "open", "tags": ["a"]}"#
    }
    let token = page.numbers.isEmpty ? nil : shapeToken(place + page.size)
    let next = token.map { token in request.address([("page[after]", token)]) }
    return .json(
      """
      {"tickets": \(tickets), "meta": {"has_more": \(page.hasNext), "after_cursor": \(token.orNull), \
      "before_cursor": null}, "links": {"prev": null, "next": \(next.orNull)}}
      """)
  }

  /// Facebook Graph API, "Paginated Results": cursors on each page, and `next` only if another page follows.
  private static let facebook = ServiceShape(
    "facebook", "Facebook Graph API, Paginated Results", "/v19.0/me/albums?limit=25"
  ) {
    guard let place = $0["after"].map(shapePlace) ?? 0 else {
      return .json(#"{"error": {"message": "Invalid cursors values", "code": 100}}"#, status: 400)
    }
    let page = ShapePage(from: place, size: $0.number("limit", 25))
    let data = page.json { #"{"created_time": "2013-05-21T21:24:09+0000", "name": "Album", "id": "\#($0)"}"# }
    let after = shapeToken(place + page.numbers.count)
    let next = page.hasNext ? ", \"next\": \"\($0.address([("after", after)]))\"" : ""
    return .json(
      """
      {"data": \(data), "paging": {"cursors": {"before": "\(shapeToken(place))", "after": "\(after)"}\(next)}}
      """)
  }

  /// Discourse, "List the latest topics": a relative `more_topics_url`, a second list of users, and pages from 0. The
  /// link has no `.json`, so the service answers with HTML unless the request accepts JSON.
  private static let discourse = ServiceShape("discourse", "Discourse API documentation, latest.json", "/latest.json") {
    guard $0.path == "/latest.json" || $0.path == "/latest" else { return .json("{}", status: 404) }
    guard $0.path == "/latest.json" || ($0.request.header("accept") ?? "").contains("json") else {
      return SimulatedAnswer(headers: [HeaderField("Content-Type", "text/html")], body: Array("<html>".utf8))
    }
    let number = $0.number("page", 0)
    let page = ShapePage(from: number * 30, size: 30)
    let topics = page.json {
      """
      {"id": \($0), "title": "Topic \($0)", "slug": "topic-\($0)", "posts_count": 1, "pinned": false, \
      "created_at": "2024-01-02T03:04:05.678Z", "posters": [{"extras": "latest", "user_id": 1}]}
      """
    }
    let more = page.hasNext ? ", \"more_topics_url\": \"/discourse/latest?no_definitions=true&page=\(number + 1)\"" : ""
    return .json(
      """
      {"users": [{"id": 1, "username": "sam", "name": "Sam"}, {"id": 2, "username": "jo", "name": "Jo"}], \
      "primary_groups": [], "topic_list": {"can_create_topic": false, "per_page": 30, "top_tags": ["a"]\(more), \
      "topics": \(topics)}}
      """)
  }

  /// The Rick and Morty API, "Info and Pagination".
  private static let rickAndMorty = ServiceShape(
    "rickandmorty", "The Rick and Morty API documentation, Info and Pagination", "/api/character"
  ) {
    let number = max($0.number("page", 1), 1)
    let page = ShapePage(from: (number - 1) * 20, size: 20)
    guard !page.numbers.isEmpty else { return .json(#"{"error": "There is nothing here"}"#, status: 404) }
    let results = page.json {
      """
      {"id": \($0), "name": "Rick \($0)", "status": "Alive", "species": "Human", "episode": ["/api/episode/1"], \
      "url": "https://rickandmortyapi.com/api/character/\($0)", "created": "2017-11-04T18:48:46.250Z"}
      """
    }
    let next = page.hasNext ? $0.address([("page", "\(number + 1)")]) : nil
    let previous = number > 1 ? $0.address([("page", "\(number - 1)")]) : nil
    return .json(
      """
      {"info": {"count": \(itemCount), "pages": \(page.pages), "next": \(next.orNull), "prev": \(previous.orNull)}, \
      "results": \(results)}
      """)
  }
}
