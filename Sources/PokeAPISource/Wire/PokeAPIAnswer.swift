import JSONScan
import SyncCore
import SyncProgram

/// The service's caches keep wrong answers, such as the text `OK` with status 200, or a 404. A retry after an error
/// therefore uses another form of the address.
enum PokeAPIAnswer {
  case json
  case missing

  /// - Throws: `SyncError` for a body that is not declared as JSON, and for any status but 200 and 404.
  init(_ response: UpstreamResponse, to request: UpstreamRequest) throws(SyncError) {
    switch response.status {
    case 200:
      guard Self.isJSON(response.headers["content-type"]) else {
        let type = response.headers["content-type"].map { Excerpt.of($0, scalars: 60) } ?? "no content type"
        throw Self.fault("\(type) in place of JSON", in: response.body, request: request)
      }
      self = .json
    case 404: self = .missing
    default:
      throw AnswerFault.error(
        response, to: request, said: Excerpt.of(response.body), service: "a PokeAPI service",
        unknownRequest: "the service does not serve this address, although its index lists it; check the base URL",
        troubled: "the service", redirected: .retry(after: nil))
    }
  }

  static func scan(_ body: [UInt8], limits: JSONScan.Limits = .body) throws(JSONScanError) -> ScannedItem {
    try JSONScan.document(body, keyMember: "id", arrays: .bags, limits: limits)
  }

  /// Returns the error if a request for the index or a list gets a 404. The service itself sends an empty list for a
  /// page after the end, and 400 for an unknown endpoint.
  static func missing(_ what: String, _ response: UpstreamResponse, to request: UpstreamRequest) -> SyncError {
    let words = response.body.isEmpty ? "" : ": \(Excerpt.of(response.body))"
    return SyncError(
      .upstream, "\(request.url) answered 404 in place of \(what)\(words)",
      hint: "a cache may keep an error for days, or the base URL is wrong (syncctl config)",
      disposition: .retry(after: nil))
  }

  static func fault(_ what: String, in body: [UInt8], request: UpstreamRequest) -> SyncError {
    AnswerFault.unusable(
      body, to: request.url, what: what, hint: "a cache or a proxy may keep an error for days; run again later")
  }

  private static func isJSON(_ contentType: String?) -> Bool {
    guard let type = contentType?.prefix(while: { $0 != ";" }).lowercased() else { return false }
    let media = type.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
    return media == "application/json" || (media.hasPrefix("application/") && media.hasSuffix("+json"))
  }

  /// The build that a response's header `x-pokeapi-hash` names.
  static func build(of response: UpstreamResponse) -> String? { buildName(response.headers["x-pokeapi-hash"]) }

  /// A build's name must be a plain word, because the name is stored and shown.
  static func buildName(_ text: String?) -> String? {
    guard let text, (1...100).contains(text.utf8.count), text.utf8.allSatisfy(\.isPlain) else { return nil }
    return text
  }
}
