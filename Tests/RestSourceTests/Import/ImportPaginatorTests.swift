import Testing

@testable import RestSource

@Suite("Paginators of manifests")
struct ImportPaginatorTests {
  private static func paginator(_ strategy: String, token: String?, size: String? = nil) throws -> ManifestImport {
    let options = [
      token.map { "  page_token_option: \($0)" }, size.map { "  page_size_option: \($0)" },
    ].compactMap(\.self)
    return try ImportedManifest.stream(
      retriever: (["paginator:", "  type: DefaultPaginator", "  pagination_strategy: \(strategy)"] + options)
        .joined(separator: "\n"))
  }

  private static func parameter(_ name: String) -> String {
    "{ type: RequestOption, inject_into: request_parameter, field_name: \"\(name)\" }"
  }

  private static func cursor(_ value: String, stop: String? = nil) -> String {
    "{ type: CursorPagination, cursor_value: \"{{ \(value) }}\""
      + (stop.map { ", stop_condition: \"{{ \($0) }}\"" } ?? "") + " }"
  }

  @Test("numbers of pages and items")
  func numbers() throws {
    let pages = try Self.paginator(
      "{ type: PageIncrement, page_size: 20, start_from_page: 1 }", token: Self.parameter("page"),
      size: Self.parameter("page[size]"))
    #expect(
      try pages.line("paginator")
        == "{ type: page_number, page_param: page, base_page: 1, limit_param: \"page[size]\", limit: 20 }")
    #expect(try pages.accepted().resources.first?.paginator.summary == "page=1, page[size]=20")

    let first = try Self.paginator("{ type: PageIncrement }", token: Self.parameter("p"))
    #expect(try first.line("paginator") == "{ type: page_number, page_param: p, base_page: 0 }")
    #expect(
      first.messages.contains { $0.contains("items: the first page has the number 0, because the manifest names") })

    let offsets = try Self.paginator(
      "{ type: OffsetIncrement, page_size: \"{{ config['size'] }}\" }", token: Self.parameter("start"),
      size: Self.parameter("count"))
    #expect(
      try offsets.line("paginator") == "{ type: offset, offset_param: start, limit_param: count, limit: 25 }")
    _ = try offsets.accepted()
  }

  @Test(
    "cursors and links",
    arguments: [
      ("response.next", "{ type: RequestPath }", "{ type: json_link, next_url_path: next }"),
      (
        "response.get('links', {}).get('next')", "{ type: RequestPath }",
        "{ type: json_link, next_url_path: links.next }"
      ),
      ("headers['link']['next']['url']", "{ type: RequestPath }", "header_link"),
      ("headers.link.more.url", "{ type: RequestPath }", "{ type: header_link, links_next_key: more }"),
      (
        "response['meta']['after']", parameter("after"),
        "{ type: cursor, cursor_path: meta.after, cursor_param: after }"
      ),
      ("last_record['id']", parameter("after"), "{ type: cursor, cursor_path: \"data[-1].id\", cursor_param: after }"),
      (
        "response.data[-1].id", parameter("after"),
        "{ type: cursor, cursor_path: \"data[-1].id\", cursor_param: after }"
      ),
      ("response.page + 1", parameter("page"), "{ type: page_number, page_param: page, base_page: 1 }"),
    ])
  func chains(value: String, token: String, expected: String) throws {
    let result = try Self.paginator(Self.cursor(value), token: token)
    #expect(try result.line("paginator") == expected, "\(result.messages)")
    _ = try result.accepted()
  }

  @Test("a cursor in a JSON body has its path there, and the page's size beside it")
  func bodies() throws {
    let result = try ImportedManifest.stream(
      requester: "http_method: POST",
      retriever: """
        paginator:
          type: DefaultPaginator
          page_token_option: { inject_into: body_json, field_path: [page, cursor] }
          page_size_option: { inject_into: body_json, field_name: per_page }
          pagination_strategy: { type: CursorPagination, page_size: 100, cursor_value: "{{ response.nextCursor }}" }
        """)
    #expect(
      try result.line("paginator") == "{ type: cursor, cursor_path: nextCursor, cursor_body_path: page.cursor }")
    #expect(try result.line("json") == "{ per_page: 100 }")
    #expect(try result.accepted().resources.first?.paginator.summary == "body page.cursor from nextCursor")
  }

  @Test(
    "a stop condition is a flag, says nothing new, or is a remark",
    arguments: [
      ("not response.has_more", ", has_more_path: has_more", true),
      ("response.get('has_more') is false", ", has_more_path: has_more", true),
      ("response.more == False or not response.next", ", has_more_path: more", true),
      ("not response.next", "", true), ("not response.get('next', {})", "", true), ("response.next is none", "", true),
      ("'next' not in response", "", true), ("not response.data", "", false), ("response.isLast", "", false),
    ])
  func ends(condition: String, more: String, isSilent: Bool) throws {
    let result = try Self.paginator(Self.cursor("response.next", stop: condition), token: Self.parameter("after"))
    #expect(try result.line("paginator") == "{ type: cursor, cursor_path: next, cursor_param: after\(more) }")
    #expect(result.messages.contains { $0.contains("stop_condition is not read") } != isSilent, "\(result.messages)")
    _ = try result.accepted()
  }

  @Test("a sum of the page's members is an offset, with the total of the stop condition")
  func sums() throws {
    let strategy = """
      { type: CursorPagination, page_size: 50, cursor_value: "{{ response.get('startAt') + response['maxResults'] }}", \
      stop_condition: "{{ response.isLast or response.startAt + response.maxResults >= response.total }}" }
      """
    let result = try Self.paginator(strategy, token: Self.parameter("startAt"), size: Self.parameter("maxResults"))
    #expect(
      try result.line("paginator")
        == "{ type: offset, offset_param: startAt, limit_param: maxResults, limit: 50, total_path: total }")
    _ = try result.accepted()
  }

  @Test("the * at the end of a list with pages stands for its elements")
  func elements() throws {
    let result = try ImportedManifest.read(
      """
      streams:
        - name: items
          retriever:
            requester: { url_base: "https://api.example.org", path: items }
            record_selector: { extractor: { field_path: [data, "*"] } }
            paginator:
              type: DefaultPaginator
              page_token_option: { type: RequestPath }
              pagination_strategy: { type: CursorPagination, cursor_value: "{{ response.next }}" }
      """)
    #expect(result.resources.first?.selector == "data")
    #expect(
      result.messages.contains { $0.hasPrefix("manifest.yaml:5: items: the * at the end of field_path is taken") })
    _ = try result.accepted()
  }

  @Test("a size among the parameters belongs to the paginator")
  func sizes() throws {
    let result = try ImportedManifest.stream(
      requester: "request_parameters: { limit: 50, page: \"{{ next_page_token.next_page_token }}\", sort: id }",
      retriever: """
        paginator: { type: DefaultPaginator, pagination_strategy: { type: OffsetIncrement, page_size: 50 } }
        """)
    #expect(try result.line("params") == "{ sort: id }")
    #expect(try result.line("paginator") == "{ type: offset, offset_param: page, limit_param: limit, limit: 50 }")
    _ = try result.accepted()
  }

  @Test(
    "a paginator that is not known is a question, which syncctl refuses",
    arguments: [
      ("{ type: CustomPaginationStrategy, class_name: shop.Pages }", parameter("page"), "uses shop.Pages"),
      ("{ type: OffsetIncrement }", parameter("offset"), "does not say how many items"),
      ("{ type: PageIncrement }", "{ inject_into: header, field_name: page }", "neither in a parameter nor"),
      (cursor("headers['x-next']"), parameter("page"), "The cursor is {{"),
    ])
  func questions(strategy: String, token: String, reason: String) throws {
    let result = try Self.paginator(strategy, token: token)
    #expect(try result.line("paginator") == "\"?\"")
    #expect(result.text.contains("# QUESTION: how do the pages follow each other? "))
    #expect(result.text.contains(reason), "\(result.text)")
    #expect(result.messages.contains { $0.contains("paginator is a question") })
    #expect(result.declaration?.refusals().isEmpty == true)
    #expect(throws: (any Error).self) { try result.accepted() }
  }
}
