extension EmbeddedCluster {
  /// The server's programs that this cluster is run with, in words.
  ///
  /// - Throws: `EmbeddedClusterError` of kind `binariesMissing` or `versionMismatch`.
  package func programs() async throws -> String {
    let version: Int? =
      switch try await status() {
      case .notInitialized: nil
      case .stopped(let major): major
      case .running(let server): server.majorVersion
      }
    let found = try await binaries(for: version)
    return "PostgreSQL \(found.majorVersion) in \(found.folder)"
  }
}
