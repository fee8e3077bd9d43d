import UpstreamSimulator

extension ServiceShape {
  /// Lists whose requests say the number of items to skip, and a list of one page.
  static let offsets = [elasticsearch, ckan, arcgis, openLibrary, jsonServer, jsonPlaceholder]

  /// Elasticsearch, "Paginate search results": `from` and `size`, and the total below `hits`.
  private static let elasticsearch = ServiceShape(
    "elasticsearch", "Elasticsearch guide, Paginate search results", "/my-index/_search?size=20&from=0"
  ) {
    let page = ShapePage(from: $0.number("from", 0), size: $0.number("size", 10))
    let hits = page.json {
      """
      {"_index": "my-index", "_id": "\($0)", "_score": 1.0, "_source": {"user": {"id": "kimchy"}, \
      "message": "GET /search \($0)", "@timestamp": "2099-11-15T14:12:12Z"}}
      """
    }
    return .json(
      """
      {"took": 5, "timed_out": false, "_shards": {"total": 1, "successful": 1, "skipped": 0, "failed": 0}, \
      "hits": {"total": {"value": \(itemCount), "relation": "eq"}, "max_score": 1.0, "hits": \(hits)}}
      """)
  }

  /// CKAN, "package_search": `rows` and `start`, with the list below `result`.
  private static let ckan = ServiceShape(
    "ckan", "CKAN API guide, package_search", "/api/3/action/package_search?q=spending&rows=20"
  ) {
    let page = ShapePage(from: $0.number("start", 0), size: $0.number("rows", 10))
    let results = page.json {
      """
      {"id": "\(shapeUUID($0))", "name": "dataset-\($0)", "title": "Spending \($0)", "private": false, \
      "metadata_modified": "2024-03-01T12:00:00.000000", "num_resources": 1, \
      "resources": [{"id": "\(shapeUUID($0 + 1))", "format": "CSV"}]}
      """
    }
    return .json(
      """
      {"help": "http://demo.ckan.org/api/3/action/help_show?name=package_search", "success": true, \
      "result": {"count": \(itemCount), "sort": "score desc, metadata_modified desc", "facets": {}, \
      "results": \(results), "search_facets": {}}}
      """)
  }

  /// ArcGIS REST, "Query (Feature Service/Layer)": `exceededTransferLimit`, and the key below `attributes`.
  private static let arcgis = ServiceShape(
    "arcgis", "ArcGIS REST API, Query (Feature Service/Layer)", "/FeatureServer/0/query?where=1%3D1&outFields=*&f=json"
  ) {
    let page = ShapePage(from: $0.number("resultOffset", 0), size: min($0.number("resultRecordCount", 100), 100))
    let features = page.json { #"{"attributes": {"OBJECTID": \#($0), "NAME": "Parcel \#($0)"}}"# }
    let more = page.hasNext ? #", "exceededTransferLimit": true"# : ""
    return .json(
      """
      {"objectIdFieldName": "OBJECTID", "globalIdFieldName": "", "fields": [{"name": "OBJECTID", \
      "type": "esriFieldTypeOID", "alias": "OBJECTID"}, {"name": "NAME", "type": "esriFieldTypeString", \
      "alias": "NAME", "length": 50}], "features": \(features)\(more)}
      """)
  }

  /// Open Library, "Search API": `numFound` and `start`, with `offset` or `page` in the request.
  private static let openLibrary = ServiceShape(
    "openlibrary", "Open Library developers, Book Search API", "/search.json?q=the+lord+of+the+rings&limit=20"
  ) {
    let size = $0.number("limit", 100)
    let page = ShapePage(from: $0.number("offset", ($0.number("page", 1) - 1) * size), size: size)
    let docs = page.json {
      """
      {"author_key": ["OL26320A"], "author_name": ["J. R. R. Tolkien"], "edition_count": 120, \
      "first_publish_year": 1954, "key": "/works/OL\($0)W", "title": "The Lord of the Rings \($0)"}
      """
    }
    return .json(
      """
      {"numFound": \(itemCount), "start": \(page.start), "numFoundExact": true, "num_found": \(itemCount), \
      "documentation_url": "https://openlibrary.org/dev/docs/api/search", "q": "the lord of the rings", \
      "offset": \($0["offset"] ?? "null"), "docs": \(docs)}
      """)
  }

  /// json-server 0.17, "Slice": `_start` and `_limit`, and the header `X-Total-Count`.
  private static let jsonServer = ServiceShape(
    "jsonserver", "json-server 0.17 README, Slice", "/posts?_start=0&_limit=20"
  ) {
    let page = ShapePage(from: $0.number("_start", 0), size: $0.number("_limit", 10))
    return .json(
      page.json { #"{"id": \#($0), "title": "json-server \#($0)", "author": "typicode"}"# },
      headers: [HeaderField("X-Total-Count", "\(itemCount)")])
  }

  /// JSONPlaceholder, "Guide": the whole list in one answer.
  private static let jsonPlaceholder = ServiceShape(
    "jsonplaceholder", "JSONPlaceholder guide, Listing all resources", "/todos"
  ) { _ in
    let page = ShapePage(from: 0, size: itemCount)
    return .json(page.json { #"{"userId": 1, "id": \#($0), "title": "delectus aut autem", "completed": false}"# })
  }
}
