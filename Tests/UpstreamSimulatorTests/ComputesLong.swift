import SyncTestKit
import Testing

/// Runs tests that compute for seconds on their own threads.
struct ComputesLong: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(OwnThreads()) { try await function() }
  }
}

extension Trait where Self == ComputesLong {
  static var computesLong: Self { Self() }
}
