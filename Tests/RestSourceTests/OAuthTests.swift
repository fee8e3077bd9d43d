import Foundation
import PostgresTestKit
import SyncCore
import SyncEngine
import SyncProgram
import SyncTestKit
import Synchronization
import Testing

@testable import RestSource

/// Keeps requests, and answers them.
private final class TokenServer: Transport {
  private let answer: @Sendable (UpstreamRequest) -> UpstreamResponse
  private let log = Mutex<[UpstreamRequest]>([])

  init(_ answer: @escaping @Sendable (UpstreamRequest) -> UpstreamResponse) { self.answer = answer }

  var requests: [UpstreamRequest] { log.withLock { $0 } }

  func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
    log.withLock { $0.append(request) }
    return answer(request)
  }
}

private struct NoBudget: RateBudget {
  var slack: Duration? { nil }
  func take() async throws -> RatePermit { RatePermit(wait: .zero, time: nil) }
  func giveBack(_ permit: RatePermit) async throws {}
  func pause(for duration: Duration) async throws {}
  func remainingPause() async throws -> Duration { .zero }
}

@Suite("Requests for access tokens")
struct OAuthTests {
  private static let environment = [
    "SECRET": "s3cr3t~/+ value", "REFRESH": "refresh-0001-abcdef", "PASSWORD": "pa55word-of-ann", "ID": "client-17b-x",
  ]

  /// What a service documents or answers, and what a request to it must be.
  struct Service: Sendable, CustomTestStringConvertible {
    let name: String
    /// The members of `client.auth`.
    let auth: String
    let form: String
    var authorization: String?
    let answer: String
    let seconds: Int
    var token = "AT-0123456789abcdef"
    /// An answer that refuses the client: status, body, and parts of the error.
    let refusal: (status: Int, body: String, shown: String)
    var hint = "check client_id"

    var testDescription: String { name }
  }

  private static let ann = Data("client-17b-x:s3cr3t~%2F%2B%20value".utf8).base64EncodedString()
  private static let client = "client_id: { env: ID }, client_secret: { env: SECRET }"
  private static let sent = "client_id=client-17b-x&client_secret=s3cr3t~/%2B%20value"

  private static let all: [Service] = [
    // Numbers are texts at the older endpoint. The reason is the first line of a long text.
    Service(
      name: "Microsoft Entra",
      auth:
        "type: oauth2_client_credentials, \(client), "
        + "access_token_request_data: { scope: https://graph.microsoft.com/.default }",
      form: "grant_type=client_credentials&\(sent)&scope=https://graph.microsoft.com/.default",
      answer: """
        {"token_type": "Bearer", "expires_in": "3599", "ext_expires_in": "3599", "access_token": "AT-0123456789abcdef"}
        """, seconds: 3599,
      refusal: (
        401,
        #"{"error": "invalid_client", "error_description": "AADSTS7000215: Invalid client secret provided."#
          + #"\r\nTrace ID: 255d", "error_codes": [7000215]}"#,
        "(status 401): invalid_client: AADSTS7000215: Invalid client secret provided."
      )),
    // HTTP Basic, and 400 for a client that does not exist.
    Service(
      name: "Spotify",
      auth: "type: oauth2_client_credentials, \(client), token_endpoint_auth_method: client_secret_basic",
      form: "grant_type=client_credentials", authorization: "Basic \(ann)",
      answer: #"{"access_token": "AT-0123456789abcdef", "token_type": "Bearer", "expires_in": 3600}"#, seconds: 3600,
      refusal: (
        400, #"{"error": "invalid_client", "error_description": "Invalid client"}"#,
        "(status 400): invalid_client: Invalid client"
      ), hint: "token_endpoint_auth_method: client_secret_post"),
    // Another grant, a type in lower case, and an error that is a number.
    Service(
      name: "Reddit",
      auth: "type: oauth2_client_credentials, \(client), token_endpoint_auth_method: client_secret_basic, "
        + "access_token_request_data: { grant_type: password, username: ann, password: { env: PASSWORD } }",
      form: "grant_type=password&username=ann&password=pa55word-of-ann", authorization: "Basic \(ann)",
      answer: #"{"access_token": "AT-0123456789abcdef", "token_type": "bearer", "expires_in": 86400, "scope": "*"}"#,
      seconds: 86_400, refusal: (401, #"{"message": "Unauthorized", "error": 401}"#, "(status 401): Unauthorized")),
    // The answer states no lifetime.
    Service(
      name: "Salesforce", auth: "type: oauth2_client_credentials, \(client), default_token_expiration: 900",
      form: "grant_type=client_credentials&\(sent)",
      answer: """
        {"access_token": "AT-0123456789abcdef", "signature": "x=", "instance_url": "https://a.my.salesforce.com",
         "id": "https://login.salesforce.com/id/a/b", "token_type": "Bearer", "issued_at": "4564564565767"}
        """, seconds: 900,
      refusal: (
        400, #"{"error": "invalid_client_id", "error_description": "client identifier invalid"}"#,
        "invalid_client_id: client identifier invalid"
      )),
    // Errors have status 200. An older version states milliseconds.
    Service(
      name: "Zoho", auth: "type: oauth2_refresh_token, \(client), refresh_token: { env: REFRESH }",
      form: "grant_type=refresh_token&refresh_token=refresh-0001-abcdef&\(sent)",
      answer: """
        {"access_token": "AT-0123456789abcdef", "expires_in_sec": 3600, "api_domain": "https://www.zohoapis.com",
         "token_type": "Bearer", "expires_in": 3600000}
        """, seconds: 3_600_000, refusal: (200, #"{"error": "invalid_code"}"#, "(status 200): invalid_code"),
      hint: "client_secret, refresh_token"),
    // The answer repeats the refresh token. An error has neither `error` nor a description.
    Service(
      name: "HubSpot", auth: "type: oauth2_refresh_token, \(client), refresh_token: { env: REFRESH }",
      form: "grant_type=refresh_token&refresh_token=refresh-0001-abcdef&\(sent)",
      answer: """
        {"refresh_token": "refresh-0001-abcdef", "access_token": "AT-0123456789abcdef", "expires_in": 1800}
        """, seconds: 1800,
      refusal: (
        400, #"{"status": "BAD_REFRESH_TOKEN", "message": "missing or invalid refresh token"}"#,
        "BAD_REFRESH_TOKEN: missing or invalid refresh token"
      )),
    // Answers and errors are forms with status 200.
    Service(
      name: "GitHub", auth: "type: oauth2_refresh_token, \(client), refresh_token: { env: REFRESH }",
      form: "grant_type=refresh_token&refresh_token=refresh-0001-abcdef&\(sent)",
      answer: "access_token=AT-0123456789abcdef&expires_in=28800&scope=&token_type=bearer", seconds: 28_800,
      refusal: (
        200, "error=bad_refresh_token&error_description=The+refresh+token+passed+is+incorrect+or+expired.",
        "bad_refresh_token: The refresh token passed is incorrect or expired."
      )),
    // A public client without a secret, and a token that does not expire.
    Service(
      name: "a public client", auth: "type: oauth2_refresh_token, client_id: ann, refresh_token: { env: REFRESH }",
      form: "grant_type=refresh_token&refresh_token=refresh-0001-abcdef&client_id=ann",
      answer: #"{"access_token": "AT-0123456789abcdef", "expires_in": 0}"#, seconds: 3600,
      refusal: (400, #"{"error": "invalid_grant"}"#, "invalid_grant"), hint: "get a new one"),
  ]

  private static func grant(_ auth: String, in folder: String = "/nonexistent") throws -> OAuthGrant {
    let declaration = try DeclarationText.read(
      """
      client:
        base_url: https://api.example.org
        auth: { access_token_url: https://login.example.org/token, \(auth) }
      resources: [{ name: a, primary_key: id, endpoint: { paginator: single_page } }]
      """)
    guard case .oauth(let oauth)? = declaration.auth else { throw SyncError(.usage, "no OAuth") }
    return OAuthGrant(
      oauth: oauth, reader: SecretReader(id: "shop", environment: environment, folder: folder),
      secrets: LearnedSecrets(), clock: SystemClock())
  }

  private static func token(_ grant: OAuthGrant, from server: TokenServer) async throws -> AccessToken {
    let clock = SystemClock()
    return try await grant.token(
      from: Fetcher(
        transport: server, limiter: RateLimiter(budget: NoBudget(), clock: clock), policy: RetryPolicy(attempts: 1),
        clock: clock, chance: { 0 }))
  }

  private static func answer(_ body: String, _ status: Int = 200, _ headers: [String: String] = [:]) -> TokenServer {
    TokenServer { _ in UpstreamResponse(status: status, headers: headers, body: Array(body.utf8)) }
  }

  @Test("are what the service expects, and its answers are understood", arguments: all)
  func understood(service: Service) async throws {
    let grant = try Self.grant(service.auth)
    let server = Self.answer(service.answer)
    let token = try await Self.token(grant, from: server)
    #expect(token == AccessToken(service.token, lifetime: .seconds(service.seconds)))
    let request = try #require(server.requests.first)
    #expect(server.requests.count == 1 && request.url == "https://login.example.org/token")
    #expect(request.additions.form == service.form)
    #expect(request.additions.headers["Authorization"] == service.authorization)

    let refusal = service.refusal
    let error = try #require(await Self.error(grant, Self.answer(refusal.body, refusal.status)))
    #expect(error.code == .upstream && error.disposition == .stopRun)
    #expect(
      error.message.hasPrefix("https://login.example.org/token refuses an access token (status \(refusal.status))"))
    #expect(error.message.hasSuffix(refusal.shown), "\(error.message)")
    #expect(error.hint?.contains(service.hint) == true, "\(error.hint ?? "")")
  }

  private static func error(_ grant: OAuthGrant, _ server: TokenServer) async -> SyncError? {
    do {
      _ = try await token(grant, from: server)
      return nil
    } catch {
      return error as? SyncError
    }
  }

  @Test(
    "other answers are errors that say what to do, and never have a secret",
    arguments: [
      ("<html>s3cr3t~/+ value</html>", 200, "with HTML", "access_token_url"),
      ("", 200, "neither JSON nor a form", "access_token_url"), ("[1]", 200, "neither JSON", "access_token_url"),
      (#"{"token": "x"}"#, 200, "refuses an access token (status 200)", "client_id"),
      (#"{"access_token": null}"#, 200, "refuses an access token", "client_id"),
      (#"{"access_token": "abc"}"#, 200, "an access token that is no text of one line", "access_token_url"),
      (#"{"access_token": "abcdefgh\r\nX-Evil: 1"}"#, 200, "that is no text of one line", "access_token_url"),
      ("", 307, "redirects to https://other.example/***", "correct access_token_url"),
      ("{}", 404, "status 404", "client_id"),
      (
        #"{"error": "invalid_scope", "error_description": "no s3cr3t~/+ value"}"#, 400, "invalid_scope: no ***", "scope"
      ),
      (#"{"error": {"message": "no s3cr3t~%2F%2B%20value"}}"#, 401, "(status 401): no ***", "client_id"),
      (#"{"error": "unauthorized_client"}"#, 403, "unauthorized_client", "not allowed to use oauth2_client"),
      (#"{"message": "slow down"}"#, 429, "answered 429: slow down", "throttling"),
      ("<html>", 503, "answered 503", "issues access tokens is failing"),
    ])
  func otherAnswers(body: String, status: Int, message: String, hint: String) async throws {
    let grant = try Self.grant("type: oauth2_client_credentials, \(Self.client)")
    let server = Self.answer(body, status, ["location": "https://other.example/s3cr3t~%2F%2B%20value"])
    let error = try #require(await Self.error(grant, server))
    #expect(error.message.contains(message), "\(error.message)")
    #expect(error.hint?.contains(hint) == true, "\(error.hint ?? "")")
    #expect(!error.description.contains("s3cr3t"), "\(error)")
    // Neither a retry nor a pause of the API.
    #expect([.stopRun, .stopStream].contains(error.disposition))
  }

  @Test("a service that replaces the refresh token is an error, unless the file may be replaced")
  func unexpectedReplacement() async throws {
    let grant = try Self.grant("type: oauth2_refresh_token, client_id: ann, refresh_token: { env: REFRESH }")
    let error = try #require(
      await Self.error(grant, Self.answer(#"{"access_token": "AT-0123", "refresh_token": "refresh-0002-abcdef"}"#)))
    #expect(error.code == .configuration && error.message.contains("replaces the refresh token with each use"))
    #expect(error.hint?.contains("replaced: true") == true && !error.description.contains("refresh-0002"))
  }

  @Test("a replaced refresh token is in its file before the access token is used, and one process at a time uses it")
  func replacement() async throws {
    let folder = try ThrowawayFolders.make()
    defer { try? ThrowawayFolders.remove(folder) }
    let path = "\(folder)/refresh.txt"
    try "refresh-0000-abcdef\n".write(toFile: path, atomically: false, encoding: .utf8)
    chmod(path, 0o640)
    let auth = "type: oauth2_refresh_token, client_id: ann, refresh_token: { file: link.txt, replaced: true }"
    try FileManager.default.createSymbolicLink(atPath: "\(folder)/link.txt", withDestinationPath: path)
    // The service accepts only the newest token, and revokes all if an older one is sent.
    let newest = Mutex(0)
    let server = TokenServer { request in
      newest.withLock { newest in
        let isNewest = request.additions.form?.contains("refresh_token=refresh-000\(newest)-abcdef&") == true
        guard isNewest else {
          return UpstreamResponse(status: 400, headers: [:], body: Array(#"{"error": "invalid_grant"}"#.utf8))
        }
        newest += 1
        let body = #"{"access_token": "AT-000\#(newest)", "refresh_token": "refresh-000\#(newest)-abcdef"}"#
        return UpstreamResponse(status: 200, headers: [:], body: Array(body.utf8))
      }
    }
    // Each grant has an open file of its own, so that the locks are those of several processes.
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 1...6 {
        group.addTask { try await Self.token(try Self.grant(auth, in: folder), from: server).value }
      }
      let tokens = try await group.reduce(into: []) { $0.append($1) }
      #expect(tokens.sorted() == (1...6).map { "AT-000\($0)" })
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "refresh-0006-abcdef\n")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["link.txt", "refresh.txt"])
    // A refusal leaves the token.
    newest.withLock { $0 = 9 }
    #expect(await Self.error(try Self.grant(auth, in: folder), server)?.hint?.contains("get a new one") == true)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "refresh-0006-abcdef\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["link.txt", "refresh.txt"])
  }

  @Test("a file that cannot be replaced is an error before the token is sent")
  func unwritable() async throws {
    let server = Self.answer("{}")
    let auth = "type: oauth2_refresh_token, client_id: ann, refresh_token: { file: /proc/version, replaced: true }"
    let error = try #require(await Self.error(try Self.grant(auth), server))
    #expect(error.code == .configuration && error.message.contains("cannot be replaced"), "\(error)")
    let missing = auth.replacing("/proc/version", with: "missing.txt")
    #expect(await Self.error(try Self.grant(missing), server)?.message.contains("cannot be opened") == true)
    #expect(server.requests.isEmpty)
  }
}
