import Foundation
import SyncCore
import SyncPostgres
import Testing

@testable import RestSource

@Suite("The next pages of chains")
struct ChainPageTests {
  private static func stream(_ paginator: String, _ resource: String = "") throws -> RestStream {
    let declaration = try DeclarationText.read(
      """
      client: { base_url: https://api.example.org/v2 }
      resources:
        - name: products
          endpoint: { data_selector: data, paginator: \(paginator) }
          \(resource.isEmpty ? "primary_key: id" : resource)
      """)
    return RestStream(declaration.resources[0], of: declaration)
  }

  private static func claim(
    of stream: RestStream, _ items: String, _ more: String = "", link: String? = nil
  ) throws -> PageClaim {
    let body = "{\"data\": [\(items)]\(more.isEmpty ? "" : ", " + more)}"
    return try stream.read(
      UpstreamResponse(status: 200, headers: link.map { ["link": $0] } ?? [:], body: Array(body.utf8)),
      to: stream.request(PageAddress(page: 1, size: 100))
    ).claim
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  /// A page whose next address has the last item's key or not, in the form of a documented service.
  struct Service: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let paginator: String
    var resource = ""
    let items: String
    var body = ""
    var link: String?
    let key: String?

    init(
      _ name: String, _ paginator: String, _ resource: String = "", items: String, body: String = "",
      link: String? = nil, key: String?
    ) {
      testDescription = name
      self.paginator = paginator
      self.resource = resource
      self.items = items
      self.body = body
      self.link = link
      self.key = key
    }
  }

  private static let links = "json_link"
  private static let header = "header_link"
  private static let cursor = "{ type: cursor, cursor_path: next }"
  private static let textKey = "primary_key: id\n    columns: { id: text }"

  @Test(
    "a next address or cursor with the last item's key is recognized, as services write it",
    arguments: [
      // Zendesk: https://developer.zendesk.com/api-reference/agent-availability/capacity-rules/pagination_links
      Service(
        "a query value (Zendesk)", links, items: #"{"id": 111}, {"id": 456}"#,
        body: #""next": "/v2/assignees?page[size]=2&page%5Bafter%5D=456""#, key: "456"),
      // Shopify: the Link header of products.json, with a JSON object in Base64url.
      Service(
        "JSON in Base64 (Shopify)", header, items: #"{"id": 9}, {"id": 2467283107917}"#,
        link: "<https://api.example.org/v2/products.json?limit=3&page_info="
          + "eyJkaXJlY3Rpb24iOiJuZXh0IiwibGFzdF9pZCI6MjQ2NzI4MzEwNzkxNywibGFzdF92YWx1ZSI6IlRlc3Qgbm90IHB1Ymxpc2hlZCJ9"
          + ">; rel=\"next\"", key: "2467283107917"),
      // Slack: https://docs.slack.dev/apis/web-api/pagination
      Service(
        "a name and an id in Base64 (Slack)", cursor, textKey, items: #"{"id": "W1"}, {"id": "U061NFTT2"}"#,
        body: #""next": "dXNlcjpVMDYxTkZUVDI=""#, key: "U061NFTT2"),
      Service(
        "a UUID (Notion)", cursor, "primary_key: id\n    columns: { id: uuid }",
        items: #"{"id": "fe2cc560-036c-44cd-90e8-294d5a74cebc"}"#,
        body: #""next": "fe2cc560-036c-44cd-90e8-294d5a74cebc", "has_more": true"#,
        key: "fe2cc560-036c-44cd-90e8-294d5a74cebc"),
      Service(
        "an inclusive bound (Mastodon, Twitter)", header, items: #"{"id": 1120}, {"id": 1080}"#,
        link: #"<https://api.example.org/v2/timeline?limit=2&max_id=1079>; rel="next""#, key: "1079"),
      Service(
        "a number in Base64 (Facebook)", links, items: #"{"id": 53771}"#,
        body: #""next": "https://api.example.org/v2/feed?limit=25&after=\#(base64("53771"))""#, key: "53771"),
      Service(
        "a change time (GitHub, since=)", header,
        "primary_key: id\n    incremental: { cursor_path: updated_at, start_param: since }",
        items: #"{"id": 1, "updated_at": "2026-01-02T03:04:05+00:00"}"#,
        link: #"<https://api.example.org/v2/issues?since=2026-01-02T03%3A04%3A05%2B00:00>; rel="next""#,
        key: "2026-01-02T03:04:05+00:00"),
      Service(
        "a plus sign for a space", links, "primary_key: id\n    incremental: { cursor_path: at, start_param: since }",
        items: #"{"id": 1, "at": "2026-01-02 03:04:05"}"#, body: #""next": "?since=2026-01-02+03:04:05""#,
        key: "2026-01-02 03:04:05"),
      Service(
        "a path segment", links, textKey, items: #"{"id": "a b/c"}"#, body: #""next": "/v2/products/after/a%20b%2Fc""#,
        key: "a b/c"),
      Service(
        "each member of a key", links, "primary_key: [shop, no]", items: #"{"shop": "x", "no": 7}"#,
        body: #""next": "/v2/products?shop=x&no=7""#, key: "x\n7"),
      Service(
        "one of two members", links, "primary_key: [shop, no]", items: #"{"shop": "x", "no": 7}"#,
        body: #""next": "/v2/products?shop=y&no=7""#, key: nil),
      Service(
        "JSON as it is (Elasticsearch)", cursor, textKey, items: #"{"id": "b-7"}"#,
        body: #""next": "[1700000000, \"b-7\"]""#, key: "b-7"),
      Service(
        "the last item's member (Stripe)", "{ type: cursor, cursor_path: 'data[-1].id', cursor_param: starting_after }",
        textKey, items: #"{"id": "ch_2"}, {"id": "ch_1"}"#, body: #""has_more": true"#, key: "ch_1"),
      Service(
        "another member of the last item", "{ type: cursor, cursor_path: 'data[-1].at' }",
        items: #"{"id": 7, "at": "2026-01-02"}"#, key: nil),
      Service("another item's key", links, items: #"{"id": 7}, {"id": 9}"#, body: #""next": "?after=7""#, key: nil),
      Service(
        "a place in Base64 (GraphQL)", cursor, items: #"{"id": 9}"#,
        body: #""next": "\#(base64("arrayconnection:24"))""#,
        key: nil),
      Service(
        "a part of a number", cursor, items: #"{"id": 45}"#, body: #""next": "\#(base64(#"{"id":1456}"#))""#, key: nil),
      Service("a part of a value", links, textKey, items: #"{"id": "ab"}"#, body: #""next": "?after=cab""#, key: nil),
      Service("an empty page (DynamoDB)", cursor, items: "", body: #""next": "\#(base64(#"{"id":7}"#))""#, key: nil),
      Service("an unusable last item", cursor, items: #"{"id": 7}, {"id": null}"#, body: #""next": "7""#, key: nil),
      Service(
        "a very long cursor", cursor, items: #"{"id": 7}"#,
        body: #""next": "7,\#(String(repeating: "x", count: 9000))""#,
        key: nil),
    ])
  func keys(service: Service) throws {
    let stream = try Self.stream(service.paginator, service.resource)
    let claim = try Self.claim(of: stream, service.items, service.body, link: service.link)
    #expect(claim.next != nil && claim.nextKey == service.key, "\(claim)")
  }

  @Test("a list that continues after its last item ends with an empty page, or when a member says so")
  func lastItem() throws {
    let paginator =
      "{ type: cursor, cursor_path: 'data[-1].id', cursor_param: starting_after, has_more_path: has_more }"
    let stream = try Self.stream(paginator)
    #expect(try Self.claim(of: stream, #"{"id": 7}, {"id": 5}"#, #""has_more": true"#).next == "5")
    #expect(try Self.claim(of: stream, #"{"id": 7}"#, #""has_more": false"#).next == nil)
    #expect(try Self.claim(of: stream, "", #""has_more": false"#).next == nil)
    let open = try Self.stream("{ type: cursor, cursor_path: 'data[-1].id' }")
    #expect(try Self.claim(of: open, #"{"id": 7}"#).next == "7")
    #expect(try Self.claim(of: open, "").next == nil)
    for item in ["{}", "{", "7", #"{"id": null}"#, #"{"id": [7]}"#] {
      #expect(throws: SyncError.self, "\(item)") { try Self.claim(of: open, item) }
    }
    let request = stream.request(PageAddress(page: 2, size: 100, next: "a b"))
    #expect(request.url == "https://api.example.org/v2/products?starting_after=a%20b")
  }

  @Test("the place that a service counts to matches dense ids, so the walk judges all pages together")
  func dense() throws {
    let stream = try Self.stream(Self.links)
    let claim = try Self.claim(of: stream, #"{"id": 24}, {"id": 25}"#, #""next": "?offset=25&limit=25""#)
    #expect(claim.nextKey == "25")
  }

  private static let more = "has_more_path: meta.more"
  private static let pagings = [
    "{ type: json_link, \(more) }", "{ type: cursor, cursor_path: next, \(more) }", "{ type: header_link, \(more) }",
  ]
  private static let link = #"<https://api.example.org/v2/products?at=2>; rel="next""#
  private static let next = #""next": "products?at=2""#

  @Test("has_more_path ends a chain although a next page is named (Zendesk, Dropbox)", arguments: pagings)
  func hasMore(paginator: String) throws {
    let stream = try Self.stream(paginator)
    for (value, hasMore) in [
      ("true", true), ("1", true), ("\"yes\"", true), ("false", false), ("0", false), ("\"false\"", false),
      ("null", false),
    ] {
      let claim = try Self.claim(
        of: stream, #"{"id": 7}"#, #""meta": {"more": \#(value)}, "# + Self.next, link: Self.link)
      #expect(claim.hasNext == hasMore && (claim.next != nil) == hasMore, "\(value): \(claim)")
    }
    // A service can omit the member, or name another server on the last page.
    #expect(try Self.claim(of: stream, #"{"id": 7}"#, Self.next, link: Self.link).next != nil)
    let foreign = try Self.claim(
      of: stream, #"{"id": 7}"#, #""meta": {"more": false}, "next": "https://other.example/""#,
      link: #"<https://other.example/>; rel="next""#)
    #expect(foreign.next == nil)
  }

  @Test("a page that says that another one follows, but names none, is an error and not the end", arguments: pagings)
  func namesNone(paginator: String) throws {
    let stream = try Self.stream(paginator)
    for next in ["", #", "next": null"#, #", "next": """#] {
      let error = try #require(throws: SyncError.self) {
        try Self.claim(of: stream, #"{"id": 7}"#, #""meta": {"more": true}"# + next)
      }
      #expect(error.code == .upstream && error.message.contains("meta.more"), "\(error)")
    }
  }

  @Test("cursor: by_key is a key of chains only, and its value is checked")
  func declared() throws {
    for type in ["json_link", "header_link", "cursor"] {
      #expect(try Self.stream("{ type: \(type), cursor: by_key }").description.isChainByKey)
      #expect(try !Self.stream(type).description.isChainByKey)
      let error = try #require(throws: SyncError.self) { try Self.stream("{ type: \(type), cursor: by_place }") }
      #expect(error.code == .configuration && error.message.contains("by_key"), "\(error)")
    }
    for type in ["single_page", "page_number", "offset, limit: 5"] {
      #expect(throws: SyncError.self) { try Self.stream("{ type: \(type), cursor: by_key }") }
    }
  }

  @Test("each paginator has a remedy for walks without evidence, and another one if its total does not agree")
  func remedies() throws {
    func remedy(_ paginator: String, _ resource: String = "") throws -> String {
      try Self.stream(paginator, resource).description.evidenceRemedy ?? ""
    }
    #expect(try remedy("page_number") == "declare total_path, or an offset paginator")
    #expect(try remedy("{ type: offset, limit: 5 }") == "declare total_path")
    for type in ["json_link", "header_link", "cursor"] {
      #expect(try remedy(type).hasPrefix("declare total_path, or cursor: by_key if"))
    }
    #expect(try remedy("single_page") == "")
    let declared = "primary_key: id\n    total_path: count"
    #expect(try remedy("page_number", declared).contains("check total_path"))
    #expect(try remedy("{ type: offset, limit: 5, total_path: count }").contains("check total_path"))
    #expect(try remedy("{ type: page_number, total_path: pages }") == "declare total_path, or an offset paginator")
  }

  @Test("only walks of whole lists in several pages need evidence")
  func enumerates() throws {
    for (paginator, needs) in [("page_number", true), ("header_link", true), ("single_page", false)] {
      #expect(try Self.stream(paginator).description.enumerates == needs, "\(paginator)")
    }
    let declaration = try DeclarationText.read(
      """
      client: { base_url: https://api.example.org }
      resources:
        - name: products
          primary_key: id
          endpoint: { paginator: header_link }
          incremental: { cursor_path: updated_at, start_param: since }
      """)
    #expect(RestStream(declaration.resources[0], of: declaration).description.enumerates)
    #expect(!RestStream(declaration.resources[0], of: declaration, since: "2026-01-01").description.enumerates)
  }
}
