import UpstreamSimulator

extension ServiceShape {
  /// Lists whose pages have numbers.
  static let numbered = [spring, algolia, tmdb, gitlab, breweries]

  /// Spring Data REST, "Paging and Sorting": `Page` as JSON. Pages are numbered from 0.
  private static let spring = ServiceShape("spring", "Spring Data REST reference, Paging and Sorting", "/products") {
    let number = max($0.number("page", 0), 0)
    let page = ShapePage(from: number * $0.number("size", 20), size: $0.number("size", 20))
    let content = page.json { #"{"id": \#($0), "name": "Product \#($0)", "price": \#($0).5}"# }
    return .json(
      """
      {"content": \(content), "pageable": {"sort": {"sorted": false, "unsorted": true, "empty": true}, \
      "pageNumber": \(number), "pageSize": \(page.size), "offset": \(page.start), "paged": true, "unpaged": false}, \
      "totalPages": \(page.pages), "totalElements": \(itemCount), "last": \(!page.hasNext), \
      "numberOfElements": \(page.numbers.count), "first": \(number == 0), "size": \(page.size), \
      "number": \(number), "sort": {"sorted": false, "unsorted": true, "empty": true}, \
      "empty": \(page.numbers.isEmpty)}
      """)
  }

  /// Algolia, "Understand the API response": `page` begins at 0, and the key is `objectID`.
  private static let algolia = ServiceShape(
    "algolia", "Algolia, Understand the API response", "/1/indexes/contacts?query=jimmie&hitsPerPage=20"
  ) {
    let number = $0.number("page", 0)
    let page = ShapePage(from: number * $0.number("hitsPerPage", 20), size: $0.number("hitsPerPage", 20))
    let hits = page.json {
      """
      {"firstname": "Jimmie", "lastname": "Barninger \($0)", "objectID": "\($0)", \
      "_highlightResult": {"firstname": {"value": "<em>Jimmie</em>", "matchLevel": "partial"}}}
      """
    }
    return .json(
      """
      {"hits": \(hits), "page": \(number), "nbHits": \(itemCount), "nbPages": \(page.pages), \
      "hitsPerPage": \(page.size), "processingTimeMS": 1, "query": "jimmie", "params": "query=jimmie"}
      """)
  }

  /// The Movie Database, "Discover": a key in the query, pages from 1, and no page 0.
  private static let tmdb = ServiceShape(
    "tmdb", "TMDB API reference, Discover Movie", "/3/discover/movie?api_key=c2hhcGVzLW5lZWQtYS1rZXk",
    environment: ["TMDB_API_KEY": "c2hhcGVzLW5lZWQtYS1rZXk"]
  ) {
    guard $0["api_key"] == "c2hhcGVzLW5lZWQtYS1rZXk" else {
      return .json(#"{"success": false, "status_code": 7, "status_message": "Invalid API key"}"#, status: 401)
    }
    let number = $0.number("page", 1)
    guard (1...500).contains(number) else {
      return .json(#"{"success": false, "status_code": 22, "status_message": "Invalid page"}"#, status: 400)
    }
    let page = ShapePage(from: (number - 1) * 20, size: 20)
    let results = page.json {
      """
      {"adult": false, "genre_ids": [28, 12], "id": \($0), "original_language": "en", "title": "Movie \($0)", \
      "release_date": "2023-05-17", "vote_average": 7.3, "video": false}
      """
    }
    return .json(
      """
      {"page": \(number), "results": \(results), "total_pages": \(page.pages), "total_results": \(itemCount)}
      """)
  }

  /// GitLab, "REST API pagination": the headers `x-next-page`, `x-total` and others. GitLab also sends a `Link`. The
  /// shape omits it, as proxies can, so that only these headers show further pages.
  private static let gitlab = ServiceShape(
    "gitlab", "GitLab documentation, REST API, Offset-based pagination", "/api/v4/projects"
  ) {
    let number = max($0.number("page", 1), 1)
    let page = ShapePage(from: (number - 1) * $0.number("per_page", 20), size: $0.number("per_page", 20))
    let headers = [
      ("X-Next-Page", page.hasNext ? "\(number + 1)" : ""), ("X-Page", "\(number)"), ("X-Per-Page", "\(page.size)"),
      ("X-Prev-Page", number > 1 ? "\(number - 1)" : ""), ("X-Total", "\(itemCount)"),
      ("X-Total-Pages", "\(page.pages)"),
    ]
    return .json(
      page.json { #"{"id": \#($0), "name": "Project \#($0)", "path": "project-\#($0)", "star_count": 0}"# },
      headers: headers.map { HeaderField($0.0, $0.1) })
  }

  /// Open Brewery DB, "List Breweries": an array and nothing that names another page.
  private static let breweries = ServiceShape(
    "breweries", "Open Brewery DB documentation, List Breweries", "/v1/breweries?per_page=50"
  ) {
    let number = max($0.number("page", 1), 1)
    let page = ShapePage(from: (number - 1) * $0.number("per_page", 50), size: $0.number("per_page", 50))
    return .json(
      page.json {
        """
        {"id": "\(shapeUUID($0))", "name": "Brewery \($0)", "brewery_type": "micro", "city": "Norman", \
        "postal_code": "73072", "longitude": "-97.46818222", "website_url": null}
        """
      })
  }
}
