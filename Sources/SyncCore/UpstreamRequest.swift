/// A GET for one resource of an upstream.
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
package struct Validators: Sendable, Equatable {
  package let etag: String?
  package let lastModified: String?

  /// Nil if there is neither.
  package init?(etag: String?, lastModified: String?) {
    guard etag != nil || lastModified != nil else { return nil }
    self.etag = etag
    self.lastModified = lastModified
  }
}
