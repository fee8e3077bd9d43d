import Foundation
import SyncCore
import SyncTestKit
import Testing

@testable import SyncHTTP

@Suite("Outgoing HTTP proxies", .timeLimit(.minutes(5)))
struct ProxyTests {
  private static let password = "S3cr3t@p:ss"

  private static func fetch(_ url: String, _ environment: [String: String]) async throws -> UpstreamResponse {
    let proxies = try ProxySettings(environment: environment)
    return try await HTTPTransport.with(userAgent: "syncctl-test/1", proxies: proxies, deadline: .seconds(20)) {
      try await $0.fetch(UpstreamRequest(url: url))
    }
  }

  /// The answers of a proxy that demands the password, and of the service behind it.
  private static func answer(_ head: String) -> RawServer.Answer {
    guard head.hasPrefix("CONNECT ") else {
      return RawServer.Answer(pieces: [RawServer.answer(body: Array("[1]".utf8))], ending: .close)
    }
    let authorization = "Proxy-Authorization: Basic " + Data("mary:\(password)".utf8).base64EncodedString()
    let isPermitted = head.lowercased().contains("\r\n\(authorization.lowercased())\r\n")
    let status = isPermitted ? "200 Connected" : "407 Proxy Authentication Required"
    return RawServer.Answer(
      pieces: [Array("HTTP/1.1 \(status)\r\n\(isPermitted ? "" : "Content-Length: 0\r\n")\r\n".utf8)], ending: .keepOpen
    )
  }

  @Test("a request goes through the proxy, with its password, and the service does not see the password")
  func tunnel() async throws {
    try await RawServer.with(answering: Self.answer) { server in
      for name in ["http_proxy", "HTTP_PROXY"] {
        let proxy = "http://mary:S3cr3t%40p%3Ass@127.0.0.1:\(server.port)/"
        let response = try await Self.fetch("http://api.example/v4/top", [name: proxy])
        #expect(response.body == Array("[1]".utf8))
      }
      #expect(server.heads.count == 4)
      #expect(server.heads[0].hasPrefix("CONNECT api.example:80 HTTP/1.1\r\n"))
      #expect(server.heads[1].hasPrefix("GET /v4/top HTTP/1.1\r\n"))
      #expect(!server.heads[1].lowercased().contains("proxy-authorization"))
    }
  }

  @Test("errors name the proxy and its variable, and never its password")
  func errors() async throws {
    func failure(_ scheme: String, _ proxy: String) async throws -> SyncError {
      let error = await #expect(throws: SyncError.self) {
        _ = try await Self.fetch("\(scheme)://api.example/v4", ["HTTPS_PROXY": proxy, "HTTP_PROXY": proxy])
      }
      let found = try #require(error)
      for secret in ["S3cr3t", Data("mary:S3cr3t-old".utf8).base64EncodedString()] {
        #expect(!"\(found) \(String(reflecting: found))".contains(secret))
      }
      return found
    }
    try await RawServer.with(answering: Self.answer) { server in
      let wrong = try await failure("https", "http://mary:S3cr3t-old@127.0.0.1:\(server.port)")
      #expect(wrong.code == .permission)
      #expect(wrong.message.contains("through the proxy 127.0.0.1:\(server.port) (HTTPS_PROXY)"), "\(wrong)")
      #expect(server.heads.first?.hasPrefix("CONNECT api.example:443 ") == true)
    }
    try await RawServer.with(RawServer.answer("403 Filtered"), .keepOpen) { server in
      let refused = try await failure("http", "mary:S3cr3t-old@127.0.0.1:\(server.port)")
      #expect(refused.message.contains("(HTTP_PROXY): the proxy refused to connect"), "\(refused)")
    }
    let port = try await RawServer.closedPort()
    let away = try await failure("https", "http://mary:S3cr3t-old@127.0.0.1:\(port)")
    #expect(away.message.contains("127.0.0.1:\(port) (HTTPS_PROXY): cannot connect"), "\(away)")
    #expect(away.hint?.contains("NO_PROXY") == true)
  }

  @Test(
    "an address of another form is refused without its value",
    arguments: [
      "socks5://mary:S3cr3t-old@h:1", "https://h:1", "http://", "http://mary:S3cr3t-old@h:99999", "mary:%zz@h:1",
    ])
  func refused(value: String) {
    let error = #expect(throws: SyncError.self) { _ = try ProxySettings(environment: ["https_proxy": value]) }
    #expect(error?.code == .configuration)
    #expect(error?.message == "https_proxy is not the address of an HTTP proxy")
  }

  @Test(
    "NO_PROXY names hosts with their subdomains, and loopback is never requested through a proxy",
    arguments: [
      ("", "https://api.example/v4", true), ("*", "https://api.example", false),
      ("other, API.example", "https://api.example", false), (".example", "https://api.example", false),
      ("*.example", "https://api.example", false), ("pi.example", "https://api.example", true),
      ("api.example:443", "https://api.example", false), ("api.example:8443", "https://api.example", true),
      ("10.0.0.5", "https://10.0.0.5:1", false), ("::1a", "https://[::1a]:1", false),
      ("", "https://localhost:1", false),
      ("", "https://127.0.0.1", false), ("", "https://[::1]:8", false), (",", "https://api.example", true),
      ("", "http://api.example", false),
    ])
  func exceptions(noProxy: String, url: String, isProxied: Bool) throws {
    let proxies = try ProxySettings(environment: ["HTTPS_PROXY": "proxy.example:3128", "no_proxy": noProxy])
    #expect((proxies.server(for: try HTTPAddress(url)) != nil) == isProxied)
  }
}
