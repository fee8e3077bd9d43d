/// A whole answer: read to its end, decompressed, within the limits.
package struct UpstreamResponse: Sendable {
  package let status: Int
  /// Names in lower case; the first of repeated headers.
  package let headers: [String: String]
  package let body: [UInt8]
  /// The memory that a large body has reserved.
  package let reservation: ByteReservation?

  package init(
    status: Int, headers: [String: String], body: [UInt8], reservation: ByteReservation? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.reservation = reservation
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
