import Foundation

/// The documents recorded from PokeAPI, laid out as its addresses. They are not part of the project; most clones do not
/// have them.
package enum PokeAPIRecording {
  /// The path of the packed tree; nil if there is none.
  package static let archive: String? = {
    let named = ProcessInfo.processInfo.environment["SYNCCTL_UPSTREAM_FIXTURES"]
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    let folder = named.map { URL(fileURLWithPath: $0) } ?? root.appendingPathComponent("../shared/upstream")
    let path = folder.appendingPathComponent("pokeapi.tar.xz").standardizedFileURL.path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  package static let missing = "no recorded PokeAPI in ../shared/upstream; name its folder in SYNCCTL_UPSTREAM_FIXTURES"

  /// The tree, unpacked once per process: `api/v2/pokemon/25/index.json` and so on, compact, with relative links, the
  /// lists reduced to the recorded documents.
  package static func tree() async throws -> String { try await unpacked.value }

  private static let unpacked = Task {
    guard let archive else { throw Failure(description: missing) }
    let folder = try ThrowawayFolders.make()
    let tar = Process()
    tar.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    tar.arguments = ["tar", "-xJf", archive, "-C", folder]
    let status = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int32, any Error>) in
      tar.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try tar.run() } catch { continuation.resume(throwing: error) }
    }
    guard status == 0 else { throw Failure(description: "tar could not unpack \(archive): status \(status)") }
    return folder
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}
