import ArgumentParser
import Foundation
import SyncCore
import SyncTestKit
import Synchronization
import Testing

@testable import SyncProgram

@Suite struct OutputStreamsTests {
  @Test func dataAndMessagesGoSeparateWays() throws {
    let captured = try capture { streams in
      try streams.print(line: "data \u{1B}[2J")
      streams.note("note \u{9B}2J")
      streams.warn("careful\r\n")
      streams.fail("broken")
      try streams.print(Listing(columns: [Column("a")], emptyMessage: "No runs yet."), as: .table)
      try streams.print(Listing(columns: [Column("a")], emptyMessage: "No runs yet."), as: .csv)
    }
    #expect(captured.output == "data \\u{1B}[2J\na\r\n")
    #expect(captured.error == "note \\u{9B}2J\nwarning: careful\\u{D}\\u{A}\nerror: broken\nNo runs yet.\n")
  }

  @Test("a listing has a form for tables and one for CSV, and a table with --columns shows the form for CSV")
  func forms() throws {
    let listing = Listing(columns: [Column("id"), Column("names")], rows: [[.int(1), .json(#"["a","b"]"#)]])
      .inCSV(\.withJoinedLists)
      .asText { width in ["width \(width ?? 0)", "\u{1B}"] }
      .introduced(by: "before").inTables { $0.hinting(["after"]) }
    func printed(_ words: String...) throws -> [String] {
      let output = try FormatOptions.parse(words)
      let captured = try capture { streams in
        try streams.print(listing, output)
        streams.noteHints(of: listing, output)
      }
      return [captured.output, captured.error]
    }
    #expect(try printed() == ["width 0\n\\u{1B}\n", "before\nafter\n"])
    #expect(try printed("--format", "csv") == ["id,names\r\n1,\"a, b\"\r\n", ""])
    #expect(try printed("--format", "ndjson") == ["{\"id\":1,\"names\":[\"a\",\"b\"]}\n", ""])
    #expect(try printed("--columns", "names") == ["names\na, b\n", ""])
  }

  @Test("a text above a table is printed without rows, too")
  func headedTable() throws {
    let table = Listing(columns: [Column("a")], emptyMessage: "No rows.")
    let listing = Listing(columns: []).inTables { _ in table }.headed { _ in ["above"] }
    let captured = try capture { try $0.print(listing, as: .table) }
    #expect([captured.output, captured.error] == ["above\n", "No rows.\n"])
  }

  @Test("the summary beside CSV has the values of CSV")
  func summaryOfCSV() throws {
    let summary = Listing(columns: [Column("status")], rows: [[.text("failed")]])
      .inTables { $0.saying(["failed": "held"], in: "status") }
    let captured = try capture { streams in
      let printer = RowPrinter(streams, try FormatOptions.parse(["--format", "csv"]), opening: "")
      try printer.finish(summary, closing: "", objects: "", none: Listing(columns: [Column("change")]))
    }
    #expect([captured.output, captured.error] == ["change\r\n", "status\nfailed\n"])
  }

  @Test func longListingIsWrittenCompletely() throws {
    let rows: [[Cell]] = (0..<20_000).map { [.int(Int64($0)), .text("進撃の巨人")] }
    let listing = Listing(columns: [Column("id"), Column("title")], rows: rows)
    let captured = try capture { try $0.print(listing, as: .ndjson) }
    let lines = captured.output.split(separator: "\n")
    #expect(lines.count == 20_000)
    #expect(lines.last == "{\"id\":19999,\"title\":\"進撃の巨人\"}")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func fullDeviceSaysWhatFailed() throws {
    let descriptor = open("/dev/full", O_WRONLY)
    defer { close(descriptor) }
    let streams = StandardStreams(output: .init(descriptor: descriptor), error: .init(descriptor: descriptor))
    let error = #expect(throws: OutputError.self) { try streams.print(line: "x") }
    #expect(error?.isClosedPipe == false)
    #expect(error?.description == "cannot write to standard output: No space left on device")
  }

  @Test func nonBlockingPipeIsWaitedFor() throws {
    let captured = try capture(nonBlocking: true) { streams in
      let long = String(repeating: "x", count: 1_000_000)
      try streams.print(line: long)
    }
    #expect(captured.output.utf8.count == 1_000_001)
  }

  @Test(arguments: [
    (["TERM": "xterm"], true, true), (["TERM": "xterm", "NO_COLOR": "1"], false, true),
    (["TERM": "xterm", "NO_COLOR": ""], true, true), (["TERM": "dumb"], false, false), ([:], false, false),
  ])
  func environmentDecidesOnColour(environment: [String: String], hasColour: Bool, canRedraw: Bool) throws {
    let terminal = try PseudoTerminal(columns: 100, rows: 30)
    let channel = StandardStreams.Channel(descriptor: terminal.terminal) { environment[$0] }
    #expect(channel.isTerminal && channel.hasColour == hasColour && channel.canRedraw == canRedraw)
    #expect(channel.size() == TerminalSize(columns: 100, rows: 30))
  }

  @Test func pipeIsNoTerminalWhateverTheEnvironment() throws {
    let pipe = try Self.pipe()
    defer {
      close(pipe.read)
      close(pipe.write)
    }
    let channel = StandardStreams.Channel(descriptor: pipe.write) { ["TERM": "xterm", "COLUMNS": "40"][$0] }
    #expect(!channel.isTerminal && !channel.hasColour && !channel.canRedraw && channel.size() == nil)
  }

  @Test func tableFitsTheTerminalOrCOLUMNS() throws {
    let listing = Listing(
      columns: [Column("title", fit: .cut(least: 6))], rows: [[.text(String(repeating: "長", count: 60))]])
    for (columns, expected) in [(nil, 49), ("21", 21), ("nonsense", 49), ("0", 49)] as [(String?, Int)] {
      let terminal = try PseudoTerminal(columns: 50, rows: 30)
      let channel = StandardStreams.Channel(descriptor: terminal.terminal) { $0 == "COLUMNS" ? columns : nil }
      try StandardStreams(output: channel, error: channel).print(listing, as: .table)
      let lines = terminal.read(lines: 2)
      #expect(lines.map { TerminalText.displayWidth($0) } == [5, expected])
    }
  }

  /// The tests are serialized, because a pager changes the signal handling of the process and keeps pipes open.
  @Suite(.serialized) struct Pagers {
    @Test("only what is longer than the terminal is paged; a pager that fails or is left early loses nothing else")
    func pager() throws {
      signal(SIGPIPE, SIG_IGN)
      func listing(_ rows: Int) -> Listing {
        Listing(columns: [Column("id")], rows: (0..<rows).map { [.int(Int64($0))] })
      }
      let folder = try TemporaryFolder()
      for (rows, command, shown) in [
        (28, "cat > shown", nil), (29, "cat > shown", 30), (50_000, "head -5 > shown", 5), (40, "exit 3", nil),
        (40, "sed 's/^/|/' > shown; cat missing", 41),
      ] as [(Int, String, Int?)] {
        let terminal = try PseudoTerminal(columns: 50, rows: 30)
        let channel = StandardStreams.Channel(descriptor: terminal.terminal) { _ in nil }
        let streams = StandardStreams(
          output: channel, error: .init(descriptor: -1), pager: "cd '\(folder.path)' && \(command)")
        try streams.print(listing(rows), as: .table)
        let file = folder.path + "/shown"
        let text = try? String(contentsOfFile: file, encoding: .utf8)
        #expect(text?.split(separator: "\n").count == shown, "\(command)")
        if rows == 28 { #expect(terminal.read(lines: 29).last == "27") }
        try? FileManager.default.removeItem(atPath: file)
      }
    }

    @Test("links are neither counted as text nor shown to a pager; less is told of UTF-8")
    func pagerWithoutLinks() throws {
      signal(SIGPIPE, SIG_IGN)
      let folder = try TemporaryFolder()
      let address = "https://a.example/" + String(repeating: "a", count: 20)
      for rows in [28, 29] {
        let terminal = try PseudoTerminal(columns: 50, rows: 30)
        var channel = StandardStreams.Channel(descriptor: terminal.terminal) { _ in nil }
        channel.hasLinks = true
        try StandardStreams(
          output: channel, error: .init(descriptor: -1),
          pager: "cd '\(folder.path)' && { cat; echo \"$LESSCHARSET\"; } > shown"
        ).print(Listing(columns: [Column("url")], rows: Array(repeating: [.text(address)], count: rows)), as: .table)
        let shown = try? String(contentsOfFile: folder.path + "/shown", encoding: .utf8)
        guard rows == 29 else {
          #expect(shown == nil)
          #expect(terminal.read(lines: 29).last?.hasPrefix("\u{1B}]8;;\(address)\u{1B}\\") == true)
          continue
        }
        #expect(shown?.contains("\u{1B}") == false && shown?.contains(address) == true)
        #expect(shown?.hasSuffix("\nutf-8\n") == (ProcessInfo.processInfo.environment["LESSCHARSET"] == nil))
      }
    }

    private static let interrupts = Atomic(0)

    @Test("Ctrl-C is for the pager, also while it reads")
    func pagerOnInterrupt() throws {
      signal(SIGPIPE, SIG_IGN)
      let handler = signal(SIGINT) { _ in Pagers.interrupts.add(1, ordering: .relaxed) }
      defer { _ = signal(SIGINT, handler) }
      let folder = try TemporaryFolder()
      let terminal = try PseudoTerminal(columns: 50, rows: 30)
      let channel = StandardStreams.Channel(descriptor: terminal.terminal) { _ in nil }
      // The rows do not fit into a pipe, so the program still writes when the pager sends SIGINT.
      let rows = (0..<50_000).map { [Cell.int(Int64($0))] }
      try StandardStreams(
        output: channel, error: .init(descriptor: -1),
        pager: "read first; kill -INT \(getpid()); wc -l > '\(folder.path)/shown'"
      ).print(Listing(columns: [Column("id")], rows: rows), as: .table)
      #expect(try String(contentsOfFile: folder.path + "/shown", encoding: .utf8) == "50000\n")
      #expect(Self.interrupts.load(ordering: .relaxed) == 0)
      // The previous handler was neither SIG_DFL (0) nor SIG_IGN (1).
      #expect(unsafeBitCast(signal(SIGINT, handler), to: Int.self) > 1)
    }

    @Test func closedPipeIsToldApart() throws {
      signal(SIGPIPE, SIG_IGN)
      let pipe = try OutputStreamsTests.pipe()
      close(pipe.read)
      defer { close(pipe.write) }
      let streams = StandardStreams(output: .init(descriptor: pipe.write), error: .init(descriptor: pipe.write))
      let error = #expect(throws: OutputError.self) { try streams.print(line: "x") }
      #expect(error?.isClosedPipe == true)
      streams.note("x")
    }
  }

  @Test("the pager is git's choice: a variable of ours, then PAGER, then less; cat and nothing mean none")
  func pagerCommand() {
    func command(_ environment: [String: String]) -> String? { Pager.command { environment[$0] } }
    #expect(command(["SYNCCTL_PAGER": "more", "PAGER": "less"]) == "more")
    #expect(command(["PAGER": "less -S"]) == "less -S")
    #expect(command(["SYNCCTL_PAGER": "", "PAGER": "less"]) == nil)
    #expect(command(["PAGER": "cat"]) == nil)
    #expect(command([:])?.hasSuffix("; less") == true)
  }

  @Test func noteStandsAboveTheBars() throws {
    let captured = try capture(canRedraw: true) { streams in
      streams.draw(block: ["one", "two"])
      streams.note("hello")
      streams.draw(block: [])
    }
    let drawing = "\rone\u{1B}[K\r\ntwo\u{1B}[K\u{1B}[J"
    let removal = "\r\u{1B}[1A\u{1B}[J"
    #expect(captured.error == drawing + removal + "hello\n" + drawing + removal)
  }

  @Test func narrowedWindowIsClearedCompletely() {
    var block = TransientBlock()
    _ = block.draw([String(repeating: "x", count: 79), "short"], columns: 80)
    // In 40 columns, the first line takes two rows, so the block begins two rows above the cursor.
    #expect(block.draw(["y"], columns: 40) == "\r\u{1B}[2Ay\u{1B}[K\u{1B}[J")
    #expect(block.draw([], columns: 40) == "\r\u{1B}[J")
    #expect(block.draw([], columns: 40) == "")
    _ = block.draw([String(repeating: "x", count: 79)], columns: 80)
    #expect(block.draw([], columns: 40) == "\r\u{1B}[1A\u{1B}[J")
  }

  @Test func reporterDrawsBarsAndCleansUp() throws {
    let time = Mutex(Duration.zero)
    let captured = try capture(canRedraw: true) { streams in
      let reporter = ProgressReporter(streams: streams, namesSources: false, now: { time.withLock { $0 } })
      func report(_ step: ProgressEvent.Step) {
        reporter.report(ProgressEvent(source: "shop", stream: "evil\u{1B}[2J", step: step))
      }
      report(.started(page: 0))
      time.withLock { $0 = .seconds(2) }
      report(.pageDone(page: 1, lastPage: 2, rows: 50, requests: 1))
      reporter.finish()
    }
    #expect(!captured.error.contains("\u{1B}[2J"))
    #expect(captured.error.contains("shop  [#####-----]  1/2 requests  evil\\u{1B}[2J 1/2"))
    #expect(captured.error.hasSuffix("\r\u{1B}[J"))
    #expect(!captured.error.contains("\u{1B}[?25l"))
  }

  @Test func reporterWritesPlainLinesToAPipe() throws {
    let captured = try capture { streams in
      let reporter = ProgressReporter(streams: streams, namesSources: false, now: { .zero })
      let steps: [ProgressEvent.Step] = [
        .pageDone(page: 1, lastPage: 2, rows: 50, requests: 1), .finished(status: "complete", pages: 1, requests: 1),
      ]
      for step in steps { reporter.report(ProgressEvent(source: "shop", stream: "s", step: step)) }
      reporter.finish()
    }
    let lines = "shop: 1/2 requests, s 1/2, 50 rows\ns: complete, 1 page of 2 advertised, 50 rows in 0 ms\n"
    #expect(captured.error == lines)
    #expect(captured.output.isEmpty)
  }

  private struct SystemFailure: Error { let call: String }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard Foundation.pipe(&ends) == 0 else { throw SystemFailure(call: "pipe") }
    return (ends[0], ends[1])
  }

  private func capture(
    canRedraw: Bool = false, nonBlocking: Bool = false, _ body: (StandardStreams) throws -> Void
  ) throws -> (output: String, error: String) {
    let output = try Self.pipe()
    let error = try Self.pipe()
    if nonBlocking { _ = fcntl(output.write, F_SETFL, O_NONBLOCK) }
    let outputReader = PipeReader(output.read)
    let errorReader = PipeReader(error.read)
    let errorChannel = StandardStreams.Channel(
      descriptor: error.write, canRedraw: canRedraw, size: { TerminalSize(columns: 80, rows: 24) })
    let result = Result { try body(StandardStreams(output: .init(descriptor: output.write), error: errorChannel)) }
    close(output.write)
    close(error.write)
    let texts = (outputReader.text(), errorReader.text())
    try result.get()
    return texts
  }

  /// Reads a pipe on a new thread, so that a long text does not fill the pipe and block the writer.
  private final class PipeReader: Sendable {
    private let bytes = Mutex<[UInt8]>([])
    private let done = DispatchSemaphore(value: 0)

    init(_ descriptor: Int32) {
      Thread.detachNewThread { [self] in
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
          let count = Foundation.read(descriptor, &buffer, buffer.count)
          if count <= 0 { break }
          bytes.withLock { $0 += buffer.prefix(count) }
        }
        close(descriptor)
        done.signal()
      }
    }

    func text() -> String {
      done.wait()
      return bytes.withLock { String(decoding: $0, as: UTF8.self) }
    }
  }

  final class PseudoTerminal {
    let controller: Int32
    let terminal: Int32

    init(columns: UInt16, rows: UInt16) throws {
      var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
      var ends: (controller: Int32, terminal: Int32) = (-1, -1)
      guard openpty(&ends.controller, &ends.terminal, nil, nil, &size) == 0 else {
        throw SystemFailure(call: "openpty")
      }
      controller = ends.controller
      terminal = ends.terminal
    }

    /// The terminal has converted line ends to CR LF.
    func read(lines: Int) -> [String] {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while bytes.filter({ $0 == UInt8(ascii: "\n") }).count < lines {
        let count = Foundation.read(controller, &buffer, buffer.count)
        if count <= 0 { break }
        bytes += buffer.prefix(count)
      }
      return String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n").split(separator: "\n").map(
        String.init)
    }

    deinit {
      close(controller)
      close(terminal)
    }
  }
}
