import SyncCore
import SyncProgram
import Testing

@testable import RestSource

@Suite("The answers of a declared service")
struct RestStreamTests {
  private static func stream(
    _ resource: String, additions: RequestAdditions = RequestAdditions()
  ) throws -> RestStream {
    let declaration = try DeclarationText.read(
      """
      client: { base_url: https://api.example.org/v2 }
      resources:
        - { name: products, primary_key: sku, columns: { sku: text }, \(resource) }
      """)
    return RestStream(declaration.resources[0], of: declaration, additions: additions)
  }

  private static let links = "endpoint: { data_selector: data, paginator: { type: json_link, next_url_path: at.next } }"
  private static let cursors = "endpoint: { data_selector: data, paginator: { type: cursor, cursor_path: at.next } }"

  private static func next(_ resource: String, _ value: String) throws -> String? {
    let stream = try stream(resource)
    let body = #"{"data": [{"sku": "a"}], "at": {"next": \#(value)}}"#
    return try stream.read(
      UpstreamResponse(status: 200, headers: [:], body: Array(body.utf8)),
      to: stream.request(PageAddress(page: 1, size: 100))
    ).claim.next
  }

  @Test("a link is an address, and a cursor also a number; null, false, 0 and an empty text end the list")
  func nextPages() throws {
    #expect(try Self.next(Self.links, #""products?at=2""#) == "https://api.example.org/v2/products?at=2")
    #expect(try Self.next(Self.cursors, #""products?at=2""#) == "products?at=2")
    #expect(try Self.next(Self.cursors, "7") == "7")
    for resource in [Self.links, Self.cursors] {
      for end in ["null", "false", "0", #""""#] { #expect(try Self.next(resource, end) == nil, "\(end)") }
    }
  }

  @Test(
    "a link or cursor of another type is an error that names the member",
    arguments: [
      "{}", #"{"href": "products?at=2"}"#, "[]", #"["products?at=2"]"#, "true", "1.5", "9223372036854775808", "1e400",
      "-9223372036854775809",
    ])
  func otherTypes(value: String) throws {
    for resource in [Self.links, Self.cursors] {
      let error = try #require(throws: SyncError.self) { try Self.next(resource, value) }
      #expect(error.code == .upstream && error.message.contains("member at.next"), "\(error)")
    }
  }

  private static let header = "endpoint: { data_selector: data, paginator: header_link }"
  private static let kept =
    "endpoint: { data_selector: data, paginator: { type: header_link, next_link: { keep: path } } }"

  private static func next(_ resource: String, link: String) throws -> String? {
    let stream = try stream(resource)
    return try stream.read(
      UpstreamResponse(status: 200, headers: ["link": link], body: Array(#"{"data": [{"sku": "a"}]}"#.utf8)),
      to: stream.request(PageAddress(page: 1, size: 100))
    ).claim.next
  }

  @Test("a header Link that cannot be read is an error; a header without the relation is the end")
  func linkHeaders() throws {
    #expect(try Self.next(Self.header, link: #"<?at=2>; REL='Next'"#) == "https://api.example.org/v2/products?at=2")
    #expect(try Self.next(Self.header, link: #"</v2/products?at=1>; rel="prev""#) == nil)
    let error = try #require(throws: SyncError.self) { try Self.next(Self.header, link: #"<?at=2; rel="next""#) }
    #expect(error.code == .upstream && error.message.contains("header Link"), "\(error)")
  }

  @Test(
    "a link to another scheme, host or port is refused, and the refusal names next_link",
    arguments: [
      "http://api.example.org/v2/products?at=2", "https://api.example.org:8443/v2/products?at=2",
      "http://internal/v2/products?at=2", "//internal/v2/products?at=2",
    ])
  func keptPath(link: String) throws {
    for resource in [Self.header, Self.links] {
      let isHeader = resource == Self.header
      let error = try #require(throws: SyncError.self) {
        try isHeader ? Self.next(resource, link: "<\(link)>; rel=next") : Self.next(resource, "\"\(link)\"")
      }
      #expect(error.message.contains("another origin") && "\(error)".contains("next_link: { keep: path }"), "\(error)")
    }
    #expect(try Self.next(Self.kept, link: "<\(link)>; rel=next") == "https://api.example.org/v2/products?at=2")
    let kept = Self.links.replacing("at.next", with: "at.next, next_link: { keep: path }")
    #expect(try Self.next(kept, "\"\(link)\"") == "https://api.example.org/v2/products?at=2")
    // A declaration without next_link has the parameters that it had, so that its walks continue.
    let parameters = try [Self.header, Self.kept].map { try Self.stream($0).description.parameters }
    #expect(!parameters[0].contains("next_link") && parameters[0] != parameters[1])
  }

  private static func page(
    _ body: String, _ resource: String = links, headers: [String: String] = [:]
  ) throws -> Page {
    let stream = try stream(resource)
    return try stream.read(
      UpstreamResponse(status: 200, headers: headers, body: Array(body.utf8)),
      to: stream.request(PageAddress(page: 1, size: 100)))
  }

  @Test("a list that is null is empty; a missing list and a null above the list are errors")
  func nullLists() throws {
    let page = try Self.page(#"{"data": null, "at": {"next": null}}"#)
    #expect(page.entries.isEmpty && page.claim.next == nil)
    for body in [#"{"at": {"next": null}}"#, "null", #"{"data": {}}"#, #"{"data": "x"}"#] {
      let error = try #require(throws: SyncError.self) { try Self.page(body) }
      #expect(error.message.contains("not a page"), "\(body): \(error)")
    }
  }

  @Test(
    "an answer that names an error is an error with its text, with items, without, or without a list",
    arguments: [
      #"{"error": {"code": 498, "message": "Invalid token"}, "data": []}"#,
      #"{"errors": [{"title": "Invalid token"}]}"#,
      #"{"success": false, "data": [], "message": "Invalid token"}"#, #"{"ok": false, "error": "Invalid token"}"#,
      #"{"errors": [{"message": "Invalid token"}], "data": null}"#,
      #"{"errors": [{"message": "Invalid token"}], "data": [{"sku": "a"}]}"#,
      #"{"status": "fail", "data": null, "detail": "Invalid token"}"#,
      #"{"errorMessage": "Invalid token", "data": []}"#,
      #"{"Error_Message": "Invalid token", "data": []}"#, #"{"status": false, "message": "Invalid token", "data": []}"#,
      #"{"data": {"error": "Invalid token"}}"#, #"{"Success": "False", "reason": "Invalid token", "data": []}"#,
    ])
  func namedErrors(body: String) throws {
    for resource in [Self.links, Self.pages] {
      let error = try #require(throws: SyncError.self) { try Self.page(body, resource) }
      #expect(error.code == .upstream && error.disposition == .stopStream, "\(error)")
      #expect(
        error.message.contains("answered 200 with an error") && error.message.contains("Invalid token"), "\(error)")
    }
  }

  @Test("an answer without a list after page 1 can be the end, but not an answer that names an error")
  func refusedPages() throws {
    let stream = try Self.stream(Self.pages)
    func read(_ body: String) throws -> Page {
      try stream.read(
        UpstreamResponse(status: 200, headers: [:], body: Array(body.utf8)),
        to: stream.request(PageAddress(page: 2, size: 100)))
    }
    guard case .refused = try read(#"{"message": "no such page"}"#) else {
      Issue.record("the answer is not the end")
      return
    }
    for body in [#"{"error": "no rights"}"#, #"{"success": false, "data": null}"#, #"{"errors": ["x"], "data": [{}]}"#]
    {
      #expect(throws: SyncError.self) { try read(body) }
    }
  }

  private static let pages = "endpoint: { data_selector: data, paginator: page_number }"

  @Test(
    "members that name no error are data",
    arguments: [
      #"{"error": null, "errors": [], "data": []}"#, #"{"error": "", "data": []}"#, #"{"error": 0, "data": []}"#,
      #"{"error": false, "errors": {}, "data": []}"#, #"{"status": "ok", "success": true, "data": []}"#,
      #"{"status": 200, "ok": 1, "data": []}"#, #"{"status": "failed", "data": [{"sku": "a"}]}"#,
      #"{"data": [{"sku": "a", "error": "x", "errors": [1], "success": false}]}"#,
      #"{"message": "x", "code": 500, "data": []}"#, #"{"at": {"error": "x"}, "data": []}"#,
    ])
  func noErrors(body: String) throws {
    #expect(throws: Never.self) { try Self.page(body, Self.pages) }
  }

  @Test("the errors of a list with the name errors are data, and those beside its path are not")
  func errorsAsData() throws {
    let issues = "endpoint: { data_selector: result.errors, paginator: page_number }"
    #expect(try Self.page(#"{"result": {"errors": [{"sku": "a"}]}}"#, issues).entries.count == 1)
    #expect(throws: SyncError.self) { try Self.page(#"{"result": {"errors": [{"sku": "a"}], "error": "x"}}"#, issues) }
    #expect(throws: SyncError.self) { try Self.page(#"{"error": "x", "result": {"errors": []}}"#, issues) }
  }

  @Test("a temporary error in an answer with status 200 is retried, and an error about too many requests pauses all")
  func temporaryErrors() throws {
    for (body, headers, disposition) in [
      (#"{"error": {"code": 503}, "data": []}"#, [:], .retry(after: nil)),
      (#"{"errors": [{"status": "500"}]}"#, [:], .retry(after: nil)),
      (#"{"error": "Please try again later", "data": null}"#, ["retry-after": "9"], .retry(after: .seconds(9))),
      (#"{"success": false, "message": "Query TIMEOUT", "data": []}"#, [:], .retry(after: nil)),
      (#"{"success": false, "code": 429, "data": []}"#, [:], .throttled(after: nil)),
      (#"{"ok": false, "error": "ratelimited"}"#, ["retry-after": "30"], .throttled(after: .seconds(30))),
      (#"{"error": "bad generation"}"#, [:], .stopStream), (#"{"error": {"code": 404}}"#, [:], .stopStream),
    ] as [(String, [String: String], SyncError.Disposition)] {
      let error = try #require(throws: SyncError.self) { try Self.page(body, headers: headers) }
      #expect(error.disposition == disposition, "\(body): \(error)")
    }
  }

  @Test("the text of a named error has no secret")
  func secretInNamedError() throws {
    var additions = RequestAdditions()
    additions.mask = SecretMask(["q7Zx9Kv2"])
    let stream = try Self.stream(Self.links, additions: additions)
    let error = try #require(throws: SyncError.self) {
      try stream.read(
        UpstreamResponse(status: 200, headers: [:], body: Array(#"{"error": "bad key q7Zx9Kv2", "data": []}"#.utf8)),
        to: stream.request(PageAddress(page: 1, size: 100)))
    }
    #expect(error.message.contains("bad key ***"), "\(error)")
  }

  @Test("a page says which declared paths it lacks")
  func absentPaths() throws {
    let pages =
      "endpoint: { data_selector: data, paginator: { type: page_number, total_path: at.pages, has_more_path: at.more } }, "
      + "total_path: at.total"
    for (at, expected) in [
      (#"{"pages": 3, "more": false, "total": 7}"#, []), (#"{"pages": "3", "more": null, "total": "7"}"#, []),
      ("{}", ["has_more_path at.more", "paginator.total_path at.pages", "total_path at.total"]),
      (#"{"pages": [3], "more": [], "total": 1.5}"#, ["paginator.total_path at.pages", "total_path at.total"]),
    ] as [(String, Set<String>)] {
      let page = try Self.page(#"{"data": [{"sku": "a"}], "at": \#(at)}"#, pages)
      #expect(page.claim.absentPaths == expected, "\(at)")
    }
    let links = Self.links + ", total_path: at.total"
    #expect(
      try Self.page(#"{"data": [{"sku": "a"}], "at": {"total": 2}}"#, links).claim.absentPaths == [
        "next_url_path at.next"
      ])
    // The total shows that the page is the whole list, which needs no link.
    #expect(try Self.page(#"{"data": [{"sku": "a"}], "at": {"total": 1}}"#, links).claim.absentPaths.isEmpty)
    #expect(
      try Self.page(#"{"data": [{"sku": "a"}], "at": {"total": 1, "next": null}}"#, links).claim.absentPaths.isEmpty)
  }

  @Test("403 refuses a list, and equal answers have equal digests; 401 stops the run")
  func refusals() throws {
    let stream = try Self.stream(Self.links)
    func refusal(_ status: Int, _ body: String) throws -> SyncError.Disposition {
      try #require(throws: SyncError.self) {
        try stream.read(
          UpstreamResponse(status: status, headers: [:], body: Array(body.utf8)),
          to: stream.request(PageAddress(page: 1, size: 100)))
      }.disposition
    }
    #expect(try refusal(401, "no") == .stopRun)
    guard case .refused = try refusal(403, "no") else {
      Issue.record("403 does not refuse the list")
      return
    }
    #expect(try refusal(403, "no") == refusal(403, "no"))
    #expect(try refusal(403, "no") != refusal(403, "no rights"))
  }

  @Test("an answer with status 202 or Retry-After is asked for again later")
  func laterAnswers() throws {
    let stream = try Self.stream(Self.links)
    for (status, headers, disposition) in [
      (202, ["retry-after": "5"], .retry(after: .seconds(5))), (202, [:], .retry(after: nil)),
      (425, [:], .retry(after: nil)), (409, ["retry-after": "7"], .retry(after: .seconds(7))), (409, [:], .stopStream),
    ] as [(Int, [String: String], SyncError.Disposition)] {
      let error = try #require(throws: SyncError.self) {
        try stream.read(
          UpstreamResponse(status: status, headers: headers, body: []),
          to: stream.request(PageAddress(page: 1, size: 100)))
      }
      #expect(error.disposition == disposition, "\(status) \(headers): \(error)")
    }
  }

  @Test("a 404 proves a removal only if no server changes the item's address", arguments: [404, 410])
  func removals(status: Int) throws {
    for path in ["items/{sku}", "items/{sku}/details"] {
      let lookup = try #require(try Self.stream("endpoint: { paginator: single_page }, lookup: \"\(path)\"").lookup)
      for (sku, isProof) in [
        ("a", true), ("a.b é", true), ("...", true), (".a", true), ("a..", true), ("a%2Fb", true), ("..", false),
        (".", false), ("a/b", false), ("/", false), (#"a\b"#, false), ("../a", false),
      ] {
        let request = lookup.request(for: MissingItem(key: 7, members: [sku]))
        let answer = try? lookup.read(UpstreamResponse(status: status, headers: [:], body: []), key: 7, to: request)
        let isGone = if case .gone? = answer { true } else { false }
        #expect(isGone == isProof, "\(request.url)")
      }
    }
  }

  @Test("of an answer that refuses the key, only the reasons are shown, without the key", arguments: [401, 403])
  func refusalTexts(status: Int) throws {
    var additions = RequestAdditions()
    additions.mask = SecretMask(["q7Zx9Kv2Wm4Tb8Ry&=+"])
    let stream = try Self.stream(Self.links, additions: additions)
    let request = stream.request(PageAddress(page: 1, size: 100))
    for (body, said) in [
      (#"{"message": "no access", "sent": "abc"}"#, ": no access"),
      (#"{"error": {"code": 7, "message": "bad key"}, "detail": "see docs"}"#, ": bad key; see docs"),
      (##"{"message": "no access with q7Zx9Kv2Wm4Tb8Ry\u0026=+"}"##, ": no access with ***"),
      (##"{"message": "no access with q7Zx9Kv2Wm4Tb8Ry&amp;&#61;&plus;"}"##, ": no access with ***"),
      (#"{"message": 7, "error": true, "detail": null}"#, ""), (#"["no access"]"#, ""), ("<p>no access</p>", ""),
      ("", ""),
    ] {
      let error = try #require(throws: SyncError.self) {
        try stream.read(UpstreamResponse(status: status, headers: [:], body: Array(body.utf8)), to: request)
      }
      #expect(error.message.hasSuffix("answered \(status)\(said)"), "\(body): \(error)")
    }
  }

  @Test("no error has a piece of a secret, wherever its excerpt ends", arguments: ["x", "é", "\u{1F600}"])
  func cutSecrets(filler: String) throws {
    let secret = "q7Zx9Kv2Wm4Tb8Ry"
    let pieces = (0...secret.count - 4).map { secret.dropFirst($0).prefix(4) }
    var additions = RequestAdditions()
    additions.mask = SecretMask([secret])
    let stream = try Self.stream(Self.links, additions: additions)
    let request = stream.request(PageAddress(page: 2, size: 100, next: "https://api.example.org/v2/products?at=2"))
    // Excerpts have 200 characters, of at most 400 or 804 bytes.
    for count in stride(from: 75, through: 200, by: 3) {
      let body = #"{"message": ""# + String(repeating: filler, count: count) + secret
      for status in [200, 400, 401, 403, 404, 418, 500] {
        let error = try #require(throws: SyncError.self) {
          try stream.read(UpstreamResponse(status: status, headers: [:], body: Array(body.utf8)), to: request)
        }
        let text = "\(error) \(error.exhibit)"
        #expect(!pieces.contains { text.contains($0) }, "\(status) \(count): \(text)")
      }
    }
  }
}
