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

  /// The body of a child's request, whose parent's item has the number 7 and the name `a"b`.
  private static func child(_ json: String, keys: String = "", now: Int64 = 1_772_370_309) throws -> String {
    let child = try DeclarationText.child(
      "name: c\nendpoint: { path: c, method: POST, idempotent: true, json: \(json) }\n\(keys)",
      posts: "columns: { code: text, size: integer }")
    let declaration = try DeclarationText.read(
      "client: { base_url: https://api.example.org, paginator: single_page }\nresources: [{ name: a, primary_key: id }]"
    )
    let members = if case .parent(let parent)? = child.lists { parent.members } else { [["name"]] }
    let values = members.map { $0 == ["name"] ? #"a"b"# : "7" }
    let list = StreamList(name: "1", values: values)
    let stream = RestStream(child.dated(at: now), of: declaration, lists: [list])
    return String(decoding: stream.request(PageAddress(page: 1, size: 100).of(list: "1")).body ?? [], as: UTF8.self)
  }

  @Test(
    "texts at any depth have dates, members of the parent's item and names of lists",
    arguments: [
      (
        #"""
        { a: { b: ["{resources.posts.name}", { c: "x {resources.posts.name} {resources.posts.id}" }] }, \#
        d: "{today - 30d}" }
        """#,
        "", #"{"a":{"b":["a\"b",{"c":"x a\"b 7"}]},"d":"2026-01-30"}"#
      ),
      (
        #"{ q: "{city}", v: ["in {city}"] }"#, "values: { city: [berlin] }", #"{"q":"a\"b","v":["in a\"b"]}"#
      ),
      // A placeholder alone is a number if the parent's column has whole numbers.
      (
        #"""
        { a: "{resources.posts.id}", b: "{resources.posts.size}", c: "{resources.posts.code}", \#
        d: "{resources.posts.x}", e: "{resources.posts.id} " }
        """#,
        "", #"{"a":7,"b":7,"c":"7","d":"7","e":"7 "}"#
      ),
      (
        #"{ a: { value: "{now}", format: epoch }, b: { value: "{today}/{resources.posts.x}", format: "%Y%m" } }"#, "",
        #"{"a":1772370309,"b":"202603/7"}"#
      ),
      // Only an object with a date and a format is a date.
      (
        #"{ a: { value: "{today}" }, b: { value: "{resources.posts.x}", format: epoch }, c: { value: 5, format: x } }"#,
        "", #"{"a":{"value":"2026-03-01"},"b":{"format":"epoch","value":"7"},"c":{"format":"x","value":5}}"#
      ),
      (
        #"""
        { q: "query($i: ID!) { post(id: $i) { now city { id } } }", v: { i: "{resources.posts.x}" }, \#
        e: { env: prod } }
        """#,
        "", #"{"e":{"env":"prod"},"q":"query($i: ID!) { post(id: $i) { now city { id } } }","v":{"i":"7"}}"#
      ),
    ])
  func placeholders(json: String, keys: String, body: String) throws {
    #expect(try Self.child(json, keys: keys) == body)
  }
}
