import Foundation
import Testing

/// What `scripts/test` says of a log at its end.
@Suite struct TestLogTests {
  @Test func failedAndUnfinishedTestsAreNamed() throws {
    let log = FileManager.default.temporaryDirectory.appending(path: "syncctl-\(UUID().uuidString).log")
    defer { try? FileManager.default.removeItem(at: log) }
    try Data(
      """
      ◇ Test run started.
      ◇ Test one() started.
      ◇ Test "two, it's named" started.
      ◇ Test hangs() started.
      ◇ Test leftOut() started.
      ✔ Test one() passed after 0.1 seconds.
      ✘ Test "two, it's named" recorded an issue at A.swift:3:4: Expectation failed: 1 == 2
      ↳ the second is larger
      ✘ Test "two, it's named" failed after 0.2 seconds with 1 issue.
      ➜ Test leftOut() skipped: "not here"
      ✘ Test run with 4 tests failed after 0.2 seconds with 1 issue.

      """.utf8
    ).write(to: log)
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let script = Process()
    script.executableURL = root.appending(path: "scripts/test")
    script.arguments = ["--failures", log.path]
    let output = Pipe()
    script.standardOutput = output
    try script.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    script.waitUntilExit()
    #expect(
      text.split(separator: "\n").map(String.init) == [
        "Failed:",
        "  ✘ Test \"two, it's named\" recorded an issue at A.swift:3:4: Expectation failed: 1 == 2",
        "      ↳ the second is larger",
        "  not ended: hangs()",
      ])
  }
}
