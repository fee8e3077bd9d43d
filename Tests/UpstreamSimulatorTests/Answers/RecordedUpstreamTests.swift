import Foundation
import Testing
import UpstreamSimulator

@Suite("Recorded bodies")
struct RecordedUpstreamTests {
  /// A small recording: one page of anime and two bodies by request; removed with the test.
  private func withRecording(_ body: (RecordedUpstream) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "recording-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = [
      "jikan/v4/top/anime/page-1.json": "{ \"pagination\": {}, \"data\": [\"\u{E9}\"]}\n",
      "bodies/anime-1.json": "{\"data\":1}",
      "bodies/limited.html": "<html>",
      "index.json": """
      [{"file": "bodies/anime-1.json", "request": "https://api.example/v4/anime/1?q=a%20b", "status": 200},
       {"file": "bodies/limited.html", "request": "https://api.example:80/v4/slow", "status": 429,
        "headers": {"Content-Type": "text/html", "Retry-After": "7", "Content-Length": "99"}},
       {"file": "bodies/none.json", "request": "https://api.example/v4/none", "status": 200},
       {"file": "bodies/none.json", "request": null, "status": 200}]
      """,
    ]
    for (name, text) in files {
      let file = folder.appending(path: name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    try await body(RecordedUpstream(folder: folder.path))
  }

  private func get(_ upstream: RecordedUpstream, _ path: String, _ query: String = "") async -> SimulatedAnswer {
    await upstream.answer(SimulatedRequest(path: path, query: query))
  }

  @Test("Pages are served byte for byte, at both addresses and for any page size")
  func pages() async throws {
    try await withRecording { upstream in
      for (path, query) in [("/v4/top/anime", ""), ("/v1/top/anime", "page=1&limit=50"), ("/v4/top/anime", "limit=3")] {
        let answer = await get(upstream, path, query)
        #expect(answer.status == 200)
        #expect(String(decoding: answer.body, as: UTF8.self) == "{ \"pagination\": {}, \"data\": [\"\u{E9}\"]}\n")
      }
      let end = await get(upstream, "/v4/top/anime", "page=2")
      #expect(end.status == 404)
      #expect(String(decoding: end.body, as: UTF8.self).contains("BadResponseException"))
      #expect(await get(upstream, "/v4/top/anime", "page=..%2F1").status == 400)
    }
  }

  @Test("Other requests are found by path and query, with status and headers of the index")
  func byRequest() async throws {
    try await withRecording { upstream in
      let found = await get(upstream, "/v4/anime/1", "q=a%20b")
      #expect(found.status == 200 && found.body == Array(#"{"data":1}"#.utf8))
      #expect(found.headers == [HeaderField("Content-Type", "application/json")])
      let limited = await get(upstream, "/v4/slow")
      #expect(limited.status == 429)
      #expect(limited.headers == [HeaderField("Content-Type", "text/html"), HeaderField("Retry-After", "7")])
      for path in ["/v4/anime/1", "/v4/none", "/v4/unknown", "/bodies/anime-1.json"] {
        let missing = await get(upstream, path)
        #expect(missing.status == 404)
        #expect(String(decoding: missing.body, as: UTF8.self).contains("HttpException"))
      }
    }
  }

  @Test("A folder that holds no recording is refused in words")
  func refusal() throws {
    let error = try #require(throws: SimulatorError.self) { try RecordedUpstream(folder: "/nonexistent") }
    #expect(error.description.contains("/nonexistent") && error.exitCode == 66)
  }

  /// Recordings of the real servers, which are no part of the project.
  static let realRecording: String? = {
    let named = ProcessInfo.processInfo.environment["SYNCCTL_UPSTREAM_FIXTURES"]
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = named ?? root.deletingLastPathComponent().appending(path: "shared/upstream").path
    return FileManager.default.fileExists(atPath: "\(folder)/index.json") ? folder : nil
  }()

  @Test(
    "Real recordings are served and their rows are of the generated shape",
    .enabled(
      if: realRecording != nil,
      "no recorded bodies in ../shared/upstream; name their folder in SYNCCTL_UPSTREAM_FIXTURES"))
  func realBodies() async throws {
    let upstream = try RecordedUpstream(folder: #require(Self.realRecording))
    let anime = await get(upstream, "/v1/top/anime", "page=8&limit=50")
    let page = try decoded(Page<Anime>.self, from: anime.body)
    #expect(page.data.count == 25 && page.pagination.hasNextPage)
    #expect(await get(upstream, "/v1/top/anime", "page=9").status == 404)
    let manga = try decoded(Page<Manga>.self, from: await get(upstream, "/v4/top/manga", "page=8").body)
    #expect(!manga.pagination.hasNextPage)
    #expect(await get(upstream, "/v4/seasons/now").status == 200)
  }
}
