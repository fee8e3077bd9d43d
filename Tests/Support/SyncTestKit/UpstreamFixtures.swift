import Foundation

/// Answers recorded from the real services. Most clones of the project lack these files.
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

  package static func path(_ name: String) -> String? {
    let path = folder.appendingPathComponent(name).path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }
}
