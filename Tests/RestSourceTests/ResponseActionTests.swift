import SyncCore
import SyncProgram
import Testing

@testable import RestSource

@Suite("The declared meanings of answers")
struct ResponseActionTests {
  private static func stream(
    _ actions: String, client: String = "base_url: https://api.example.org/v2", paginator: String = "page_number",
    additions: RequestAdditions = RequestAdditions()
  ) throws -> RestStream {
    let declaration = try DeclarationText.read(
      """
      client: { \(client) }
      resources:
        - name: products
          primary_key: id
          endpoint: { data_selector: data, paginator: \(paginator), response_actions: \(actions) }
      """)
    return RestStream(declaration.resources[0], of: declaration, additions: additions)
  }

  private static func read(
    _ stream: RestStream, _ status: Int, _ body: String, page: Int = 1, headers: [String: String] = [:]
  ) throws -> Page {
    try stream.read(
      UpstreamResponse(status: status, headers: headers, body: Array(body.utf8)),
      to: stream.request(PageAddress(page: page, size: 10)))
  }

  private static func isIgnored(_ stream: RestStream, _ status: Int, _ body: String) -> Bool {
    guard case .ignored? = try? read(stream, status, body) else { return false }
    return true
  }

  /// An answer that some actions of `dlt` ignore.
  struct Answer: Sendable, CustomTestStringConvertible {
    let status: Int
    let body: String
    let isIgnored: Bool

    init(_ status: Int, _ body: String, isIgnored: Bool) {
      self.status = status
      self.body = body
      self.isIgnored = isIgnored
    }

    var testDescription: String { "\(status) \(body)" }
  }

  /// The examples of dlt's documentation and tests.
  private static let examplesOfDlt = """
    [
      { "status_code": 404, "action": "ignore" }, { "content": "Not found", "action": "ignore" },
      { "status_code": 200, "content": "some text", "action": "ignore" }, { "status_code": 422, "action": "ignore" },
      { "status_code": 204, "action": "ignore" }
    ]
    """

  @Test(
    "the examples of dlt ignore the same answers",
    arguments: [
      Answer(404, "", isIgnored: true), Answer(404, #"{"message": "a"}"#, isIgnored: true),
      Answer(500, "<p>Not found</p>", isIgnored: true), Answer(200, #"{"message": "Not found"}"#, isIgnored: true),
      Answer(200, #"{"data": [{"id": 1, "title": "some text"}]}"#, isIgnored: true),
      Answer(200, #"{"data": [{"id": 1, "title": "Some text"}]}"#, isIgnored: false),
      Answer(200, #"{"data": [{"id": 1}], "message": "not found"}"#, isIgnored: false),
      Answer(500, "some text", isIgnored: false), Answer(422, "{}", isIgnored: true), Answer(204, "", isIgnored: true),
      Answer(400, "{}", isIgnored: false),
    ])
  func examplesOfDlt(answer: Answer) throws {
    let stream = try Self.stream(Self.examplesOfDlt)
    #expect(Self.isIgnored(stream, answer.status, answer.body) == answer.isIgnored)
    let response = UpstreamResponse(status: answer.status, headers: [:], body: Array(answer.body.utf8))
    #expect(stream.mustRead(response) == answer.isIgnored)
  }

  @Test("defaults apply to each resource, unless the resource has its own list, null or an empty list")
  func defaults() throws {
    let declaration = try DeclarationText.read(
      """
      client: { base_url: https://api.example.org, paginator: single_page }
      resource_defaults: { primary_key: id, endpoint: { response_actions: [{ status: 404, action: ignore }] } }
      resources:
        - a
        - { name: b, endpoint: { response_actions: [{ content: x, action: end }, { path: e.f, action: fail }] } }
        - { name: c, endpoint: { response_actions: } }
        - { name: d, endpoint: { response_actions: [] } }
      """)
    #expect(
      declaration.resources.map { $0.actions.map(\.parameter) } == [
        ["status 404 ignore"], ["content x end", #"member ["e", "f"]  fail"#], [], [],
      ])
  }

  @Test("the first action that fits counts, and each of its conditions must be fulfilled")
  func order() throws {
    let stream = try Self.stream(
      """
      [{ status: 404, content: gone, path: code, equals: 7, action: end }, { status: 404, content: gone, action: fail },
       { content: gone, action: retry }, { path: code, action: ignore }]
      """)
    func action(_ status: Int, _ body: String) -> Declaration.ResponseAction.Action? {
      stream.action(for: UpstreamResponse(status: status, headers: [:], body: Array(body.utf8)))?.action
    }
    #expect(action(404, #"{"code": 7, "message": "gone"}"#) == .end)
    #expect(action(404, #"{"code": 8, "message": "gone"}"#) == .fail)
    #expect(action(400, #"{"code": 7, "message": "gone"}"#) == .retry)
    #expect(action(404, #"{"code": 7}"#) == .ignore)
    #expect(action(404, "{}") == nil)
  }

  @Test(
    "a member counts if it exists and is neither null, false nor empty",
    arguments: [
      ("null", false), ("false", false), (#""""#, false), ("[]", false), ("{}", false), ("true", true), ("0", true),
      ("1.5", true), (#""0""#, true), ("[null]", true), (#"{"a": null}"#, true),
    ])
  func presence(value: String, counts: Bool) throws {
    let stream = try Self.stream("[{ path: error.code, action: ignore }]")
    #expect(Self.isIgnored(stream, 200, #"{"error": {"code": \#(value)}, "data": [{"id": 1}]}"#) == counts)
    #expect(Self.isIgnored(stream, 400, #"{"error": {"code": \#(value)}}"#) == counts)
  }

  @Test(
    "with `equals`, the member must have this text, as a text, a whole number or a flag",
    arguments: [
      ("rate_limited", #""rate_limited""#, true), ("rate_limited", #""Rate_limited""#, false), ("7", "7", true),
      ("7", #""7""#, true), ("7", "7.5", false), ("true", "true", true), ("false", "false", true),
      ("false", "null", false), ("a", #"["a"]"#, false),
    ])
  func equality(text: String, value: String, fits: Bool) throws {
    let stream = try Self.stream("[{ path: error.code, equals: \(text), action: ignore }]")
    #expect(Self.isIgnored(stream, 200, #"{"error": {"code": \#(value)}, "data": []}"#) == fits)
  }

  @Test("a condition about a member looks beside the items, and fits no body that is not JSON")
  func bodies() throws {
    let stream = try Self.stream("[{ path: error, action: ignore }]")
    #expect(!Self.isIgnored(stream, 200, #"{"data": [{"id": 1, "error": "x"}]}"#))
    for body in ["", "<html>error</html>", #"{"error": "x""#, "error", #"[{"error": "x"}]"#, "\u{0}"] {
      #expect(!Self.isIgnored(stream, 200, body) && !Self.isIgnored(stream, 500, body), "\(body)")
    }
    let items = try Self.stream("[{ path: data, action: ignore }]")
    #expect(Self.isIgnored(items, 200, #"{"data": [{"id": 1}]}"#))
    #expect(!Self.isIgnored(items, 200, #"{"data": []}"#))
    // A text is found in the bytes of any body.
    let html = try Self.stream("[{ content: größer, action: ignore }]")
    #expect(Self.isIgnored(html, 503, "<p>größer</p>") && !Self.isIgnored(html, 503, "<p>grösser</p>"))
  }

  @Test("the end has no items: on page 1, the list is empty; later, the claims of the pages before count")
  func ends() throws {
    for paginator in ["page_number", "json_link"] {
      let stream = try Self.stream("[{ status_code: 404, action: end }]", paginator: paginator)
      let first = try Self.read(stream, 404, "")
      #expect(first.entries.isEmpty && first.claim.total == 0 && first.claim.hasNext == false)
      let address = PageAddress(page: 2, size: 10, next: "https://api.example.org/v2/products?at=2")
      let later = try stream.read(
        UpstreamResponse(status: 404, headers: [:], body: []), to: stream.request(address))
      guard case .items(let entries, let claim) = later else {
        Issue.record("\(later)")
        continue
      }
      #expect(entries.isEmpty && claim == PageClaim())
    }
  }

  @Test("an error has the text of the body, and the hint names the action; a retry is like that of a 503")
  func errors() throws {
    let stream = try Self.stream(
      """
      [{ path: error.code, equals: rate_limited, action: retry }, { path: error, action: fail },
       { status_code: 403, action: fail }, { status_code: 404, action: retry }]
      """)
    func error(_ status: Int, _ body: String) throws -> SyncError {
      try #require(throws: SyncError.self) { try Self.read(stream, status, body, page: 2) }
    }
    let retried = try error(200, #"{"error": {"code": "rate_limited"}, "data": []}"#)
    #expect(retried.disposition == .retry(after: nil) && retried.message.contains("rate_limited"), "\(retried)")
    #expect(retried.hint?.contains("response_actions[0] of products") == true, "\(retried)")
    let failed = try error(200, #"{"data": [{"id": 1}], "error": "no rights"}"#)
    #expect(failed.disposition == .stopStream && failed.message.contains("error: no rights"), "\(failed)")
    #expect(failed.hint?.contains("response_actions[1] of products") == true, "\(failed)")
    // Without the action, this answer would have the disposition `.refused`. Only the reason of it is shown.
    let refused = try error(403, #"{"message": "no plan", "sent": "abc"}"#)
    #expect(refused.disposition == .stopStream && refused.message.hasSuffix("answered 403: no plan"), "\(refused)")
    let empty = try error(404, "")
    #expect(empty.disposition == .retry(after: nil) && empty.message.hasSuffix("answered 404"), "\(empty)")
  }

  @Test("a confirmed page, a pause and a refused access token keep their meaning")
  func fixedMeanings() throws {
    let all = """
      [{ status_code: 403, action: ignore }, { status_code: 503, action: ignore }, { status_code: 401, action: ignore },
       { content: slow, action: ignore }]
      """
    let stream = try Self.stream(all)
    func action(_ status: Int, _ headers: [String: String] = [:], in stream: RestStream) -> String? {
      stream.action(for: UpstreamResponse(status: status, headers: headers, body: Array("slow".utf8)))?.place
    }
    #expect(action(304, in: stream) == nil && action(429, in: stream) == nil)
    let exhausted = ["x-ratelimit-remaining": "0", "x-ratelimit-reset": "60"]
    for (status, place) in [(403, 0), (503, 1), (401, 2), (200, 3)] {
      #expect(action(status, in: stream) == "response_actions[\(place)]")
      #expect(action(status, ["retry-after": "5"], in: stream) == nil, "\(status)")
      #expect((action(status, exhausted, in: stream) == nil) == (status == 403), "\(status)")
    }
    let oauth =
      "auth: { type: oauth2_client_credentials, access_token_url: https://a.example/t, client_id: { env: A }, "
      + "client_secret: { env: B } }"
    let tokens = try Self.stream(
      "[{ content: slow, action: ignore }]", client: "base_url: https://api.example.org, \(oauth)")
    #expect(action(401, in: tokens) == nil && action(403, in: tokens) != nil)
    let refused = try #require(throws: SyncError.self) {
      try Self.stream("[{ status: 401, action: ignore }]", client: "base_url: https://api.example.org, \(oauth)")
    }
    #expect(refused.message.contains("response_actions[0].status is 401"), "\(refused)")
  }

  @Test("an error shows no secret, and its action is chosen by the body that arrived")
  func secrets() throws {
    var additions = RequestAdditions()
    additions.mask = SecretMask(["s3cr3t-t0ken-abc"])
    let stream = try Self.stream(
      "[{ content: s3cr3t-t0ken, action: fail }, { content: sent, action: retry }]", additions: additions)
    for status in [200, 400, 403] {
      let error = try #require(throws: SyncError.self) {
        try Self.read(stream, status, #"{"message": "you sent s3cr3t-t0ken-abc"}"#)
      }
      #expect(error.disposition == .stopStream, "\(error)")
      #expect(!error.description.contains("s3cr3t") && error.message.contains("you sent ***"), "\(error)")
    }
  }

  @Test("source check warns of a text that looks like a key")
  func likelySecrets() throws {
    let declaration = try DeclarationText.read(
      """
      client: { base_url: https://api.example.org, paginator: single_page }
      resources:
        - name: products
          primary_key: id
          endpoint:
            response_actions:
              - { content: Not found, action: ignore }
              - { content: 0f3c9a1b7d2e4f60a1b2c3d4e5f60718, action: ignore }
      """)
    #expect(declaration.likelySecrets == ["products.response_actions[1].content"])
  }

  @Test("other actions begin another walk, and a declaration without actions has the parameters that it had")
  func parameters() throws {
    let texts = try [
      "[]", "[{ status: 404, action: ignore }]", "[{ status: 404, action: end }]", "[{ content: a, action: ignore }]",
      "[{ path: a, action: ignore }]", "[{ path: a, equals: b, action: ignore }]",
    ].map { try Self.stream($0).description.parameters }
    #expect(Set(texts).count == texts.count)
    #expect(!texts[0].contains("answers"))
  }
}

@Suite("The search for a text in a body")
struct ByteSearchTests {
  @Test("finds a text wherever it is, also after a part of itself")
  func search() {
    let texts = ["a", "aab", "aabaaab", "abab", "abcabd", "größe", "aaaa"]
    let bodies = [
      "", "a", "aab", "aaab", "aabaabaaab", "ababab", "abcabcabd", "die größe", "aaa", "aaaab", "xaabaaabx",
    ]
    for text in texts {
      for body in bodies {
        #expect(ByteSearch(text).finds(in: Array(body.utf8)) == body.contains(text), "\(text) in \(body)")
      }
    }
    #expect(ByteSearch("").finds(in: []))
  }
}
