import Testing

@testable import UpstreamSimulator

@Suite("Answers with a version", .timeLimit(.minutes(10)))
struct ConditionalUpstreamTests {
  private let jikan = GeneratedJikan(settings(60))

  private func get(_ server: SimulatorServer, _ headers: String..., page: Int = 1) async throws -> RawAnswer {
    try await RawAnswer.of(port: server.port, "/v4/top/anime?page=\(page)", headers: headers + ["Connection: close"])
  }

  @Test("an ETag is the same as long as the body is, and gets a 304 without a body")
  func etags() async throws {
    try await SimulatorServer.withServer(ConditionalUpstream(jikan)) { server in
      let first = try await get(server)
      let etag = try #require(first.header("etag"))
      #expect(etag.count > 10 && etag.hasPrefix("\"") && etag.hasSuffix("\""))
      #expect(first.body == (await jikan.get("/v4/top/anime?page=1")).body)
      #expect(try await get(server).header("etag") == etag)
      #expect(try await get(server, page: 2).header("etag") != etag)
      let known = try await get(server, "If-None-Match: \(etag)")
      #expect(known.head.hasPrefix("HTTP/1.1 304 ") && known.body.isEmpty && known.error == nil)
      #expect(known.header("etag") == etag && known.header("content-type") == nil)
      #expect(known.header("cache-control") == first.header("cache-control"))
      let records = server.history.records
      #expect(records.map(\.status) == [200, 200, 200, 304] && records.last?.bytes == 0)
      #expect(try await get(server, page: 9).header("etag") == nil)
    }
  }

  @Test(
    "a list of tags, the asterisk, and tags that the client marks as weak",
    arguments: [
      ("%", true), ("W/%", true), ("\"a\", %", true), ("\"a\",W/%  ,\"b\"", true), ("*", true), ("\"a\"", false),
      ("", false), ("W/\"a\"", false),
    ])
  func lists(template: String, isKnown: Bool) async throws {
    let upstream = ConditionalUpstream(jikan)
    let etag = try #require(await upstream.get("/v4/top/anime").headers.first { $0.name == "ETag" }).value
    let field = HeaderField("if-none-match", template.replacing("%", with: etag))
    let answer = await upstream.answer(SimulatedRequest(path: "/v4/top/anime", headers: [field]))
    #expect(answer.status == (isKnown ? 304 : 200) && answer.body.isEmpty == isKnown)
    #expect(answer.headers.contains(HeaderField("ETag", etag)))
  }

  @Test("cached answers are sent again; a 404 is computed each time")
  func remembered() async throws {
    let upstream = RememberedUpstream(jikan)
    let page = await upstream.get("/v4/top/anime?page=1")
    #expect(await upstream.get("/v4/top/anime?page=9").status == 404)
    jikan.edits.members = 1
    #expect(await upstream.get("/v4/top/anime?page=1") == page)
    #expect(await upstream.get("/v4/top/anime?page=2") == jikan.get("/v4/top/anime?page=2"))
    #expect(
      await upstream.answer(SimulatedRequest(method: "POST", path: "/v4/top/anime", query: "page=1")).status == 405)
  }
}
