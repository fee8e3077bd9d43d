import Testing

@testable import RestSource

@Suite("Requests of manifests")
struct ImportRequestTests {
  @Test(
    "parameters are texts, numbers, options, dates and secrets",
    arguments: [
      ("sort: created_at", "{ sort: created_at }"), ("per: \"100\"", "{ per: 100 }"),
      ("q: \"a b\"", "{ q: \"a b\" }"), ("account: \"{{ config['account'] }}\"", "{ account: TODO_account }"),
      ("size: \"{{ config['size'] }}\"", "{ size: 25 }"), ("size: \"{{ config.get('count', 7) }}\"", "{ size: 7 }"),
      ("to: \"{{ config['region'] or 'eu' }}\"", "{ to: eu }"),
      ("to: \"{{ 'us' if config['region'] == 'US' else 'eu' }}\"", "{ to: eu }"),
      ("to: \"{{ 'us' if config.zone == 'US' else config.zone + '.' }}\"", "{ to: us }"),
      ("to: \"{{ 'a/' + config['account'] + '/b' }}\"", "{ to: a/TODO_account/b }"),
      ("token: \"{{ config['key'] }}\"", "{ token: { env: SHOP_KEY } }"),
      ("k: \"{{ config['key'] }}\"", "{ k: { env: SHOP_KEY } }"),
      ("k: \"x-{{ config['key'] }}\"", "{ k: { env: SHOP_KEY } }"),
      ("at: \"{{ today_utc() }}\"", "{ at: \"{today}\" }"),
      ("at: \"{{ now_utc().strftime('%Y-%m-%dT%H:%M:%SZ') }}\"", "{ at: \"{now}\" }"),
      ("at: \"{{ day_delta(-7, format='%Y-%m-%d') }}\"", "{ at: \"{today - 7d}\" }"),
      (
        "at: \"{{ (now_utc() - duration('PT12H')).strftime('%s') }}\"",
        "{ at: { value: \"{now - 12h}\", format: epoch } }"
      ),
      ("only: \"['a']\"", "{ only: a }"), ("q: \"'a b'\"", "{ q: \"a b\" }"),
      ("q: \"'{{ config.account }}'\"", "{ q: TODO_account }"), ("q: \"'it's'\"", "{ q: \"'it's'\" }"),
      ("q: \"a {b} { c }\"", "{ q: \"a {b} { c }\" }"),
    ])
  func parameters(yaml: String, expected: String) throws {
    let result = try ImportedManifest.stream(requester: "request_parameters: { \(yaml) }")
    #expect(try result.line("params") == expected, "\(result.messages)")
    _ = try result.accepted()
  }

  @Test(
    "a parameter that a declaration cannot have is left out, with a remark",
    arguments: [
      (
        "q: \"{{ config['account'] | base64encode }}\"",
        "left out: the parameter q {{ config['account'] | base64encode }}; "
      ),
      ("q: \"{a}\"", "left out: the parameter q, whose braces look like a placeholder; "),
      ("q: \"['a', 'b']\"", "left out: the parameter q with several values; "),
      ("q: { type: QueryProperties }", "left out: the parameter q (QueryProperties), which is not a text; "),
    ])
  func leftOut(yaml: String, remark: String) throws {
    let result = try ImportedManifest.stream(requester: "request_parameters: { \(yaml) }")
    #expect(try result.line("params") == nil)
    #expect(result.messages.contains { $0.contains(remark) && $0.hasPrefix("manifest.yaml:12: items: ") })
    _ = try result.accepted()
  }

  @Test("an absent option is no parameter, and the remark names the option")
  func absent() throws {
    let result = try ImportedManifest.stream(requester: "request_parameters: { in: \"{{ config['region'] }}\" }")
    #expect(try result.line("params") == nil)
    #expect(
      result.messages == [
        "manifest.yaml:12: config.region is taken as not set; write its value where the manifest uses it if you need it"
      ])
  }

  @Test("a query in the path becomes parameters, and a slash at the end stays")
  func addresses() throws {
    let result = try ImportedManifest.stream(path: "/v2/items/?embed%5B%5D=a+b&x=1")
    #expect(try result.endpoint().prefix(2) == ["path: v2/items/", "params: { \"embed[]\": \"a b\", x: 1 }"])
    #expect(result.declaration?.baseURL == "https://api.example.org")
  }

  @Test(
    "options within the address are placeholders, and secrets there are refused",
    arguments: [
      ("https://{{ config['account'] }}.example.org/v1", "https://TODO-account.example.org/v1"),
      ("https://{{ config['account'] }}/v1", "https://TODO-account.example.org/v1"),
      ("{{ config['account'] }}/v1", "https://TODO-account.example.org/v1"),
      ("https://api.example.org/{{ config['account'] }}", "https://api.example.org/TODO_account"),
      ("{{ config['region'] or 'https://eu.example.org' }}/v1", "https://eu.example.org/v1"),
      ("http://api.example.org", "https://api.example.org"), ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"),
    ])
  func placeholders(base: String, expected: String) throws {
    let result = try ImportedManifest.read(
      """
      streams:
        - name: items
          retriever:
            requester: { url_base: "\(base)", path: items }
            record_selector: { extractor: { field_path: [] } }
      """)
    #expect(result.declaration?.baseURL == expected)
    #expect(result.messages.isEmpty == (base == expected), "\(result.messages)")
    _ = try result.accepted()
  }

  @Test("a secret in the address is a reason not to write the stream")
  func secretAddress() throws {
    let result = try ImportedManifest.stream(path: "/bot{{ config['key'] }}/items")
    #expect(result.declaration == nil)
    #expect(result.messages.contains { $0.contains("its address contains the secret config.key") })
  }

  @Test("a JSON body keeps its values, without secrets and intervals")
  func bodies() throws {
    let result = try ImportedManifest.stream(
      requester: """
        http_method: POST
        request_body_json:
          query: "{ items { id } }"
          limit: "50"
          archived: false
          filter: { account: "{{ config['account'] }}", ids: [1, a] }
          sort: "[{'field': 'id'}]"
          api_key: "{{ config['key'] }}"
          since: "{{ stream_interval.start_time }}"
        """)
    #expect(
      try result.endpoint().prefix(4) == [
        "path: v2/items", "method: POST", "idempotent: true",
        "json: { query: \"{ items { id } }\", limit: 50, archived: false, filter: { account: TODO_account, ids: [1, a] }, sort: [{ field: id }] }",
      ])
    #expect(
      result.messages.contains { $0.contains("manifest.yaml:19: items: left out: the secret api_key in the body") })
    #expect(result.messages.contains { $0.contains("manifest.yaml:3: items: left out: the interval in the body; ") })
    let body = try #require(try result.accepted().resources.first?.body)
    #expect(body.json.contains(#""ids":[1,"a"]"#))
  }

  @Test("headers that all streams send are those of client, with variables for secrets")
  func headers() throws {
    let result = try ImportedManifest.stream(
      requester: """
        request_headers:
          Accept: application/json
          User-Agent: x
          X-Account: "{{ config['account'] }}"
          X-Token: "Token {{ config['key'] }}"
          X-Other: "{{ stream_slice.id }}"
          X-Api-Key: 0123456789
        """)
    #expect(
      result.text.contains(
        "  headers: { Accept: application/json, X-Account: TODO_account, X-Token: \"Token {env:SHOP_KEY}\", X-Api-Key: { env: SHOP_X_API_KEY } }\n"
      ))
    #expect(result.messages.contains { $0.contains("left out: the header X-Other") })
    #expect(try result.accepted().headers.count == 4)
  }

  @Test("a header that not all streams send belongs to the endpoint")
  func endpointHeaders() throws {
    let result = try ImportedManifest.read(
      """
      definitions: { selector: { extractor: { field_path: [] } } }
      streams:
        - name: a
          retriever:
            requester: { url: "https://api.example.org/a", request_headers: { Accept: application/json, X-V: "1" } }
            record_selector: "#/definitions/selector"
        - name: b
          retriever:
            requester: { url: "https://api.example.org/b", request_headers: { Accept: application/json, X-V: "2" } }
            record_selector: "#/definitions/selector"
        - name: c
          retriever:
            requester: { url: "https://api.example.org/c", request_headers: { Accept: application/json } }
            record_selector: "#/definitions/selector"
      """)
    #expect(result.declaration?.headers == [FlowMember("Accept", .text("application/json"))])
    #expect(result.resources.map(\.headers) == [[FlowMember("X-V", .text("1"))], [FlowMember("X-V", .text("2"))], []])
    #expect(result.messages == [])
    _ = try result.accepted()
  }

  @Test("dates are values of a body, too")
  func bodyDates() throws {
    let result = try ImportedManifest.stream(
      requester: """
        http_method: POST
        request_body_json:
          from: "{{ day_delta(-30, '%Y-%m-%d') }}"
          to: "{{ now_utc().strftime('%ms') }}"
        """)
    #expect(
      try result.line("json") == "{ from: \"{today - 30d}\", to: { value: \"{now}\", format: epoch_ms } }")
    _ = try result.accepted()
  }

  @Test(
    "the path of the items",
    arguments: [
      ("[]", nil), ("[data, items]", "data.items"), ("[data, '*', node]", "data[*].node"), ("[rates, '*']", "rates.*"),
      ("[a, '*', '*']", "a[*].*"),
      ("['*']", "$.*"), ("[\"{{ parameters['field'] }}\"]", "found"), ("[\"{{ parameters['none'] }}\"]", nil),
    ] as [(String, String?)])
  func selectors(path: String, expected: String?) throws {
    let result = try ImportedManifest.read(
      """
      streams:
        - name: items
          $parameters: { field: found }
          retriever:
            requester: { url_base: "https://api.example.org", path: items }
            record_selector: { extractor: { field_path: \(path) } }
      """)
    #expect(result.resources.first?.selector == expected)
    _ = try result.accepted()
  }

  @Test(
    "answers with a declared meaning become response_actions",
    arguments: [
      (
        "{ http_codes: [404, 403], action: IGNORE }",
        "[{ status_code: 404, action: ignore }, { status_code: 403, action: ignore }]"
      ),
      ("{ http_codes: [400, 429, 503], action: RETRY }", "[{ status_code: 400, action: retry }]"),
      ("{ http_codes: [401], action: FAIL }", nil),
      ("{ http_codes: [500], action: FAIL }", "[{ status_code: 500, action: fail }]"),
      ("{ error_message_contains: no plan, action: IGNORE }", "[{ content: \"no plan\", action: ignore }]"),
      (
        "{ predicate: \"{{ 'code' in response and response['code'] == 'busy' }}\", action: RETRY }",
        "[{ path: code, equals: busy, action: retry }]"
      ),
      ("{ predicate: \"{{ 'gone' in response }}\", action: IGNORE }", "[{ content: gone, action: ignore }]"),
    ] as [(String, String?)])
  func actions(filter: String, expected: String?) throws {
    let result = try ImportedManifest.stream(
      requester: """
        error_handler:
          type: CompositeErrorHandler
          error_handlers: [{ type: DefaultErrorHandler, response_filters: [\(filter)] }]
        """)
    #expect(try result.line("response_actions") == expected)
  }
}
