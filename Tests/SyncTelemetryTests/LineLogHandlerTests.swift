import Foundation
import Logging
import SyncCore
import SyncTelemetry
import Synchronization
import Testing

@Suite("A record of the log is one line")
struct LineLogHandlerTests {
  @Test("time, level, message, metadata by name")
  func text() throws {
    let logger = LoggerUnderTest(.text)
    logger.log(.info, "jikan/top-anime: page 12 of 608", ["run": "3f2a", "rows": "600"])
    logger.log(.warning, "slow")
    logger.log(.debug, "below the level")
    #expect(
      logger.text == """
        2026-11-21T20:53:05.123Z info  jikan/top-anime: page 12 of 608  rows=600 run=3f2a
        2026-11-21T20:53:05.123Z warning slow

        """)
  }

  @Test("values that are not one word are in quotation marks; lists are joined")
  func quotation() {
    let logger = LoggerUnderTest(.text)
    logger.log(
      .error, "x",
      [
        "a": "two words", "b": "", "c": #"say "hi" \ "#, "d": "k=v", "e": "plain", "f": "[no list]",
        "g": ["one", .stringConvertible(2), ["deep": "3"]], "h": "a\u{3000}b",
      ])
    #expect(
      logger.text == """
        2026-11-21T20:53:05.123Z error x  a="two words" b="" c="say \\"hi\\" \\\\ " d="k=v" e=plain f="[no list]" \
        g="one, 2, …" h="a\u{3000}b"

        """)
  }

  @Test("nothing foreign breaks the line or steers the terminal", arguments: Self.hostile)
  func hostileText(_ scalar: Unicode.Scalar) {
    let logger = LoggerUnderTest(.text)
    let foreign = "a\(scalar)b"
    logger.log(
      .info, "\(foreign)", ["key\(scalar)": "\(foreign)", "list": [.string(foreign)], "x": ["\(foreign)": "y"]])
    #expect(logger.text.hasSuffix("\n"))
    let line = logger.text.dropLast()
    #expect(!line.unicodeScalars.contains(scalar), "\(logger.text.debugDescription)")
    let escape = "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    #expect(line.contains("a\(escape)b  "), "what it was is visible")
    #expect(line.contains("key_"), "names are plain")
  }

  private static let hostile: [Unicode.Scalar] = [
    "\0", "\n", "\r", "\u{1B}", "\u{7F}", "\u{85}", "\u{9B}", "\u{202E}", "\u{2066}", "\u{2028}", "\u{2029}", "\u{61C}",
  ]

  @Test("CR LF, which is one character, is two escapes")
  func carriageReturn() {
    let logger = LoggerUnderTest(.text)
    logger.log(.info, "a\r\nb")
    #expect(logger.text == "2026-11-21T20:53:05.123Z info  a\\u{D}\\u{A}b\n")
  }

  @Test("names are plain, and none is lost to another")
  func names() {
    let logger = LoggerUnderTest(.text)
    logger.log(.info, "x", ["run_id": "1", "http status": "2", "http.status": "3", "": "4", "page2": "5", "é": "6"])
    let text = logger.text
    #expect(text.hasSuffix(" info  x  _=4 http_status=2 http_status_=3 page2=5 run_id=1 __=6\n"), "\(text)")
  }

  @Test("one object, flat; all values are texts")
  func json() {
    let logger = LoggerUnderTest(.json)
    logger.log(
      .notice, "page",
      [
        "rows": .stringConvertible(600), "rate": .stringConvertible(0.5), "whole": .stringConvertible(true),
        "run_id": "3f2a", "window": ["requests": .stringConvertible(3), "length": "1s"], "list": ["a", "b"],
        "nan": .stringConvertible(Double.nan),
      ])
    #expect(
      logger.text == """
        {"time":"2026-11-21T20:53:05.123Z","level":"notice","message":"page","list":"a, b","nan":"nan",\
        "rate":"0.5","rows":"600","run_id":"3f2a","whole":"true","window":"length=1s, requests=3"}

        """)
  }

  @Test("escapes are plain ASCII and the data is kept", arguments: Self.hostile)
  func hostileJSON(_ scalar: Unicode.Scalar) throws {
    let logger = LoggerUnderTest(.json)
    let foreign = "a\(scalar)b\"\\c"
    logger.log(.info, "\(foreign)", ["value": .string(foreign), "deep": [foreign: .string(foreign)]])
    #expect(!logger.text.dropLast().unicodeScalars.contains(scalar))
    let object = try logger.object()
    #expect(object["message"] as? String == foreign)
    #expect(object["value"] as? String == foreign)
    #expect(object["deep"] as? String == "\(foreign)=\(foreign)")
  }

  @Test("the escape of a scalar is the one of JSON")
  func goldenEscapes() {
    let logger = LoggerUnderTest(.json)
    logger.log(.info, "\r\n\u{1B}[31m\u{9B}é🎬\u{202E}\0")
    #expect(logger.text.contains(#""message":"\r\n\u001b[31m\u009bé🎬\u202e\u0000""#), "\(logger.text)")
  }

  @Test("metadata cannot pass for the time, the level or the message")
  func reservedNames() throws {
    let logger = LoggerUnderTest(.json)
    logger.log(.info, "true", ["message": "false", "level": "critical", "time": "1970", "truncated": "no"])
    let object = try logger.object()
    #expect(object["message"] as? String == "true")
    #expect(object["level"] as? String == "info")
    #expect(object["message_"] as? String == "false")
    #expect(object["truncated_"] as? String == "no")
    #expect(object["truncated"] == nil)
  }

  @Test("no record is longer than 4 KiB", arguments: [LineLogHandler.Format.text, .json])
  func bounds(_ format: LineLogHandler.Format) throws {
    var many: Logger.Metadata = [:]
    for number in 0..<200 { many["key\(number)"] = "value \(number)" }
    let deep = (0..<50).reduce(Logger.MetadataValue.string("bottom")) { value, _ in ["level": value, "list": [value]] }
    let long = String(repeating: "é", count: 50_000)
    let controls = String(repeating: "\u{1B}", count: 50_000)
    let cases: [(String, Logger.Metadata)] = [
      (long, ["rows": "7"]), (controls, [:]), ("short", many), ("short", ["deep": deep]),
      ("short", ["long": .string(long), "controls": .string(controls)]),
      ("short", ["list": .array(Array(repeating: .string(long), count: 1000))]),
      ("short", many.mapValues { _ in .string(long) }),
      (controls, many.merging(["deep": deep, "long": .string(long)]) { $1 }),
      (long, [long: "x", String(repeating: "k", count: 100_000): "y"]),
    ]
    for (message, metadata) in cases {
      let logger = LoggerUnderTest(format)
      logger.log(.info, "\(message)", metadata)
      let line = try #require(logger.lines.first)
      #expect(logger.lines.count == 1)
      #expect(line.count <= Limits.logLineBytes)
      #expect(String(validating: line, as: UTF8.self) != nil, "no scalar is cut in two")
      if format == .json { _ = try logger.object() }
      let isCut = logger.text.contains("…") || logger.text.contains(#""truncated":true"#)
      #expect(isCut, "omitted fields are marked: \(logger.text.prefix(200))")
    }
  }

  @Test("of a message of 100 KB the beginning is kept, and the metadata after it")
  func longMessage() throws {
    for format in [LineLogHandler.Format.text, .json] {
      let logger = LoggerUnderTest(format)
      logger.log(.info, "\(String(repeating: "x", count: 100_000))", ["run": "3f2a"])
      #expect(logger.text.contains("xxxx…"))
      #expect(logger.text.contains(format == .text ? "…  run=3f2a\n" : #""run":"3f2a"}"#))
      #expect(logger.text.utf8.count > 2000)
    }
  }

  @Test("the record's own metadata wins over the logger's; an error is metadata")
  func merging() {
    let lines = Mutex<[[UInt8]]>([])
    var handler = LoggerUnderTest.handler(.text) { line in lines.withLock { $0.append(line) } }
    handler[metadataKey: "b"] = "logger"
    handler[metadataKey: "c"] = "logger"
    #expect(handler[metadataKey: "b"] == "logger")
    handler.log(
      event: LogEvent(
        level: .error, message: "x", error: SampleError(), metadata: ["c": "record"], source: nil, file: "",
        function: "", line: 0))
    let text = lines.withLock { String(decoding: $0.joined(), as: UTF8.self) }
    #expect(text.hasSuffix(#"error x  b=logger c=record error="it broke"\#n"#), "\(text)")
  }
}

private struct SampleError: Error, CustomStringConvertible { let description = "it broke" }

private final class LoggerUnderTest: Sendable {
  private let kept = Mutex<[[UInt8]]>([])
  private let format: LineLogHandler.Format

  init(_ format: LineLogHandler.Format) { self.format = format }

  var lines: [[UInt8]] { kept.withLock { $0 } }
  var text: String { String(decoding: lines.joined(), as: UTF8.self) }

  func log(_ level: Logger.Level, _ message: Logger.Message, _ metadata: Logger.Metadata? = nil) {
    let logger = Logger(label: "test") { [self] _ in
      Self.handler(format) { line in self.kept.withLock { $0.append(line) } }
    }
    logger.log(level: level, message, metadata: metadata)
  }

  func object() throws -> [String: Any] {
    let line = try #require(lines.first)
    return try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
  }

  static func handler(_ format: LineLogHandler.Format, write: @escaping @Sendable ([UInt8]) -> Void) -> LineLogHandler {
    LineLogHandler(
      label: "test", format: format, level: .info,
      safe: { text in
        text.unicodeScalars.reduce(into: "") { result, scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator:
            result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
          default: result.unicodeScalars.append(scalar)
          }
        }
      }, write: write, now: { Date(timeIntervalSince1970: 1_795_294_385.1234) })
  }
}
