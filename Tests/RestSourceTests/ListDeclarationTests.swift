import Foundation
import SyncCore
import SyncPostgres
import SyncTestKit
import Testing

@testable import RestSource

@Suite("Declarations of resources with several lists")
struct ListDeclarationTests {
  @Test(
    "placeholders become numbers in the order of their first use",
    arguments: [
      (#"endpoint: "posts/{resources.posts.id}/comments""#, "posts/{0}/comments", "", "posts: id"),
      (#"endpoint: "/{resources.posts.owner.login}/{resources.posts.id}""#, "{0}/{1}", "", "posts: owner.login, id"),
      (#"endpoint: "v{resources.posts.a}-{resources.posts.b}.json""#, "v{0}-{1}.json", "", "posts: a, b"),
      (#"endpoint: "a/{resources.posts.id}/{resources.posts.id}""#, "a/{0}/{0}", "", "posts: id"),
      (
        #"endpoint: { path: a, params: { p: "{resources.posts.id}", sort: id } }"#, "a", "p={0}&sort=id", "posts: id"
      ),
      (
        #"endpoint: { path: "{resources.posts.b}", params: { q: "x={resources.posts.a} y={resources.posts.b}" } }"#,
        "{0}", "q=x={1} y={0}", "posts: b, a"
      ),
      (
        "endpoint: { path: 'a/{n}', params: { n: { type: resolve, resource: posts, field: $.id }, sort: id } }",
        "a/{0}", "sort=id", "posts: id"
      ),
      (
        "endpoint: { path: 'a/{n}', params: { n: { type: resolve, resource: posts, field: [a.b, c] } } }",
        "a/{0}", "", "posts: a.b.c"
      ),
      ("endpoint: { path: 'a/{city}' }\nvalues: { city: [berlin, taipei] }", "a/{0}", "", "city: berlin, taipei"),
      (
        "endpoint: { path: a, params: { q: 'in:{city}' } }\nvalues: { city: [berlin] }", "a", "q=in:{0}",
        "city: berlin"
      ),
      (
        "endpoint: { path: 'a/{n}' }\nvalues: { n: [1e3, 007, 1_000, no, 0x1F, 12:30, 1.50] }", "a/{0}", "",
        "n: 1e3, 007, 1_000, no, 0x1F, 12:30, 1.50"
      ),
    ])
  func placeholders(yaml: String, path: String, query: String, lists: String) throws {
    let child = try DeclarationText.child("name: comments\n\(yaml)")
    #expect(child.path == path)
    #expect(child.query == query)
    #expect(child.lists?.summary == lists)
    #expect(child.parentKey.isEmpty && child.table.key == ["id"])
  }

  @Test("a resource without placeholders has one list")
  func single() throws {
    let child = try DeclarationText.child("name: comments\nendpoint: { params: { p: '{today}' } }")
    #expect(child.lists == nil && child.keyAs == nil)
    #expect(child.parameters.allSatisfy { $0.template?.hasListValues != true })
  }

  @Test(
    "the keys of a child",
    arguments: [
      ("include_from_parent: [id, owner.login, [a.b]]", "posts: id; with id, owner.login, a.b"),
      ("identity: with_parent", "posts: id; identifies"), ("with_parent: true", "posts: id; vanishes"),
      ("with_parent: false", "posts: id"), ("refresh: changed", "posts: id; refreshes changed, 7d"),
      ("refresh: { changed: comments }\nrefresh_every: 12h", "posts: id; refreshes comments, 12h"),
      // A counter or column by its own name, and a column by its path.
      ("refresh: { changed: view_count }", "posts: id; refreshes viewCount, 7d"),
      ("refresh: { changed: viewCount }", "posts: id; refreshes viewCount, 7d"),
      ("refresh: { changed: at }", "posts: id; refreshes meta.at, 7d"),
      ("refresh: { changed: meta.at }", "posts: id; refreshes meta.at, 7d"),
      ("refresh: { changed: id }", "posts: id; refreshes id, 7d"),
    ])
  func keys(yaml: String, lists: String) throws {
    let child = try DeclarationText.child(
      "name: comments\nendpoint: 'posts/{resources.posts.id}/comments'\n\(yaml)",
      posts: "counters: [comments, viewCount], columns: { at: { path: meta.at, type: timestamptz } }")
    #expect(child.lists?.summary == lists)
  }

  @Test("the parent's key comes first in the key of a child with its identity")
  func identity() throws {
    let declaration = try DeclarationText.read(
      """
      client: { base_url: https://api.example.org, paginator: single_page }
      resource_defaults: { identity: , primary_key: id }
      resources:
        - name: comments
          endpoint: "issues/{resources.issues.number}/comments"
          identity: with_parent
        - name: issues
          primary_key: number
          endpoint: "repos/{resources.repos.id}/issues"
          identity: with_parent
          columns: { title: text, number: integer }
          counters: [votes]
        - name: repos
          primary_key: [owner.login, Id]
          columns: { Id: uuid }
      """)
    #expect(declaration.resources.map(\.name) == ["repos", "issues", "comments"])
    let (issues, comments) = (declaration.resources[1], declaration.resources[2])
    #expect(issues.parentKey == ["_repos_owner__login", "_repos_id"])
    #expect(
      issues.table.columns.map(\.summary) == [
        "_repos_owner__login _repos_owner__login text", "_repos_id _repos_id uuid", "number number integer",
        "title title text",
      ])
    #expect(issues.table.key == ["_repos_owner__login", "_repos_id", "number"])
    #expect(issues.table.counters.map(\.name) == ["votes"])
    #expect(comments.table.key == ["_issues__repos_owner__login", "_issues__repos_id", "_issues_number", "id"])
    // Beside other members, a key without a declared type is a text.
    #expect(comments.table.keyColumns.map(\.type.name) == ["text", "uuid", "integer", "text"])
    #expect(!comments.table.hasNumberKey)
    #expect(issues.parentMembers([#""a""#, #""b""#]) == ["_repos_owner__login": #""a""#, "_repos_id": #""b""#])
  }

  @Test(
    "a parent precedes its children, and other resources keep their order",
    arguments: [
      ("a b c", "a b c"), ("a b:a c", "a b:a c"), ("b:a a", "a b:a"), ("c:b b:a a d", "a b:a c:b d"),
      ("d c:a b:a a e", "d a c:a b:a e"), ("a d:c b:a c", "a c d:c b:a"),
    ])
  func order(names: String, ordered: String) throws {
    let lines = names.split(separator: " ").map { word in
      let (name, parent) = (word.prefix(1), word.dropFirst(2))
      return "  - { name: \(name), endpoint: \"x\(parent.isEmpty ? "" : "/{resources.\(parent).id}")\" }"
    }
    let declaration = try DeclarationText.read(
      """
      client: { base_url: https://api.example.org, paginator: single_page }
      resource_defaults: { primary_key: id }
      resources:
      \(lines.joined(separator: "\n"))
      """)
    #expect(declaration.resources.map(\.name) == ordered.split(separator: " ").map { String($0.prefix(1)) })
  }

  @Test("values fill the placeholders once, encoded once, and never lead out of their segment")
  func filling() throws {
    let child = try DeclarationText.child(
      """
      name: comments
      endpoint:
        path: "p/{resources.posts.a}/x{resources.posts.b}"
        params: { q: "{today - 1d}: {resources.posts.b} {resources.posts.a} {0}", sort: id, key: { env: KEY } }
      """)
    let values = ["a/b é%2F{1}", "{0}"]
    #expect(child.path(filledWith: values) == "p/a/b%20%C3%A9%252F%7B1%7D/x%7B0%7D")
    let url = RestStream.url("https://api.example.org", path: child.path(filledWith: values))
    #expect(url == "https://api.example.org/p/a/b%20%C3%A9%252F%7B1%7D/x%7B0%7D")
    #expect(child.isWindow)
    let parameters = child.dated(at: 1_772_370_309).parameters(filledWith: TextTemplate.Values(list: values))
    #expect(parameters.map(\.value.shown) == ["2026-02-28: {0} a/b é%2F{1} {0}", "id", "from the variable KEY"])

    for (values, isUsable) in [
      (["7", "8"], true), (["..", "8"], false), ([".", "8"], false), (["", "8"], false), (["7", ""], false),
      (["7", ".."], true), (["7"], false), ([], false), (["7", "8", "9"], true), (["...", "8"], true),
      (["../..", "8"], false),
    ] {
      #expect(child.canBeFilled(with: values) == isUsable, "\(values)")
    }
    let inQuery = try DeclarationText.child("name: c\nendpoint: { params: { q: '{resources.posts.a}' } }")
    #expect(inQuery.canBeFilled(with: [".."]) && !inQuery.canBeFilled(with: [""]))
  }

  @Test("a child can use the name of its parent's list, and members that its parent includes")
  func membersOfLists() throws {
    let declaration = try DeclarationText.read(
      """
      client: { base_url: https://api.example.org, paginator: single_page }
      resource_defaults: { primary_key: id }
      resources:
        - name: lines
          endpoint: "{resources.orders._shops_a__b}/{resources.orders._shops_n}/{resources.orders._shops_c}"
        - name: orders
          endpoint: "{resources.shops.city}/{resources.shops.id}"
          include_from_parent: [a.b, n]
        - { name: shops, endpoint: "{city}", values: { city: [berlin] }, counters: [n], columns: { city: text } }
        - { name: notes, endpoint: "{resources.keyed._shops_id}" }
        - { name: keyed, endpoint: "{resources.shops.id}", identity: with_parent, include_from_parent: [id] }
      """)
    func members(_ name: String) throws -> [ParentLists.Member] {
      let child = try #require(declaration.resources.first { $0.name == name })
      guard case .parent(let link)? = child.lists else { return [] }
      let parent = try #require(declaration.resources.first { $0.name == link.resource })
      return link.members.map(parent.memberForChildren)
    }
    #expect(try members("orders") == [.listName, .document(["id"])])
    #expect(
      try members("lines") == [
        .grandparent(["a", "b"], isCounter: false), .grandparent(["n"], isCounter: true), .document(["_shops_c"]),
      ])
    // The identity of a parent is in the documents of its children.
    #expect(try members("notes") == [.document(["_shops_id"])])
  }

  @Test("a parameter with a placeholder is never taken for a secret, because its value differs in each list")
  func secrets() throws {
    let child = try DeclarationText.child(
      #"name: c\#nendpoint: { params: { key: "project-{resources.posts.id}-a1b2", other: { env: A } } }"#)
    #expect(child.parameters.map(\.isHidden) == [false, true])
    #expect(child.parameters.map(\.isLikelySecret) == [false, false])
  }

  @Test("an item's name is a text in the key")
  func keyAs() throws {
    for (yaml, key) in [
      ("", "id id text"), ("columns: { id: text }", "id id text"), ("primary_key: [id, n]", "id id text, n n text"),
      ("primary_key: n", "n n bigint"), ("primary_key: '*'", ""),
    ] {
      let resource = try DeclarationText.resource("name: a\nkey_as: id\nendpoint: { data_selector: rates.* }\n\(yaml)")
      #expect(resource.keyAs == "id")
      #expect(resource.table.keyColumns.map(\.summary).joined(separator: ", ") == key)
    }
  }

  @Test("a file has a value in each line")
  func file() throws {
    let folder = try TemporaryFolder()
    func values(_ text: String) throws -> [String]? {
      _ = try folder.write(text, to: "cities.txt")
      guard case .values(_, let values)? = try Self.resource(in: folder).lists else { return nil }
      return values
    }
    #expect(
      try values("\u{FEFF}berlin\r\n\n  taipei \n# a remark\n  #x\nnew york") == ["berlin", "taipei", "new york"])
    #expect(try values((1...10_000).map { "\($0)\n" }.joined())?.count == 10_000)
    for (text, message) in [
      ("", "has 0 values"), ("# none", "has 0 values"), ((1...10_001).map { "\($0)\n" }.joined(), "has 10,001 values"),
      ("a\n\nb\na", "has in line 4 of cities.txt a value that repeats the value a"),
      ("a\u{1B}[31m", "has in line 1 of cities.txt a value that has a control"),
      ("a\n" + String(repeating: "b", count: 1_001), "has in line 2 of cities.txt a value that has more than 1,000"),
      (String(repeating: "#", count: 1 << 20 + 1), "names cities.txt, which cannot be read"),
    ] {
      let error = #expect(throws: SyncError.self, "\(message)") { try values(text) }
      #expect(error?.message.contains("shop.yaml:3: sources.shop.resources[0].values.city") == true)
      #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    }
    let file = "\(folder.path)/cities.txt"
    try Data([0xFF, 0x0A]).write(to: URL(filePath: file))
    #expect(throws: SyncError.self) { try Self.resource(in: folder) }
    try FileManager.default.removeItem(atPath: file)
    #expect(mkfifo(file, 0o600) == 0)
    #expect(throws: SyncError.self) { try Self.resource(in: folder) }
  }

  private static func resource(in folder: TemporaryFolder) throws -> Declaration.Resource {
    let yaml = """
      client: { base_url: https://api.example.org, paginator: single_page }
      resources:
        - { name: a, primary_key: id, endpoint: "a/{city}", values: { city: { file: cities.txt } } }
      """
    let top = DeclarationPart(file: "shop.yaml", path: "sources.shop", node: try DeclarationText.node(yaml))
    let reader = DeclarationReader(id: "shop", top: top, folder: folder.path)
    return try #require(try reader.declaration().resources.first)
  }
}
