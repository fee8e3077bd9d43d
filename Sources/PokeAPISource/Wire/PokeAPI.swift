import Foundation
import JSONScan
import SyncCore
import SyncProgram

/// The index of a service, and the build of its data. `/meta/` names the build by a hash.
struct PokeAPI: IndexedSource {
  /// Increase the version if derived columns or the hash change, so that unchanged documents get the new values.
  static let mappingVersion: UInt8 = 3

  let origin: String

  /// - Parameter baseURL: The address with the version's path and without a final slash.
  init(baseURL: String) {
    origin = baseURL
  }

  var id: SourceID { .pokeapi }

  /// Checks only the form of a name, because only the index lists the existing streams.
  static func isStreamName(_ text: String) -> Bool {
    PokeAPIEndpoint.isName(text) && text != StoredIndex.stream
  }

  /// The streams that the index listed in November 2026, for code that runs without the index.
  static let endpoints = """
    ability berry berry-firmness berry-flavor characteristic contest-effect contest-type egg-group encounter-condition
    encounter-condition-value encounter-method evolution-chain evolution-trigger gender generation growth-rate item
    item-attribute item-category item-fling-effect item-pocket language location location-area machine move
    move-ailment move-battle-style move-category move-damage-class move-learn-method move-target nature pal-park-area
    pokeathlon-stat pokedex pokemon pokemon-color pokemon-form pokemon-habitat pokemon-shape pokemon-species region
    stat super-contest-effect type version version-group pokemon-encounters
    """.split { $0 == " " || $0 == "\n" }.map(String.init)

  var buildRequest: UpstreamRequest {
    UpstreamRequest(url: "\(origin)/meta/", alternatives: ["\(origin)/meta"])
  }

  func build(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> String? {
    // Some copies of the service lack `/meta/` and answer 400, as for an unknown endpoint.
    if response.status == 400 { return nil }
    switch try PokeAPIAnswer(response, to: request) {
    case .missing: return nil
    case .json:
      let meta = try canonical(response.body, request: request)
      return PokeAPIAnswer.buildName(try? JSONDecoder().decode(PokeAPIMeta.self, from: meta).hash)
    }
  }

  func build(of response: UpstreamResponse) -> String? {
    PokeAPIAnswer.build(of: response)
  }

  var indexRequest: UpstreamRequest {
    UpstreamRequest(url: "\(origin)/", alternatives: [origin])
  }

  /// Returns the sorted names of the index, without `meta`, and `pokemon-encounters` if the index has `pokemon`.
  /// - Throws: `SyncError` if the body is not an index, is empty or too long, or has a name that is not allowed.
  func streams(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> [String] {
    guard case .json = try PokeAPIAnswer(response, to: request) else {
      throw PokeAPIAnswer.missing("the index", response, to: request)
    }
    let body = try canonical(response.body, request: request)
    guard let links = try? JSONDecoder().decode([String: String].self, from: body),
      links.allSatisfy({ PokeAPILink($1).name == $0[...] })
    else { throw PokeAPIAnswer.fault("a body that is not an index of endpoints", in: response.body, request: request) }
    let names = links.keys.filter { $0 != "meta" && $0 != PokeAPIEndpoint.encounters }.sorted()
    guard !names.isEmpty, names.count <= Limits.indexedStreams else {
      throw SyncError(
        .upstream, "\(request.url) lists \(names.count) endpoints", hint: "check the base URL (syncctl config)")
    }
    if let odd = names.first(where: { !Self.isStreamName($0) }) {
      throw SyncError(
        .upstream, "\(request.url) lists an endpoint \"\(Excerpt.of(odd, scalars: 40))\", which cannot be mirrored",
        hint: "names consist of a to z, digits and hyphens, and \(StoredIndex.stream) is reserved; check the base URL")
    }
    return names + (names.contains(PokeAPIEndpoint.pokemon) ? [PokeAPIEndpoint.encounters] : [])
  }

  private func canonical(_ body: [UInt8], request: UpstreamRequest) throws(SyncError) -> Data {
    do {
      return Data(try PokeAPIAnswer.scan(body).canonical)
    } catch {
      throw PokeAPIAnswer.fault("a body that is not JSON (\(error))", in: body, request: request)
    }
  }
}

/// The answer of `/meta/`.
private struct PokeAPIMeta: Decodable {
  let hash: String?
}

extension SourceID {
  static let pokeapi: SourceID = "pokeapi"
}

/// A link in a document. Only the link's number is used, because the link's host is always the public host.
struct PokeAPILink {
  private let segments: [Substring]

  init(_ text: String) {
    let path = text.prefix { $0 != "?" && $0 != "#" }
    segments = path.split(separator: "/")
  }

  var name: Substring? { segments.last }

  func id(in endpoint: String) -> Int64? {
    guard segments.count >= 2, segments[segments.count - 2] == endpoint, let text = segments.last,
      let id = Int64(text), String(id) == text
    else { return nil }
    return id
  }
}
