import Foundation
import Testing

@testable import UpstreamSimulator

@Suite("Recorded iTunes bodies, served by request", .timeLimit(.minutes(10)))
struct RecordedITunesTests {
  private func with(_ index: String, _ body: (RecordedITunes) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "itunes-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in [
      ("index.json", index), ("itunes/a.json", "\n\n{\"resultCount\":1}"), ("itunes/b.json", "[2]"),
      ("rss/c.json", "[3]"), ("secret.json", "[4]"),
    ] {
      let file = folder.appending(path: name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    try await body(RecordedITunes(folder: folder.path))
  }

  private static let index = """
    [{"file":"itunes/a.json","status":200,"headers":{"content-type":"text/plain","Content-Length":"9"},
      "request":"https://itunes.apple.com:80/WebObjects/MZStoreServices.woa/wa/wsSearch?limit=2&media=all&term=Mi%20J"},
     {"file":"itunes/b.json","status":200,"request":"https://itunes.apple.com/lookup?id=12 (or bundleId)"},
     {"file":"rss/c.json","status":200,"request":"https://rss.example.com/api/v2/us/music/most-played/2/albums.json"},
     {"file":"rss/gone.json","status":200,"request":null},
     {"file":"secret.json","status":200,"request":"https://itunes.apple.com/lookup?id=13"}]
    """

  @Test("for any order of parameters, and byte for byte")
  func requests() async throws {
    try await with(Self.index) { (itunes: RecordedITunes) async throws -> Void in
      for target in [
        "/search?term=Mi+J&limit=2", "/search?limit=2&term=Mi%20J&country=US&media=all",
        "/WebObjects/MZStoreServices.woa/wa/wsSearch?media=all&term=Mi%20J&limit=2",
        "/search?term=Mi+J&limit=200&offset=0&country=us", "/itunes/a.json",
      ] {
        let answer = await itunes.get(target)
        #expect(String(decoding: answer.body, as: UTF8.self) == "\n\n{\"resultCount\":1}", "\(target)")
        #expect(answer.headers == [HeaderField("content-type", "text/plain")])
      }
      #expect(await itunes.text("/lookup?id=12") == "[2]")
      #expect(await itunes.get("/lookup?id=12").headers.first?.value == "text/javascript; charset=utf-8")
      #expect(await itunes.text("/api/v2/us/music/most-played/2/albums.json") == "[3]")
    }
  }

  @Test("what was not recorded is unknown")
  func unknown() async throws {
    try await with(Self.index) { (itunes: RecordedITunes) async throws -> Void in
      for target in ["/search?term=Mi+J&country=de&limit=2", "/lookup?id=13", "/lookup", "/search?term=x"] {
        #expect(try await itunes.rows(target).isEmpty, "\(target)")
      }
      for path in [
        "/api/v2/us/music/most-played/3/albums.json", "/secret.json", "/itunes/../secret.json", "/rss/gone.json", "/x",
      ] {
        #expect(await itunes.get(path).status == 404, "\(path)")
      }
    }
    for index in ["[]", "{", #"[{"file":"secret.json","status":200}]"#] {
      await #expect(throws: SimulatorError.self) { try await with(index) { _ in } }
    }
    #expect(throws: SimulatorError.self) { try RecordedITunes(folder: "/nonexistent") }
  }

  @Test(
    "all of the real ones",
    .enabled(
      if: RecordedITunesBodies.folder != nil,
      "no recorded bodies in ../shared/upstream; name their folder in SYNCCTL_UPSTREAM_FIXTURES"))
  func real() async throws {
    let folder = try #require(RecordedITunesBodies.folder)
    let itunes = try RecordedITunes(folder: folder)
    for file in try RecordedITunesBodies.files {
      let answer = await itunes.get("/itunes/bodies/\(file)")
      let bytes = try Data(contentsOf: URL(filePath: "\(folder)/itunes/bodies/\(file)"))
      #expect(answer.status == 200 && answer.body == Array(bytes), "\(file)")
    }
    #expect(try await itunes.rows("/search?term=Michael+Jackson&limit=2&country=us").count == 2)
    #expect(try await itunes.rows("/search?term=michael+jackson&limit=50").count == 50)
    #expect(try await itunes.rows("/lookup?id=396405320").first?["collectionName"] == .string("Hold it Down - Single"))
    #expect(try await itunes.rows("/search?media=ebook&term=Alice+in+Wonderland&limit=200").count == 50)
    #expect(try await itunes.rows("/search?term=podcastthatdoesnotexists").isEmpty)
  }

  @Test("three services at one address")
  func sideBySide() async throws {
    let other = ScriptedUpstream { _ in SimulatedAnswer(status: 299) }
    let pokeAPI = ScriptedUpstream { _ in SimulatedAnswer(status: 298) }
    let all = SideBySideUpstream([.iTunes: GeneratedITunes(), .pokeAPI: pokeAPI], other: other)
    try await SimulatorServer.withServer(all) { (server: SimulatorServer) async throws -> Void in
      let client = PokeAPIClient(base: server.baseURL)
      for (path, status) in [
        ("/search?term=a", 200), ("/lookup?id=1", 200), ("/WebObjects/MZStoreServices.woa/wa/wsLookup?id=1", 200),
        ("/WebObjects/x", 404), ("/api/v2/us/music/most-played/2/albums.json", 200),
        ("/api/v2/zz/music/most-played/2/albums.json", 500), ("/us/rss/topalbums/limit=1/json", 404),
        ("/api/v2", 298), ("/api/v2/pokemon/25/", 298), ("/api/v2/item", 298), ("/v4/top/anime", 299), ("/", 299),
        ("/searching", 299), ("/api/v20/x.json", 299),
      ] {
        #expect(try await client.get(path).status == status, "\(path)")
      }
    }
  }
}
