import Foundation
import Hashing
import SyncCore
import SyncPostgres
import SyncProgram

/// The errors of a declared service.
enum RestAnswer {
  static func error(_ response: UpstreamResponse, to request: UpstreamRequest) -> SyncError {
    let url = Excerpt.of(request.url)
    if [403, 429].contains(response.status), let pause = response.retryAfter ?? response.limitPause {
      return SyncError(
        .upstream, "\(url) answered \(response.status): too many requests",
        hint: "the service is throttling; lower rate_limits", disposition: .throttled(after: pause))
    }
    if response.status == 401 || response.status == 403 {
      // The key can lack the right to one list. Another list that is refused in the same words shows that it lacks all.
      let refused = SyncError.Disposition.refused(answer: SHA256.hash(data: response.body))
      let said = refusal(response.body).map { ": \(Excerpt.of($0))" } ?? ""
      return SyncError(
        .upstream, "\(url) answered \(response.status)\(said)",
        hint: response.status == 401
          ? "the service refuses the key or token, or needs one: check auth in the declaration"
          : "the service refuses this list, or the key or token lacks the right to it: check auth in the declaration",
        disposition: response.status == 401 ? .stopRun : refused)
    }
    let error = AnswerFault.error(
      response, to: UpstreamRequest(url: url), said: String(decoding: response.body.prefix(400), as: UTF8.self),
      service: "this API", unknownRequest: "the service does not accept this request; check path and params",
      troubled: "the service")
    guard (300..<400).contains(response.status), let location = response.headers["location"],
      let remedy = remedy(ofRedirectFrom: request.url, to: location)
    else { return error }
    return SyncError(error.code, error.message, hint: remedy, disposition: error.disposition)
  }

  /// The list's own address answers with 404.
  static func listIsMissing(_ request: UpstreamRequest, resource: String) -> SyncError {
    SyncError(
      .upstream, "\(Excerpt.of(request.url)) answered 404, so the list does not exist",
      hint: "check client.base_url and the path of \(resource) in the declaration; some services need a final slash")
  }

  /// The change of the declaration that makes a redirect unnecessary; `nil` if the target is not an address.
  static func remedy(ofRedirectFrom url: String, to location: String) -> String? {
    guard let from = URLComponents(string: url), let base = URL(string: url),
      let target = URL(string: location, relativeTo: base)?.absoluteURL,
      let to = URLComponents(url: target, resolvingAgainstBaseURL: true), let host = to.host
    else { return nil }
    let server = "\(to.scheme ?? "https")://\(host)\(to.port.map { ":\($0)" } ?? "")"
    guard Origin.server(of: url) == Origin.server(of: server) else {
      return "redirects are not followed; write client.base_url with \(Excerpt.of(server)) in the declaration"
    }
    let last = from.path.split(separator: "/").last.map(String.init) ?? ""
    if to.path == from.path + "/" {
      return "write the path with its final slash in the declaration, as in path: \(Excerpt.of(last))/"
    }
    if to.path + "/" == from.path {
      return "write the path without its final slash in the declaration, as in path: \(Excerpt.of(last))"
    }
    return "redirects are not followed; write the path that leads to \(Excerpt.of(to.path)) in the declaration"
  }
}

extension RestAnswer {
  /// The members of an answer that say why the service refuses a request.
  private static let reasons = ["message", "error", "detail"]

  /// Returns the texts of the members `message`, `error` and `detail` of an answer that refuses the credentials, or
  /// `nil` without such texts. Nothing else of such an answer is shown, because it often repeats what was sent.
  static func refusal(_ body: [UInt8]) -> String? {
    guard body.count <= Limits.problemBytes,
      let object = try? JSONDecoder().decode([String: JSONMember].self, from: Data(body))
    else { return nil }
    let texts = reasons.compactMap { name -> String? in
      switch object[name] {
      case .string(let text)?: text
      // Some services have an object with the text below `error`.
      case .object(let members)?: reasons.lazy.compactMap { members[$0]?.string }.first
      default: nil
      }
    }
    return texts.isEmpty ? nil : texts.distinct().joined(separator: "; ")
  }
}

extension JSONMember {
  fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }
}
