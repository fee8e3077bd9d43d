import Testing

@testable import RestSource

@Suite("Authenticators of manifests")
struct ImportAuthTests {
  private static func auth(_ authenticator: String) throws -> ManifestImport {
    try ImportedManifest.stream(requester: "authenticator: \(authenticator)")
  }

  @Test(
    "an authenticator becomes auth, and secrets become variables",
    arguments: [
      ("{ type: BearerAuthenticator, api_token: \"{{ config['key'] }}\" }", "bearer from the variable SHOP_KEY"),
      (
        "{ type: BearerAuthenticator, api_token: \"{{ config['credentials']['token'] }}\" }",
        "bearer from the variable SHOP_CREDENTIALS_TOKEN"
      ),
      (
        "{ type: ApiKeyAuthenticator, header: X-Key, api_token: \"{{ config['key'] }}\" }",
        "header X-Key from the variable SHOP_KEY"
      ),
      (
        """
        { type: ApiKeyAuthenticator, api_token: "{{ config.key }}", inject_into: { inject_into: request_parameter, \
        field_name: k } }
        """, "query k from the variable SHOP_KEY"
      ),
      (
        "{ type: ApiKeyAuthenticator, header: Authorization, api_token: \"Bearer {{ config['key'] }}\" }",
        "bearer from the variable SHOP_KEY"
      ),
      (
        "{ type: BasicHttpAuthenticator, username: \"{{ config['account'] }}\", password: \"{{ config['key'] }}\" }",
        "basic from the variable SHOP_ACCOUNT, from the variable SHOP_KEY"
      ),
      ("{ type: BasicHttpAuthenticator, username: \"{{ config['key'] }}\" }", "basic from the variable SHOP_KEY, "),
      (
        "{ type: BasicHttpAuthenticator, username: \"{{ config['account'] }}/token\", password: x }",
        "basic from the variable SHOP_ACCOUNT, x"
      ),
      (
        """
        { type: OAuthAuthenticator, grant_type: client_credentials, token_refresh_endpoint: "https://a.example.org/t", \
        client_id: "{{ config['id'] }}", client_secret: "{{ config['key'] }}", scopes: [read, write] }
        """,
        "oauth2_client_credentials https://a.example.org/t from the variable SHOP_ID, from the variable SHOP_KEY, "
          + "-, scope=read write 1h"
      ),
      (
        """
        { type: OAuthAuthenticator, token_refresh_endpoint: "https://a.example.org/t", client_id: abc, \
        client_secret: "{{ config['key'] }}", refresh_token: "{{ config['refresh'] }}", \
        refresh_request_headers: { Authorization: "Basic {{ config['key'] | base64encode }}" } }
        """,
        "oauth2_refresh_token https://a.example.org/t abc, from the variable SHOP_KEY, "
          + "from the variable SHOP_REFRESH basic 1h"
      ),
      (
        """
        { type: OAuthAuthenticator, token_refresh_endpoint: "https://a.example.org/t", client_id: "{{ config.id }}", \
        client_secret: "{{ config['key'] }}", refresh_token_updater: {} }
        """,
        "oauth2_refresh_token https://a.example.org/t from the variable SHOP_ID, from the variable SHOP_KEY, "
          + "from the file refresh-token.txt replaced 1h"
      ),
    ])
  func kinds(authenticator: String, expected: String) throws {
    let result = try Self.auth(authenticator)
    #expect(try result.accepted().auth?.summary == expected, "\(result.messages)")
  }

  @Test("a key behind a word is a header of client")
  func header() throws {
    let result = try Self.auth(
      "{ type: ApiKeyAuthenticator, header: Authorization, api_token: \"Token {{ config['key'] }}\" }")
    #expect(result.text.contains("  headers: { Authorization: \"Token {env:SHOP_KEY}\" }\n"))
    #expect(result.text.contains("# Set these variables before check and run: SHOP_KEY\n"))
    #expect(try result.accepted().auth == nil)
  }

  @Test("the first simple choice is taken, and a remark says so")
  func choices() throws {
    let result = try Self.auth(
      """
      { type: SelectiveAuthenticator, authenticator_selection_path: [kind], authenticators: { oauth: { type: \
      OAuthAuthenticator, token_refresh_endpoint: "https://a.example.org/t" }, token: { type: BearerAuthenticator, \
      api_token: "{{ config['key'] }}" } } }
      """)
    #expect(try result.accepted().auth?.summary == "bearer from the variable SHOP_KEY")
    #expect(result.messages.contains { $0.contains("client.auth is the choice token of 2") })
  }

  @Test(
    "an authenticator that syncctl lacks is a remark, and the declaration has a comment in its place",
    arguments: [
      "{ type: SessionTokenAuthenticator }", "{ type: CustomAuthenticator, class_name: shop.Sign }",
      "{ type: JwtAuthenticator }",
      "{ type: ApiKeyAuthenticator, api_token: x, inject_into: { inject_into: body_json, field_name: k } }",
    ])
  func missing(authenticator: String) throws {
    let result = try Self.auth(authenticator)
    #expect(result.text.contains("  # auth: { type: bearer, token: { env: SHOP_TOKEN } }\n"))
    #expect(
      result.messages.contains {
        $0.hasPrefix("manifest.yaml:12: ") && $0.contains("is not supported, so client.auth")
      },
      "\(result.messages)")
    _ = try result.accepted()
  }

  @Test("a secret that the manifest contains is not written")
  func literal() throws {
    let result = try Self.auth("{ type: BearerAuthenticator, api_token: 0123456789abcdef }")
    #expect(!result.text.contains("0123456789abcdef"))
    #expect(!result.messages.contains { $0.contains("0123456789abcdef") })
    #expect(try result.accepted().auth?.summary == "bearer from the variable SHOP_TOKEN")
  }
}
