import Foundation
import SyncCore
import SyncHTTP

/// Answers recorded from the real services. They are not part of the project, so most clones lack them.
package enum UpstreamFixtures {
  package static let missing =
    "no recorded answers in ../shared/upstream; name their folder in SYNCCTL_UPSTREAM_FIXTURES"

  private static let folder: URL = {
    let named = ProcessInfo.processInfo.environment["SYNCCTL_UPSTREAM_FIXTURES"]
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let folder = named.map { URL(fileURLWithPath: $0) } ?? root.appendingPathComponent("../shared/upstream")
    return folder.standardizedFileURL
  }()

  /// The path of a file or folder; nil if missing.
  package static func path(_ name: String) -> String? {
    let path = folder.appendingPathComponent(name).path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  /// Writes the answers with known requests as a recording, in the format of `syncctl run --record`, and returns its
  /// folder.
  ///
  /// - Parameter absent: Further URLs, which answer 404.
  package static func recording(absent: [String]) async throws -> String {
    struct Entry: Decodable {
      let file: String
      let request: String?
      let status: Int
    }
    let index = try Data(contentsOf: folder.appendingPathComponent("index.json"))
    let path = try ThrowawayFolders.make() + "/recording"
    let recording = try AnswerRecording(in: RecordingFolder(path), manifest: [])
    func record(_ url: String, _ status: Int, _ body: [UInt8]) async throws {
      let answer = OneAnswer(response: UpstreamResponse(status: status, headers: [:], body: body))
      _ = try await RecordingTransport(answer, to: recording).fetch(UpstreamRequest(url: url))
    }
    for entry in try JSONDecoder().decode([Entry].self, from: index) {
      guard let url = entry.request else { continue }
      try await record(url, entry.status, Array(try Data(contentsOf: folder.appendingPathComponent(entry.file))))
    }
    for url in absent { try await record(url, 404, Array("{}".utf8)) }
    try recording.finish(isWhole: true)
    return path
  }

  private struct OneAnswer: Transport {
    let response: UpstreamResponse

    func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse { response }
  }
}
