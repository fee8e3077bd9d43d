import Foundation
import SyncTelemetry
import SyncTestKit
import Testing

@Suite("The writer of the log", .timeLimit(.minutes(2)))
struct LineWriterTests {
  @Test("lines of many tasks stay apart, long ones too")
  func concurrency() async throws {
    let pipe = try PipeUnderTest()
    let reading = Task { await offPool { pipe.readAll() } }
    let writer = LineWriter(descriptor: pipe.writeEnd, readerTimeout: .seconds(30))
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for line in 0..<200 {
            let length = line % 10 == 0 ? 7000 : 60
            await offPool { writer.write(Array("\(task) \(line) \(String(repeating: "x", count: length))\n".utf8)) }
          }
        }
      }
    }
    pipe.closeWriteEnd()
    let lines = String(decoding: await reading.value, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 1600)
    #expect(writer.lost == 0)
    var last = Array(repeating: -1, count: 8)
    for line in lines {
      let parts = line.split(separator: " ")
      try #require(parts.count == 3)
      let task = try #require(Int(parts[0]))
      let number = try #require(Int(parts[1]))
      #expect(number == last[task] + 1)
      #expect(parts[2] == String(repeating: "x", count: number % 10 == 0 ? 7000 : 60))
      last[task] = number
    }
  }

  @Test("a lost reader, a closed descriptor and a full disk cost the records, and nothing else")
  func lost() throws {
    signal(SIGPIPE, SIG_IGN)
    let pipe = try PipeUnderTest()
    pipe.closeReadEnd()
    // Where there is no such file, this is another descriptor that is not open.
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    for descriptor in [pipe.writeEnd, -1, full] {
      let writer = LineWriter(descriptor: descriptor)
      for line in ["lost\n", "lost too\n"] { writer.write(Array(line.utf8)) }
      #expect(writer.lost == 2)
    }
  }

  @Test(
    "a reader that stops reading does not stop the program; later records begin on a new line",
    arguments: [false, true])
  func stalledReader(isNonblocking: Bool) async throws {
    let pipe = try PipeUnderTest()
    if isNonblocking { #expect(fcntl(pipe.writeEnd, F_SETFL, O_NONBLOCK) == 0) }
    let writer = LineWriter(descriptor: pipe.writeEnd, readerTimeout: .zero)
    // A pipe's capacity is not a multiple of the line's length, so the last line is written only in part.
    let line = Array((String(repeating: "x", count: 8999) + "\n").utf8)
    for _ in 0..<400 { writer.write(line) }
    #expect(writer.lost > 0)
    let kept = 400 - writer.lost
    #expect(kept > 0)
    let drained = pipe.readSome(1 << 20)
    #expect(drained.count >= kept * line.count)
    writer.write(Array("again\n".utf8))
    pipe.closeWriteEnd()
    let all = drained + pipe.readAll()
    let lines = String(decoding: all, as: UTF8.self).split(separator: "\n")
    #expect(lines.last == "again")
    #expect(lines.filter { $0.utf8.count == 8999 }.count == kept)
  }

  @Test("lines are written to a file")
  func file() throws {
    try withTemporaryFolder { folder in
      let descriptor = open(folder + "/log", O_WRONLY | O_CREAT | O_APPEND, 0o600)
      defer { close(descriptor) }
      let writer = LineWriter(descriptor: descriptor)
      let line = String(repeating: "y", count: 8000) + "\n"
      for _ in 0..<3 { writer.write(Array(line.utf8)) }
      let text = try String(contentsOfFile: folder + "/log", encoding: .utf8)
      #expect(text == line + line + line)
      #expect(writer.lost == 0)
    }
  }
}

private final class PipeUnderTest: Sendable {
  let readEnd: CInt
  let writeEnd: CInt

  init() throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    readEnd = ends[0]
    writeEnd = ends[1]
  }

  func closeWriteEnd() { close(writeEnd) }
  func closeReadEnd() { close(readEnd) }

  func readSome(_ limit: Int) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: limit)
    let count = read(readEnd, &buffer, limit)
    return Array(buffer.prefix(max(0, count)))
  }

  func readAll() -> [UInt8] {
    var result: [UInt8] = []
    while true {
      let some = readSome(65_536)
      if some.isEmpty { return result }
      result += some
    }
  }
}
