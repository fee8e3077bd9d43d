import SyncCore
import SyncProgram

/// An error that a body with status 200 names.
///
/// The rule looks at the members of each object on the path to the items, from the body to the object that has the
/// list, because that is where services put errors: `{"error": …}` (ArcGIS, MediaWiki), `{"errors": […]}` (GraphQL,
/// JSON:API), `{"success": false}`, `{"ok": false}` (Slack), `{"status": "error"}` (JSend), `{"error_message": …}`
/// and `{"quoteResponse": {"error": …}}` (Yahoo). Members of items, and the list itself, are data. An error counts
/// even if the answer has items, because these items can be a part of the page.
struct NamedError: Equatable {
  /// The members that name the error, as JSON that a person can read, at most one line.
  let text: String
  private let isThrottling: Bool
  private let isTemporary: Bool

  /// - Parameters:
  ///   - body: The body without the items.
  ///   - path: The path of the items.
  ///   - hasItems: Whether the page has items. A `status` beside items can be data, such as the state of a job.
  init?(in body: JSONMember, path: [String], hasItems: Bool) {
    var object: JSONMember? = body
    for depth in 0...path.count {
      guard case .object(let members)? = object else { return nil }
      // The member on the path to the items is data, whatever its name.
      let next = depth < path.count ? path[depth] : nil
      let others = members.filter { $0.key != next }
      let named = others.filter { Self.namesError($0.key, $0.value, hasItems: hasItems) }
      if !named.isEmpty {
        self.init(named: named, among: others)
        return
      }
      object = next.flatMap { members[$0] }
    }
    return nil
  }

  private init(named: [String: JSONMember], among members: [String: JSONMember]) {
    // Codes and messages are often beside the flag: {"success": false, "code": 429, "message": "…"}.
    let telling = members.filter { Self.tellsMore($0.key) || named[$0.key] != nil }
    text = telling.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.shown)" }.joined(separator: ", ")
    let words = text.lowercased()
    let codes = telling.flatMap { Self.codes($0.value, named: $0.key) }
    isThrottling = codes.contains(429) || Self.throttlingWords.contains { words.contains($0) }
    isTemporary =
      codes.contains { $0 == 408 || (500..<600).contains($0) } || Self.temporaryWords.contains { words.contains($0) }
  }

  /// - Parameter url: The address without secrets.
  func error(of response: UpstreamResponse, at url: String) -> SyncError {
    let message = "\(url) answered 200 with an error: \(Excerpt.of(text))"
    if isThrottling {
      return SyncError(
        .upstream, message, hint: "the service is throttling; lower rate_limits",
        disposition: .throttled(after: response.retryAfter ?? response.limitPause))
    }
    if isTemporary || response.retryAfter != nil {
      return SyncError(
        .upstream, message, hint: "the service is failing; run again later",
        disposition: .retry(after: response.retryAfter))
    }
    return SyncError(.upstream, message, hint: "the service does not answer this request; check path, params and auth")
  }

  private static func namesError(_ name: String, _ value: JSONMember, hasItems: Bool) -> Bool {
    switch plain(name) {
    case "error", "errors", "errormessage": value.isFilled
    case "success", "ok": value.isFalse
    case "status": !hasItems && value.isFailure
    default: false
    }
  }

  private static func tellsMore(_ name: String) -> Bool {
    ["code", "errorcode", "message", "reason", "statuscode", "detail"].contains(plain(name))
  }

  /// The name without case, `_` and `-`: services write `error_message` and `errorMessage`.
  private static func plain(_ name: String) -> String { name.lowercased().filter { $0 != "_" && $0 != "-" } }

  /// The numbers that can be statuses of HTTP: `{"error": {"code": 429}}`, `{"statusCode": 503}`.
  private static func codes(_ value: JSONMember, named name: String) -> [Int] {
    switch value {
    case .object(let members): members.flatMap { codes($0.value, named: $0.key) }
    case .array(let elements): elements.flatMap { codes($0, named: name) }
    default: codeNames.contains(plain(name)) ? [value.number].compactMap(\.self) : []
    }
  }

  private static let codeNames: Set<String> = ["code", "errorcode", "status", "statuscode", "error"]
  private static let throttlingWords = [
    "rate limit", "ratelimit", "rate_limit", "rate exceeded", "too many requests", "throttl", "quota exceeded",
  ]
  private static let temporaryWords = [
    "timeout", "timed out", "try again", "temporar", "unavailable", "overload", "maxlag", "readonly", "too busy",
    "internal error", "internal server error", "internal_error",
  ]
}

extension JSONMember {
  /// Whether an `error` says something. Services send null, false, 0, an empty text, list or object for no error.
  fileprivate var isFilled: Bool {
    switch self {
    case .null, .bool(false), .int(0): false
    case .string(let text): !["", "0", "false", "none", "null", "ok"].contains(text.lowercased())
    case .object(let members): !members.isEmpty
    case .array(let elements): !elements.isEmpty
    case .bool, .int, .other: true
    }
  }

  fileprivate var isFalse: Bool {
    switch self {
    case .bool(false), .int(0): true
    case .string(let text): text.lowercased() == "false"
    default: false
    }
  }

  /// Whether a `status` is a failure. Numbers and other words are data.
  fileprivate var isFailure: Bool {
    switch self {
    case .bool(false): true
    case .string(let text): ["error", "fail", "failed", "failure", "nok"].contains(text.lowercased())
    default: false
    }
  }

  /// The value for a message. Long values are cut later.
  fileprivate var shown: String {
    switch self {
    case .object(let members):
      members.sorted { $0.key < $1.key }.prefix(8).map { "\($0.key): \($0.value.shown)" }.joined(separator: ", ")
    case .array(let elements): elements.prefix(4).map(\.shown).joined(separator: ", ")
    case .string(let text): String(text.prefix(Limits.excerptScalars))
    case .int(let value): "\(value)"
    case .bool(let value): "\(value)"
    case .null: "null"
    case .other: "…"
    }
  }
}
