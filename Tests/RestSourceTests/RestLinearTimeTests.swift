import SyncCore
import SyncPostgres
import SyncProgram
import SyncTestKit
import Testing
import Yams

@testable import RestSource

@Suite("The time for the bytes of a declared service, and for a declaration")
struct RestLinearTimeTests {
  private static let types: [ColumnType] =
    ColumnType.Base.allCases.map { ColumnType($0) } + ColumnType.Base.allCases.map { ColumnType($0, isArray: true) }

  @Test("values of columns", arguments: types.indices)
  func columns(index: Int) {
    let type = Self.types[index]
    for (begin, end) in [
      ("", ""), ("\"", "\""), ("\"2026-01-01", "\""), ("\"1.", "\""), ("[", "]"), ("-", ""), ("1", "e9"),
    ] {
      let longest = WorstTexts.longest(
        "ColumnType.fits, \(type.name) \(begin)", bytes: WorstTexts.shorter, between: begin, and: end
      ) { text in
        _ = type.fits(Array(text.utf8)[...])
      }
      #expect(longest < WorstTexts.limit, "\(type.name)")
    }
  }

  private static func stream(_ paginator: String) throws -> RestStream {
    let declaration = try DeclarationText.read(
      """
      client: { base_url: https://api.example.org/v2 }
      resources:
        - name: products
          primary_key: id
          columns: { title: text, at: timestamptz, price: numeric }
          lookup: "items/{id}"
          endpoint: { data_selector: data, paginator: \(paginator) }
      """)
    var additions = RequestAdditions()
    additions.mask = SecretMask(["Sk_l1ve+7f/Q=&9\"xAb3Zk", "abc123"])
    return RestStream(declaration.resources[0], of: declaration, additions: additions)
  }

  @Test(
    "pages and answers", arguments: ["json_link", "header_link", "{ type: cursor, cursor_path: next }", "page_number"])
  func pages(paginator: String) throws {
    let stream = try Self.stream(paginator)
    let request = stream.request(PageAddress(page: 1, size: 100))
    for (name, begin, end) in [
      ("RestStream.read, body", "", ""), ("RestStream.read, envelope", #"{"data": [], "more": ["#, "]}"),
      ("RestStream.read, envelope as text", #"{"data": [], "next": ""#, "\"}"),
      ("RestStream.read, member", #"{"data": [{"id": 1, "at": ""#, "\"}]}"),
      ("RestStream.read, members", #"{"data": ["#, "]}"),
      ("RestStream.read, link", #"{"data": [], "next": "https://api.example.org/v2/"#, "\"}"),
    ] {
      let longest = WorstTexts.longest("\(name), \(paginator)", bytes: WorstTexts.shorter, between: begin, and: end) {
        text in
        _ = try stream.read(UpstreamResponse(status: 200, headers: [:], body: Array(text.utf8)), to: request)
      }
      #expect(longest < WorstTexts.limit, "\(name)")
    }
    // Many members outside of the items, and many values.
    for unit in [#""a":1,"#, #""a":{},"#, #""a":[],"#, #""a":"b","#, #""a":1.5,"#] {
      let longest = WorstTexts.longest(
        "RestStream.read, many members", units: [unit], bytes: WorstTexts.shorter, between: #"{"data": [],"#,
        and: #""b":1}"#
      ) {
        _ = try stream.read(UpstreamResponse(status: 200, headers: [:], body: Array($0.utf8)), to: request)
      }
      #expect(longest < WorstTexts.limit, "\(unit)")
    }
    for status in [401, 400, 302] {
      for (begin, end) in [("", ""), (#"{"message": ""#, "\"}")] {
        let longest = WorstTexts.longest(
          "RestStream.read, \(status)", bytes: WorstTexts.shorter, between: begin, and: end
        ) { text in
          let headers = ["location": text, "retry-after": text]
          _ = try stream.read(UpstreamResponse(status: status, headers: headers, body: Array(text.utf8)), to: request)
        }
        #expect(longest < WorstTexts.limit, "\(status)")
      }
    }
    let lookup = try #require(stream.lookup)
    let longest = WorstTexts.longest("RestLookup.read", bytes: WorstTexts.shorter) { text in
      let request = lookup.request(for: MissingItem(key: 7, members: [text]))
      _ = try lookup.read(UpstreamResponse(status: 404, headers: [:], body: []), key: 7, to: request)
    }
    #expect(longest < WorstTexts.limit)
  }

  @Test("items with added members, and names of members")
  func addedMembers() throws {
    let resource = try DeclarationText.resource(
      "name: a\nkey_as: id\nendpoint: { data_selector: data.* }", paginator: "single_page")
    var reader = RestReader(resource)
    reader.addedMembers = ["_posts_id": "5"]
    let request = UpstreamRequest(url: "https://api.example.org")
    func longest(_ name: String, _ units: [String], _ begin: String, _ end: String) -> Duration {
      WorstTexts.longest(name, units: units, bytes: WorstTexts.shorter, between: begin, and: end) { text in
        let response = UpstreamResponse(status: 200, headers: [:], body: Array(text.utf8))
        _ = try reader.page(response, to: request, isFirst: true)
      }
    }
    for (name, units, begin, end) in [
      ("RestReader.page, name of an item", WorstTexts.units, #"{"data": {""#, #"": {}}}"#),
      ("RestReader.page, named item", WorstTexts.units, #"{"data": {"a": {"b": ""#, #""}}}"#),
      (
        "RestReader.page, named items", [#""a":{},"#, #""a":{"b":1},"#, #""a":[{},{}],"#], #"{"data": {"#, #""b":{}}}"#
      ),
      ("RestReader.page, members of a named item", [#""a":1,"#, #""id":1,"#], #"{"data": {"a": {"#, #""b":{}}}}"#),
    ] {
      #expect(longest(name, units, begin, end) < WorstTexts.limit, "\(name)")
    }
  }

  @Test("placeholders of lists")
  func placeholders() throws {
    let part = DeclarationPart(file: "shop.yaml", path: "shop", node: Node.scalar(Node.Scalar("", Tag(.str))))
    let values = ResourceReader.Values(name: "a", values: ["b"], part: part)
    let functions: [(String, (String) throws -> Void)] = [
      (
        "PlaceholderReader.replaceInPath",
        { text in
          var reader = PlaceholderReader(resolved: [:], values: values)
          _ = try reader.replaceInPath(text, of: part)
          _ = reader.occur(in: text)
        }
      ),
      (
        "PlaceholderReader.template",
        { text in
          var reader = PlaceholderReader(resolved: [:], values: values)
          _ = try reader.template(of: text, at: part, isInBody: true)
        }
      ),
      ("ListPlaceholder.filled", { _ = ListPlaceholder.filled($0, with: ["b"]) }),
      ("ListPlaceholder.filled, value", { _ = ListPlaceholder.filled("{0}{0}", with: [$0]) }),
      ("ListPlaceholder.canFill", { _ = ListPlaceholder.canFill($0, with: ["b"]) }),
    ]
    let units = WorstTexts.units + ["{0}", "{a}", "{0}/", "{resources.a.b}", "{today}", "{{", "{ "]
    for (name, function) in functions {
      let longest = WorstTexts.longest(name, units: units, bytes: WorstTexts.shorter, function)
      #expect(longest < WorstTexts.limit, "\(name)")
    }
    // Placeholders of different members.
    let longest = WorstTexts.longest(
      "PlaceholderReader.replaceInPath, members", units: ["a"], bytes: WorstTexts.shorter
    ) {
      var reader = PlaceholderReader(resolved: [:], values: nil)
      let text = (0..<$0.utf8.count / 3).map { "{resources.a.\($0)}" }.joined()
      _ = try reader.replaceInPath(text, of: part)
    }
    #expect(longest < WorstTexts.limit)
  }

  @Test("texts of a declaration")
  func declarations() throws {
    func part(_ text: String) -> DeclarationPart {
      DeclarationPart(file: "shop.yaml", path: "shop", node: Node.scalar(Node.Scalar(text, Tag(.str))))
    }
    let functions: [(String, (String) throws -> Void)] = [
      ("Declaration.Lookup.names", { _ = Declaration.Lookup(path: $0, selector: []).names }),
      ("Declaration.Lookup.path", { _ = Declaration.Lookup(path: $0, selector: []).path(of: ["a": "b"]) }),
      ("DeclarationPart.memberPath", { _ = try part($0).memberPath() }),
      ("DeclarationPart.duration", { _ = try part($0).duration(.zero ... .seconds(9)) }),
      ("DeclarationPart.number", { _ = try part($0).number(0...9) }),
      ("DeclarationPart.text", { _ = try part($0).text("x") }),
      ("DeclaredName.isColumn", { _ = DeclaredName.isColumn($0) }),
      ("SecretName.canHaveSecret", { _ = SecretName.canHaveSecret($0) }),
      ("DeclaredText.isLikelySecret", { _ = DeclaredText.literal($0).isLikelySecret(named: "key") }),
      ("Origin.checked", { _ = try Origin.checked(Setting("https://" + $0, .standard), "x", example: "y") }),
      ("Origin.server", { _ = Origin.server(of: "https://" + $0) }),
      ("ByteSearch.init", { _ = ByteSearch($0) }),
      ("ByteSearch.finds", { _ = ByteSearch(String($0.prefix(100)) + "!").finds(in: Array($0.utf8)) }),
      ("Draft.identifier", { _ = SourceCommand.Draft.identifier($0) }),
    ]
    for (name, function) in functions {
      #expect(WorstTexts.longest(name, bytes: WorstTexts.shorter, function) < WorstTexts.limit, "\(name)")
    }
  }
}
