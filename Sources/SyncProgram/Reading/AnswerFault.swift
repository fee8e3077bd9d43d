package import SyncCore

/// The errors for answers of a service that cannot be used. Sources share their texts and dispositions.
package enum AnswerFault {
  /// Returns the error for a response whose status is not expected. The status determines hint and disposition.
  /// - Parameters:
  ///   - said: The message in the service's response, or an empty text. This function shortens it with `Excerpt.of`.
  ///   - service: A noun phrase for the service, as in "this is not an answer of the service NAME".
  ///   - unknownRequest: The hint for 400, 405 and 422.
  ///   - troubled: The subject of the hint that something is failing, not ready or asks to wait.
  ///   - redirected: The disposition of a redirect.
  package static func error(
    _ response: UpstreamResponse, to request: UpstreamRequest, said: String, service: String, unknownRequest: String,
    troubled: String, redirected: SyncError.Disposition = .stopStream
  ) -> SyncError {
    let (hint, disposition): (String, SyncError.Disposition) =
      switch response.status {
      case 304: ("a cache in between sends wrong responses; run again later", .retry(after: response.retryAfter))
      case 300..<400:
        ("redirects are not followed; set the base URL to where the service is now (syncctl config)", redirected)
      case 400, 405, 422: (unknownRequest, .stopStream)
      case 401: ("the service requires a key; check the base URL", .stopRun)
      case 403: ("the service or its proxy blocks this machine", .retry(after: response.retryAfter))
      case 429:
        // 60 s is the longest window of the published rate limits, except for windows of a day.
        ("the service is throttling; lower rate_limits", .throttled(after: response.retryAfter ?? .seconds(60)))
      case 408, 500..<600: ("\(troubled) is failing; run again later", .retry(after: response.retryAfter))
      // 202: the answer is not ready (RFC 9110 §15.3.3). 425: too early (RFC 8470).
      case 202, 425: ("\(troubled) is not ready; run again later", .retry(after: response.retryAfter))
      case _ where response.retryAfter != nil:
        ("\(troubled) asks to be asked later; run again then", .retry(after: response.retryAfter))
      default: ("this is not an answer of \(service); check the base URL", .stopStream)
      }
    let answer =
      switch response.status {
      case 304: "answered 304 (not modified) to a request without a validator"
      case 300..<400: "redirects" + (response.headers["location"].map { " to \(Excerpt.of($0))" } ?? "")
      default: "answered \(response.status)" + (said.isEmpty ? "" : ": \(Excerpt.of(said))")
      }
    return SyncError(.upstream, "\(request.url) \(answer)", hint: hint, disposition: disposition)
  }

  /// Returns the error for a response with status 200 whose body cannot be used.
  /// - Parameters:
  ///   - what: What the body is, as in "answered 200 with an empty body". HTML is named instead.
  ///   - hint: What to do, unless the body is HTML.
  ///   - isLasting: Whether the next attempt would get the same body. Without it, the request is retried.
  package static func unusable(
    _ body: [UInt8], to url: String, what: String, hint: String, isLasting: Bool = false
  ) -> SyncError {
    let isHTML = isHTML(body)
    return SyncError(
      .upstream, "\(url) answered 200 with \(isHTML ? "HTML" : what)" + (body.isEmpty ? "" : ": \(Excerpt.of(body))"),
      hint: isHTML ? "a proxy, a block page or a maintenance page answered instead of the API; run again later" : hint,
      disposition: isLasting && !isHTML ? .stopStream : .retry(after: nil))
  }

  /// Whether the first byte after white space is `<`. XML is also reported as HTML.
  package static func isHTML(_ body: [UInt8]) -> Bool {
    body.first { ![0x09, 0x0A, 0x0D, 0x20].contains($0) } == UInt8(ascii: "<")
  }
}

/// The problem of an item that a source cannot read. The item goes into quarantine instead of the mirror.
///
/// `reason` is a word such as `wrong_type` or `no_id`. `detail` names the member and its problem, for the user.
package struct FieldFault: Error {
  let reason: String
  let detail: String

  package init(reason: String, detail: String) {
    self.reason = reason
    self.detail = detail
  }

  init(_ error: any Error) {
    switch error {
    case let fault as FieldFault:
      self = fault
    case DecodingError.typeMismatch(_, let context):
      self.init(reason: "wrong_type", context)
    case DecodingError.valueNotFound(_, let context):
      self.init(reason: "null", context)
    case DecodingError.keyNotFound(let key, let context):
      let path = Self.path(context.codingPath + [key])
      self.init(reason: "missing", detail: "\(path): missing")
    case DecodingError.dataCorrupted(let context):
      self.init(reason: "out_of_range", context)
    default:
      self.init(reason: "unreadable", detail: Excerpt.of("\(error)"))
    }
  }

  private init(reason: String, _ context: DecodingError.Context) {
    self.init(reason: reason, detail: "\(Self.path(context.codingPath)): \(Excerpt.of(context.debugDescription))")
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.isEmpty ? "item" : keys.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
  }
}
