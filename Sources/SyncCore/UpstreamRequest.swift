/// A request to a service: a GET, or a POST if it has a body or a form.
package struct UpstreamRequest: Sendable, Equatable {
  /// The absolute URL with its query, never with credentials.
  package let url: String
  /// The validators for a conditional request. `nil` for an unconditional request.
  package var validators: Validators?
  /// Other URLs of the same resource. Retries use them, because a cache can serve a faulty response for one URL.
  package let alternatives: [String]
  package var additions = RequestAdditions()
  /// The list that the request reads, in a stream of several lists (`StreamDescription.lists`). It is not sent.
  package var list: String?
  /// The JSON body of a POST request. `nil` for GET. Only requests that change nothing at the service have a body.
  package var body: [UInt8]?

  /// Creates a GET request. Set `body` or `additions` afterwards.
  /// - Parameters:
  ///   - url: An absolute URL with its query, without credentials.
  ///   - alternatives: Other URLs of the same resource. The first attempt uses `url`. Retries use the alternatives in
  ///     order, then `url` again.
  package init(url: String, validators: Validators? = nil, alternatives: [String] = []) {
    self.url = url
    self.validators = validators
    self.alternatives = alternatives
  }

  /// The request for a retry: with the next alternative URL, or unchanged without alternatives. All URLs come in turn.
  package var next: UpstreamRequest {
    guard let first = alternatives.first else { return self }
    var next = UpstreamRequest(url: first, validators: validators, alternatives: alternatives.dropFirst() + [url])
    next.additions = additions
    next.body = body
    next.list = list
    return next
  }
}

/// The parts of a request that only the HTTP client adds. They can contain secrets, so errors and recordings never have
/// them.
package struct RequestAdditions: Sendable, Equatable, CustomStringConvertible {
  /// Headers by name. They replace the client's own headers of the same name.
  package var headers: [String: String] = [:]
  /// A percent-encoded part of the query.
  package var query: String?
  /// The body of a request for an access token (`application/x-www-form-urlencoded`). A request with a form is a POST.
  /// It is not recorded, because its answer consists of secrets.
  package var form: String?
  /// Finds the secrets in the headers and the query in everything that the service repeats.
  package var mask = SecretMask()

  /// Creates additions that add nothing.
  package init() {}

  package var description: String { "additions" }

  /// Adds a secret that the headers or the query have.
  package mutating func hide(_ secret: String) {
    mask = SecretMask((mask.secrets + [secret]).distinct(), suspects: mask.suspects, learned: mask.learned)
  }
}
