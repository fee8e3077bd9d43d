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
    let recording = try AnswerRecording(in: folder, manifest: Array("{}".utf8))
    let transport = RecordingTransport(Script(exchanges.map(\.1)), to: recording, keeping: ["x-pokeapi-hash"])
    for (request, _) in exchanges { _ = try? await transport.fetch(request) }
    try recording.finish(isWhole: isWhole)
  }

  private func body(_ request: UpstreamRequest, _ replay: ReplayTransport) async throws -> String {
    String(decoding: try await replay.fetch(request).body, as: UTF8.self)
  }

  private static let page = UpstreamRequest(url: "https://example.org/v1/top?page=1")
  private static let other = UpstreamRequest(url: "https://example.org/v1/top?page=2")
  private static let known = UpstreamRequest(url: page.url, validators: Validators(etag: "\"a\"", lastModified: nil))

  @Test("answers and faults come again in the order of the requests for the same address")
  func order() async throws {
    let refused = SyncError(.upstream, "cannot connect", hint: "check", disposition: .throttled(after: .seconds(30)))
    let bad = SyncError(.configuration, "no URL", disposition: .stopRun)
    try await withFolder { folder in
      try await record(
        [
          (Self.page, Self.ok("busy", status: 503, ["retry-after": "2"])), (Self.other, Self.ok("other")),
          (Self.page, .failure(refused)), (Self.page, .failure(bad)), (Self.page, Self.ok("")),
        ], in: folder)
      let replay = try ReplayTransport(of: folder)
      #expect(replay.isWhole && replay.count == 5)
      let busy = try await replay.fetch(Self.page)
      #expect(busy.status == 503 && busy.headers == ["retry-after": "2"])
      for expected in [refused, bad] {
        let error = await #expect(throws: SyncError.self) { try await replay.fetch(Self.page) }
        #expect(error?.code == expected.code && error?.disposition == expected.disposition)
        #expect(error?.description == expected.description)
      }
      #expect(try await body(Self.page, replay) == "")
      #expect(try await body(Self.other, replay) == "other")
      let error = await #expect(throws: SyncError.self) { try await replay.fetch(Self.other) }
      #expect(error?.code == .configuration && error?.message.contains(Self.other.url) == true)
      #expect(error?.disposition == .stopRun)
    }
  }

  @Test("an answer that was requested conditionally is given without, unless it has no body")
  func validators() async throws {
    try await withFolder { folder in
      try await record(
        [(Self.known, Self.ok("", status: 304)), (Self.known, Self.ok("new")), (Self.page, Self.ok("whole"))],
        in: folder)
      let replay = try ReplayTransport(of: folder)
      #expect(try await body(Self.page, replay) == "whole")
      #expect(try await body(Self.page, replay) == "new")
      let error = await #expect(throws: SyncError.self) { try await replay.fetch(Self.page) }
      #expect(error?.message.contains("(304)") == true)
      #expect(try await replay.fetch(Self.known).status == 304)
    }
    try await withFolder { folder in
      try await record([(Self.page, Self.ok("whole"))], in: folder)
      #expect(try await body(Self.known, try ReplayTransport(of: folder)) == "whole")
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
      let replayed = try await ReplayTransport(of: folder).fetch(Self.page).headers
      #expect(replayed == kept.merging(["location": shown]) { $1 })
      #expect(try !String(contentsOfFile: folder.path + "/index.ndjson", encoding: .utf8).contains("S3cr3t"))
      #expect(try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int == 0o700)
    }
  }

  @Test("a recording that was cut off replays as far as it goes; one of nothing is removed")
  func interrupted() async throws {
    try await withFolder { folder in
      try await record([(Self.page, Self.ok("one")), (Self.other, Self.ok("two"))], in: folder, isWhole: false)
      let handle = try #require(FileHandle(forUpdatingAtPath: folder.path + "/index.ndjson"))
      try handle.truncate(atOffset: try handle.seekToEnd() - 5)
      let replay = try ReplayTransport(of: folder)
      #expect(!replay.isWhole && replay.count == 1)
      #expect(try await body(Self.page, replay) == "one")
      let error = await #expect(throws: SyncError.self) { try await replay.fetch(Self.other) }
      #expect(error?.code == .tryLater)
    }
    try await withFolder { folder in
      try await record([], in: folder)
      #expect(!FileManager.default.fileExists(atPath: folder.path))
      #expect(#expect(throws: SyncError.self) { try ReplayTransport(of: folder) }?.code == .configuration)
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
        let replay = try ReplayTransport(of: folder, bodyBytes: 4096)
        for request in [Self.page, Self.other] { _ = try await replay.fetch(request) }
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
      let replay = try ReplayTransport(of: folder)
      let error = await #expect(throws: SyncError.self) { try await replay.fetch(Self.page) }
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
        let error = #expect(throws: SyncError.self) { try AnswerRecording(in: RecordingFolder(path), manifest: []) }
        #expect(error?.code == .usage, "\(path): \(String(describing: error))")
      }
      #expect(try await body(Self.page, try ReplayTransport(of: folder)) == "one")
    }
  }
}
