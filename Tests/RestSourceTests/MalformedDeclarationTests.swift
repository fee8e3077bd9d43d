import SyncCore
import Testing

@testable import RestSource
@testable import SyncProgram

/// A change of `MalformedDeclarationTests.valid` that makes it malformed, and its error.
struct Malformed: Sendable, CustomTestStringConvertible {
  /// The number of the line that `text` replaces; 0 for a whole declaration.
  let number: Int
  /// Has the indentation of the replaced line.
  let text: String
  let line: Int
  /// Parts of the message, usually the place and the reason.
  let messages: [String]
  let hint: String

  init(_ number: Int, _ text: String, _ message: String, _ hint: String, at line: Int? = nil, reason: String? = nil) {
    self.number = number
    self.text = text
    self.hint = hint
    messages = [message] + (reason.map { [$0] } ?? [])
    self.line = line ?? number
  }

  var testDescription: String { "\(number): \(text)" }
}

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
    columns,
    columnNames, counters, walks, incremental, paginators, unsupported,
  ].flatMap { $0 }

  private static let top: [Malformed] = [
    .init(1, "typ: rest_api", "sources.shop has an unknown key typ", "did you mean type?"),
    .init(1, "file: other.yaml", ".file cannot be beside client", "remove all keys but type and file"),
    .init(1, "s3cr3t-value: 1", "sources.shop has an unknown key in this line", "known: type, file"),
    .init(1, "? [type]\n: rest_api", "has an unknown key in this line", "known: type"),
    .init(1, "<<: { type: rest_api }", "has an unknown key in this line", "known: type"),
    .init(2, "rate_limit: 5/1s", "unknown key rate_limit", "did you mean rate_limits?"),
    .init(2, "rate_limits: 5 per second", "rate_limits 5 per second is not a rate limit", "REQUESTS/TIME"),
    .init(2, "rate_limits: [5/1s, 0/1s]", "rate_limits 0/1s is not", "REQUESTS/TIME"),
    .init(2, "rate_limits: [none, 5/1s]", "rate_limits none is not", "REQUESTS/TIME"),
    .init(2, "rate_limits: 5/1s;9/1h", "rate_limits 5/1s;9/1h is not", "3/1s,60/60s"),
    .init(2, #"rate_limits: "5/1s,""#, "rate_limits  is not", "REQUESTS/TIME"),
    .init(2, "rate_limits: 99999999/1s", "99999999/1s is not", "REQUESTS/TIME"),
    .init(2, "rate_limits: []", "rate_limits must not be empty", "5/1s"),
    .init(2, "rate_limits: { second: 5 }", "rate_limits must be a text", "1000/1h"),
    .init(2, "rate_limits:", "rate_limits must be a text", "1000/1h"),
    .init(2, "rate_limits: [5/1s, [9/1h]]", "rate_limits[1] must be a text", "1000/1h"),
    .init(3, "clients:", "unknown key clients", "did you mean client?"),
    .init(9, "resource:", "unknown key resource", "did you mean resources?"),
  ]

  private static let whole: [Malformed] = [
    .init(0, "[]", "sources.shop must have members", "known here: type", at: 1),
    .init(0, "rest_api", "sources.shop must have members", "known here: type", at: 1),
    .init(0, "type: rest_api\nresources: [a]", "sources.shop has no client", "write client:", at: 1),
    .init(0, "client: { base_url: https://a.example }", "sources.shop has no resources", "write resources:", at: 1),
    .init(0, "client:\nresources: [a]", ".client must have members", "known here: base_url", at: 1),
    .init(0, "client: https://a.example\nresources: [a]", ".client must have members", "base_url", at: 1),
    .init(0, "resources: [a]\nclient: [a]", ".client must have members", "base_url", at: 2),
    .init(0, "client: {}\nresources: [a]", ".client has no base_url", "write base_url:", at: 1),
    list("", " must be a list with a resource", "write resources:"),
    list("[]", " must be a list with a resource", "write resources:"),
    list("products", " must be a list with a resource", "write resources:"),
    list("{ name: products }", " must be a list with a resource", "write resources:"),
    list("[a]", "[0] has no primary_key", "write primary_key: id"),
    list("[{ name: a, primary_key: id }]", "[0] has no paginator", "syncctl source draft https://"),
    list("[{ name: a, primary_key: id, endpoint: { paginator: null } }]", "[0] has no paginator", "single_page"),
    .init(
      0, "client: &c { base_url: https://a.example }\nresource_defaults: *c\nresources: [a]",
      "resource_defaults has an unknown key base_url", "known: name", at: 1),
  ]

  private static func list(_ text: String, _ message: String, _ hint: String) -> Malformed {
    Malformed(0, "client: { base_url: https://a.example }\nresources: \(text)", ".resources" + message, hint, at: 2)
  }

  private static let client: [Malformed] = [
    .init(4, "base_ur: https://a.example", "client has an unknown key base_ur", "did you mean base_url?"),
    .init(4, "session: requests.Session", "client has session: sessions are objects of Python", "remove it"),
    .init(4, "allow_insecure: true", "client has no base_url", "https://api.example.org"),
    .init(4, "base_url:", "client.base_url must be a text", "https://api.example.org"),
    .init(4, "base_url: [https://a.example]", "client.base_url must be a text", "https://api.example.org"),
    .init(4, "base_url: { url: a }", "client.base_url must be a text", "https://api.example.org"),
    .init(4, #"base_url: """#, "client.base_url must be a text", "https://api.example.org"),
    .init(4, "base_url: api.example.org", "client.base_url is not a base URL", "https://api.example.org"),
    .init(4, "base_url: ftp://api.example.org", "is not a base URL", "https://"),
    .init(4, "base_url: https://", "is not a base URL", "https://api"),
    .init(4, "base_url: https://a.example:99999", "is not a base URL", "https://api"),
    .init(4, "base_url: https://user:s3cr3t-value@a.example", "is not a base URL", "without a user"),
    .init(4, "base_url: https://s3cr3t-value@a.example", "is not a base URL", "without a user"),
    .init(4, "base_url: https://a.example?api_key=s3cr3t-value", "is not a base URL", "parameters"),
    .init(4, "base_url: https://a.example#s3cr3t-value", "is not a base URL", "https://api"),
    .init(4, #"base_url: "https://a.example\u0007""#, "base_url has a control or an invisible", "write it as in"),
    .init(4, #"base_url: "https://a.ex\u200Bample""#, "base_url has a control or an invisible", "write it as in"),
    .init(4, "base_url: http://api.example.org", "base_url sends requests without encryption", "use https"),
    .init(4, "base_url: http://localhost.example.org", "sends requests without encryption", "allow_insecure: true"),
    .init(
      4, "base_url: http://10.0.0.1\nallow_insecure: false", "sends requests without encryption",
      "client.allow_insecure: true"),
    insecure("maybe"), insecure("1"), insecure(#""true""#), insecure("[true]"), insecure(""),
  ]

  private static func insecure(_ text: String) -> Malformed {
    let lines = "base_url: http://10.0.0.1\nallow_insecure: \(text)"
    return Malformed(4, lines, "client.allow_insecure must be true or false", "write true or false", at: 5)
  }

  private static let headers: [Malformed] = [
    .init(5, "headers: Accept", "client.headers must have members", "headers: { Accept"),
    .init(5, "headers: [Accept]", "client.headers must have members", "headers: { Accept"),
    .init(5, "headers: { Accept: [a] }", "headers.Accept must be a text", "write it as in"),
    .init(5, "headers: { Accept: }", "headers.Accept must be a text", "write it as in"),
    .init(5, #"headers: { Accept: "a\nX-Other: b" }"#, "headers.Accept has a control", "write it as in"),
    .init(5, "headers: { Accept All: a }", "headers has a name that is not a header", "{ Accept"),
    .init(5, #"headers: { "Authorization=s3cr3t-value;": a }"#, "headers has a name that is not", "{ Accept"),
    .init(5, "headers: { Host: a.example }", "headers has the header Host, which syncctl sends", "remove it"),
    .init(5, "headers: { user-agent: a }", "has the header user-agent, which syncctl sends", "remove it"),
    .init(5, "headers: { If-None-Match: a }", "has the header If-None-Match", "remove it"),
    .init(5, "headers: { Content-Length: 5 }", "has the header Content-Length", "remove it"),
    header("Authorization: Bearer s3cr3t-value"), header("authorization: [s3cr3t-value]"),
    header("Proxy-Authorization: s3cr3t-value"), header("Cookie: session=s3cr3t-value"),
    header("X-Api-Key: s3cr3t-value"), header("apikey: s3cr3t-value"), header("X-Auth-Token: s3cr3t-value"),
    header("X-App-Secret: s3cr3t-value"), header("X-Password: s3cr3t-value"), header("X-Signature: s3cr3t-value"),
    header("X-Access-Key: 123456", "has a secret in the file", "change the secret"),
    header("Cookie:", "Cookie has no value", "{ env: NAME }"),
    header("Cookie: {}", "Cookie must have env or file", "{ env: NAME }"),
    header("Cookie: { env: A, file: a.txt }", "Cookie must have env or file", "{ env: NAME }"),
    header("Cookie: { env: s3cr3t-value }", "Cookie.env is not the name of a variable", "not the secret"),
    header("Cookie: { env: }", "Cookie.env must be a text", "{ env: SHOP_TOKEN }"),
    header("Cookie: { env: [A] }", "Cookie.env must be a text", "{ env: SHOP_TOKEN }"),
    header("Cookie: { file: {} }", "Cookie.file must be a text", "{ file: token.txt }"),
    header(#"Cookie: { file: "a\u0000" }"#, "Cookie.file has a control", "{ file: token.txt }"),
    header("Cookie: { value: s3cr3t-value }", "Cookie has an unknown key value", "known: env, file"),
    header("Cookie: { s3cr3t-value }", "Cookie has an unknown key in this line", "known: env, file"),
  ]

  private static func header(
    _ text: String, _ message: String = "has a secret in the file",
    _ hint: String = "write { env: NAME } or { file: PATH }"
  ) -> Malformed {
    Malformed(5, "headers: { \(text) }", message, hint)
  }

  private static let credentials = "access_token_url: https://a.example, client_id: a, client_secret: { env: A }"

  private static func oauth(
    _ members: String, _ message: String, _ hint: String, type: String = "oauth2_client_credentials"
  ) -> Malformed {
    Malformed(6, "auth: { type: \(type), \(members) }", message, hint)
  }

  private static let auth: [Malformed] = [
    .init(6, "auth: s3cr3t-value", "client.auth has no type", "type: bearer"),
    .init(6, "auth: [s3cr3t-value]", "client.auth has no type", "type: bearer"),
    .init(6, "auth: {}", "client.auth has no type", "api_key, http_basic"),
    .init(6, "auth: { type: [bearer] }", "client.auth.type must be a text", "bearer"),
    .init(6, "auth: { type: }", "client.auth.type must be a text", "bearer"),
    .init(6, "auth: { type: s3cr3t-value }", "client.auth has an unknown type", "bearer, api_key, http_basic"),
    oauth("client_secret: { env: A }", "client.auth has no access_token_url", "access_token_url: https://"),
    oauth("access_token_url: https://a.example, client_id: a", "client.auth has no client_secret", "{ env: … }"),
    oauth("access_token_url: https://a.example, client_secret: { env: A }", "auth has no client_id", "client_id: …"),
    oauth(
      "access_token_url: https://a.example, client_id: a, client_secret: s3cr3t-value",
      "client_secret has a secret in the file", "{ env: NAME }"),
    oauth("access_token_url: http://a.example/s3cr3t-value", "sends secrets without encryption", "use https"),
    oauth("access_token_url: https://u:s3cr3t-value@a.example", "it has a user or a password", "https://login"),
    oauth("access_token_url: s3cr3t-value", "access_token_url is not an address", "https://login"),
    oauth(credentials + ", token_endpoint_auth_method: none", "method is not supported", "client_secret_post or"),
    oauth(
      credentials + ", access_token: s3cr3t-value", "auth has access_token: access tokens are requested", "remove it"),
    oauth(credentials + ", refresh_token: s3cr3t-value", "unknown key refresh_token", "known: type, access_token_url"),
    oauth(credentials + ", default_token_expiration: 0", "must be a whole number", "give 1 to"),
    oauth(credentials + ", access_token_request_data: s3cr3t-value", "data must have members", "scope: read"),
    oauth(
      credentials + ", access_token_request_data: { password: s3cr3t-value }", "data.password has a secret in the file",
      "{ env: NAME }"),
    oauth(credentials, "client.auth has no refresh_token", "replaced: true", type: "oauth2_refresh_token"),
    oauth(
      credentials + ", refresh_token: s3cr3t-value", "refresh_token has a secret in the file", "{ env: NAME }",
      type: "oauth2_refresh_token"),
    oauth(
      credentials + ", refresh_token: { env: A, replaced: true }", "unknown key env", "known: file, replaced",
      type: "oauth2_refresh_token"),
    header("Authorization: \"Bearer {access_token}\"", "but no access token is requested", "oauth2_client_credentials"),
    header("Authorization: \"Token {env:}\"", "placeholder without the name", "Token {env:SHOP_KEY}"),
    header("Authorization: \"Token {env:s3cr3t-value}\"", "placeholder without the name", "Token {env:SHOP_KEY}"),
    .init(6, "auth: { type: bearer }", "client.auth has no token", "token: { env: SHOP_TOKEN }"),
    .init(6, "auth: { type: bearer, token: s3cr3t-value }", "auth.token has a secret in the file", "{ env: NAME }"),
    .init(6, "auth: { token: s3cr3t-value }", "auth.token has a secret in the file", "change the secret"),
    .init(6, "auth: { type: bearer, token: [s3cr3t-value] }", "auth.token has a secret", "{ env: NAME }"),
    .init(6, "auth: { type: bearer, token: }", "auth.token has no value", "{ env: NAME }"),
    .init(6, "auth: { type: bearer, tokn: { env: A } }", "auth has an unknown key tokn", "did you mean token?"),
    .init(6, "auth: { type: bearer, username: s3cr3t-value }", "unknown key username", "known: type, token"),
    .init(6, "auth: { type: http_basic, password: { env: A } }", "auth has no username", "http_basic"),
    .init(6, "auth: { type: http_basic, username: a }", "auth has no password", "http_basic"),
    .init(6, "auth: { type: http_basic, username: a, password: s3cr3t-value }", "password has a secret", "env"),
    .init(6, "auth: { type: http_basic, username: [a], password: { env: A } }", "username must be a text", "as in"),
    .init(6, "auth: { type: http_basic, username: a, realm: b }", "unknown key realm", "known: type, username"),
    .init(6, "auth: { type: api_key, name: X-Key }", "auth has no api_key", "api_key"),
    .init(6, "auth: { type: api_key, api_key: s3cr3t-value }", "auth.api_key has a secret", "{ env: NAME }"),
    .init(6, "auth: { type: api_key, key: s3cr3t-value }", "auth has an unknown key key", "known: type, name"),
    .init(6, "auth: { type: api_key, api_key: { env: A }, name: [a] }", "auth.name must be a text", "X-Api-Key"),
    .init(6, "auth: { type: api_key, api_key: { env: A }, name: X Key }", "name is not a header", "X-Api-Key"),
    .init(6, "auth: { type: api_key, api_key: { env: A }, name: Host }", "name is not a header", "X-Api-Key"),
    .init(6, "auth: { type: api_key, api_key: { env: A }, location: cookie }", "location is not", "location: query"),
    .init(6, "auth: { type: api_key, api_key: { env: A }, location: [query] }", "location must be a text", "header"),
  ]

  private static let defaults: [Malformed] = [
    .init(8, "resource_defaults: id", "resource_defaults must have members", "known here: name"),
    .init(8, "resource_defaults: [id]", "resource_defaults must have members", "known here: name"),
    .init(8, "resource_defaults: { primary_keys: id }", "unknown key primary_keys", "did you mean primary_key?"),
    .init(8, "resource_defaults: { name: a }", "resource_defaults.name would be the name of each", "in resources"),
    .init(8, "resource_defaults: { merge_key: id }", "has merge_key: items are merged by primary_key", "remove it"),
    .init(8, "resource_defaults: { primary_key: [a, b, c, d] }", "defaults.primary_key must have one to three", "["),
    .init(8, "resource_defaults: { endpoint: [a] }", "defaults.endpoint must have members", "known here: path"),
    .init(8, "resource_defaults: { endpoint: { data: {} } }", "endpoint has data: forms", "remove it"),
    .init(8, "resource_defaults: { primary_key: id, endpoint: { params: a } }", "params must have members", "100"),
    .init(
      8, "resource_defaults: { primary_key: id, endpoint: { params: { token: s3cr3t-value } } }",
      "resource_defaults.endpoint.params.token has a secret", "{ env: NAME }"),
    .init(8, "resource_defaults: { primary_key: id, columns: { title: strin } }", "unknown type strin", "known: text"),
    .init(8, "resource_defaults: { primary_key: id, write_disposition: append }", "is not merge", "remove it"),
  ]

  private static let resources: [Malformed] = [
    .init(10, "- nam: products", "resources[0] has an unknown key nam", "did you mean name?"),
    .init(10, "- name:", "resources[0].name must be a text", "products"),
    .init(10, "- name: [products]", "resources[0].name must be a text", "products"),
    .init(10, "- name: { text: products }", "resources[0].name must be a text", "products"),
    .init(10, #"- name: "a\u202Eb""#, "resources[0].name has a control or an invisible", "products"),
    .init(10, "- name: orders_full", "tables of orders_full have the names of those of orders", "of its own", at: 21),
    .init(10, "- name: products\n  write_disposition: append", "write_disposition is not merge", "remove it", at: 11),
    .init(10, "- name: products\n  write_disposition: []", "write_disposition is not merge", "merged by", at: 11),
    .init(
      10, "- name: products\n  write_disposition: { disposition: append }", "is not merge", "its walk is complete",
      at: 11),
    .init(21, "- products", "resources[1] the tables of products have the names", "path stays"),
    .init(21, "- products_list", "the tables of products_list have the names", "path stays"),
    .init(21, "- products_counters", "the tables of products_counters have the names", "path stays"),
    .init(21, "- { name: products_full }", "the tables of products_full have the names", "path stays"),
    .init(21, "- Orders", "resources[1] Orders cannot be the name of a table", "endpoint.path can differ"),
    .init(21, "-", "resources[1] must be a text", "products"),
    .init(21, "- [orders]", "resources[1] must have members", "known here: name"),
    .init(21, "- {}", "resources[1] has no name", "write name: products"),
    .init(21, "- { endpoint: orders }", "resources[1] has no name", "write name: products"),
  ]

  private static let tableNames: [Malformed] = [
    "Products", "1st", "my-products", "_products", "\"pro ducts\"", "größe", "select", "user", "limit", "window",
    "favorite_item", "favorite_history", "grant_rights", String(repeating: "a", count: 32),
  ].map { .init(10, "- name: \($0)", "cannot be the name of a table", "lowercase letters, digits and _, at most 31") }

  private static let endpoint: [Malformed] = [
    .init(12, "pth: products", "resources[0].endpoint has an unknown key pth", "did you mean path?"),
    .init(12, "path:", "endpoint.path must be a text", "products"),
    .init(12, "path: [products]", "endpoint.path must be a text", "products"),
    .init(12, "path: posts/{resources.posts.id}/comments", "path depends on another resource", "has all items"),
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
    .init(12, "path: products\nmethod: [GET]", "endpoint.method must be a text", "GET", at: 13),
    .init(21, "- { name: orders, endpoint: [orders] }", "[1].endpoint must have members", "known here: path"),
    .init(21, "- { name: orders, endpoint: { path: a b } }", "[1].endpoint.path is not a path", "write path"),
    .init(21, "- { name: orders, endpoint: { paginator: pages } }", "endpoint.paginator has an unknown type", "page_"),
    .init(21, "- { name: orders, endpoint: { paginator: } }", "resources[1] has no paginator", "source draft https://"),
    .init(
      21, "- { name: orders, endpoint: { incremental: a } }", "endpoint.incremental must have members", "cursor_path"),
  ]

  private static let params: [Malformed] = [
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
    .init(13, "params: { p: { type: resolve, resource: a, field: id } }", "p depends on another resource", "not supp"),
    .init(13, "params: { p: { type: sum } }", "params.p has an unknown type", "a text or a number"),
    .init(13, "params: { p: { field: id } }", "params.p has an unknown key field", "known: env, file"),
    .init(13, #"params: { p: "{yesterday}" }"#, "params.p has {yesterday}, which is not a date", "{today}"),
    .init(13, #"params: { p: { value: "{today}", format: "%x" } }"#, "params.p.format is not a format", "%Y-%m-%d"),
    .init(13, #"params: { p: { value: "{today}", fmt: x } }"#, "params.p has an unknown key fmt", "value, format"),
    .init(13, #"params: { p: "{resources.posts.id}" }"#, "params.p depends on another resource", "not supported"),
    .init(13, #"params: { p: "{incremental.end_value}" }"#, "params.p has more than the cursor", "start_value}"),
    .init(13, #"params: { p: ">{incremental.start_value}" }"#, "params.p has more than the cursor", "alone"),
    .init(13, #"params: { p: "{incremental.start_value}" }"#, "params.p has the cursor as well", "remove it"),
    .init(
      13, "params: { p: { type: incremental, cursor_path: a }, q: { type: incremental, cursor_path: a } }",
      "params.p has the cursor as well", "one parameter"),
    .init(
      21, #"- { name: orders, endpoint: { params: { p: "{incremental.last_value}" } } }"#,
      "resources[1] has p, but no incremental", "incremental: { cursor_path"),
  ]

  private static let selectors: [Malformed] = [
    .init(14, "data_selector:", "endpoint.data_selector must be a text", "data.items"),
    .init(14, "data_selector: { path: data }", "data_selector must be a text", "data.items"),
    .init(14, "data_selector: []", "data_selector must not be empty", "[meta, total]"),
    .init(14, "data_selector: [a, [b]]", "data_selector[1] must be a text", "[meta, total]"),
    .init(14, #"data_selector: [a, ""]"#, "data_selector[1] must be a text", "[meta, total]"),
    .init(14, #"data_selector: ["a/*b"]"#, "data_selector has a name that cannot be a member", "shorter path"),
    .init(14, "data_selector: \(String(repeating: "a", count: 201))", "has a name that cannot be", "shorter path"),
  ]

  private static let paths: [Malformed] = [
    ("$..items", 3), ("items[?(@.id)]", 6), ("a..b", 3), ("a.", 3), ("the items", 1), ("$.", 3), ("a[-1].b", 2),
    ("a[1", 2), ("a[1]b", 5), ("$a", 2), ("a[9999999]", 2), ("a.b c", 3), (".a", 1), ("a*", 1),
  ].map { path, place in
    .init(
      14, "data_selector: \(path)", "is not a path of items, from its character \(place) on",
      "names with dots between them")
  }

  private static let keys: [Malformed] = [
    key("[]", "must have one to three", "[shop, id]"), key("{ a: b }", "must be a text", "meta.total"),
    key("[id, {}]", "[1] must be a text", "meta.total"), key("[a, b, c, d]", "must have one to three", "[shop, id]"),
    key("[id, id]", "one to three different members", "[shop, id]"),
    key("raw", "raw has no name for its column", "columns: { its_name: { path: raw, type: text } }"),
    key("Position", "Position has no name for its column", "{ path: Position, type: text }"),
    key("[id, Id]", "the members id and Id have the same column id", "columns: { its_name: { path: Id, type: text } }"),
    key("[item-id, itemId]", "the members item-id and itemId have the same column item_id", "{ path: itemId"),
    key("a..b", "a..b is not a path", "with dots"),
    .init(21, "- { name: orders, primary_key: '*', lookup: 'a/{id}' }", "lookup needs a primary_key", "remove it"),
    .init(21, "- { name: orders, primary_key: '*', order: key }", "order needs a primary_key", "remove it"),
    key("['*']", "* is not a path of members", "with dots"),
    .init(21, "- { name: orders, primary_key: }", "resources[1] has no primary_key", "write primary_key: id"),
  ]

  private static func key(_ text: String, _ message: String, _ hint: String) -> Malformed {
    Malformed(21, "- { name: orders, primary_key: \(text) }", message, hint)
  }

  private static let columns: [Malformed] = [
    .init(15, "columns: title", "columns must have members", "columns: { title: text"),
    .init(15, "columns: [title]", "columns must have members", "columns: { title: text"),
    .init(15, "columns: { title: }", "columns.title must be a text", "text"),
    .init(15, "columns: { title: [text] }", "columns.title must be a text", "text"),
    .init(15, "columns: { title: texts }", "title has an unknown type texts", "did you mean text?"),
    .init(15, "columns: { title: bigints }", "title has an unknown type bigints", "did you mean bigint?"),
    .init(15, "columns: { title: varchar }", "title has an unknown type varchar", "known: text, integer"),
    .init(15, #"columns: { title: "text[][]" }"#, "title has an unknown type text[][]", "(text[])"),
    .init(15, "columns: { price: {} }", "columns.price has no type", "type: numeric"),
    .init(15, "columns: { price: { path: pricing.amount } }", "columns.price has no type", "type: numeric"),
    .init(15, "columns: { price: { type: [text] } }", "columns.price.type must be a text", "text"),
    .init(15, "columns: { price: { data_type: money } }", "price.data_type has an unknown type money", "known: text"),
    .init(15, "columns: { price: { typ: text } }", "price has an unknown key typ", "did you mean type?"),
    .init(15, #"columns: { price: { path: "a[0]", type: text } }"#, "price.path a[0] is not a path", "with dots"),
    .init(15, "columns: { price: { path: $, type: text } }", "price.path $ is not a path", "with dots"),
    .init(15, "columns: { price: { path: , type: text } }", "price.path must be a text", "meta.total"),
    .init(15, "columns: { at: { type: timestamptz, format: iso } }", "format has an unknown format iso", "epoch"),
    .init(
      15, "columns: { at: { type: text, format: epoch } }", "epoch is not a format of text", "timestamptz and date"),
    .init(
      15, #"columns: { at: { type: "date[]", format: epoch } }"#, "epoch is not a format of date[]", "not for arrays"),
    .init(15, "columns: { on: { type: timestamptz, format: number } }", "number is not a format of", "boolean"),
    .init(15, "columns: { Id: text }", "the key id must be a member of the item", "{ id: text }"),
    .init(15, "columns: { a: text, A: text }", "the members a and A have the same column a", "{ path: A, type: text }"),
    .init(
      15, "columns: { \((1...1_700).map { "c\($0): text" }.joined(separator: ", ")) }",
      "has 1703 columns, and a table of PostgreSQL has at most 1,600", "declare at most 1593"),
    .init(15, "title: name", "title is not a column of type text", "{ its_name: { path: name, type: text } }"),
    .init(15, "title: id", "title is not a column of type text", "{ path: id, type: text }"),
    .init(15, "columns: { <<: { title: text } }", "columns.<< cannot be the name of a column", "path: <<"),
    .init(15, "columns: { id: numeric }", "columns the key id must be a member of the item", "{ id: text }"),
    .init(15, "columns: { id: timestamptz }", "columns the key id must be a member", "{ id: text }"),
    .init(15, #"columns: { id: "bigint[]" }"#, "columns the key id must be a member", "{ id: text }"),
    .init(15, "columns: { id: { path: meta.id, type: bigint } }", "the key id must be a member", "{ id: text }"),
  ]

  private static let columnNames: [Malformed] = [
    "syncctl_key", "raw", "content_hash", "first_seen_at", "requested_at", "changed_at", "vanished_at", "counter_hash",
    "counters_changed_at", "position", "tableoid", "xmin", "cmin", "xmax", "cmax", "ctid",
    String(repeating: "a", count: 63),
  ].map { .init(15, "columns: { \($0): text }", "cannot be the name of a column", "columns: { its_name: { path:") }

  private static let counters: [Malformed] = [
    .init(16, "counters: { views: bigint }", "counters must be a text", "[views, stock]"),
    .init(16, "counters: []", "counters must not be empty", "[views, stock]"),
    .init(16, "counters: [views, [stock]]", "counters[1] must be a text", "[views, stock]"),
    .init(16, "counters: [id]", "counters id cannot be a counter", "outside of the key"),
    .init(16, "counters: [views, views]", "counters views cannot be a counter", "once each"),
    .init(16, "counters: [raw]", "counters raw cannot be the name of a column", "{ path: raw, type: numeric }"),
    .init(16, "counters: [views, Views]", "the members views and Views have the same column views", "{ path: Views"),
    .init(16, "counters: [stats.views]", "stats.views cannot be a counter", "members of the item"),
    .init(16, "counters: [price]", "the members pricing.amount and price have the same column price", "its_name"),
    .init(16, "counters: [pricing]", "counters pricing cannot be a counter", "a column can only rename one"),
    .init(16, "counters: [updated_at]", "counters updated_at is the cursor", "remove it from counters"),
  ]

  private static let walks: [Malformed] = [
    .init(17, "total_path: { path: total }", "total_path must be a text", "meta.total"),
    .init(17, "total_path: [meta, {}]", "total_path[1] must be a text", "[meta, total]"),
    .init(17, "total_path: $", "total_path $ is not a path of members", "names with dots"),
    .init(17, "total_path: meta[*].total", "total_path meta[*].total is not a path", "names with dots"),
    .init(18, "order: id", "order is not key", "write order: key"),
    .init(18, "order: true", "order is not key", "write order: key"),
    .init(18, "order: [key]", "order must be a text", "key"),
    .init(19, "lookup: products", "lookup must be a path with each member of the key", "products/{id}"),
    .init(19, "lookup: products/{sku}", "lookup must be a path with each member", "products/{id}"),
    .init(19, "lookup: products/{id}/{sku}", "lookup must be a path with each member", "products/{id}"),
    .init(19, "lookup: https://other.example/{id}", "lookup must be a path with each member", "products/{id}"),
    .init(19, "lookup: products?id={id}", "lookup must be a path with each member", "products/{id}"),
    .init(19, "lookup: all products/{id}", "lookup must be a path with each member", "products/{id}"),
    .init(19, "lookup: [products]", "lookup must be a text", "products/{id}"),
    .init(19, "lookup: {}", "lookup has no path", "products/{id}"),
    .init(19, "lookup: { data_selector: data }", "lookup has no path", "products/{id}"),
    .init(19, #"lookup: { path: "p/{id}", selector: a }"#, "unknown key selector", "known: path, data_selector"),
    .init(19, #"lookup: { path: "p/{id}", data_selector: "a[0]" }"#, "data_selector a[0] is not a path", "with dots"),
  ]

  private static let incremental: [Malformed] = [
    .init(20, "incremental: updated_at", "[0].incremental must have members", "known here: type, cursor_path"),
    .init(20, "incremental: [updated_at]", "[0].incremental must have members", "known here: type, cursor_path"),
    .init(20, "incremental: { cursor_pth: a }", "unknown key cursor_pth", "did you mean cursor_path?"),
    .init(20, "incremental: { start_param: since }", "incremental has no cursor_path", "updated_at"),
    .init(20, "incremental: { cursor_path: updated_at }", "incremental has no start_param", "start_param: since"),
    cursor("a..b", "incremental.cursor_path a..b is not a path", "with dots"),
    cursor("[]", "incremental.cursor_path must not be empty", "[meta, total]"),
    cursor("a, start_param: [since]", "start_param must be a text", "since"),
    cursor("a, initial_value: {}", "initial_value must be a text", "2026-01-01T00:00:00Z"),
    cursor("a, initial_value: 10/01/2025", "initial_value cannot be used: the cursor a has values", "cursor_path"),
    cursor("a, initial_value: all, lag: 1h", "initial_value cannot be used: the lag cannot be", "remove lag"),
    cursor("a, lag: 1 hour", "incremental.lag 1 hour is not a valid time", "90s, 15m, 6h, 7d"),
    cursor("a, lag: -1h", "incremental.lag -1h is not a valid time", "90s, 15m, 6h, 7d"),
    cursor("a, lag: 367d", "incremental.lag 367d is not a valid time", "90s, 15m, 6h, 7d"),
    cursor("a, lag: 99999999s", "incremental.lag 99999999s is not a valid time", "90s, 15m, 6h, 7d"),
    cursor("a, lag: [1h]", "incremental.lag must be a text", "7d"),
    cursor("a, lag: ", "incremental.lag must be a text", "7d"),
    cursor("a, full_every: 0s", "incremental.full_every 0s is not a valid time", "90s, 15m, 6h, 7d"),
    cursor("a, full_every: 1w", "incremental.full_every 1w is not a valid time", "90s, 15m, 6h, 7d"),
    cursor("a, full_every: 400d", "incremental.full_every 400d is not a valid time", "90s, 15m, 6h, 7d"),
  ]

  private static func cursor(_ text: String, _ message: String, _ hint: String) -> Malformed {
    let start = text.contains("start_param") ? "" : ", start_param: since"
    return Malformed(20, "incremental: { cursor_path: \(text)\(start) }", message, hint)
  }

  private static let paginators: [Malformed] = [
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

  /// The keys of dlt that are not supported, each with a part of the reason.
  private static let unsupported: [Malformed] = [
    unsupported(
      10, "- name: products\n  KEY: x", "resources[0]", at: 11,
      [
        "include_from_parent": "declare the list", "processing_steps": "a view in SQL", "merge_key": "primary_key",
        "table_name": "endpoint.path can differ", "max_table_nesting": "stay in raw", "schema_contract": "fixed",
        "table_format": "PostgreSQL's", "file_format": "no files", "parallelized": "the rate limit is shared",
        "selected": "--stream", "references": "a view in SQL", "nested_hints": "stay in raw", "auth": "of client",
        "data_from": "not supported", "parent": "not supported",
      ]),
    unsupported(
      12, "path: products\nKEY: x", "resources[0].endpoint", at: 13,
      [
        "data": "forms are not sent", "response_actions": "404 ends a list", "headers": "of client",
        "auth": "of client",
      ]),
    unsupported(
      15, "columns: { title: { KEY: x } }", "resources[0].columns.title",
      [
        "nullable": "always be null", "primary_key": "at the resource", "precision": "each digit",
        "scale": "each digit",
        "name": "the key is the name", "unique": "an index", "description": "COMMENT ON COLUMN",
      ]),
    unsupported(
      20, "incremental: { KEY: x }", "resources[0].incremental",
      [
        "end_param": "the end of the list", "end_value": "the end of the list", "convert": "as the service wrote it",
        "transform": "as the service wrote it", "last_value_func": "the largest value", "primary_key": "has one",
        "row_order": "each page", "allow_external_schedulers": "use jobs", "on_cursor_value_missing": "are stored",
        "range_start": "requested again", "range_end": "the end of the list",
      ]),
    unsupported(
      7, "paginator: { type: page_number, KEY: x }", "client.paginator",
      ["has_more_header": "use has_more_path", "initial_page": "use base_page"]),
    unsupported(
      7, "paginator: { type: offset, KEY: x }", "client.paginator", ["initial_offset": "use offset"]),
  ].flatMap { $0 }

  private static func unsupported(
    _ number: Int, _ text: String, _ place: String, at line: Int? = nil, _ reasons: [String: String]
  ) -> [Malformed] {
    reasons.sorted { $0.key < $1.key }.map { key, reason in
      let malformed = text.replacing("KEY", with: key)
      return Malformed(number, malformed, "sources.shop.\(place) has \(key): ", "remove it", at: line, reason: reason)
    }
  }

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
    #expect(error.message.contains("nowhere.yaml: cannot be read"))
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
