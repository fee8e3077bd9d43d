import SyncCore
import SyncProgram

/// The request for a document by its id.
struct PokeAPILookup: ItemLookup {
  let reader: PokeAPIReader
  let baseURL: String

  func request(key: Int64) -> UpstreamRequest {
    UpstreamRequest(forms: reader.endpoint.documentURLs(key, baseURL: baseURL))
  }

  func read(_ response: UpstreamResponse, key: Int64, to request: UpstreamRequest) throws -> LookupAnswer {
    switch try PokeAPIAnswer(response, to: request) {
    case .missing: .gone
    case .json: .item(try reader.document(response.body, key: key, request: request))
    }
  }

  func build(of response: UpstreamResponse) -> String? {
    PokeAPIAnswer.build(of: response)
  }
}
