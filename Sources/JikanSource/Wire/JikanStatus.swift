import Foundation
import SyncCore
import SyncProgram

/// The body's own `status` is ignored. It can be a number, a string or missing, and can contradict the status line.
enum JikanStatus {
  case answered
  case missing

  /// Returns whether the service answered with a body or with 404.
  /// - Throws: `SyncError` for any other status.
  static func classify(_ response: UpstreamResponse, request: UpstreamRequest) throws -> JikanStatus {
    switch response.status {
    case 200: return .answered
    case 404: return .missing
    default:
      throw AnswerFault.error(
        response, to: request, said: JikanProblem(response.body)?.text ?? Excerpt.of(response.body),
        service: "a Jikan service",
        unknownRequest: "the service does not know this request; check the provider and its base URL",
        troubled: "the service or MyAnimeList")
    }
  }

  /// Whether the service rejects a page because its number is too high. The rejection of page 1 has another cause.
  static func isPageCap(_ response: UpstreamResponse, of request: UpstreamRequest) -> Bool {
    guard response.status == 400, let page = request.page, page > 1, let problem = JikanProblem(response.body) else {
      return false
    }
    if let messages = problem.messages {
      return problem.type == "ValidationException" && messages.keys.elementsEqual(["page"])
    }
    // Some services write a sentence instead of `messages`. The sentence must name `page` and no other parameter.
    guard problem.type == nil || problem.type == "ValidationException", let message = problem.message else {
      return false
    }
    let words = Set(message.lowercased().split { !$0.isLetter && $0 != "_" }.map(String.init))
    return words.intersection(request.parameters.map(\.name)) == ["page"]
  }

  /// Whether the body is an error in the API's own form, which no proxy sends.
  static func isProblem(_ body: [UInt8]) -> Bool {
    JikanProblem(body)?.type != nil
  }
}

/// If a parameter is wrong, the error has `messages` instead of `message`.
private struct JikanProblem: Decodable {
  let type: String?
  let message: String?
  let messages: [String: [String]]?

  init?(_ body: [UInt8]) {
    guard let problem = try? JSONDecoder().decode(Self.self, from: Data(body.prefix(Limits.problemBytes))) else {
      return nil
    }
    self = problem
  }

  var text: String? {
    let words = message ?? messages?.sorted { $0.key < $1.key }.flatMap(\.value).joined(separator: " ")
    return words.map { words in type.map { "\($0): \(words)" } ?? words }
  }
}

extension UpstreamRequest {
  fileprivate var page: Int? {
    parameters.first { $0.name == "page" }.flatMap { Int($0.value) }
  }

  fileprivate var parameters: [(name: String, value: Substring)] {
    url.split(separator: "?", maxSplits: 1).dropFirst().flatMap { $0.split(separator: "&") }.map { parameter in
      let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? parts[1] : "")
    }
  }
}
