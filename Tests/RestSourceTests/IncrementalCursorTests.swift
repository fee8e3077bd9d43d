import SyncCore
import SyncTestKit
import Testing

@testable import RestSource

@Suite struct IncrementalCursorTests {
  struct Shift: Sendable, CustomTestStringConvertible {
    let json: String
    let lag: Duration
    let shifted: String?

    init(_ json: String, _ lag: Duration, _ shifted: String?) {
      self.json = json
      self.lag = lag
      self.shifted = shifted
    }

    var testDescription: String { "\(json) - \(lag)" }
  }

  private static let hour = Duration.seconds(3600)
  private static let day = Duration.seconds(86_400)

  private static let times: [Shift] = [
    Shift(#""2025-01-01 00:00:09""#, .seconds(5), "2025-01-01 00:00:04"),
    Shift(#""2025-01-01T00:00:09Z""#, .seconds(10), "2024-12-31T23:59:59Z"),
    Shift(#""2025-03-01T00:30:00+02:00""#, hour, "2025-02-28T23:30:00+02:00"),
    Shift(#""2024-03-01T00:30:00-0330""#, hour, "2024-02-29T23:30:00-0330"),
    Shift(#""2025-01-01T00:00:00.250000+00:00""#, .milliseconds(500), "2024-12-31T23:59:59.750000+00:00"),
    Shift(#""2025-01-01T00:00:00.25""#, .milliseconds(501), "2024-12-31T23:59:59.74"),
    Shift(#""2025-01-01 12:00 UTC""#, .seconds(1), "2025-01-01 11:59 UTC"),
    Shift(#""2025/01/10 00:00""#, .seconds(60), "2025/01/09 23:59"),
    Shift(#""2025-01-10""#, .seconds(1), "2025-01-09"),
    Shift(#""2025-01-10""#, day, "2025-01-09"), Shift(#""2025-01-10""#, day + .seconds(1), "2025-01-08"),
    Shift(#""20250110T000000Z""#, .seconds(1), "20250109T235959Z"),
    Shift(#""20250110000000""#, .seconds(1), "20250109235959"), Shift("20250110000000", .seconds(1), "20250109235959"),
    Shift(#""20250110""#, .seconds(1), "20250109"), Shift(#""0001-01-01""#, .seconds(1), nil),
  ]

  private static let numbers: [Shift] = [
    Shift("1000", .seconds(60), "940"), Shift(#""1000""#, .seconds(60), "940"),
    Shift("20250110", .seconds(5), "20250105"),
    Shift("1000.50", .seconds(1), "999.50"), Shift("10.5", .milliseconds(500), "10.0"),
    Shift("10", .milliseconds(500), "9"), Shift("3", .seconds(5), "-2"), Shift("-3", .seconds(5), "-8"),
    Shift(#""000123""#, .seconds(24), "000099"), Shift("0.5", .seconds(1), "-0.5"),
    Shift("1767225600", hour, "1767222000"), Shift("1767225600000", hour, "1767222000000"),
    Shift(#""1767225600000""#, .milliseconds(1), "1767225599999"),
    Shift("1767225600000000", .seconds(1), "1767225599000000"),
    Shift("1767225600000000001", .seconds(1), "1767225599000000001"),
    Shift("1767225600.123", .seconds(1), "1767225599.123"),
  ]

  private static let others: [Shift] = [
    "10/01/2025", "Fri, 10 Jan 2025 00:00:00 GMT", "token", "2025-13-01", "2025-02-30", "2025-01-01T25:00:00Z",
    "2025-01-01T00:00:00X", "2025-W02-5", "2025-01", "1e3", "", "+5", "1.2.3", "2025-01-01T00:00:00 ", "2025-1-1",
    "2025-01-10120000", "２０２５-01-01", "2025-01-01T00:00:00+2", "2025-01-01T00:00:00+0:200", "é",
  ].map { Shift("\"\($0)\"", .seconds(5), nil) }

  @Test("the lag keeps the format of the cursor", arguments: times + numbers + others)
  func shifts(_ shift: Shift) throws {
    let cursor = try #require(IncrementalCursor(json: shift.json))
    #expect(cursor.shifted(back: shift.lag) == shift.shifted)
  }

  @Test("no lag leaves each time and number as it is, and a lag never adds to it")
  func spellings() throws {
    for shift in Self.times + Self.numbers {
      let cursor = try #require(IncrementalCursor(json: shift.json))
      #expect(cursor.shifted(back: .zero) == cursor.text)
    }
    var generator = SeededGenerator(seed: testSeed)
    for _ in 0..<2000 * testFactor {
      func two(_ range: ClosedRange<Int>) -> String {
        let number = Int.random(in: range, using: &generator)
        return number < 10 ? "0\(number)" : "\(number)"
      }
      let year = Int.random(in: 1900...2100, using: &generator)
      let time = "\(two(0...23)):\(two(0...59)):\(two(0...59)).\(two(0...99))"
      let text = "\(year)-\(two(1...12))-\(two(1...28))T\(time)Z"
      let one = Duration.milliseconds(10 * Int.random(in: 0...10_000_000, using: &generator))
      let other = Duration.milliseconds(10 * Int.random(in: 0...10_000_000, using: &generator))
      let shifted = try #require(IncrementalCursor(text: text).shifted(back: one))
      let both = try #require(IncrementalCursor(text: text).shifted(back: one + other))
      #expect(shifted.count == text.count && shifted <= text && both <= shifted)
      #expect(IncrementalCursor(text: shifted).shifted(back: other) == both, "\(text) \(one) \(other)")
    }
  }

  @Test(
    "the cursor of an item is the value at its path",
    arguments: [
      (#"{"a": {"b": "2025"}}"#, ["a", "b"], "2025", false), (#"{"a": 1767225600}"#, ["a"], "1767225600", true),
      (#"{"a": 1.5}"#, ["a"], "1.5", true), (#"{"a": true}"#, ["a"], nil, false), (#"{"a": null}"#, ["a"], nil, false),
      (#"{"a": {"b": 1}}"#, ["a"], nil, false), (#"{"b": 1}"#, ["a", "b"], nil, false), ("[]", ["a"], nil, false),
    ] as [(String, [String], String?, Bool)])
  func items(document: String, path: [String], text: String?, isNumber: Bool) {
    let cursor = IncrementalCursor(document: Array(document.utf8), path: path)
    #expect(cursor == text.map { IncrementalCursor(text: $0, isNumber: isNumber) })
  }

  private static func incremental(_ lag: Duration) -> Declaration.Incremental {
    Declaration.Incremental(
      parameter: "since", cursor: ["meta", "changed"], initial: nil, lag: lag, fullEvery: .seconds(1))
  }

  @Test("a lag that cannot be subtracted is an error with its remedy", arguments: ["token", "2025-W02-5"])
  func refusedLag(text: String) throws {
    let cursor = IncrementalCursor(text: text)
    #expect(try Self.incremental(.zero).since(after: cursor) == text)
    let error = try #require(throws: SyncError.self) { try Self.incremental(.seconds(5)).since(after: cursor) }
    #expect(error.code == .configuration && error.message.contains("cursor meta.changed"), "\(error)")
    #expect(error.message.contains(text) && error.hint?.contains("remove lag") == true, "\(error)")
  }

  @Test(
    "times that do not sort as texts are refused without a lag, too",
    arguments: [
      "10/01/2025", "1/10/2025 12:00", "10.01.2025", "10-01-25", "Fri, 10 Jan 2025 00:00:00 GMT", "January 10, 2025",
      "10 Jan 2025", "2025-01-10 02:00 PM",
    ])
  func unordered(text: String) throws {
    for lag in [Duration.zero, .seconds(5)] {
      let error = try #require(throws: SyncError.self) {
        try Self.incremental(lag).since(after: IncrementalCursor(text: text))
      }
      #expect(error.code == .configuration && error.message.contains("do not sort"), "\(error)")
      #expect(error.hint?.contains("cursor_path") == true, "\(error)")
    }
  }

  @Test(
    "other texts are accepted as they are",
    arguments: [
      "2025-01-10", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "10-01-1", "v1.2.3", "1.2.3", "marble 12 2025", "", "10", "a:b pm x",
    ])
  func ordered(text: String) throws {
    #expect(try Self.incremental(.zero).since(after: IncrementalCursor(text: text)) == text)
  }
}
