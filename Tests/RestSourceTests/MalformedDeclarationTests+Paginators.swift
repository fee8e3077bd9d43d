/// Paginators.
extension MalformedDeclarationTests {
  static let paginators: [Malformed] = [
    paginator(
      "pages", " has an unknown type pages", "page_number, offset, json_link, header_link, cursor, single_page"),
    paginator("{}", " has no type", "type: page_number"), paginator("[cursor]", " has no type", "type: page_number"),
    paginator("{ type: }", " must be a text", "page_number"),
    paginator("{ type: {} }", " must be a text", "page_number"),
    paginator("auto", " is auto", "syncctl source draft 'https://"),
    paginator("{ type: auto }", " is auto", "source draft"),
    paginator(
      #"{ type: cursor, cursor_path: "rows[-1].id" }"#,
      ".cursor_path takes the last element of another list than data_selector", #"cursor_path: "data[-1].id""#),
    paginator("{ type: cursor, cursor_body_path: after }", ".cursor_body_path needs a body", "method: POST"),
    paginator("{ type: offset, limit: 5, limit_body_path: n }", ".limit_body_path needs a body", "method: POST"),
    paginator("header_cursor", " is header_cursor, which is not supported", "use header_link"),
    pages("page_parm: p", " has an unknown key page_parm", "did you mean page_param?"),
    pages("page_param: [p]", ".page_param must be a text", "page"),
    pages("limit_param: {}", ".limit_param must", "limit"),
    pages("base_page: one", ".base_page must be a whole number", "give 0 to 1000000"),
    pages("base_page: -1", ".base_page must be a whole number", "give 0 to 1000000"),
    pages("base_page: 1.5", ".base_page must be a whole number", "give 0 to 1000000"),
    pages("page: [1]", ".page must be a whole number", "give 0 to 1000000"),
    pages("base_page: \(String(repeating: "9", count: 400))", ".base_page must be a whole number", "1000000"),
    pages("base_page: 9223372036854775807:59", ".base_page must be a whole number", "1000000"),
    pages("limit: 0", ".limit must be a whole number", "give 1 to 10000"),
    pages("limit: 10001", ".limit must be a whole number", "give 1 to 10000"),
    pages(#"limit: "100""#, ".limit must be a whole number", "give 1 to 10000"),
    pages("maximum_page: 9", " has maximum_page: a walk reads to the end of the list", "remove it"),
    pages(#"total_path: "a[0]""#, ".total_path a[0] is not a path", "with dots"),
    pages("has_more_path: a..b", ".has_more_path a..b is not a path", "with dots"),
    pages("stop_after_empty_page: false", ".stop_after_empty_page is false", "remove it"),
    pages("stop_after_empty_page: 0", ".stop_after_empty_page must be true or false", "write true or false"),
    pages("offset: 0", " has an unknown key offset", "known: type, page_param"),
    pages("cursor_path: a", " has an unknown key cursor_path", "known: type, page_param"),
    paginator("offset", " has no limit", "write limit: 100"), offset("limit: 1e3", ".limit must be a whole", "10000"),
    offset("limit: 10, base_offset: -1", ".base_offset must be a whole number", "give 0 to 1000000"),
    offset("limit: 10, maximum_offset: 9", " has maximum_offset: a walk reads to the end of the list", "remove it"),
    offset("limit: 10, offset_param: []", ".offset_param must be a text", "offset"),
    offset("limit: 10, page_param: p", " has an unknown key page_param", "known: type, offset_param"),
    paginator("{ type: json_link, next_url: a }", " has an unknown key next_url", "known: type, next_url_path"),
    paginator("{ type: json_link, next_url_path: a.* }", ".next_url_path a.* is not a path", "with dots"),
    paginator("{ type: header_link, links_next_key: [a] }", ".links_next_key must be a text", "next"),
    paginator("{ type: header_link, next_url_path: a }", " has an unknown key next_url_path", "links_next_key"),
    paginator("{ type: cursor, cursor_path: $ }", ".cursor_path $ is not a path", "with dots"),
    paginator("{ type: cursor, cursor_param: {} }", ".cursor_param must be a text", "cursor"),
    paginator("{ type: single_page, limit: 5 }", " has an unknown key limit", "known: type"),
  ]

  private static func pages(_ text: String, _ message: String, _ hint: String) -> Malformed {
    paginator("{ type: page_number, \(text) }", message, hint)
  }

  private static func offset(_ text: String, _ message: String, _ hint: String) -> Malformed {
    paginator("{ type: offset, \(text) }", message, hint)
  }

  private static func paginator(_ text: String, _ message: String, _ hint: String) -> Malformed {
    Malformed(7, "paginator: \(text)", "client.paginator\(message)", hint)
  }
}
