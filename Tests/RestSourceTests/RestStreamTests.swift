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
    arguments: ["{}", #"{"href": "products?at=2"}"#, "[]", #"["products?at=2"]"#, "true", "1.5"])
  func otherTypes(value: String) throws {
    for resource in [Self.links, Self.cursors] {
      let error = try #require(throws: SyncError.self) { try Self.next(resource, value) }
      #expect(error.code == .upstream && error.message.contains("member at.next"), "\(error)")
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

  @Test("no error has a piece of a secret, wherever its excerpt ends", arguments: ["x", "é", "\u{1F600}"])
  func cutSecrets(filler: String) throws {
    let secret = "q7Zx9Kv2Wm4Tb8Ry"
    let pieces = (0...secret.count - 4).map { secret.dropFirst($0).prefix(4) }
    var additions = RequestAdditions()
    additions.secrets = [secret]
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
