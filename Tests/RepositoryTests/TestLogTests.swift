import Foundation
import Testing

/// Tests the summary that `scripts/test` prints at its end.
@Suite struct TestLogTests {
  private static func lines(of text: String, _ option: String) throws -> [String] {
    let file = FileManager.default.temporaryDirectory.appending(path: "syncctl-\(UUID().uuidString).log")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(text.utf8).write(to: file)
    let script = Process()
    script.executableURL = Repository.root.appendingPathComponent("scripts/test")
    script.arguments = [option, file.path]
    let output = Pipe()
    script.standardOutput = output
    try script.run()
    let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    script.waitUntilExit()
    return printed.split(separator: "\n").map(String.init)
  }

  @Test func failedAndUnfinishedTestsAreNamed() throws {
    let log = """
      ◇ Test run started.
      ◇ Test one() started.
      ◇ Test "two, it's named" started.
      ◇ Test hangs() started.
      ◇ Test leftOut() started.
      ◇ Test case passing 1 argument text → "a✔ Test one() passed after 0.1 seconds.
      ◇ Test case passing 1 argument text → "
      b✘ Test "two, it's named" recorded an issue at A.swift:3:4: Expectation failed: 1 == 2
      ↳ the second is larger
      ✘ Test "two, it's named" failed after 0.2 seconds with 1 issue.
      ➜ Test leftOut() skipped: "not here"
      ✘ Test run with 4 tests failed after 0.2 seconds with 1 issue.

      """
    #expect(
      try Self.lines(of: log, "--failures") == [
        "Failed:",
        "  ✘ Test \"two, it's named\" recorded an issue at A.swift:3:4: Expectation failed: 1 == 2",
        "      ↳ the second is larger",
        "  not ended: hangs()",
      ])
  }

  @Test("tests are slow by the seconds that they ran, all cases together, not by their wait for a slot")
  func slowTestsAreNamed() throws {
    func event(_ kind: String, _ test: String, _ second: Double) -> String {
      #"{"kind":"event","payload":{"instant":{"absolute":\#(second),"since1970":1},"kind":"\#(kind)","messages":[],"#
        + #""testID":"A.S\/\#(test)\/S.swift:4:4"},"version":0}"#
    }
    let cases = Array(repeating: event("testCaseStarted", "eight(_:)", 1), count: 8)
    let events =
      [event("testStarted", "eight(_:)", 1)] + cases + [
        event("testStarted", "waits()", 1), event("testStarted", "hangs()", 1), event("testStarted", "quick()", 1),
        event("testCaseEnded", "eight(_:)", 11),
      ] + Array(repeating: event("testCaseEnded", "eight(_:)", 12), count: 7) + [
        event("testEnded", "quick()", 13), event("testEnded", "waits()", 31),
      ]
    #expect(
      try Self.lines(of: events.joined(separator: "\n") + "\n", "--slowest") == [
        "The slowest suites, in seconds that they ran:", "   108.0  A.S",
        "The slowest tests, in seconds that they ran:", "    87.0  A.S/eight(_:)", "    20.0  A.S/waits()",
      ])
  }
}
