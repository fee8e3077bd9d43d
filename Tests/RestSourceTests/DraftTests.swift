import Foundation
import SyncCore
import SyncPostgres
import SyncProgram
import SyncTestKit
import Testing
import UpstreamSimulator

@testable import RestSource

@Suite("Drafts of declarations")
struct DraftTests {
  private struct Drafted {
    let text: String
    let finding: PaginatorSearch.Finding
    let requests: [String]
    let warning: String?
  }

  /// Drafts the list at an address of a simulated service.
  private static func draft(
    _ address: String, of upstream: some SimulatedUpstream, credentials: DraftCredentials = DraftCredentials()
  ) async throws -> Drafted {
    let parts = try #require(URLComponents(string: "http://127.0.0.1:9\(address)"))
    let fetch: PaginatorSearch.Fetch = { request in
      let url = try #require(URLComponents(string: request.url))
      let query = [url.percentEncodedQuery, request.additions.query].compactMap(\.self).joined(separator: "&")
      let headers = [HeaderField("Host", "127.0.0.1:9"), HeaderField("Accept", "application/json")]
      let answer = await upstream.answer(SimulatedRequest(path: url.path, query: query, headers: headers))
      let sent = Dictionary(answer.headers.map { ($0.name.lowercased(), $0.value) }) { $1 }
      return UpstreamResponse(status: answer.status, headers: sent, body: answer.body)
    }
    let first = try await fetch(SourceCommand.Draft.request(parts, credentials))
    let draft = DeclarationDraft("shop", parts, try DraftPage(first), credentials)
    var search = PaginatorSearch(draft, fetch: fetch)
    let finding = try await search.find()
    return Drafted(
      text: draft.text(search, finding), finding: finding, requests: search.requests, warning: search.warning)
  }

  /// A service that answers each request with the same body.
  private static func fixed(_ body: String, headers: [HeaderField] = []) -> ScriptedUpstream {
    ScriptedUpstream { _ in .json(body, headers: headers) }
  }

  private static func list(_ ids: some Sequence<Int>) -> String {
    "[" + ids.map { #"{"id": \#($0), "title": "Title \#($0)"}"# }.joined(separator: ",") + "]"
  }

  private static let paginators = [
    "spring": "{ type: page_number, page_param: page, base_page: 0, total_path: totalPages }",
    "algolia": "{ type: page_number, page_param: page, base_page: 0, total_path: nbPages }",
    "tmdb": "{ type: page_number, page_param: page, base_page: 1, total_path: total_pages }",
    "gitlab": "{ type: page_number, page_param: page, base_page: 1 }",
    "breweries": "{ type: page_number, page_param: page, base_page: 1 }",
    "elasticsearch": "{ type: offset, offset_param: from, limit_param: size, limit: 20 }",
    "ckan": "{ type: offset, offset_param: start, limit_param: rows, limit: 20 }",
    "arcgis":
      "{ type: offset, offset_param: resultOffset, limit_param: resultRecordCount, limit: 100, "
      + "has_more_path: exceededTransferLimit }",
    "openlibrary": "{ type: offset, offset_param: offset, limit_param: limit, limit: 20 }",
    "jsonserver": #"{ type: offset, offset_param: "_start", limit_param: "_limit", limit: 20 }"#,
    "drf": "{ type: json_link, next_url_path: next }",
    "laravel": "{ type: json_link, next_url_path: links.next }",
    "graph": #"{ type: json_link, next_url_path: ["@odata.nextLink"] }"#,
    "jsonapi": "{ type: json_link, next_url_path: links.next }",
    "github": "header_link",
    "wordpress": "header_link",
    "hubspot": "{ type: json_link, next_url_path: paging.next.link }",
    "zendesk": "{ type: json_link, next_url_path: links.next }",
    "facebook": "{ type: json_link, next_url_path: paging.next }",
    "discourse": "{ type: json_link, next_url_path: topic_list.more_topics_url }",
    "rickandmorty": "{ type: json_link, next_url_path: info.next }",
    "slack": "{ type: cursor, cursor_path: response_metadata.next_cursor, cursor_param: cursor }",
    "notion": "{ type: cursor, cursor_path: next_cursor, cursor_param: start_cursor }",
    "crossref": "{ type: cursor, cursor_path: message.next-cursor, cursor_param: cursor }",
    "etherscan": "{ type: page_number, page_param: page, base_page: 1 }",
    "socrata": ##"{ type: offset, offset_param: "$offset", limit_param: "$limit", limit: 50 }"##,
    "socratalimit": ##"{ type: offset, offset_param: "$offset", limit_param: "$limit", limit: 50 }"##,
    "salesforce": "{ type: json_link, next_url_path: nextRecordsUrl }",
    "clinicaltrials": "{ type: cursor, cursor_path: nextPageToken, cursor_param: pageToken }",
  ]

  @Test(
    "each documented service has a paginator that was tried, or a question", arguments: ServiceShape.all.map(\.name))
  func shapes(name: String) async throws {
    let shape = try #require(ServiceShape.all.first { $0.name == name })
    var credentials = DraftCredentials()
    let typed = URLComponents(string: shape.address)?.queryItems ?? []
    for (variable, key) in shape.environment {
      let name = typed.first { $0.value == key }?.name ?? "api_key"
      credentials.addTyped(name, key, variable: variable)
    }
    let drafted = try await Self.draft("/\(name)\(shape.address)", of: ServiceShapes(), credentials: credentials)
    if let path = ProcessInfo.processInfo.environment["SYNCCTL_DRAFTS"] {
      try drafted.text.write(toFile: "\(path)/\(name).yaml", atomically: true, encoding: .utf8)
    }
    if let expected = Self.paginators[name] {
      #expect(drafted.text.contains("      paginator: \(expected)\n"), "\(drafted.text)")
    } else if name == "jsonplaceholder" {
      #expect(drafted.text.contains("paginator: single_page"), "\(drafted.text)")
      #expect(drafted.warning?.contains("250 items") == true)
    } else {
      #expect(drafted.text.contains(#"paginator: "?""#), "\(drafted.text)")
    }
    #expect(drafted.requests.count <= 12, "\(drafted.requests)")
    for key in shape.environment.values { #expect(!drafted.text.contains(key), "\(drafted.text)") }
  }

  @Test(
    "a sign of a further page is a question if no request finds the page",
    arguments: [
      #""next": "https://127.0.0.1:10/other""#, #""@odata.nextLink": "/elsewhere""#,
      #""paging": {"next": {"link": "/elsewhere"}}"#, #""a": {"b": {"c": {"nextUrl": "?at=2"}}}"#,
      #""response_metadata": {"next_cursor": "dXNlcg=="}"#, #""meta": {"cursor": {"next": "abc"}}"#,
      #""continuationToken": "abc""#, #""has_more": true"#, #""page_info": {"hasNextPage": true}"#, #""last": false"#,
      #""endOfRecords": false"#, #""total": 250"#, #""meta": {"pagination": {"items": {"total": 250}}}"#,
      #""total-results": "250""#, #""hits": {"total": {"value": 250}}"#, #""pages": 13"#, #""next_page": 2"#,
    ])
  func signs(member: String) async throws {
    let drafted = try await Self.draft("/v1/goods", of: Self.fixed("{\(member), \"data\": \(Self.list(1...3))}"))
    guard case .question(_, let answers) = drafted.finding else {
      Issue.record("\(drafted.finding)")
      return
    }
    #expect(answers.count > 1)
    #expect(!drafted.text.contains("\n      paginator: single_page"), "\(drafted.text)")
  }

  @Test(
    "a header that names a further page is a question if no request finds the page",
    arguments: ["X-Next-Page: 2", "X-Total: 250", "X-WP-TotalPages: 13", "X-Total-Count: 250", "X-Has-More: true"])
  func headers(header: String) async throws {
    let parts = header.components(separatedBy: ": ")
    let upstream = Self.fixed(Self.list(1...3), headers: [HeaderField(parts[0], parts[1])])
    let drafted = try await Self.draft("/v1/goods", of: upstream)
    let isQuestion = if case .question = drafted.finding { true } else { false }
    #expect(isQuestion, "\(drafted.text)")
  }

  @Test("a list without any sign has one page, with a warning if it looks like a full page")
  func singlePages() async throws {
    let short = try await Self.draft("/v1/goods", of: Self.fixed(Self.list(1...7)))
    #expect(short.text.contains("paginator: single_page  # no sign of another page\n") && short.warning == nil)
    #expect(short.requests.isEmpty)
    let full = try await Self.draft("/v1/goods", of: Self.fixed(Self.list(1...20)))
    #expect(full.text.contains("paginator: single_page") && full.warning?.contains("20 items") == true)
    let limited = try await Self.draft("/v1/goods?$limit=20", of: Self.fixed(Self.list(1...20)))
    #expect(limited.text.contains(#"paginator: "?""#), "a page as long as the typed limit: \(limited.text)")
    let ended = try await Self.draft(
      "/v1/goods", of: Self.fixed("{\"has_more\": false, \"total\": 20, \"data\": \(Self.list(1...20))}"))
    #expect(ended.text.contains("paginator: single_page") && ended.warning == nil)
    #expect(ended.text.contains("total_path: total "))
  }

  /// A service with pages of 20 items whose first page has the number `base`.
  private static func numbered(base: Int, name: String = "page", standard: Int? = nil) -> ScriptedUpstream {
    ScriptedUpstream { request in
      let number = request.parameters[name].flatMap { Int($0) } ?? standard ?? base
      guard number >= base else { return .json(#"{"error": "no such page"}"#, status: 400) }
      let start = (number - base) * 20
      return .json(#"{"data": \#(list((start..<min(start + 20, 250)).map { 3 * $0 + 1 }))}"#)
    }
  }

  @Test(
    "the first page is the one that the service returns without a number",
    arguments: [
      ("/goods", 0), ("/goods?page=0", 0), ("/goods?page=1", 0), ("/goods", 1), ("/goods?page=1", 1),
      ("/goods?page=2", 1),
    ])
  func bases(address: String, base: Int) async throws {
    let drafted = try await Self.draft(address, of: Self.numbered(base: base))
    let expected = "{ type: page_number, page_param: page, base_page: \(base) }"
    #expect(drafted.text.contains("paginator: \(expected)\n"), "\(drafted.text)")
    #expect(!drafted.text.contains("params:"), "\(drafted.text)")
    #expect(drafted.text.contains("# Requested: http://127.0.0.1:9/goods?page="))
  }

  @Test("p=1 in the address is a page, and an item number that begins at 1 is a base")
  func otherNames() async throws {
    let drafted = try await Self.draft("/goods?p=1&q=tea", of: Self.numbered(base: 1, name: "p"))
    #expect(drafted.text.contains("{ type: page_number, page_param: p, base_page: 1 }"), "\(drafted.text)")
    #expect(drafted.text.contains("params: { q: tea }"))
    let fromOne = ScriptedUpstream { request in
      let start = (request.parameters["startIndex"].flatMap { Int($0) } ?? 1) - 1
      let size = request.parameters["count"].flatMap { Int($0) } ?? 20
      let items = Self.list((start..<start + size).map { 3 * $0 })
      return .json(#"{"totalResults": 250, "startIndex": \#(start + 1), "Resources": \#(items)}"#)
    }
    let scim = try await Self.draft("/Users?startIndex=1&count=20", of: fromOne)
    #expect(
      scim.text.contains("{ type: offset, offset_param: startIndex, base_offset: 1, limit_param: count, limit: 20 }"),
      "\(scim.text)")
  }

  @Test("a key in the address, a header or a password is a variable in the declaration, and is never written")
  func credentials() throws {
    let environment = ["SHOP_KEY": "q7Zx9Kv2Wm4T", "SHOP_PASSWORD": "b8RyLp3N"]
    var credentials = DraftCredentials()
    try credentials.addBasic("ann:{env:SHOP_PASSWORD}", environment)
    try credentials.addHeader("X-Api-Key: {env:SHOP_KEY}", environment)
    try credentials.addHeader("Accept-Language: de", environment)
    credentials.addTyped("api_key", "c2hhcGVz", variable: "SHOP_API_KEY")
    #expect(credentials.additions.headers["X-Api-Key"] == "q7Zx9Kv2Wm4T")
    #expect(credentials.additions.headers["Authorization"] == "Basic YW5uOmI4UnlMcDNO")
    #expect(credentials.additions.query == "api_key=c2hhcGVz")
    let parts = try #require(URLComponents(string: "https://api.example.org/v1/goods?api_key=c2hhcGVz&sort=id"))
    let response = UpstreamResponse(status: 200, headers: [:], body: Array(Self.list(1...3).utf8))
    let draft = DeclarationDraft("shop", parts, try DraftPage(response), credentials)
    let text = draft.text(PaginatorSearch(draft) { _ in response }, .single(remark: "no sign of another page"))
    for secret in ["q7Zx9Kv2Wm4T", "b8RyLp3N", "c2hhcGVz", "YW5uOmI4"] { #expect(!text.contains(secret), "\(text)") }
    #expect(SourceCommand.Draft.request(parts, credentials).url == "https://api.example.org/v1/goods?sort=id")
    let declaration = try DeclarationText.read(text)
    #expect(declaration.auth?.summary == "basic ann, from the variable SHOP_PASSWORD")
    #expect(declaration.headers["X-Api-Key"] == .variable("SHOP_KEY"))
    #expect(declaration.headers["Accept-Language"] == .literal("de"))
    #expect(declaration.resources[0].query == "sort=id&api_key=from the variable SHOP_API_KEY")

    var typed = DraftCredentials()
    typed.addTyped("appid", "c2hhcGVz", variable: "SHOP_APPID")
    #expect(typed.lines == ["auth: { type: api_key, location: query, name: appid, api_key: { env: SHOP_APPID } }"])
    for (header, code) in [
      ("X-Api-Key: q7Zx9Kv2Wm4T", SyncError.Code.usage), ("Authorization: Bearer q7Zx9Kv2Wm4T", .usage),
      ("nonsense", .usage), ("X-Api-Key: {env:UNSET}", .configuration),
    ] {
      let error = try #require(throws: SyncError.self) { try typed.addHeader(header, environment) }
      #expect(error.code == code && !error.description.contains("q7Zx"), "\(error)")
    }
    #expect(throws: SyncError.self) { try typed.addBasic("ann:b8RyLp3N", environment) }
  }

  @Test("a declaration with an unanswered question is refused", arguments: ["\"?\"", "{ type: \"?\" }"])
  func questions(paginator: String) throws {
    let yaml = """
      client: { base_url: https://api.example.org }
      resources:
        - { name: goods, primary_key: KEY, endpoint: { paginator: PAGES } }
      """
    let asked = yaml.replacing("KEY", with: "id").replacing("PAGES", with: paginator)
    let error = try DeclarationText.error(of: asked)
    #expect(error.code == .configuration && error.message.contains("a question"), "\(error)")
    let unkeyed = yaml.replacing("KEY", with: "\"?\"").replacing("PAGES", with: "single_page")
    let key = try DeclarationText.error(of: unkeyed)
    #expect(key.code == .configuration && key.message.contains("a question"), "\(key)")
  }

  @Test("a key is sure by its name, and otherwise a question that names the candidate")
  func keys() async throws {
    let items = "[" + (1...3).map { #"{"colour": "c\#($0)", "size": 1}"# }.joined(separator: ",") + "]"
    let drafted = try await Self.draft("/goods", of: Self.fixed(items))
    #expect(drafted.text.contains(#"primary_key: "?""#) && drafted.text.contains("#   primary_key: colour"))
    #expect(throws: SyncError.self) { try DeclarationText.read(drafted.text) }
    let answered = drafted.text.replacing(#"primary_key: "?""#, with: "primary_key: colour")
    #expect(try DeclarationText.read(answered).resources[0].table.key == ["colour"])
  }

  @Test(
    "page one is doubtful if the answer itself says that it is a later page",
    arguments: [
      (#"{"number": 1, "first": false, "totalElements": 250}"#, 1, "first: false"),
      (#"{"pageable": {"pageNumber": 1, "offset": 20}}"#, 1, "pageable.offset: 20"),
      (#"{"meta": {"current_page": 2}}"#, 1, "meta.current_page: 2"), (#"{"page": 1}"#, 0, "page: 1"),
      (#"{"links": {"prev": "/goods?page=0"}}"#, 1, "links.prev: /goods?page=0"),
      (#"{"prev_page": 1}"#, 1, "prev_page: 1"), (#"{"number": 0, "first": true}"#, 1, nil),
      (#"{"page": 1}"#, 1, nil), (#"{"page": 0}"#, 1, nil), (#"{"meta": {"current_page": 1, "from": 1}}"#, 1, nil),
      (#"{"previous": null, "next": "/goods?page=2"}"#, 1, nil), (#"{"prev_page": 0}"#, 1, nil),
      (#"{"links": {"prev": "/goods", "first": "/goods"}}"#, 1, nil),
    ] as [(String, Int, String?)])
  func firstPages(body: String, base: Int, evidence: String?) throws {
    let envelope = try JSONDecoder().decode(JSONMember.self, from: Data(body.utf8))
    let found = PageSigns(envelope, headers: [:]).evidenceOfEarlierPages(base: base, isOffset: false)
    #expect(evidence.map { found?.contains($0) == true } ?? (found == nil), "\(found ?? "nothing")")
  }

  @Test("an offset list is doubtful if it begins after its first item, and 1 can be the first item")
  func firstOffsets() throws {
    for (body, base, isDoubtful) in [
      (#"{"offset": 20}"#, 0, true), (#"{"start": 1}"#, 0, false), (#"{"start": 1}"#, 1, false),
      (#"{"offset": 0}"#, 0, false),
    ] {
      let envelope = try JSONDecoder().decode(JSONMember.self, from: Data(body.utf8))
      let found = PageSigns(envelope, headers: [:]).evidenceOfEarlierPages(base: base, isOffset: true)
      #expect((found != nil) == isDoubtful, "\(body)")
    }
  }

  @Test("keys ascend as numbers, by code points or without case, and not by their hashes")
  func keyOrder() {
    #expect(KeyOrder.ascends([["a"], ["b"], ["c"]]))
    #expect(KeyOrder.ascends([["9"], ["10"], ["11"]]))
    #expect(KeyOrder.ascends([["alpha"], ["Beta"], ["gamma"]]))
    #expect(KeyOrder.ascends([["1", "a"], ["1", "b"], ["2", "a"]]))
    #expect(!KeyOrder.ascends([["b"], ["a"]]))
    #expect(!KeyOrder.ascends([["a"], ["a"]]))
    #expect(!KeyOrder.ascends([["2"], ["10"], ["1"]]))
  }

  @Test("a redirect names the change of the declaration")
  func redirects() {
    let url = "https://api.example.org/v2/goods?limit=3"
    for (location, words) in [
      ("https://api.example.org/v2/goods/?limit=3", "path: goods/"), ("/v2/goods/", "final slash"),
      ("https://www.example.org/v2/goods", "https://www.example.org"), ("/v3/goods", "/v3/goods"),
    ] {
      let response = UpstreamResponse(status: 301, headers: ["location": location], body: [])
      let error = RestAnswer.error(response, to: UpstreamRequest(url: url))
      #expect(error.hint?.contains(words) == true, "\(error)")
    }
    let slash = UpstreamResponse(status: 308, headers: ["location": "/v2/goods"], body: [])
    let error = RestAnswer.error(slash, to: UpstreamRequest(url: "https://api.example.org/v2/goods/"))
    #expect(error.hint?.contains("without its final slash") == true, "\(error)")
  }
}
