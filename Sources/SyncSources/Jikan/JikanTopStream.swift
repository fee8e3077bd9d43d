package import SyncCore

/// A top list as a stream of pages: `/top/anime?page=N&limit=L`.
package struct JikanTopStream: PagedStream {
  package let description: StreamDescription
  private let list: JikanTopList
  private let reader: JikanPageReader

  /// - Parameter baseURL: with the version's path, without a slash at the end.
  package init(list: JikanTopList, provider: JikanProvider, baseURL: String) {
    self.list = list
    reader = JikanPageReader(kind: list.kind)
    description = StreamDescription(
      id: StreamID(source: .jikan, name: list.name), provider: provider.rawValue, origin: baseURL,
      pageSize: provider.pageSize,
      sql: StreamSQL(folder: "jikan", scope: [list.kind.rawValue, list.subtype ?? "all", list.filter ?? "none"]),
      shrinkGuard: list.subtype == nil && list.filter == nil ? .wholeList : .filteredList)
  }

  package func request(page: Int) -> UpstreamRequest {
    var url = "\(description.origin)/top/\(list.kind.rawValue)?page=\(page)&limit=\(description.pageSize)"
    if let subtype = list.subtype { url += "&type=\(subtype)" }
    if let filter = list.filter { url += "&filter=\(filter)" }
    return UpstreamRequest(url: url)
  }

  package func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> PageAnswer {
    switch try JikanStatus.classify(response, request: request) {
    case .missing: .notFound
    case .answered: .page(try reader.page(response.body, request: request))
    }
  }
}
