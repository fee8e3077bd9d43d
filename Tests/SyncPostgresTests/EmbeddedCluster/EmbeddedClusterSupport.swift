import Foundation
import PostgresTestKit
import SyncTestKit
import Testing

@testable import SyncPostgres

func quickOptions(
  environment: [String: String] = ThrowawayFolders.environment,
  _ change: (inout EmbeddedCluster.Options) -> Void = { _ in }
) -> EmbeddedCluster.Options {
  var options = EmbeddedCluster.Options(environment: environment)
  options.skipsSync = true
  options.settings = ["fsync": "off", "shared_buffers": "16MB"]
  change(&options)
  return options
}

func optionsWithoutBinaries() -> EmbeddedCluster.Options {
  quickOptions(environment: ["PATH": "/nonexistent"]) { $0.searchPatterns = [] }
}

func withCluster<Answer>(
  in subfolder: String = "", options: EmbeddedCluster.Options = quickOptions(),
  _ body: (EmbeddedCluster, String) async throws -> Answer
) async throws -> Answer {
  let root = try ThrowawayFolders.make()
  let folder = subfolder.isEmpty ? root : root + "/" + subfolder
  let cluster = EmbeddedCluster(dataDirectory: folder, options: options)
  let result: Result<Answer, any Error>
  do { result = .success(try await body(cluster, folder)) } catch { result = .failure(error) }
  let left = EmbeddedCluster(dataDirectory: folder, options: quickOptions())
  if left.serverProcess != nil { try await left.stop(.immediate) }
  try? FileManager.default.removeItem(atPath: cluster.endpoint.socketDirectory)
  try FileManager.default.removeItem(atPath: root)
  return try result.get()
}

/// Returns the error of `body`. The error's message and hint must be one line each and contain the given words.
@discardableResult
func clusterError(
  _ cause: EmbeddedClusterError.Cause? = nil, _ words: String? = nil, hint: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async throws -> EmbeddedClusterError {
  let error = await #expect(throws: EmbeddedClusterError.self, sourceLocation: sourceLocation) { try await body() }
  let found = try #require(error, sourceLocation: sourceLocation)
  for text in [found.message, found.hint] {
    #expect(!text.isEmpty && !text.contains("\n"), sourceLocation: sourceLocation)
  }
  if let cause { #expect(found.cause == cause, "\(found)", sourceLocation: sourceLocation) }
  if let words { #expect(found.message.contains(words), "\(found)", sourceLocation: sourceLocation) }
  if let hint { #expect(found.hint.contains(hint), "\(found)", sourceLocation: sourceLocation) }
  return found
}

func listing(_ folder: String) -> [String] {
  (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []).sorted()
}

func makeFolder(_ path: String, permissions: Int = 0o755) throws {
  try FileManager.default.createDirectory(
    atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: permissions])
}

func write(_ text: String, to path: String) throws {
  try Data(text.utf8).write(to: URL(filePath: path))
  try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
}

extension EmbeddedCluster {
  func ask(_ query: String) async throws -> String {
    try await runClient("psql", ["-X", "-q", "-A", "-t", "-d", endpoint.url], input: query)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func server() async throws -> ClusterStatus.Server {
    guard case .running(let server) = try await status() else {
      throw EmbeddedClusterError(.startFailed, "the test's server is not running", hint: "look at the test")
    }
    return server
  }
}
