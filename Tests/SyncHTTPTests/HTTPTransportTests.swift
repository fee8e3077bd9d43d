import Foundation
import SyncCore
import SyncHTTP
import SyncTestKit
import Testing

@Suite("The transport over real sockets", .timeLimit(.minutes(10)))
struct HTTPTransportTests {
  private static let agent = "syncctl-test/1 (+https://example.org)"

  private func fetch(
    _ url: String, deadline: Duration = .seconds(20), bodyBytes: Int = 4096
  ) async throws -> UpstreamResponse {
    try await HTTPTransport.with(userAgent: Self.agent, deadline: deadline, bodyBytes: bodyBytes) { transport in
      try await transport.fetch(UpstreamRequest(url: url))
    }
  }

  private func failure(
    of answer: [UInt8], _ ending: RawServer.Ending = .close, deadline: Duration = .seconds(20)
  ) async throws -> SyncError {
    var error: SyncError?
    try await RawServer.with(answer, ending) { server in
      error = await #expect(throws: SyncError.self) { try await fetch(server.url, deadline: deadline) }
      #expect(error?.message.contains(server.url) == true, "\(String(describing: error))")
    }
    let found = try #require(error)
    #expect(!found.description.unicodeScalars.contains { $0.value < 0x20 }, "one line")
    #expect(found.hint?.isEmpty == false)
    return found
  }

  @Test("status, headers and body; an honest User-Agent, and gzip is requested")
  func plain() async throws {
    let body = Array(#"{"data":[]}"#.utf8)
    let answer = RawServer.answer("200 OK", ["Retry-After: 7", "X-A: first", "x-a: second"], body: body)
    try await RawServer.with(answer) { server in
      let response = try await fetch(server.url)
      #expect(response.status == 200)
      #expect(response.body == body)
      #expect(response.headers["retry-after"] == "7")
      #expect(response.headers["x-a"] == "first")
      let head = try #require(server.heads.first)
      #expect(head.hasPrefix("GET /v1/top/anime?page=1 HTTP/1.1\r\n"))
      #expect(head.contains("\r\nUser-Agent: \(Self.agent)\r\n"))
      #expect(head.lowercased().contains("accept-encoding") && head.contains("gzip"))
      #expect(server.heads.count == 1)
    }
  }

  @Test("every status is an answer; a redirect is not followed", arguments: [204, 302, 403, 404, 429, 500, 503])
  func statuses(status: Int) async throws {
    let answer = RawServer.answer("\(status) X", ["Location: http://127.0.0.1:1/elsewhere"])
    try await RawServer.with(answer) { server in
      let response = try await fetch(server.url)
      #expect(response.status == status)
      #expect(response.headers["location"] == "http://127.0.0.1:1/elsewhere")
      #expect(server.heads.count == 1)
    }
  }

  @Test("a body is whole: packed in one or more members, empty, or of exactly the limit")
  func gzip() async throws {
    let text = Array(String(repeating: #"{"data":[1,2,3]}"#, count: 20).utf8)
    let limit = [UInt8](repeating: 0x61, count: 4096)
    for (headers, body, expected) in [
      (GzipSample.header, GzipSample.pages, text),
      (["Content-Encoding: GZIP"], GzipSample.pages + GzipSample.pages + [0], text + text),
      (GzipSample.header, [], []), ([], limit, limit),
    ] as [([String], [UInt8], [UInt8])] {
      try await RawServer.with(RawServer.answer("200 OK", headers, body: body)) { server in
        let response = try await fetch(server.url)
        #expect(response.body == expected, "\(headers), \(body.count) bytes")
      }
    }
  }

  @Test("a hundred headers are no trouble")
  func manyHeaders() async throws {
    let headers = (0..<100).map { "X-\($0): \(String(repeating: "v", count: 100))" }
    try await RawServer.with(RawServer.answer("200 OK", headers, body: [0x31])) { server in
      let response = try await fetch(server.url)
      #expect(response.headers.count >= 100)
      #expect(response.headers["x-99"]?.count == 100)
    }
  }

  private static let damagedBodies: [(header: String, body: [UInt8])] =
    [1, 4, 12, 20].map { ("gzip", Array(GzipSample.pages.dropLast($0))) }
    + [("gzip", GzipSample.pages.enumerated().map { $0 == GzipSample.pages.count - 8 ? ~$1 : $1 })]
    + [("gzip", Array("plain".utf8))] + ["deflate", "br", "gzip, gzip"].map { ($0, GzipSample.pages) }

  @Test("a body that does not unpack is an error, never a short success", arguments: damagedBodies.indices)
  func damagedGzip(index: Int) async throws {
    let (coding, body) = Self.damagedBodies[index]
    let error = try await failure(of: RawServer.answer("200 OK", ["Content-Encoding: \(coding)"], body: body))
    #expect(error.disposition == .retry(after: nil) && error.code == .upstream)
    #expect(coding == "gzip" || error.message.contains(coding), "\(error)")
  }

  @Test(
    "a body that is shorter than announced, chunks that are cut off, and what is no HTTP, are errors that may pass",
    arguments: [
      "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"data\":", chunked + "5\r\nhello\r\n", chunked + "5\r\nhel",
      chunked + "5\r\nhello\r\n0\r\n", "nonsense\r\n\r\n", "", "HTTP/1.1 2x0 OK\r\n\r\n",
    ])
  func shortAnswers(answer: String) async throws {
    #expect(try await failure(of: Array(answer.utf8)).disposition == .retry(after: nil))
  }

  private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

  @Test("headers without end are an error, not memory")
  func endlessHeaders() async throws {
    let headers = (0..<3_000).map { "X-\($0): \(String(repeating: "v", count: 1000))" }
    try await RawServer.with(RawServer.answer("200 OK", headers)) { server in
      await #expect(throws: SyncError.self) { try await fetch(server.url) }
    }
  }

  @Test("a bomb is stopped at the limit, for good")
  func bomb() async throws {
    let error = try await failure(of: RawServer.answer("200 OK", GzipSample.header, body: GzipSample.bomb))
    #expect(error.message.contains("4096"))
    #expect(error.disposition == .stopStream)
  }

  @Test("a body one byte over the limit is refused, announced or not")
  func overLimit() async throws {
    let body = Array(repeating: UInt8(0x61), count: 4097)
    #expect(try await failure(of: RawServer.answer(body: body)).message.contains("announces 4097 bytes"))
    let silent = try await failure(of: Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8) + body)
    #expect(silent.disposition == .stopStream)
    #expect(silent.message.contains("limit of 4096"))
  }

  @Test("10 GB announced is refused at once: the server sends nothing more, and the client does not wait")
  func announcedSize() async throws {
    let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 10737418240\r\n\r\n{".utf8)
    // The deadline is longer than the suite's time limit, so waiting for it would fail the test.
    let error = try await failure(of: answer, .keepOpen, deadline: .seconds(3600))
    #expect(error.message.contains("announces 10737418240 bytes"))
    #expect(error.disposition == .stopStream)
  }

  @Test(
    "a server that never answers, or never ends, is given up at the deadline",
    arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n123"])
  func silentServer(start: String) async throws {
    let error = try await failure(of: Array(start.utf8), .keepOpen, deadline: .seconds(1))
    #expect(error.message.contains("no complete answer within 1 s"))
    #expect(error.disposition == .retry(after: nil))
  }

  @Test("a cancelled request ends as a cancellation")
  func cancellation() async throws {
    try await RawServer.with([], .keepOpen) { server in
      let url = server.url
      let task = Task { try await fetch(url, deadline: .seconds(3600)) }
      while server.heads.isEmpty { await Task.yield() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test("a refused connection may pass, and names the origin")
  func refused() async throws {
    let port = try await RawServer.closedPort()
    let error = try #require(
      await #expect(throws: SyncError.self) { try await fetch("http://127.0.0.1:\(port)/v1/top/anime?page=1") })
    #expect(error.message.contains("http://127.0.0.1:\(port)"))
    #expect(error.disposition == .retry(after: nil))
    #expect(error.code == .upstream)
    #expect(!error.description.contains("\n"))
  }

  @Test(
    "what cannot be a URL is a fault of the configuration",
    arguments: [" ", "nonsense", "ftp://127.0.0.1/x", "http://", "/v1/top", "http:///x", "127.0.0.1:80/x"])
  func unusableURL(url: String) async throws {
    let error = try #require(await #expect(throws: SyncError.self) { try await fetch(url) })
    #expect(error.code == .configuration, "\(error)")
    #expect(error.disposition == .stopStream)
    #expect(error.message.contains(url))
  }

  @Test("https to a port that speaks plain HTTP stops the run: no other stream will fare better")
  func plaintextPort() async throws {
    try await RawServer.with(RawServer.answer(body: [0x31])) { server in
      let url = "https://127.0.0.1:\(server.port)/v1"
      let error = try #require(await #expect(throws: SyncError.self) { try await fetch(url) })
      #expect(error.message.contains("https://127.0.0.1:\(server.port)"))
      #expect(error.message.contains("TLS"), "\(error)")
      #expect(error.disposition == .stopRun)
      #expect(!error.description.contains("\n"))
    }
  }

  /// Starts a server that answers with the request's target, and returns the targets that arrive.
  private func targets(of urls: (_ origin: String) throws -> [UpstreamRequest]) async throws -> [String] {
    let body = [UInt8]("{}".utf8)
    var targets: [String] = []
    try await RawServer.with(RawServer.answer(body: body), .keepOpen) { server in
      let requests = try urls("http://127.0.0.1:\(server.port)")
      try await HTTPTransport.with(userAgent: Self.agent) { transport in
        for request in requests { _ = try await transport.fetch(request) }
      }
      targets = server.heads.map { $0.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
    }
    return targets
  }

  @Test("a server decodes the names and values that were declared, for random texts of Unicode")
  func encoding() async throws {
    let seed = testSeed
    var generator = SeededGenerator(seed: seed)
    func text(_ longest: Int) -> String {
      let pools: [ClosedRange<UInt32>] = [0x21...0x7E, 0x20...0x7E, 0xA0...0x2FF, 0x4E00...0x4EFF, 0x1F600...0x1F64F]
      let scalars = (0..<Int.random(in: 1...longest, using: &generator)).compactMap { _ in
        pools.randomElement(using: &generator).flatMap { Unicode.Scalar(UInt32.random(in: $0, using: &generator)) }
      }
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars)
      return String(view)
    }
    var declared: [[(name: String, value: String)]] = []
    for _ in 0..<(500 * testFactor) {
      declared.append((0..<Int.random(in: 1...3, using: &generator)).map { _ in (text(8), text(20)) })
    }
    let urls = declared
    let targets = try await targets { origin in
      let base = try HTTPAddress(origin)
      return urls.map { UpstreamRequest(url: base.appending(path: "list", parameters: $0).description) }
    }
    #expect(targets.count == declared.count)
    for (target, parameters) in zip(targets, declared) {
      let pairs = target.split(separator: "?", maxSplits: 1).last.map { $0.split(separator: "&") } ?? []
      let decoded = pairs.map { pair in
        pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
          String($0).removingPercentEncoding ?? "not UTF-8"
        }
      }
      try #require(decoded == parameters.map { [$0.name, $0.value] }, "\(target), seed \(seed)")
    }
  }

  @Test("what is sent is what the request's address says; only characters that no address can have are encoded, once")
  func repaired() async throws {
    let paths = [
      "/x?filter%5Btext%5D=cowboy%20bebop", "/x?filter[text]=cowboy%20bebop", "/x?a b=ü|{}^`\"<>\\", "/ü/%C3%BC?100%",
      "/x;a=1,2/~b?c=d+e&f=/?:@!$'()*", "/a/../b/./c?..", "//x", "",
    ]
    let sent = [
      "/x?filter%5Btext%5D=cowboy%20bebop", "/x?filter%5Btext%5D=cowboy%20bebop",
      "/x?a%20b=%C3%BC%7C%7B%7D%5E%60%22%3C%3E%5C", "/%C3%BC/%C3%BC?100%25", "/x;a=1,2/~b?c=d+e&f=/?:@!$'()*",
      "/a/../b/./c?..", "//x", "/",
    ]
    #expect(try await targets { origin in paths.map { UpstreamRequest(url: origin + $0) } } == sent)
    let secret = try await targets { origin in
      var request = UpstreamRequest(url: origin + "/x?filter%5Ba%5D=b%20c")
      request.additions.query = HTTPAddress.query([("key[1]", "s&cret [é]")])
      return [request]
    }
    #expect(secret == ["/x?filter%5Ba%5D=b%20c&key%5B1%5D=s%26cret%20%5B%C3%A9%5D"])
  }

  @Test("an answer without a Date has the time of its arrival")
  func arrival() async throws {
    let answer = RawServer.answer("503 X", ["Retry-After: Sun, 06 Nov 1994 08:49:37 GMT"])
    try await RawServer.with(answer) { server in
      let response = try await HTTPTransport.with(userAgent: Self.agent, time: { 784_111_747 }) { transport in
        try await transport.fetch(UpstreamRequest(url: server.url))
      }
      #expect(response.retryAfter == .seconds(30))
    }
  }

  @Test("the client is shut down when the body throws, too")
  func shutDown() async throws {
    struct Fault: Error {}
    await #expect(throws: Fault.self) { try await HTTPTransport.with(userAgent: Self.agent) { _ in throw Fault() } }
  }
}

enum GzipSample {
  static let header = ["Content-Encoding: gzip"]
  /// The compressed form of `{"data":[1,2,3]}` repeated twenty times.
  static let pages = bytes("H4sIAAAAAAACA6tWSkksSVSyijbUMdIxjq2tHuWTxAcAd26plUABAAA=")
  /// The compressed form of 65,536 zero bytes.
  static let bomb = bytes(
    "H4sIAAAAAAACA+3BAQEAAACAkP6v7ggKAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
      + "AAAAAAAAAAAAAAAAAAAAAAAAAAauuOl9cAAAEA")

  private static func bytes(_ base64: String) -> [UInt8] { Data(base64Encoded: base64).map(Array.init) ?? [] }
}
