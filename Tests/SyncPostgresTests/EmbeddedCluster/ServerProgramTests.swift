import SyncTestKit
import Testing

@testable import SyncPostgres

@Suite struct ServerProgramTests {
  private let context = ServerProgram.Context(user: nil, environment: [:], clock: ContinuousClock())

  @Test func inputIsReadToItsEnd() async throws {
    let text = String(repeating: "進撃の巨人\n", count: 20_000)
    let result = try await ServerProgram.run("/bin/cat", [], source: .text(text), deadline: .seconds(60), in: context)
    #expect(result.succeeded && result.standardOutput == text)
  }

  /// When such a program ends, Subprocess cancels the writer of its text input, which used to stop this process too.
  @Test func programMayEndWithoutReading() async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<40 {
            let text = String(repeating: "x", count: 100_000)
            _ = try await ServerProgram.run("/bin/true", [], source: .text(text), deadline: .seconds(60), in: context)
          }
          return true
        }
      }
      for try await succeeded in group { #expect(succeeded) }
    }
  }
}
