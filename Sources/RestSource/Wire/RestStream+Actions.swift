import SyncCore
import SyncProgram

/// The declared meanings of answers (`response_actions`).
extension RestStream {
  /// Returns the first declared action whose conditions the answer fulfils. `nil` without such an action, and for an
  /// answer whose meaning no declaration changes.
  func action(for response: UpstreamResponse) -> Declaration.ResponseAction? {
    guard !resource.actions.isEmpty, !hasFixedMeaning(response) else { return nil }
    // The body is scanned at most once, and only if an action that fits otherwise has a condition about a member.
    var scanned: (body: JSONMember, hasItems: Bool)??
    return resource.actions.first { action in
      guard action.status ?? response.status == response.status else { return false }
      if let content = action.content, !ByteSearch(content).finds(in: response.body) { return false }
      guard let member = action.member else { return true }

      let envelope = scanned ?? reader.envelope(of: response.body)
      scanned = .some(envelope)
      return envelope.map { fits(member, $0.body, hasItems: $0.hasItems) } ?? false
    }
  }

  /// Whether the answer confirms a stored page, demands a pause, or refuses an access token that is requested again.
  private func hasFixedMeaning(_ response: UpstreamResponse) -> Bool {
    switch response.status {
    case 304, 429: true
    case 401: usesAccessTokens || response.retryAfter != nil
    case 403: response.retryAfter ?? response.limitPause != nil
    default: response.retryAfter != nil
    }
  }

  /// - Parameter body: The body without its items.
  private func fits(_ member: Declaration.ResponseAction.Member, _ body: JSONMember, hasItems: Bool) -> Bool {
    guard let value = body.at(member.path) else { return false }
    if let text = member.text { return value.plainText == text }
    // `body` has an empty list in place of the items.
    return value.isPresent || hasItems && member.path == resource.listPath
  }

  /// Returns the page that an answer is because of its action.
  /// - Throws: `SyncError` if the action says that the answer is an error.
  func page(
    by action: Declaration.ResponseAction, _ response: UpstreamResponse, to request: UpstreamRequest
  ) throws(SyncError) -> Page {
    switch action.action {
    case .ignore: return .ignored
    // After page 1, the claims of earlier pages decide whether the list can end here, as for any empty page.
    case .end: return .items([], isFirst(request) ? PageClaim(total: 0, hasNext: false) : PageClaim())
    case .fail:
      throw error(response, to: request, hint: "\(action.place) of \(resource.name) says that this is an error")
    case .retry:
      throw error(
        response, to: request, disposition: .retry(after: nil),
        hint: "\(action.place) of \(resource.name) says that this is a temporary error; run again later")
    }
  }

  private func error(
    _ response: UpstreamResponse, to request: UpstreamRequest, disposition: SyncError.Disposition = .stopStream,
    hint: String
  ) -> SyncError {
    let body = response.body
    let said: String? =
      switch response.status {
      // Such an answer often repeats what was sent.
      case 401, 403: RestAnswer.refusal(body)
      case 200: reader.namedError(in: body)?.text ?? String(decoding: body.prefix(400), as: UTF8.self)
      default: String(decoding: body.prefix(400), as: UTF8.self)
      }
    let reason = said.flatMap { $0.isEmpty ? nil : ": \(Excerpt.of($0))" } ?? ""
    return SyncError(
      .upstream, "\(Excerpt.of(request.url)) answered \(response.status)\(reason)", hint: hint,
      disposition: disposition)
  }
}

extension JSONMember {
  /// The text of a text, of a whole number, or of true and false.
  fileprivate var plainText: String? {
    switch self {
    case .string(let text): text
    case .int(let value): "\(value)"
    case .bool(let value): "\(value)"
    case .object, .array, .null, .other: nil
    }
  }

  /// Whether the value is neither null, false nor empty.
  fileprivate var isPresent: Bool {
    switch self {
    case .null: false
    case .bool(let value): value
    case .string(let text): !text.isEmpty
    case .object(let members): !members.isEmpty
    case .array(let elements): !elements.isEmpty
    case .int, .other: true
    }
  }
}
