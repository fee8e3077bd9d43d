import PostgresTestKit
import SyncCore
import SyncHTTP
import Testing
import UpstreamSimulator

@Suite("Recordings of runs, served")
struct RecordedUpstreamTests {
  private struct OneAnswer: Transport {
    let answer: Result<UpstreamResponse, SyncError>

    init(_ body: String, status: Int = 200, _ headers: [String: String] = [:]) {
      answer = .success(UpstreamResponse(status: status, headers: headers, body: Array(body.utf8)))
    }

    init(_ error: SyncError) { answer = .failure(error) }

    func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse { try answer.get() }
  }

  private func serving(_ answers: [(UpstreamRequest, OneAnswer)]) async throws -> RecordedUpstream {
    let folder = try ThrowawayFolders.make() + "/recording"
    let recording = try AnswerRecording(in: RecordingFolder(folder), manifest: [])
    for (request, answer) in answers { _ = try? await RecordingTransport(answer, to: recording).fetch(request) }
    try recording.finish(isWhole: true)
    return try RecordedUpstream(folder: folder)
  }

  private static let page = UpstreamRequest(url: "https://api.example:8443/v1/top?page=1&q=a%20b")

  @Test("byte for byte, in their order, and the last one again and again")
  func order() async throws {
    let upstream = try await serving([
      (Self.page, OneAnswer("<busy>", status: 503, ["content-type": "text/html", "retry-after": "7"])),
      (Self.page, OneAnswer(SyncError(.upstream, "cannot connect", disposition: .retry(after: nil)))),
      (Self.page, OneAnswer("{ \"data\": [\"\u{E9}\"]}\n", ["etag": "\"a\"", "content-length": "99"])),
    ])
    let request = SimulatedRequest(path: "/v1/top", query: "page=1&q=a%20b")
    let busy = await upstream.answer(request)
    #expect(busy.status == 503 && busy.body == Array("<busy>".utf8))
    #expect(busy.headers == [HeaderField("content-type", "text/html"), HeaderField("retry-after", "7")])
    #expect(await upstream.answer(request).status == 503)
    for _ in 1...3 {
      let answer = await upstream.answer(request)
      #expect(answer.status == 200 && answer.body == Array("{ \"data\": [\"\u{E9}\"]}\n".utf8))
      #expect(answer.headers == [HeaderField("etag", "\"a\"")])
    }
    for target in ["/v1/top", "/v1/top?page=1", "/v1/other", "/"] {
      #expect(await upstream.get(target).status == 503, "\(target)")
    }
  }

  @Test("304 is for the validators that it was recorded with")
  func validators() async throws {
    var known = Self.page
    known.validators = Validators(etag: "\"a\"", lastModified: nil)
    let upstream = try await serving([(Self.page, OneAnswer("whole")), (known, OneAnswer("", status: 304))])
    var request = SimulatedRequest(path: "/v1/top", query: "page=1&q=a%20b")
    #expect(await upstream.answer(request).status == 200)
    request.headers = [HeaderField("if-none-match", "\"b\"")]
    #expect(await upstream.answer(request).status == 200)
    request.headers = [HeaderField("if-none-match", "\"a\"")]
    #expect(await upstream.answer(request).status == 304)
  }

  @Test("a folder without a recording is refused in words")
  func refusal() throws {
    let error = try #require(throws: SimulatorError.self) { try RecordedUpstream(folder: "/nonexistent") }
    #expect(error.description.contains("/nonexistent") && error.exitCode == 66)
  }
}
