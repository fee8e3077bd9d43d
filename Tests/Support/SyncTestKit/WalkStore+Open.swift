package import SyncCore

extension WalkStore {
  package func open(_ stream: StreamDescription, fresh: Bool) async throws -> OpenWalk {
    try await open(stream, fresh: fresh, confirming: nil)
  }
}
