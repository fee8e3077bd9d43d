import Foundation
import SyncCore
import Testing

@testable import RestSource

@Suite("The bodies of POST requests")
struct RequestBodyTests {
  private static func requests(
    _ json: String, _ paginator: String, _ addresses: [PageAddress]
  ) throws -> [(url: String, body: String)] {
    let declaration = try DeclarationText.read(
      """
      client: { base_url: https://api.example.org/v2 }
      resources:
        - name: products
          primary_key: id
          endpoint:
            { method: POST, idempotent: true, json: \(json), params: { lang: de }, paginator: \(paginator) }
      """)
    let stream = RestStream(declaration.resources[0], of: declaration)
    return addresses.map { address in
      let request = stream.request(address)
      return (request.url, String(decoding: request.body ?? [], as: UTF8.self))
    }
  }

  @Test("values keep their JSON types, and members are sorted")
  func values() throws {
    let json =
      #"{ b: 1.50, a: [true, null, "true", '7', -3, 1e5, .5, 0x1F, 12:30, a "b\\c"], "": {}, z: "{ x(y: 1) { id } }" }"#
    let (_, body) = try Self.requests(json, "single_page", [PageAddress(page: 1, size: 100)])[0]
    #expect(
      body == #"{"":{},"a":[true,null,"true","7",-3,"1e5",".5","0x1F","12:30","a \"b\\\\c\""],"b":1.50,"#
        + #""z":"{ x(y: 1) { id } }"}"#)
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(body.utf8)) }
  }

  @Test("a cursor is a number if the body has a number in its place")
  func numberCursor() throws {
    let paginator = "{ type: cursor, cursor_path: next, cursor_body_path: page }"
    for (json, next, body) in [
      ("{ page: 1 }", "2", #"{"page":2}"#), ("{ page: 1 }", "a", #"{"page":"a"}"#),
      ("{ page: null }", "2", #"{"page":"2"}"#),
      ("{ page: '1' }", "2", #"{"page":"2"}"#), ("{}", "2", #"{"page":"2"}"#),
    ] {
      let address = PageAddress(page: 2, size: 100, next: next)
      #expect(try Self.requests(json, paginator, [address])[0].body == body)
    }
  }

  @Test(
    "a paginator writes into the body, the parameters, or both",
    arguments: [
      (
        "{ type: page_number, base_page: 1, page_body_path: paging.page, limit: 50, limit_body_path: paging.size }",
        PageAddress(page: 3, size: 50), "", #"{"paging":{"page":3,"size":50},"q":1}"#
      ),
      (
        "{ type: offset, offset_body_path: from, limit: 20 }", PageAddress(page: 3, size: 20), "&limit=20",
        #"{"from":40,"q":1}"#
      ),
      (
        "{ type: cursor, cursor_path: next, cursor_body_path: q.after }", PageAddress(page: 2, size: 100, next: "x\"y"),
        "", #"{"q":{"after":"x\"y"}}"#
      ),
      (
        "{ type: cursor, cursor_path: next, cursor_body_path: after }", PageAddress(page: 1, size: 100), "", #"{"q":1}"#
      ),
      (
        "{ type: cursor, cursor_path: next, cursor_param: after }", PageAddress(page: 2, size: 100, next: "x"),
        "&after=x",
        #"{"q":1}"#
      ),
    ])
  func paginators(paginator: String, address: PageAddress, query: String, body: String) throws {
    let request = try Self.requests("{ q: 1 }", paginator, [address])[0]
    #expect(request.url == "https://api.example.org/v2/products?lang=de\(query)")
    #expect(request.body == body)
  }
}
