import JSONScan
import SyncCore
import SyncProgram
import Testing

@testable import RestSource

@Suite("Members that items get before they are stored")
struct AddedMemberTests {
  private static func entries(
    _ body: String, _ resource: Declaration.Resource, adding members: [String: String] = [:],
    mask: SecretMask = SecretMask()
  ) throws -> [Page.Entry] {
    var reader = RestReader(resource, mask: mask)
    reader.addedMembers = members
    let response = UpstreamResponse(status: 200, headers: [:], body: Array(body.utf8))
    let page = try reader.page(response, to: UpstreamRequest(url: "https://a.example"), isFirst: true)
    guard case .items(let entries, _) = page else { return [] }
    return entries
  }

  private static func items(_ entries: [Page.Entry]) -> [PageItem] {
    entries.compactMap { if case .item(let item) = $0 { item } else { nil } }
  }

  private static func rejected(_ entries: [Page.Entry]) -> [RejectedItem] {
    entries.compactMap { if case .rejected(let item) = $0 { item } else { nil } }
  }

  private static func named(_ more: String = "") throws -> Declaration.Resource {
    try DeclarationText.resource("name: a\nkey_as: id\nendpoint: { data_selector: rates.* }\n\(more)")
  }

  private static func child(_ more: String = "") throws -> Declaration.Resource {
    try DeclarationText.child("name: c\nidentity: with_parent\nendpoint: 'p/{resources.posts.id}'\n\(more)")
  }

  @Test("an item gets its name, which identifies it")
  func names() throws {
    let body = #"{"rates":{"USD":{"v":1,"a":"x"},"E\"R":{},"":{"v":3}}}"#
    let entries = try Self.entries(body, try Self.named("columns: { v: bigint }"))
    let documents = Self.items(entries).map { String(decoding: $0.document, as: UTF8.self) }
    #expect(documents == [#"{"a":"x","id":"USD","v":1}"#, #"{"id":"E\"R"}"#])
    #expect(entries.map(\.key) == [RestKey.hash(Array(#"["USD"]"#.utf8)), RestKey.hash(Array(#"["E\"R"]"#.utf8)), nil])
    // An empty name identifies no item.
    #expect(Self.rejected(entries).map(\.reason) == ["no_id"])
  }

  @Test("items of several lists of an object have the list's name")
  func namedLists() throws {
    let resource = try DeclarationText.resource(
      "name: a\nprimary_key: [day, n]\nkey_as: day\nendpoint: { data_selector: days.*.items }")
    let entries = try Self.entries(#"{"days":{"mon":{"items":[{"n":1},{"n":2}]},"tue":{"items":[{"n":1}]}}}"#, resource)
    #expect(
      Self.items(entries).map { String(decoding: $0.document, as: UTF8.self) } == [
        #"{"day":"mon","n":1}"#, #"{"day":"mon","n":2}"#, #"{"day":"tue","n":1}"#,
      ])
    #expect(Set(entries.map(\.key)).count == 3)
  }

  @Test("items of two lists with the same key are two items if the parent is part of the identity")
  func identity() throws {
    let child = try Self.child("counters: [votes]\ncolumns: { title: bigint }")
    func item(_ body: String, _ key: String) throws -> PageItem {
      let entries = try Self.entries(body, child, adding: child.parentMembers([key]))
      return try #require(Self.items(entries).first)
    }
    let body = #"[{"votes":7,"id":3,"title":"x"}]"#
    let (one, other) = (try item(body, "5"), try item(body, "6"))
    #expect(String(decoding: one.document, as: UTF8.self) == #"{"_posts_id":5,"id":3,"title":"x","votes":7}"#)
    #expect(one.key == RestKey.hash(Array(#"[5,"3"]"#.utf8)))
    #expect(other.key == RestKey.hash(Array(#"[6,"3"]"#.utf8)))
    #expect(one.contentHash != other.contentHash)
    #expect(one.counterHash == other.counterHash && one.counters == Array(#"{"votes":7}"#.utf8))
    #expect(one.misfits.map(\.path) == ["title"])
  }

  @Test("a stored document is read as it is, with the same key and hashes")
  func stored() throws {
    let child = try Self.child("counters: [votes]")
    let found = Self.items(try Self.entries(#"[{"id":3,"votes":7,"t":"x"}]"#, child, adding: ["_posts_id": "5"]))
    let named = try Self.named("counters: [votes]")
    let others = Self.items(try Self.entries(#"{"rates":{"USD":{"votes":7}}}"#, named))
    for (item, resource) in try [(#require(found.first), child), (#require(others.first), named)] {
      var reader = RestReader(resource)
      reader.addedMembers = ["_posts_id": "9"]
      guard case .item(let again) = reader.stored(item.document) else {
        Issue.record("the document was rejected")
        continue
      }
      #expect(again.key == item.key && again.document == item.document)
      #expect(again.contentHash == item.contentHash && again.counterHash == item.counterHash)
    }
  }

  @Test(
    "an item that cannot have the members goes to quarantine, and others are stored",
    arguments: [
      (#"{"rates":{"a":{"id":1},"b":{}}}"#, "member_exists", "the item has a member that would be added (id)"),
      (#"{"rates":{"a":{"i\u0064":null},"b":{}}}"#, "member_exists", "the item has a member that would be added (id)"),
      (#"{"rates":{"a":1.5,"b":{}}}"#, "wrong_type", "item: not an object, so it cannot have the member id"),
      (#"{"rates":{"a":[7],"b":{}}}"#, "wrong_type", "item: not an object, so it cannot have the member id"),
      (#"{"rates":{"a":{x},"b":{}}}"#, "syntax", "invalid JSON"),
    ])
  func quarantine(body: String, reason: String, detail: String) throws {
    let entries = try Self.entries(body, try Self.named())
    #expect(Self.rejected(entries).map(\.reason) == [reason])
    #expect(Self.rejected(entries).first?.detail.contains(detail) == true)
    #expect(Self.rejected(entries).first?.key == nil)
    #expect(Self.items(entries).map(\.document) == [Array(#"{"id":"b"}"#.utf8)])
  }

  @Test("an item with the parent's member, and one that is not below a name, are refused")
  func refused() throws {
    let own = try Self.entries(#"[{"id":1,"_posts_id":5},{"id":2}]"#, try Self.child(), adding: ["_posts_id": "5"])
    #expect(Self.rejected(own).map(\.reason) == ["member_exists"])
    #expect(Self.items(own).count == 1)

    let resource = try DeclarationText.resource("name: a\nkey_as: id\nendpoint: { data_selector: '*.*' }")
    let lone = try Self.entries(#"{"a":{"x":{}},"b":7,"c":{"y":{}}}"#, resource)
    #expect(Self.rejected(lone).map(\.reason) == ["no_id"])
    #expect(Self.items(lone).map { String(decoding: $0.document, as: UTF8.self) } == [#"{"id":"x"}"#, #"{"id":"y"}"#])

    // Without its parent's key, an item of a child has no key.
    #expect(Self.rejected(try Self.entries(#"[{"id":1}]"#, try Self.child())).map(\.reason) == ["no_id"])
  }

  @Test("an item that was repaired stays repaired, and one that was not does not become it")
  func repairs() throws {
    let entries = try Self.entries(#"{"rates":{"a":{"x":"\u0000"},"b":{"x":1,"x":2},"c":{"x":3}}}"#, try Self.named())
    #expect(Self.items(entries).map(\.isRepaired) == [true, true, false])
  }

  @Test("a rejected item shows no secret")
  func secrets() throws {
    let secret = "Sk_l1ve7fQ9xAb3Zk"
    let mask = SecretMask([secret])
    let entries = try Self.entries(#"{"rates":{"a":{"id":"\#(secret)"},"b":{}}}"#, try Self.named(), mask: mask)
    let item = try #require(Self.rejected(entries).first)
    #expect(item.reason == "member_exists" && !item.excerpt.contains(secret))
  }

  @Test("the next page of a list continues after the item's own key")
  func nextKey() throws {
    let declaration = try DeclarationText.read(
      """
      client: { base_url: https://api.example.org, paginator: { type: cursor, cursor_path: next } }
      resource_defaults: { primary_key: id }
      resources:
        - posts
        - { name: c, identity: with_parent, endpoint: { path: "p/{resources.posts.id}", data_selector: data } }
      """)
    let stream = RestStream(declaration.resources[1], of: declaration)
    let entries = try Self.entries(
      #"{"data":[{"id":"k-37"}]}"#, declaration.resources[1], adding: ["_posts_id": "5"])
    #expect(stream.nextKey(of: entries.last, in: "k-37") != nil)
    #expect(stream.nextKey(of: entries.last, in: "k-38") == nil)
  }
}
