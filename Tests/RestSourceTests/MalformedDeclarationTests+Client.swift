/// The keys of `client`.
extension MalformedDeclarationTests {
  static let client: [Malformed] = [
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

  static let headers: [Malformed] = [
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

  static func header(
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

  static let auth: [Malformed] = [
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
}
