import SyncCore
import SyncPostgres
import SyncProgram

/// An item's own address. It only shows whether the item exists, because its document can have other members than the
/// list's.
struct RestLookup: ItemLookup {
  let lookup: Declaration.Lookup
  let resource: Declaration.Resource
  let reader: RestReader
  let baseURL: String
  let additions: RequestAdditions

  func request(key: Int64) -> UpstreamRequest { request(for: MissingItem(key: key, members: ["\(key)"])) }

  func request(for item: MissingItem) -> UpstreamRequest {
    let names = resource.table.keyColumns.map(\.pathText)
    let members = zip(names, item.members.map { $0.percentEncoded() })
    let path = lookup.path(of: Dictionary(members) { first, _ in first })
    var request = UpstreamRequest(url: RestStream.url(baseURL, path))
    request.additions = additions
    return request
  }

  func read(_ response: UpstreamResponse, key: Int64, to request: UpstreamRequest) throws -> LookupAnswer {
    try response.read(hidingSecretsOf: request) { (response) throws(SyncError) in try answer(response, key, request) }
  }

  private func answer(
    _ response: UpstreamResponse, _ key: Int64, _ request: UpstreamRequest
  ) throws(SyncError) -> LookupAnswer {
    switch response.status {
    case 200:
      guard try reader.key(ofItemIn: response, at: lookup.selector, to: request) == key else {
        throw SyncError(
          .upstream, "\(Excerpt.of(request.url)) answered with another item", hint: "check lookup in the declaration")
      }
      return .item(.listed(key))
    case 404, 410:
      // Servers answer 404 to an encoded slash and resolve dots, so a 404 for such a key says nothing about the item.
      let plain = Dictionary(lookup.names.map { ($0, "-") }) { first, _ in first }
      let declared = RestStream.url(baseURL, lookup.path(of: plain))
      if Self.changeableParts(of: request.url) > Self.changeableParts(of: declared) {
        throw RestAnswer.error(response, to: request)
      }
      return .gone
    default: throw RestAnswer.error(response, to: request)
    }
  }

  /// The number of encoded slashes, and of parts of the path that are one or two dots.
  private static func changeableParts(of url: String) -> Int {
    let dots = url.split(separator: "/", omittingEmptySubsequences: false).count { $0 == "." || $0 == ".." }
    return dots + url.matches(of: /%2F|%5C/).count
  }
}
