/// The state of an embedded cluster.
package enum ClusterStatus: Sendable, Equatable {
  /// A running server. `startedAt` is in seconds since 1970. `isReady` means that the server's status is ready
  /// and its socket exists.
  package struct Server: Sendable, Equatable {
    package var pid: Int32
    package var majorVersion: Int
    package var startedAt: Int64
    package var isReady: Bool
    package var endpoint: ClusterEndpoint
  }

  case notInitialized
  case stopped(majorVersion: Int)
  case running(Server)
}
