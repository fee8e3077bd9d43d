import SyncCore
import SyncProgram

/// An endpoint as a stream: a list of ids, whose documents are requested one by one.
struct PokeAPIStream: PagedStream {
  let description: StreamDescription
  let lookup: (any ItemLookup)?
  private let endpoint: PokeAPIEndpoint
  private let reader: PokeAPIReader

  /// `baseURL` includes the version's path and has no final slash.
  init(_ endpoint: String, baseURL: String, pageSize: Int, ttl: Duration, build: String?) {
    self.endpoint = PokeAPIEndpoint(name: endpoint)
    reader = PokeAPIReader(endpoint: self.endpoint)
    lookup = PokeAPILookup(reader: reader, baseURL: baseURL)
    description = StreamDescription(
      id: StreamID(source: .pokeapi, name: endpoint), provider: "pokeapi", origin: baseURL, pageSize: pageSize,
      method: .documents(ttl: ttl), absence: .questionsItem(.wholeList), sql: .pokeAPI(endpoint),
      mappingVersion: Int(PokeAPI.mappingVersion), build: build)
  }

  func request(_ address: PageAddress) -> UpstreamRequest {
    UpstreamRequest(forms: endpoint.listURLs(offset: address.offset, limit: address.size, baseURL: description.origin))
  }

  func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page {
    switch try PokeAPIAnswer(response, to: request) {
    case .missing: throw PokeAPIAnswer.missing("a list", response, to: request)
    case .json: try reader.page(response.body, size: description.pageSize, request: request)
    }
  }
}

extension StreamSQL {
  static func pokeAPI(_ endpoint: String) -> StreamSQL { StreamSQL(folder: "pokeapi", scope: [endpoint]) }
}

extension UpstreamRequest {
  init(forms: [String]) {
    self.init(url: forms.first ?? "", alternatives: Array(forms.dropFirst()))
  }
}
