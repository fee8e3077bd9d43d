import SyncCore
import Testing

@testable import RestSource
@testable import SyncProgram

@Suite("Malformed declarations")
struct MalformedDeclarationTests {
  static let valid = """
    type: rest_api
    rate_limits: ["5/1s", "1000/1h"]
    client:
      base_url: https://api.example.org/v2
      headers: { Accept: application/json }
      auth: { type: bearer, token: { env: SHOP_TOKEN } }
      paginator: { type: page_number, total_path: meta.pages }
    resource_defaults: { primary_key: id }
    resources:
      - name: products
        endpoint:
          path: products
          params: { per_page: 100, sort: id }
          data_selector: data
        columns: { title: text, price: { path: pricing.amount, type: numeric } }
        counters: [views, stock]
        total_path: meta.total
        order: key
        lookup: products/{id}
        incremental: { cursor_path: updated_at, start_param: since, lag: 1h, full_every: 7d }
      - orders
    """

  /// Each secret of these cases contains it.
  private static let secret = "s3cr3t"

  private static func yaml(_ malformed: Malformed) -> String {
    guard malformed.number > 0 else { return malformed.text }
    var lines = valid.split(separator: "\n").map(String.init)
    let indentation = String(lines[malformed.number - 1].prefix { $0 == " " })
    lines[malformed.number - 1] = malformed.text.split(separator: "\n").map { indentation + $0 }.joined(separator: "\n")
    return lines.joined(separator: "\n")
  }

  private static func expectHelpful(_ error: SyncError, _ malformed: Malformed) {
    #expect(error.code == .configuration)
    #expect(error.message.hasPrefix("shop.yaml:\(malformed.line): sources."))
    for part in malformed.messages { #expect(error.message.contains(part)) }
    #expect(error.hint?.contains(malformed.hint) == true)
    #expect(!error.description.contains(secret))
    #expect(error.description.unicodeScalars.allSatisfy { !$0.isUnsafe })
  }

  @Test("the cases differ, and the declaration that they change is valid")
  func validity() throws {
    #expect(try DeclarationText.read(Self.valid).resources.map(\.name) == ["products", "orders"])
    #expect(Set(Self.all.map(Self.yaml)).count == Self.all.count)
    #expect(Self.all.count >= 200)
  }

  @Test("each is an error with its line, the reason and what to use, without secrets", arguments: all)
  func fault(malformed: Malformed) throws {
    Self.expectHelpful(try DeclarationText.error(of: Self.yaml(malformed)), malformed)
  }

  private static let all: [Malformed] = [
    top, whole, client, headers, auth, defaults, resources, tableNames, endpoint, params, selectors, paths, keys,
    columns, columnNames, counters, walks, incremental, paginators, answers, unsupported, placeholders, parents,
    values, parentKeys, children, names,
  ].flatMap { $0 }

  @Test(
    "names that cannot be schemas are refused",
    arguments: [
      "public", "information_schema", "sync", "app", "report", "pg_catalog", "pg_shop", "Shop", "9shop", "_shop",
      "my-shop", "shop.v2", "größe", "select", "user", "", String(repeating: "a", count: 32),
    ])
  func sourceName(_ name: String) throws {
    let error = try DeclarationText.error(of: Self.valid, id: SourceID(rawValue: name))
    Self.expectHelpful(error, Malformed(1, name, "cannot be the name of a source", "a word such as shop"))
  }

  @Test(
    "a file is named alone",
    arguments: [
      .init(
        0, "type: rest_api\nfile: a.yaml\nclient: { auth: s3cr3t }", "unknown key client", "known: type, file", at: 3),
      .init(0, "type: rest_api\nfile: [a.yaml]", "sources.shop.file must be a text", "shop.yaml", at: 2),
      .init(0, "file:\ntype: rest_api", "sources.shop.file must be a text", "shop.yaml", at: 1),
    ] as [Malformed])
  func file(_ malformed: Malformed) throws {
    Self.expectHelpful(try Self.definitionError(malformed.text), malformed)
  }

  @Test("the error of a file that cannot be read names it")
  func missingFile() throws {
    let error = try Self.definitionError("type: rest_api\nfile: nowhere.yaml")
    #expect(error.code == .configuration)
    #expect(error.message.contains("nowhere.yaml: no such file"))
  }

  private static func definitionError(_ yaml: String) throws -> SyncError {
    let node = try DeclarationText.node(yaml)
    let file = ConfigurationFile(empty: "shop.yaml")
    return try #require(throws: SyncError.self) { try RestKind.definition("shop", node, in: file) }
  }

  @Test(
    "a secret that cannot be used is an error without it",
    arguments: [
      (.variable("A"), "the variable A has no secret", "the key or token"),
      (.variable("B"), "the variable B has a control character", "of one line"),
      (.file("a.txt"), "the file a.txt has no secret", "the key or token"),
      (.file("b.txt"), "the file b.txt has a control character", "of one line"),
    ] as [(DeclaredText, String, String)])
  func unusable(text: DeclaredText, message: String, hint: String) throws {
    let error = try #require(throws: SyncError.self) {
      try text.read(["A": "", "B": "s3cr3t\u{1B}"]) { $0 == "b.txt" ? "s3cr3t\ns3cr3t" : nil }
    }
    #expect(error.code == .configuration)
    #expect(error.message == message)
    #expect(error.hint?.contains(hint) == true)
    #expect(!error.description.contains(Self.secret))
  }
}
