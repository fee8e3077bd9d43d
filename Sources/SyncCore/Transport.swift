/// Sends requests to a service. Transports are nested: one adds tokens, one counts, one records, and the innermost one
/// uses the network.
package protocol Transport: Sendable {
  /// Obtains what the next request needs besides a permit, such as an access token. Call this function before you take
  /// the request's permit, because a request that is sent long after its permit can exceed a rate limit.
  /// - Throws: `CancellationError`, or `SyncError` if no request can be sent.
  func prepare() async throws

  /// Sends the request and returns the response, whatever its status, without the secrets of the request. Throws
  /// `CancellationError`, or `SyncError` with a matching disposition.
  func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse
}

extension Transport {
  /// Does nothing, for transports that need no preparation.
  package func prepare() async throws {}
}

/// A request to a service: a GET, or a POST if it has a body or a form.
package struct UpstreamRequest: Sendable, Equatable {
  /// The absolute URL with its query, never with credentials.
  package let url: String
  /// The validators for a conditional request. `nil` for an unconditional request.
  package var validators: Validators?
  /// Other URLs of the same resource. Retries use them, because a cache can serve a faulty response for one URL.
  package let alternatives: [String]
  package var additions = RequestAdditions()
  /// The JSON body of a POST request. `nil` for GET. Only requests that change nothing at the service have a body.
  package var body: [UInt8]?

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
  /// Reads the response. The message of an error has no secret of the request, and no part of a secret.
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
      return pause(left: parts["r"] ?? parts["remaining"], reset: parts["t"] ?? parts["reset"])
    }
    if let longest = pauses.max() { return longest }
    return ["ratelimit", "x-ratelimit"].lazy.compactMap { name in
      pause(left: headers["\(name)-remaining"], reset: headers["\(name)-reset"])
    }.first
  }

  private func pause(left: String?, reset: String?) -> Duration? {
    guard left == "0", let reset = reset.flatMap({ LimitReset($0) }) else { return nil }
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

/// `Retry-After` (RFC 9110 §10.2.3): seconds, or one of the three date formats of §5.6.7.
package enum RetryAfter {
  /// Returns the wait, which is never negative, or `nil` for an invalid value.
  /// - Parameter now: The time of the response in seconds since 1970. Without it, a date says nothing.
  package static func parse(_ value: String, now: Int?) -> Duration? {
    if let seconds = wholeSeconds(value.utf8.drop { $0 == 0x20 }) { return .seconds(seconds) }
    guard let until = secondsSinceEpoch(value), let now else { return nil }
    return .seconds(max(0, until - now))
  }

  /// Accepts a fraction, because some services send it, and rounds up.
  /// - Parameter longest: The maximum number of digits before and after the point.
  fileprivate static func wholeSeconds(_ text: Substring.UTF8View, longest: Int = 12) -> Int? {
    let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { part in
      (1...longest).contains(part.count) && part.allSatisfy(\.isDigit)
    }
    guard areDigits, let seconds = parts.first.flatMap({ Int(String(Substring($0))) }) else { return nil }
    let hasFraction = parts.count == 2 && parts[1].contains { $0 != UInt8(ascii: "0") }
    return hasFraction && seconds < .max ? seconds + 1 : seconds
  }

  /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
  package static func secondsSinceEpoch(_ date: String) -> Int? {
    let words = date.split { " ,:-".contains($0) }.map(String.init)
    let parts: [String]
    switch words.count {
    case 8 where words[7] == "GMT": parts = Array(words[1...6])
    case 7: parts = [words[2], words[1], words[6], words[3], words[4], words[5]]
    default: return nil
    }
    guard let monthIndex = months.firstIndex(of: parts[1]),
      let day = number(parts[0].utf8, 1...31), let year = number(parts[2].utf8, 0...9999),
      let hour = number(parts[3].utf8, 0...23), let minute = number(parts[4].utf8, 0...59),
      let second = number(parts[5].utf8, 0...60)
    else { return nil }
    let fullYear = parts[2].utf8.count == 2 ? (year < 70 ? 2000 + year : 1900 + year) : year
    let month = CivilMonth(year: Int64(fullYear), month: Int64(monthIndex + 1))
    return (Int(month.firstDay) + day - 1) * 86400 + hour * 3600 + minute * 60 + second
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Returns the number that ASCII digits spell, if it is within the range.
  fileprivate static func number(_ digits: some Collection<UInt8>, _ range: ClosedRange<Int>) -> Int? {
    guard digits.allSatisfy(\.isDigit), let value = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
    return range.contains(value) ? value : nil
  }
}

/// The reset of a rate limit, as services write it in `X-RateLimit-Reset` and its relatives.
///
/// No header says its unit, so the unit follows from the size of the number: the present is 1.8e9 s, 1.8e12 ms,
/// 1.8e15 µs or 1.8e18 ns after 1970.
enum LimitReset: Equatable {
  /// Seconds from the response on.
  case wait(Int)
  /// Seconds since 1970.
  case time(Int)

  /// Parses a number with or without a fraction, a date of HTTP, or a date of ISO 8601. Returns `nil` for other texts.
  init?(_ text: String) {
    // A time in nanoseconds has 19 digits.
    if let number = RetryAfter.wholeSeconds(text.utf8[...], longest: 19) {
      self = Self.number(number)
    } else if let seconds = RetryAfter.secondsSinceEpoch(text) ?? Self.isoTime(text) {
      self = .time(seconds)
    } else {
      return nil
    }
  }

  private static func number(_ number: Int) -> LimitReset {
    // The bounds lie between the sizes of the present in two units, a factor of 50 away from both.
    switch number {
    case ...Limits.longestRelativeReset: .wait(number)
    case ..<100_000_000_000: .time(number)
    case ..<100_000_000_000_000: .time(roundedUp(number, 1_000))
    case ..<100_000_000_000_000_000: .time(roundedUp(number, 1_000_000))
    default: .time(roundedUp(number, 1_000_000_000))
    }
  }

  private static func roundedUp(_ number: Int, _ unit: Int) -> Int { number / unit + (number % unit > 0 ? 1 : 0) }

  /// Parses `2026-01-02T03:04:05Z`, also with a fraction, a space instead of the T, an offset such as `+01:00`, or no
  /// zone, which means UTC.
  private static func isoTime(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 19, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "), bytes[13] == UInt8(ascii: ":"),
      bytes[16] == UInt8(ascii: ":"), let year = RetryAfter.number(bytes[0..<4], 1970...9999),
      let month = RetryAfter.number(bytes[5..<7], 1...12), let day = RetryAfter.number(bytes[8..<10], 1...31),
      let hour = RetryAfter.number(bytes[11..<13], 0...23), let minute = RetryAfter.number(bytes[14..<16], 0...59),
      let second = RetryAfter.number(bytes[17..<19], 0...60)
    else { return nil }
    var rest = bytes[19...]
    var fraction = 0
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix(while: \.isDigit)
      fraction = digits.contains { $0 != UInt8(ascii: "0") } ? 1 : 0
      rest = rest[digits.endIndex...]
    }
    guard let offset = offset(rest) else { return nil }
    let firstDay = CivilMonth(year: Int64(year), month: Int64(month)).firstDay
    return (Int(firstDay) + day - 1) * 86_400 + hour * 3600 + minute * 60 + second + fraction - offset
  }

  /// - Returns: The seconds by which the zone is ahead of UTC.
  private static func offset(_ zone: ArraySlice<UInt8>) -> Int? {
    guard let sign = zone.first, zone != [UInt8(ascii: "Z")] else { return 0 }
    let digits = zone.dropFirst().filter { $0 != UInt8(ascii: ":") }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), digits.count == 4,
      let hours = RetryAfter.number(digits[0..<2], 0...23),
      let minutes = RetryAfter.number(digits[2..<4], 0...59)
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return sign == UInt8(ascii: "+") ? seconds : -seconds
  }
}
