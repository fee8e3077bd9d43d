import ITunesSource
import JikanSource
import PokeAPISource
import SyncProgram
import Testing

struct BoundSources: SuiteTrait, TestTrait, TestScoping {
  static let all = [JikanSource.definition, PokeAPISource.definition, ITunesSource.definition]

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await Registry.$sources.withValue(Self.all) { try await function() }
  }
}

extension Trait where Self == BoundSources {
  static var boundSources: Self { Self() }
}
