/// The validators of a response, which make a later request conditional (RFC 9110, section 8.8). At least one of them
/// is set.
package struct Validators: Sendable, Hashable {
  /// The `ETag` as the service sent it, with its quotation marks.
  package let etag: String?
  /// The `Last-Modified` as the service sent it.
  package let lastModified: String?

  /// Returns `nil` without a validator.
  package init?(etag: String?, lastModified: String?) {
    guard etag != nil || lastModified != nil else { return nil }
    self.etag = etag
    self.lastModified = lastModified
  }
}

/// A complete response of a service. The body is decompressed.
package struct UpstreamResponse: Sendable {
  package let status: Int
  /// The headers by lowercase name. If a header is repeated, only its first value is kept, except of `link`.
  package let headers: [String: String]
  package let body: [UInt8]
  /// The reservation of a large body in the memory budget. `nil` for a body of at most `Limits.usualBodyBytes`.
  package let reservation: ByteReservation?
  /// The arrival on this machine's clock, in seconds since 1970. `nil` if the transport is not the network.
  package let receivedAt: Int?
  /// Whether `SecretMask.replacement` in the headers and the body can stand for a secret of the request.
  package let hidesSecrets: Bool

  /// The names in `headers` are lowercase, `body` is decompressed, and `receivedAt` is in seconds since 1970.
  /// `reservation` is `nil` for a body of at most `Limits.usualBodyBytes`.
  package init(
    status: Int, headers: [String: String], body: [UInt8], reservation: ByteReservation? = nil, receivedAt: Int? = nil,
    hidesSecrets: Bool = false
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.reservation = reservation
    self.receivedAt = receivedAt
    self.hidesSecrets = hidesSecrets
  }

  /// Returns the response without the secrets that the request sent. A transport calls this function before anything
  /// else reads the response, so that the secrets are neither stored nor shown nor recorded. Of the documents in a
  /// successful answer, only occurrences that cannot be coincidences are changed; see `SecretMask.Scope`.
  package func hidingSecrets(of request: UpstreamRequest) -> UpstreamResponse {
    let mask = request.additions.mask
    guard !mask.isEmpty else { return self }
    var shown: [String: String] = [:]
    for (name, value) in headers where !mask.finds(in: name) {
      // A part of a secret in a link can be a coincidence, and the link is followed.
      let masked = mask.masking(value, name == "link" ? .recording : .message)
      // A changed validator would be sent back to a service that does not know it.
      if masked == value || !Self.validatorNames.contains(name) { shown[name] = masked }
    }
    let masked = mask.masking(body, (200..<300).contains(status) ? .document : .message)
    return UpstreamResponse(
      status: status, headers: shown, body: masked ?? body, reservation: reservation, receivedAt: receivedAt,
      hidesSecrets: masked != nil || shown != headers)
  }

  private static let validatorNames: Set = ["etag", "last-modified"]
}

extension UpstreamResponse {
  /// Returns the result of `read` for this response. If `read` throws, it can be called again with a body without
  /// secrets. The message of the error has no secret of the request, and no part of a secret.
  package func read<Value>(
    hidingSecretsOf request: UpstreamRequest, _ read: (UpstreamResponse) throws(SyncError) -> Value
  ) throws(SyncError) -> Value {
    do throws(SyncError) {
      return try read(self)
    } catch {
      // An excerpt of the body can end within a secret, so the error is made again from a body without secrets.
      do throws(SyncError) {
        if let body = request.additions.mask.masking(body, .message) {
          _ = try read(
            UpstreamResponse(
              status: status, headers: headers, body: body, receivedAt: receivedAt, hidesSecrets: true))
        }
        throw error
      } catch {
        throw error.hidingSecrets(of: request)
      }
    }
  }

  /// The validators that a later request can send: the `ETag`, or else a `Last-Modified` that is old enough. `nil` if
  /// the response has neither, or if they are too long or not ASCII.
  package var validators: Validators? {
    if let etag = headers["etag"], Self.isUsable(etag) { return Validators(etag: etag, lastModified: nil) }
    // Two changes within one second have the same `Last-Modified`, so a recent value is not used (RFC 9110, 8.8.2.2).
    guard let text = headers["last-modified"], Self.isUsable(text), let time = RetryAfter.secondsSinceEpoch(text),
      let now = headers["date"].flatMap(RetryAfter.secondsSinceEpoch), now - time >= Limits.validatorAge
    else { return nil }
    return Validators(etag: nil, lastModified: text)
  }

  /// The service's time when it sent the response, in seconds since 1970: its `Date`. A response without a `Date` was
  /// sent when it arrived (RFC 9110 §6.6.1).
  private var sentAt: Int? { headers["date"].flatMap(RetryAfter.secondsSinceEpoch) ?? receivedAt }

  /// The wait that the header `Retry-After` asks for, or `nil` without a valid header.
  package var retryAfter: Duration? {
    headers["retry-after"].flatMap { RetryAfter.parse($0, now: sentAt) }
  }

  /// The time until the service permits the next request, if this response was the last one that it permits now.
  /// From the headers `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10), `RateLimit-*` of earlier drafts, and
  /// `X-RateLimit-*`. `LimitReset` lists the forms of a reset.
  package var limitPause: Duration? {
    // A name in quotation marks begins a policy. The earlier drafts have one policy, with commas between its parts.
    let sent = headers["ratelimit"] ?? ""
    let field = sent.utf8.count <= Limits.rateLimitBytes ? sent : ""
    let hasPolicies = field.hasPrefix("\"")
    let pauses = field.split { hasPolicies && $0 == "," }.compactMap { policy in
      let parts = Dictionary(
        policy.split { ";,".contains($0) }.map { $0.split(separator: "=", maxSplits: 1).map(\.trimmingBlanks) }
          .filter { $0.count == 2 }.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
      return pause(remaining: parts["r"] ?? parts["remaining"], reset: parts["t"] ?? parts["reset"])
    }
    if let longest = pauses.max() { return longest }
    return ["ratelimit", "x-ratelimit"].lazy.compactMap { name in
      pause(remaining: headers["\(name)-remaining"], reset: headers["\(name)-reset"])
    }.first
  }

  private func pause(remaining: String?, reset: String?) -> Duration? {
    guard remaining == "0", let reset = reset.flatMap({ LimitReset($0) }) else { return nil }
    let seconds: Int
    switch reset {
    case .wait(let wait): seconds = wait
    case .time(let time):
      guard let sentAt else { return nil }
      seconds = time - sentAt
    }
    return seconds > 0 ? .seconds(seconds) : nil
  }

  private static func isUsable(_ value: String) -> Bool {
    (1...Limits.validatorBytes).contains(value.utf8.count) && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}
