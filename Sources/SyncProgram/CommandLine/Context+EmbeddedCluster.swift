import Foundation
import SyncPostgres

extension Context {
  /// The embedded server; `nil` if the database is another server.
  var embeddedCluster: EmbeddedCluster? {
    guard case .embedded(let folder) = configuration.database.value else { return nil }
    var options = EmbeddedCluster.Options(environment: ProcessInfo.processInfo.environment)
    options.said = { StandardStreams().note($0) }
    return EmbeddedCluster(dataDirectory: folder, options: options)
  }

  /// Whether the embedded server is stopped or not ready. A question would start it.
  func isAsleep() async throws -> Bool {
    switch try await embeddedCluster?.status() {
    case .stopped: true
    case .running(let server): !server.isReady
    case .notInitialized, nil: false
    }
  }

  /// The embedded server and its folder in words; `nil` if the database is another server.
  var embedded: String? {
    embeddedCluster.map(\.location).map { location in
      let move = location.move.map { "; not in \($0.requestedFolder): \($0.reason)" } ?? ""
      return "embedded PostgreSQL in \(location.folder) (\(configuration.database.origin)\(move))"
    }
  }
}
