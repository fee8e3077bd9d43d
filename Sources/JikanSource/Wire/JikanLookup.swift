import SyncCore
import SyncProgram

/// The lookup of an anime or manga by its id.
struct JikanLookup: ItemLookup {
  private let path: String
  private let reader: ListReader

  init(kind: JikanKind, baseURL: String) {
    path = "\(baseURL)/\(kind.rawValue)"
    reader = ListReader(model: .media(kind))
  }

  func request(key: Int64) -> UpstreamRequest {
    UpstreamRequest(url: "\(path)/\(key)")
  }

  func read(_ response: UpstreamResponse, key: Int64, to request: UpstreamRequest) throws -> LookupAnswer {
    switch try JikanStatus.classify(response, request: request) {
    case .missing:
      // Only a 404 in the API's own form proves that the item was removed.
      guard JikanStatus.isProblem(response.body) else {
        let answer = response.body.isEmpty ? "with nothing" : "with \(Excerpt.of(response.body))"
        throw SyncError(
          .upstream, "\(request.url) answered 404 \(answer)",
          hint: "a proxy or a block page answered instead of the API; run again later", disposition: .retry(after: nil))
      }
      return .gone
    case .answered:
      return .item(try reader.item(response.body, key: key, request: request))
    }
  }
}
