/// The keys of `endpoint`.
extension MalformedDeclarationTests {
  static let endpoint: [Malformed] = [
    .init(12, "pth: products", "resources[0].endpoint has an unknown key pth", "did you mean path?"),
    .init(12, "path:", "endpoint.path must be a text", "products"),
    .init(12, "path: [products]", "endpoint.path must be a text", "products"),
    .init(12, "path: https://other.example/products", "path is not a path below base_url", "below params"),
    .init(12, "path: products?api_key=s3cr3t-value", "path is not a path below base_url", "below params"),
    .init(12, "path: products#s3cr3t-value", "path is not a path below base_url", "below params"),
    .init(12, "path: all products", "path is not a path below base_url", "write path: products"),
    .init(12, #"path: "a\u0000""#, "endpoint.path has a control", "products"),
    .init(12, "path: products\nmethod: PUT", "endpoint.method is neither GET nor POST", "only lists", at: 13),
    .init(12, "path: products\nmethod: POST", "endpoint.method is POST", "idempotent: true", at: 13),
    .init(12, "path: products\nmethod: POST\nidempotent: 1", "idempotent must be true or false", "true", at: 14),
    .init(12, "path: products\njson: { a: 1 }", "endpoint.json is a body, which GET has not", "method: POST", at: 13),
    .init(
      12, "path: products\nmethod: POST\nidempotent: true\njson: [1]", "endpoint.json must have members", "query",
      at: 15),
    .init(
      12, "path: products\nmethod: POST\nidempotent: true\njson: { a: { api_key: s3cr3t-value } }",
      "endpoint.json.a.api_key is a secret in the body", "client.auth", at: 15),
    json("{ api_key: { env: KEY } }", ".api_key is a secret in the body", "client.auth"),
    json("{ a: [{ login: { env: SHOP_LOGIN } }] }", ".a[0].login is a secret in the body", "params with { env: NAME }"),
    json("{ key: { env: shop } }", ".key is a secret in the body", "client.auth"),
    json("{ a: { file: token.txt } }", ".a is a secret in the body", "client.auth"),
    json(#"{ a: "Token {env:KEY}" }"#, ".a has a secret within a text", "client.auth"),
    json(#"{ a: "{now - 30}" }"#, ".a has {now - 30}, which is not a date", "{now - 7d}"),
    json(#"{ a: "{start_date}" }"#, ".a has {start_date}, which is not a placeholder", "blanks within"),
    json(#"{ a: [{ value: "{now}", format: iso }] }"#, ".a[0].format is not a format of dates", "epoch_ms"),
    json(#"{ "{resources.orders.id}": 1 }"#, ".{resources.orders.id} has a placeholder in its name", "values of json"),
    json(#"{ a: "{incremental.end_value}" }"#, ".a needs a window", "window: 30d"),
    json(#"{ a: ">{incremental.start_value}" }"#, ".a has the cursor in a text, and the first", "initial_value: "),
    .init(
      21,
      #"- { name: a, endpoint: { method: POST, idempotent: true, json: { q: "{incremental.start_value}" } } }"#,
      "endpoint.json.q has the cursor, but the resource has no incremental", "incremental: { cursor_path"),
    .init(
      21,
      #"- { name: a, endpoint: { method: POST, idempotent: true, json: { q: "{today}" } }, lookup: "a/{id}" }"#,
      "resources[1].lookup cannot be combined with computed dates", "remove it"),
    .init(12, "headers: [Accept]", "endpoint.headers must have members", "Accept: application/json"),
    .init(12, "headers: { Authorization: { env: A } }", "headers has Authorization, which client.auth", "each"),
    .init(12, #"headers: { X-A: "{resources.orders.id}" }"#, "endpoint.headers has a placeholder", "path, params or"),
    .init(12, "headers: { User-Agent: a }", "headers has the header User-Agent, which syncctl sends", "remove it"),
    .init(12, "headers: { X-Token: s3cr3t-value }", "endpoint.headers.X-Token has a secret in the file", "{ env"),
    .init(12, #"headers: { X-T: "{access_token}" }"#, "headers has {access_token}, but no access token is", "oauth2"),
    .init(12, "path: products\nmethod: [GET]", "endpoint.method must be a text", "GET", at: 13),
    .init(21, "- { name: orders, endpoint: [orders] }", "[1].endpoint must have members", "known here: path"),
    .init(21, "- { name: orders, endpoint: { path: a b } }", "[1].endpoint.path is not a path", "write path"),
    .init(21, "- { name: orders, endpoint: { paginator: pages } }", "endpoint.paginator has an unknown type", "page_"),
    .init(21, "- { name: orders, endpoint: { paginator: } }", "resources[1] has no paginator", "source draft https://"),
    .init(
      21, "- { name: orders, endpoint: { incremental: a } }", "endpoint.incremental must have members", "cursor_path"),
  ]

  /// A body that replaces the path in line 12.
  private static func json(_ json: String, _ message: String, _ hint: String) -> Malformed {
    Malformed(
      12, "method: POST\nidempotent: true\njson: \(json)", "sources.shop.resources[0].endpoint.json\(message)", hint,
      at: 14)
  }

  static let params: [Malformed] = [
    .init(13, "params: per_page", "endpoint.params must have members", "params: { per_page: 100 }"),
    .init(13, "params: [per_page]", "endpoint.params must have members", "params: { per_page: 100 }"),
    .init(13, "params: { state: }", "params.state must have a value", "params: { per_page: 100 }"),
    .init(13, #"params: { "": a }"#, "params. must have a value", "params: { per_page: 100 }"),
    .init(13, #"params: { state: "" }"#, "params.state must be a text", "write it as in"),
    .init(13, "params: { state: [a, b] }", "params.state must be a text", "write it as in"),
    .init(13, #"params: { state: "\u001B[31m" }"#, "params.state has a control", "write it as in"),
    .init(13, "params: { api_key: s3cr3t-value }", "params.api_key has a secret", "{ env: NAME }"),
    .init(13, "params: { appKey: s3cr3t-value }", "params.appKey has a secret", "{ env: NAME }"),
    .init(13, "params: { access_token: s3cr3t-value }", "params.access_token has a secret", "{ env: NAME }"),
    .init(13, "params: { client_secret: s3cr3t-value }", "params.client_secret has a secret", "{ env: NAME }"),
    .init(13, "params: { passwd: s3cr3t-value }", "params.passwd has a secret", "{ env: NAME }"),
    .init(13, "params: { api_key: { env: s3cr3t-value } }", "api_key.env is not the name of a variable", "{ env"),
    .init(13, "params: { p: { type: sum } }", "params.p has an unknown type", "a text or a number"),
    .init(13, "params: { p: { field: id } }", "params.p has an unknown key field", "known: env, file"),
    .init(13, #"params: { p: "{yesterday}" }"#, "params.p has {yesterday}, which is not a placeholder", "{today}"),
    .init(13, #"params: { p: "a {todya}" }"#, "params.p has {todya}, which is not a placeholder", "mean {today}?"),
    .init(13, #"params: { p: "a {env:KEY}" }"#, "params.p has a secret within a text", "{ env: NAME }"),
    .init(13, "params: { p: { value: a, format: epoch } }", "params.p.format is not a format of dates in this", "rem"),
    .init(13, "params: { api_key: { value: s3cr3t-value } }", "params.api_key.value has a secret", "{ env: NAME }"),
    .init(13, #"params: { p: { value: "{today}", format: "%x" } }"#, "params.p.format is not a format", "%Y-%m-%d"),
    .init(13, #"params: { p: { value: "{today}", fmt: x } }"#, "params.p has an unknown key fmt", "value, format"),
    .init(13, #"params: { p: "{incremental.end_value}" }"#, "incremental needs a window", "window: 30d", at: 20),
    .init(13, #"params: { p: ">{incremental.end_value}" }"#, "params.p needs a window", "window: 30d"),
    .init(13, #"params: { p: ">{incremental.start_value}" }"#, "params.p has the cursor in a text", "initial_value: "),
    .init(13, #"params: { p: ">{incremental.start}" }"#, "p has {incremental.start}, which is not", "end_value}"),
    .init(13, #"params: { p: "{incremental.start_value}" }"#, "params.p has the cursor as well", "remove it"),
    .init(
      13, "params: { p: { type: incremental, cursor_path: a }, q: { type: incremental, cursor_path: a } }",
      "params.p has the cursor as well", "one parameter"),
    .init(
      21, #"- { name: orders, endpoint: { params: { p: "{incremental.last_value}" } } }"#,
      "resources[1] has p, but no incremental", "incremental: { cursor_path"),
  ]

  static let selectors: [Malformed] = [
    .init(14, "data_selector:", "endpoint.data_selector must be a text", "data.items"),
    .init(14, "data_selector: { path: data }", "data_selector must be a text", "data.items"),
    .init(14, "data_selector: []", "data_selector must not be empty", "[meta, total]"),
    .init(14, "data_selector: [a, [b]]", "data_selector[1] must be a text", "[meta, total]"),
    .init(14, #"data_selector: [a, ""]"#, "data_selector[1] must be a text", "[meta, total]"),
    .init(14, #"data_selector: ["a/*b"]"#, "data_selector has a name that cannot be a member", "shorter path"),
    .init(14, "data_selector: \(String(repeating: "a", count: 201))", "has a name that cannot be", "shorter path"),
  ]

  static let paths: [Malformed] = [
    ("$..items", 3), ("items[?(@.id)]", 6), ("a..b", 3), ("a.", 3), ("the items", 1), ("$.", 3), ("a[-1].b", 2),
    ("a[1", 2), ("a[1]b", 5), ("$a", 2), ("a[9999999]", 2), ("a.b c", 3), (".a", 1), ("a*", 1),
  ].map { path, place in
    .init(
      14, "data_selector: \(path)", "is not a path of items, from its character \(place) on",
      "names with dots between them")
  }
}
