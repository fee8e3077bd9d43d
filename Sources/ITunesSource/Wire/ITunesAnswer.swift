import Foundation
import SyncCore
import SyncProgram

/// The content type is ignored, because the service sends JSON as `text/javascript`. An empty body is an error and not
/// an empty result, because the service throttles with 403 and an empty body.
enum ITunesAnswer {
  /// - Throws: `SyncError` for any status but 200. A 403 or 429 is throttling, and a 400 with known parameters is a
  ///   usage error.
  static func check(_ response: UpstreamResponse, to request: UpstreamRequest) throws(SyncError) {
    switch response.status {
    case 200: return
    case 403, 429: throw refusal(response, to: request)
    case 400: throw badParameter(response, to: request)
    default: throw fault(response, to: request)
    }
  }

  static func fault(_ response: UpstreamResponse, to request: UpstreamRequest) -> SyncError {
    AnswerFault.error(
      response, to: UpstreamRequest(url: shown(request)), said: said(response.body), service: "the iTunes Search API",
      unknownRequest: "the service does not accept this request; check the base URL (syncctl config)",
      troubled: "server error \(response.status): the service")
  }

  static func shown(_ request: UpstreamRequest) -> String { Excerpt.of(request.url) }

  /// Returns the error for a body that cannot be used. `what` completes "answered 200 with …".
  static func unusable(_ body: [UInt8], _ request: UpstreamRequest, what: String) -> SyncError {
    let url = shown(request)
    if let words = ITunesProblem(body)?.errorMessage {
      return SyncError(
        .upstream, "\(url) answered 200 with an error: \(Excerpt.of(words))",
        hint: "the service is failing; run again later", disposition: .retry(after: nil))
    }
    return AnswerFault.unusable(
      body, to: "decoding failed: \(url)", what: what,
      hint: "run again later; if the error persists, check the base URL (syncctl config)")
  }

  /// The service throttles for minutes, with 403 and an empty body. Some clients have seen 429.
  private static func refusal(_ response: UpstreamResponse, to request: UpstreamRequest) -> SyncError {
    let words = said(response.body)
    return SyncError(
      .upstream,
      "throttled: \(shown(request)) answered \(response.status)" + (words.isEmpty ? "" : ": \(Excerpt.of(words))"),
      hint: "the service allows about 20 requests a minute; nothing is lost; retry in a few minutes",
      disposition: .throttled(after: response.retryAfter ?? Limits.refusalPause))
  }

  private static func badParameter(_ response: UpstreamResponse, to request: UpstreamRequest) -> SyncError {
    let names = ITunesProblem(response.body)?.parameters ?? []
    guard !names.isEmpty else { return fault(response, to: request) }
    let parameters = names.map { name in
      request.value(of: name).map { "\(name) (\(Excerpt.of($0, scalars: 60)))" } ?? name
    }
    return SyncError(
      .usage, "\(shown(request)) answered 400: \(Excerpt.of(said(response.body)))",
      hint: "the service does not accept this value of \(parameters.joined(separator: ", ")); correct it")
  }

  private static func said(_ body: [UInt8]) -> String {
    ITunesProblem(body)?.errorMessage ?? Excerpt.of(body)
  }
}

/// Errors of searches and lookups have `errorMessage`; errors of charts have `error`.
struct ITunesProblem: Decodable {
  let errorMessage: String?
  let error: String?

  init?(_ body: [UInt8]) {
    guard body.count <= Limits.problemBytes, let problem = try? JSONDecoder().decode(Self.self, from: Data(body)),
      problem.errorMessage != nil || problem.error != nil
    else { return nil }
    self = problem
  }

  /// The invalid parameters by their names in the request, because the service's error uses other names.
  var parameters: [String] {
    guard let words = errorMessage,
      let list = words.split(separator: "[").dropFirst().first?.split(separator: "]").first
    else { return [] }
    return list.split { $0 == "," || $0 == " " }.prefix(5).map {
      Self.requestNames[String($0)] ?? Excerpt.of(String($0), scalars: 30)
    }
  }

  private static let requestNames = [
    "country": "country", "mediaType": "media", "resultEntity": "entity", "attributeType": "attribute",
    "language": "lang", "itunesId": "id",
  ]
}

extension UpstreamRequest {
  fileprivate func value(of parameter: String) -> String? {
    url.split(separator: "?", maxSplits: 1).dropFirst().first?.split(separator: "&")
      .first { $0.hasPrefix("\(parameter)=") }
      .map { String($0.dropFirst(parameter.count + 1)) }
  }
}
