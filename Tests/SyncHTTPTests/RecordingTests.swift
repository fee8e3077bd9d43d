import Foundation
import SyncCore
import SyncTestKit
import Synchronization
import Testing

@testable import SyncHTTP

@Suite("Recordings")
struct RecordingTests {
  private typealias Answer = Result<UpstreamResponse, SyncError>

  private final class Script: Transport {
    private let answers: Mutex<[Answer]>

    init(_ answers: [Answer]) { self.answers = Mutex(answers) }

    func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
      guard let next = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { throw CancellationError() }
      return try next.get()
    }
  }

  private func withFolder(_ body: (RecordingFolder) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "syncctl-recording-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(RecordingFolder(path))
  }

  private static func ok(_ body: String, status: Int = 200, _ headers: [String: String] = [:]) -> Answer {
    .success(UpstreamResponse(status: status, headers: headers, body: Array(body.utf8)))
  }

  private func record(
    _ exchanges: [(UpstreamRequest, Answer)], in folder: RecordingFolder, isWhole: Bool = true
  ) async throws {
    let recording = try AnswerRecording(in: folder, manifest: Self.manifest)
    let transport = RecordingTransport(Script(exchanges.map(\.1)), to: recording, keeping: ["x-pokeapi-hash"])
    for (request, _) in exchanges { _ = try? await transport.fetch(request) }
    try recording.finish(isWhole: isWhole)
  }

  private func response(_ request: UpstreamRequest, _ answers: RecordedAnswers) async throws -> UpstreamResponse {
    let answer = try await answers.answer(to: request)
    guard case .response(let response) = answer else { throw Unanswered(answer: answer) }
    return response
  }

  private struct Unanswered: Error {
    let answer: RecordedAnswers.Answer
  }

  private func body(_ request: UpstreamRequest, _ answers: RecordedAnswers) async throws -> String {
    String(decoding: try await response(request, answers).body, as: UTF8.self)
  }

  /// The reason why the request has no answer.
  private func reason(_ request: UpstreamRequest, _ answers: RecordedAnswers) async throws -> String? {
    if case .missing(let reason) = try await answers.answer(to: request) { reason } else { nil }
  }

  private static let manifest = RecordingManifest(
    version: "0.1", startedAt: Date(timeIntervalSince1970: 1_700_000_000), maxPages: 3,
    sources: [
      "shop": RecordingManifest.Source(
        streams: nil, environment: ["SYNCCTL_SHOP_BASE_URL": "https://example.org/v1"], nextLinks: [["next"]])
    ])

  private static let page = UpstreamRequest(url: "https://example.org/v1/top?page=1")
  private static let other = UpstreamRequest(url: "https://example.org/v1/top?page=2")
  private static let known = UpstreamRequest(url: page.url, validators: Validators(etag: "\"a\"", lastModified: nil))

  @Test("answers and faults come again in the order of the requests for the same address, and the last one again")
  func order() async throws {
    let refused = SyncError(.upstream, "cannot connect", hint: "check", disposition: .throttled(after: .seconds(30)))
    let elsewhere = UpstreamRequest(url: "https://other.example/v1/top?page=1")
    try await withFolder { folder in
      try await record(
        [
          (Self.page, Self.ok("busy", status: 503, ["retry-after": "2"])), (Self.other, Self.ok("other")),
          (Self.page, .failure(refused)), (elsewhere, Self.ok("elsewhere")), (Self.page, Self.ok("")),
        ], in: folder)
      let answers = try RecordedAnswers(of: folder)
      #expect(answers.isWhole && answers.count == 5)
      #expect(answers.origins == ["https://example.org", "https://other.example"])
      let busy = try await response(Self.page, answers)
      #expect(busy.status == 503 && busy.headers == ["retry-after": "2"])
      guard case .failure("cannot connect") = try await answers.answer(to: Self.page) else {
        Issue.record("the recorded fault is missing")
        return
      }
      for _ in 1...3 {
        #expect(try await body(Self.page, answers) == "")
        #expect(try await body(Self.other, answers) == "other")
        #expect(try await body(elsewhere, answers) == "elsewhere")
      }
      let unknown = UpstreamRequest(url: "https://other.example/v1/top?page=2")
      #expect(try await reason(unknown, answers)?.contains("no such request") == true)
    }
  }

  @Test("requests with a body are told apart by their bodies")
  func bodies() async throws {
    var (first, second) = (Self.page, Self.page)
    first.body = Array("{\"after\":1}".utf8)
    second.body = Array("{\"after\":2}".utf8)
    try await withFolder { folder in
      try await record([(first, Self.ok("one")), (second, Self.ok("two"))], in: folder)
      let answers = try RecordedAnswers(of: folder)
      #expect(try await body(second, answers) == "two")
      #expect(try await body(first, answers) == "one")
      #expect(try await reason(Self.page, answers) != nil)
    }
  }

  @Test("a 401 is left out if another answer followed")
  func unauthorized() async throws {
    try await withFolder { folder in
      try await record(
        [
          (Self.page, Self.ok("expired", status: 401)), (Self.page, Self.ok("one")),
          (Self.other, Self.ok("no access", status: 401)),
        ], in: folder)
      let answers = try RecordedAnswers(of: folder)
      #expect(try await body(Self.page, answers) == "one")
      #expect(try await response(Self.other, answers).status == 401)
    }
  }

  @Test("an answer that was requested conditionally is given without, unless it has no body")
  func validators() async throws {
    try await withFolder { folder in
      try await record(
        [(Self.known, Self.ok("", status: 304)), (Self.known, Self.ok("new")), (Self.page, Self.ok("whole"))],
        in: folder)
      let answers = try RecordedAnswers(of: folder)
      #expect(try await body(Self.page, answers) == "whole")
      #expect(try await body(Self.page, answers) == "new")
      #expect(try await response(Self.known, answers).status == 304)
      for request in [Self.page, Self.known] { #expect(try await body(request, answers) == "whole") }
    }
    try await withFolder { folder in
      try await record([(Self.known, Self.ok("", status: 304))], in: folder)
      let answers = try RecordedAnswers(of: folder)
      for _ in 1...2 { #expect(try await response(Self.known, answers).status == 304) }
      #expect(try await reason(Self.page, answers)?.contains("(304)") == true)
    }
    try await withFolder { folder in
      try await record([(Self.page, Self.ok("whole"))], in: folder)
      #expect(try await body(Self.known, try RecordedAnswers(of: folder)) == "whole")
    }
  }

  @Test("no header that admits somebody is kept")
  func secrets() async throws {
    try await withFolder { folder in
      let names = [
        "set-cookie", "x-auth-token", "www-authenticate", "x-password", "x-jwt", "x-amz-signature", "x-hmac", "link",
        "x-request-id", "",
      ]
      let location = "https://u:S3cr3t@a.example/b?token=S3cr3t&S3cr3t&page=S3cr3t=?x=S3cr3t;y=S3cr3t#S3cr3t"
      var headers = Dictionary(uniqueKeysWithValues: names.map { ($0, "<https://a.example/?token=S3cr3t>") })
      let kept = [
        "etag": "\"a\"", "retry-after": "2", "date": "Sun, 06 Nov 1994 08:49:37 GMT", "x-pokeapi-hash": "0d8f",
      ]
      headers.merge(kept.merging(["location": location]) { $1 }) { $1 }
      try await record([(Self.page, Self.ok("{}", headers))], in: folder)
      let shown = "https://***@a.example/b?token=***&***&page=***?x=***;y=***#***"
      let replayed = try await response(Self.page, RecordedAnswers(of: folder)).headers
      #expect(replayed == kept.merging(["location": shown]) { $1 })
      #expect(try !String(contentsOfFile: folder.path + "/index.ndjson", encoding: .utf8).contains("S3cr3t"))
      #expect(try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int == 0o700)
    }
  }

  @Test("a recording that was cut off has the answers before the cut; one of nothing is removed")
  func interrupted() async throws {
    try await withFolder { folder in
      try await record([(Self.page, Self.ok("one")), (Self.other, Self.ok("two"))], in: folder, isWhole: false)
      let handle = try #require(FileHandle(forUpdatingAtPath: folder.path + "/index.ndjson"))
      try handle.truncate(atOffset: try handle.seekToEnd() - 5)
      let answers = try RecordedAnswers(of: folder)
      #expect(!answers.isWhole && answers.count == 1)
      #expect(try await body(Self.page, answers) == "one")
      #expect(try await reason(Self.other, answers)?.contains("ends before") == true)
    }
    try await withFolder { folder in
      try await record([], in: folder)
      #expect(!FileManager.default.fileExists(atPath: folder.path))
      #expect(#expect(throws: SyncError.self) { try RecordedAnswers(of: folder) }?.code == .configuration)
      #expect(#expect(throws: SyncError.self) { try RecordingManifest(of: folder) }?.code == .usage)
    }
  }

  @Test("the manifest is read as it was written")
  func manifest() async throws {
    try await withFolder { folder in
      try await record([(Self.page, Self.ok("one"))], in: folder)
      #expect(try RecordingManifest(of: folder) == Self.manifest)
    }
  }

  @Test(
    "a damaged manifest is refused",
    arguments: [
      ("\"format\" : 2", "\"format\" : 1", "format 1"), ("\"format\" : 2", "\"format\" : \"2\"", "not the manifest"),
      ("\"max_pages\" : 3", "\"max_pages\" : 1e30", "wrong type"),
      ("2023-11-14", "yesterday", "wrong type"), ("SYNCCTL_SHOP_BASE_URL", "PATH", "not a setting"),
      ("SYNCCTL_SHOP_BASE_URL", "SYNCCTL_A=1;B", "not a setting"),
      ("https://example.org/v1", "\\u001b[2J", "not a setting"),
    ])
  func damagedManifest(part: String, other: String, what: String) async throws {
    try await withFolder { folder in
      try await record([(Self.page, Self.ok("one"))], in: folder)
      let path = folder.path + "/recording.json"
      #expect(try String(contentsOfFile: path, encoding: .utf8).contains(part))
      try Self.edit(path) { $0.replacingOccurrences(of: part, with: other) }
      let error = #expect(throws: SyncError.self) { try RecordingManifest(of: folder) }
      #expect(error?.code == .configuration && error?.message.contains(what) == true, "\(String(describing: error))")
      #expect(error?.hint?.isEmpty == false)
    }
  }

  private static let damages: [(what: String, damage: @Sendable (String) throws -> Void)] = [
    ("not a line of an index", { try replace("\"url\"", with: "\"uri\"", in: $0) }),
    ("not a line of an index", { try edit($0 + "/index.ndjson") { _ in "[1]\n" } }),
    ("lines are missing", { try edit($0 + "/index.ndjson") { String($0.drop { $0 != "\n" }.dropFirst()) } }),
    ("lines follow its end", { try edit($0 + "/index.ndjson") { $0 + $0 } }),
    ("a line of more than", { try edit($0 + "/index.ndjson") { _ in String(repeating: "x", count: 3 << 20) } }),
    ("missing or cut off", { try edit($0 + "/answers.gz", bytes: { $0.dropLast(3) }) }),
    ("not what the index says", { try edit($0 + "/answers.gz", bytes: { Data($0.map { $0 ^ 1 }) }) }),
    ("missing or cut off", { try replace("\"offset\":0", with: "\"offset\":-9", in: $0) }),
    ("missing or cut off", { try replace("\"offset\":0", with: "\"offset\":9223372036854775807", in: $0) }),
    ("not a line of an index", { try replace("\"status\":200", with: "\"status\":1e30", in: $0) }),
    ("longer than", { try replace("\"bytes\":", with: "\"bytes\":9999", in: $0) }),
    ("cannot be read", { try FileManager.default.removeItem(atPath: $0 + "/answers.gz") }),
    (
      "cannot be read",
      {
        try FileManager.default.moveItem(atPath: $0 + "/answers.gz", toPath: $0 + "/elsewhere")
        try FileManager.default.createSymbolicLink(atPath: $0 + "/answers.gz", withDestinationPath: "elsewhere")
      }
    ),
    (
      "not a regular file",
      {
        try FileManager.default.removeItem(atPath: $0 + "/index.ndjson")
        mkfifo($0 + "/index.ndjson", 0o600)
      }
    ),
  ]

  private static func replace(_ part: String, with other: String, in folder: String) throws {
    try edit(folder + "/index.ndjson") { $0.replacingOccurrences(of: part, with: other) }
  }

  private static func edit(_ path: String, _ change: (String) -> String) throws {
    try edit(path, bytes: { Data(change(String(decoding: $0, as: UTF8.self)).utf8) })
  }

  private static func edit(_ path: String, bytes change: (Data) -> Data) throws {
    try change(try Data(contentsOf: URL(filePath: path))).write(to: URL(filePath: path))
  }

  @Test("what is damaged is said", arguments: damages.indices)
  func damaged(index: Int) async throws {
    let (what, damage) = Self.damages[index]
    try await withFolder { folder in
      try await record(
        [(Self.page, Self.ok(String(repeating: "{}", count: 99))), (Self.other, Self.ok("x"))], in: folder)
      try damage(folder.path)
      let error = await #expect(throws: SyncError.self) {
        let answers = try RecordedAnswers(of: folder, bodyBytes: 4096)
        for request in [Self.page, Self.other] { _ = try await answers.answer(to: request) }
      }
      #expect(error?.code == .configuration && error?.message.contains(what) == true, "\(String(describing: error))")
      #expect(error?.hint?.isEmpty == false)
    }
  }

  @Test("a body that unpacks to more than the index says is not unpacked")
  func bomb() async throws {
    try await withFolder { folder in
      try await record([(Self.page, Self.ok(String(repeating: " ", count: 64 << 20)))], in: folder)
      #expect(try Data(contentsOf: URL(filePath: folder.path + "/answers.gz")).count < 1 << 20)
      try Self.edit(folder.path + "/index.ndjson") { $0.replacingOccurrences(of: "\(64 << 20)", with: "4096") }
      let answers = try RecordedAnswers(of: folder)
      let error = await #expect(throws: SyncError.self) { try await answers.answer(to: Self.page) }
      #expect(error?.message.contains("not what the index says") == true)
      #expect(throws: GzipMember.Fault.tooLarge) {
        try GzipMember.unpacked(Array(try Data(contentsOf: URL(filePath: folder.path + "/answers.gz"))), limit: 1 << 20)
      }
    }
  }

  @Test("a folder with a recording, a link or a file in its place is refused, and nothing of it is changed")
  func refused() async throws {
    try await withFolder { folder in
      try await record([(Self.page, Self.ok("one"))], in: folder)
      let link = folder.path + "-link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
      defer { try? FileManager.default.removeItem(atPath: link) }
      for path in [folder.path, link, folder.path + "/answers.gz", folder.path + "/no/where"] {
        let error = #expect(throws: SyncError.self) {
          try AnswerRecording(in: RecordingFolder(path), manifest: Self.manifest)
        }
        #expect(error?.code == .usage, "\(path): \(String(describing: error))")
      }
      #expect(try await body(Self.page, try RecordedAnswers(of: folder)) == "one")
    }
  }
}
