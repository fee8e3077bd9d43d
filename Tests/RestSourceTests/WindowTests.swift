import SyncCore
import Testing

@testable import RestSource

@Suite("Windows of incremental walks")
struct WindowTests {
  private static let day = Duration.seconds(86_400)
  /// 2026-03-05T00:00:00Z
  private static let now: Int64 = 1_772_668_800

  private static func rules(_ initial: String?, _ length: Duration) -> Declaration.Incremental {
    Declaration.Incremental(
      parameter: "since", cursor: ["at"], initial: initial, lag: .zero, fullEvery: .seconds(1),
      window: Declaration.Incremental.Window(parameter: "until", length: length))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let initial: String
    let length: Duration
    let starts: [String]
    /// The end of the last window.
    let end: String
    var testDescription: String { initial }
  }

  @Test(
    "follow each other without gaps until now, in the spelling of the initial value",
    arguments: [
      Case(
        initial: "2026-01-01", length: day * 30, starts: ["2026-01-01", "2026-01-31", "2026-03-02"], end: "2026-04-01"),
      Case(
        initial: "2026-03-03T00:00:00Z", length: day,
        starts: ["2026-03-03T00:00:00Z", "2026-03-04T00:00:00Z", "2026-03-05T00:00:00Z"], end: "2026-03-06T00:00:00Z"),
      Case(initial: "1772582400", length: day * 2, starts: ["1772582400"], end: "1772755200"),
      Case(initial: "1772582400000", length: day * 2, starts: ["1772582400000"], end: "1772755200000"),
      // The latest window covers the time of each zone, and an initial value in the future is one window.
      Case(
        initial: "2026-03-04 12:00", length: day, starts: ["2026-03-04 12:00", "2026-03-05 12:00"],
        end: "2026-03-06 12:00"),
      Case(initial: "2027-01-01", length: day, starts: ["2027-01-01"], end: "2027-01-02"),
    ])
  func sequence(_ expected: Case) throws {
    let windows = try #require(try Self.rules(expected.initial, expected.length).windows(since: nil, now: Self.now))
    #expect(windows.map(\.name) == expected.starts)
    #expect(windows.map { $0.values[0] } == expected.starts)
    #expect(zip(windows, windows.dropFirst()).allSatisfy { $0.values[1] == $1.values[0] })
    #expect(windows.last?.values[1] == expected.end)
  }

  @Test("an incremental walk begins at its cursor, and its windows have other names")
  func since() throws {
    let windows = try #require(
      try Self.rules("2020-01-01", Self.day * 30).windows(since: "2026-02-20", now: Self.now))
    #expect(windows.map(\.values) == [["2026-02-20", "2026-03-22"]])
  }

  @Test("a value that is not a time, and too many windows, are errors", arguments: ["token", "0001-01-01"])
  func refused(_ initial: String) throws {
    let error = try #require(throws: SyncError.self) {
      try Self.rules(initial, .seconds(3600)).windows(since: nil, now: Self.now)
    }
    #expect(error.code == .configuration && error.hint?.contains("initial_value") == true, "\(error)")
  }
}
