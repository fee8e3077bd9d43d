package protocol Transport: Sendable {
  /// Throws `SyncError` with the disposition that fits (a refused connection may pass, a bad certificate does not), or
  /// `CancellationError`.
  func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse
}

package struct UpstreamRequest: Sendable, Equatable {
  /// Absolute, with query; never with credentials.
  package let url: String
  /// Of an answer that is known: another one is requested only if it differs.
  package var validators: Validators?
  /// Other addresses of the same resource, which caches on the way hold apart: where one is stuck with a fault,
  /// another may answer.
  package let alternatives: [String]

  package init(url: String, validators: Validators? = nil, alternatives: [String] = []) {
    self.url = url
    self.validators = validators
    self.alternatives = alternatives
  }

  /// The same resource by its next address, again and again from the first; itself if it has only one.
  package var next: UpstreamRequest {
    guard let first = alternatives.first else { return self }
    return UpstreamRequest(url: first, validators: validators, alternatives: alternatives.dropFirst() + [url])
  }
}

/// What an upstream gives to tell one version of an answer from another (RFC 9110, section 8.8).
package struct Validators: Sendable, Hashable {
  package let etag: String?
  package let lastModified: String?

  package init?(etag: String?, lastModified: String?) {
    guard etag != nil || lastModified != nil else { return nil }
    self.etag = etag
    self.lastModified = lastModified
  }
}

package struct UpstreamResponse: Sendable {
  package let status: Int
  /// Names in lower case; the first of repeated headers.
  package let headers: [String: String]
  package let body: [UInt8]
  package let reservation: ByteReservation?

  package init(
    status: Int, headers: [String: String], body: [UInt8], reservation: ByteReservation? = nil
  ) {
    (self.status, self.headers, self.body, self.reservation) = (status, headers, body, reservation)
  }
}

extension UpstreamResponse {
  /// What the next request for the same may carry; nil where the upstream gives nothing that can be relied on.
  package var validators: Validators? {
    if let etag = headers["etag"], Self.isUsable(etag) { return Validators(etag: etag, lastModified: nil) }
    // A time has whole seconds: what changed twice in one of them would go unseen, so it must lie well behind the
    // answer (RFC 9110, section 8.8.2.2).
    guard let text = headers["last-modified"], Self.isUsable(text), let time = RetryAfter.secondsSinceEpoch(text),
      let now = headers["date"].flatMap(RetryAfter.secondsSinceEpoch), now - time >= Limits.validatorAge
    else { return nil }
    return Validators(etag: nil, lastModified: text)
  }

  private static func isUsable(_ value: String) -> Bool {
    (1...Limits.validatorBytes).contains(value.utf8.count) && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}
