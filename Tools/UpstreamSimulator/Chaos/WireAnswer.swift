struct WireAnswer: Sendable, Equatable {
  var status: Int?
  var headers: [HeaderField] = []
  var body: Body
  var delay: Duration = .zero

  enum Body: Sendable, Equatable {
    case whole([UInt8])
    /// A part of a body, then the end of the connection. The body is chunked if `announced` is nil.
    case broken([UInt8], announced: Int?, reset: Bool)
    case drip([UInt8], every: Duration)
    case never
  }

  var bytes: Int {
    switch body {
    case .whole(let bytes), .broken(let bytes, _, _), .drip(let bytes, _): bytes.count
    case .never: 0
    }
  }
}

extension WireAnswer {
  init(_ answer: SimulatedAnswer, delay: Duration = .zero) {
    self.init(status: answer.status, headers: answer.headers, body: .whole(answer.body), delay: delay)
  }
}

extension Fault {
  func applied(to rightAnswer: () async -> SimulatedAnswer) async -> WireAnswer {
    switch self {
    case .status(let status, let retryAfter):
      return WireAnswer(Self.refusal(status, retryAfter))
    case .emptyForbidden:
      return WireAnswer(status: 403, body: .whole([]))
    case .hang:
      return WireAnswer(status: nil, body: .never)
    case .html:
      let type = HeaderField("Content-Type", "text/html; charset=UTF-8")
      return WireAnswer(status: 200, headers: [type], body: .whole(Array(Self.page.utf8)))
    case .delay(let duration):
      return WireAnswer(await rightAnswer(), delay: duration)
    case .drip, .reset, .cut, .gzipTruncated, .gzipChecksum, .gzipPlain, .invalidJSON:
      return spoiled(await rightAnswer())
    }
  }

  private func spoiled(_ answer: SimulatedAnswer) -> WireAnswer {
    var wire = WireAnswer(answer)
    let body = answer.body
    let half = Array(body.prefix(body.count / 2))
    switch self {
    case .drip(let pause): wire.body = .drip(body, every: pause)
    case .reset: wire.body = .broken(half, announced: max(body.count, 1), reset: true)
    case .cut(let chunked): wire.body = .broken(half, announced: chunked ? nil : max(body.count, 1), reset: false)
    case .gzipTruncated:
      let stream = Gzip.stored(body)
      wire.body = .whole(Array(stream.prefix(stream.count / 2)))
    case .gzipChecksum:
      var stream = Gzip.stored(body)
      stream[stream.count - 8] ^= 0xFF
      wire.body = .whole(stream)
    case .invalidJSON: wire.body = .whole(half)
    default: break
    }
    if [.gzipTruncated, .gzipChecksum, .gzipPlain].contains(self) {
      wire.headers.append(HeaderField("Content-Encoding", "gzip"))
    }
    return wire
  }

  private static func refusal(_ status: Int, _ retryAfter: Int?) -> SimulatedAnswer {
    let (type, message) =
      switch status {
      case 429: ("RateLimitException", "You are being rate-limited. Please follow Rate Limiting guidelines.")
      case 403, 500...: ("UpstreamException", "Request to the site behind failed. Please try again later.")
      default: ("HttpException", "The request was refused.")
      }
    let body = #"{"status":\#(status),"type":"\#(type)","message":"\#(message)","error":null}"#
    let headers = retryAfter.map { [HeaderField("Retry-After", "\($0)")] } ?? []
    return .json(body, status: status, headers: headers)
  }

  private static let page = """
    <!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title>\
    <meta http-equiv="Content-Type" content="text/html; charset=UTF-8"><meta name="robots" content="noindex,nofollow">\
    </head><body><noscript>Enable JavaScript and cookies to continue</noscript></body></html>
    """
}
