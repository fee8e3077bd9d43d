import Foundation
import PostgresTestKit
import SyncCore
import SyncHTTP
import SyncTestKit
import Synchronization
import Testing
import UpstreamSimulator

@Suite("Recordings of runs, served")
struct RecordedUpstreamTests {
  private struct OneAnswer: Transport {
    let answer: Result<UpstreamResponse, SyncError>

    init(_ body: String, status: Int = 200, _ headers: [String: String] = [:], hidesSecrets: Bool = false) {
      answer = .success(
        UpstreamResponse(status: status, headers: headers, body: Array(body.utf8), hidesSecrets: hidesSecrets))
    }

    init(_ error: SyncError) { answer = .failure(error) }

    func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse { try answer.get() }
  }

  /// Writes a recording of these answers, and returns its folder.
  private func recorded(
    _ answers: [(UpstreamRequest, OneAnswer)], isWhole: Bool = true,
    sources: [String: RecordingManifest.Source] = [:]
  ) async throws -> String {
    let folder = try ThrowawayFolders.make() + "/recording"
    let manifest = RecordingManifest(
      version: "0.1", startedAt: Date(timeIntervalSince1970: 1_700_000_000), sources: sources)
    let recording = try AnswerRecording(in: RecordingFolder(folder), manifest: manifest)
    for (request, answer) in answers {
      _ = try? await RecordingTransport(answer, to: recording, keeping: ["link"]).fetch(request)
    }
    try recording.finish(isWhole: isWhole)
    return folder
  }

  private func serving(
    _ answers: [(UpstreamRequest, OneAnswer)], sources: [String: RecordingManifest.Source] = [:]
  ) async throws -> RecordedUpstream {
    try #require(try ServedRecording(folder: await recorded(answers, sources: sources)).upstreams.first)
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
  }

  @Test("a request that was not recorded gets 421 with the reason, and is reported")
  func notRecorded() async throws {
    let reports = Mutex<[String]>([])
    let folder = try await recorded([(Self.page, OneAnswer("whole"))])
    let upstream = try #require(
      try ServedRecording(folder: folder) { text in reports.withLock { $0.append(text) } }.upstreams.first)
    for target in ["/v1/top", "/v1/top?page=1", "/v1/other", "/"] {
      let answer = await upstream.get(target)
      #expect(answer.status == 421, "\(target)")
      #expect(try JSONValue(String(decoding: answer.body, as: UTF8.self))["message"]?.text?.contains("no such") == true)
    }
    let posted = SimulatedRequest(method: "POST", path: "/v1/top", query: "page=1&q=a%20b", body: [1])
    #expect(await upstream.answer(posted).status == 421)
    let lines = reports.withLock { $0 }
    #expect(lines.count == 5 && lines.first?.hasPrefix("GET https://api.example:8443/v1/top: ") == true, "\(lines)")
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

  @Test(
    "a link to a next page names this server",
    arguments: [
      ("https://api.example:8443/v1/top?page=2", "http://here:80/v1/top?page=2"),
      ("HTTPS://API.example:8443/v1/top?page=2", "http://here:80/v1/top?page=2"),
      ("/v2/top?page=2", "http://here:80/v2/top?page=2"), ("?page=2", "http://here:80/v1/top?page=2"),
      ("//api.example:8443/a", "http://here:80/a"), ("https://api.example/a", "https://api.example/a"),
      ("http://api.example:8443/a", "http://api.example:8443/a"), ("next", "http://here:80/v1/next"),
    ])
  func links(recorded: String, served: String) async throws {
    let escaped = recorded.replacing("/", with: "\\/").replacing("?", with: "\\u003f")
    func body(_ link: String, _ other: String) -> String {
      """
      { "data": [{"next": "https://api.example:8443/item", "n": 1.0}],
        "links": {"next" : "\(link)", "self": "https://api.example:8443/v1/top"}, "next":"\(other)", "last":null}
      """
    }
    let shop = RecordingManifest.Source(
      streams: ["top"], environment: ["SYNCCTL_SHOP_BASE_URL": "https://api.example:8443/v1"],
      nextLinks: [["links", "next"], ["next"], ["last"], ["none", "at", "all"]])
    let link = "<\(recorded)>; rel=\"next\", <https://first.example>; rel=\"first\""
    let upstream = try await serving(
      [(Self.page, OneAnswer(body(escaped, recorded), ["link": link]))], sources: ["shop": shop])
    let answer = await upstream.answer(
      SimulatedRequest(path: "/v1/top", query: "page=1&q=a%20b", headers: [HeaderField("Host", "here:80")]))
    let isForeign = recorded == served
    #expect(String(decoding: answer.body, as: UTF8.self) == body(isForeign ? escaped : served, served))
    #expect(answer.headers == [HeaderField("link", link.replacing("<\(recorded)>", with: "<\(served)>"))])
  }

  @Test("a link loses the parameter whose value was masked, because the recorded request has none")
  func maskedLink() async throws {
    let shop = RecordingManifest.Source(
      streams: nil, environment: ["SYNCCTL_SHOP_BASE_URL": "https://api.example:8443"], nextLinks: [["next"]])
    let body = #"{"next": "/v1?token=***&at=2"}"#
    for (hidesSecrets, link) in [(true, "http:///v1?at=2"), (false, "http:///v1?token=***&at=2")] {
      let upstream = try await serving(
        [(Self.page, OneAnswer(body, hidesSecrets: hidesSecrets))], sources: ["shop": shop])
      let answer = await upstream.get("/v1/top?page=1&q=a%20b")
      #expect(String(decoding: answer.body, as: UTF8.self) == "{\"next\": \"\(link)\"}")
    }
  }

  @Test("each origin has its own answers and variables")
  func origins() async throws {
    let other = UpstreamRequest(url: "https://other.example/v1/top?page=1&q=a%20b")
    let charts = "SYNCCTL_ITUNES_CHARTS_BASE_URL"
    let folder = try await recorded(
      [(Self.page, OneAnswer("one")), (other, OneAnswer("two"))],
      sources: [
        "shop": RecordingManifest.Source(
          streams: nil,
          environment: ["SYNCCTL_SHOP_BASE_URL": "https://api.example:8443/v1", "SYNCCTL_SHOP_SECRETS": "none"]),
        "itunes": RecordingManifest.Source(
          streams: nil,
          environment: ["SYNCCTL_ITUNES_BASE_URL": "https://other.example", charts: "https://unused.example"]
        ),
      ])
    let recording = try ServedRecording(folder: folder)
    let addresses = ["http://a:1", "http://b:2", "http://c:3"]
    #expect(
      recording.exports(at: addresses) == [
        "export SYNCCTL_ITUNES_BASE_URL=http://a:1 \(charts)=http://b:2",
        "export SYNCCTL_SHOP_BASE_URL=http://c:3/v1 SYNCCTL_SHOP_SECRETS=none",
      ])
    #expect(recording.environment(at: addresses)["SYNCCTL_SHOP_BASE_URL"] == "http://c:3/v1")
    var answers: [String] = []
    for upstream in recording.upstreams {
      let answer = await upstream.get("/v1/top?page=1&q=a%20b")
      answers.append(answer.status == 200 ? String(decoding: answer.body, as: UTF8.self) : "\(answer.status)")
    }
    #expect(answers == ["two", "421", "one"])
  }

  @Test("the program prints the addresses, then the variables")
  func program() async throws {
    let folder = try await recorded(
      [(Self.page, OneAnswer("one"))], isWhole: false,
      sources: [
        "shop": RecordingManifest.Source(
          streams: nil, environment: ["SYNCCTL_SHOP_BASE_URL": "https://api.example:8443/v1"])
      ])
    let script = """
      "$0" --recorded "$1" --port 0 > "$1/out" 2> "$1/err" &
      for _ in $(seq 300); do grep -q stop "$1/err" && break; sleep 0.1; done
      kill $!; wait $! && cat "$1/out" "$1/err"
      """
    let program = try ProgramUnderTest.named("upstream-sim")
    let result = try await ProgramUnderTest(path: "/bin/sh").run(
      ["-c", script, program.path, folder], environment: [:], in: folder)
    let lines = result.standardOutput.split(separator: "\n").map(String.init)
    let address = try #require(lines.first?.split(separator: " ").last, "\(result)")
    #expect(
      lines == [
        "listening on \(address)", "export SYNCCTL_SHOP_BASE_URL=\(address)/v1",
        "serving a run of 2023-11-14T22:13:20Z, recorded by syncctl 0.1; the run was stopped; stop with Ctrl-C",
      ])
  }

  @Test("a folder without a recording is refused in words")
  func refusal() throws {
    let error = try #require(throws: SimulatorError.self) { try ServedRecording(folder: "/nonexistent") }
    #expect(error.description.contains("/nonexistent") && error.exitCode == 66)
  }
}
