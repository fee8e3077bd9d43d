import Foundation
import SyncEngine
import Testing

/// The zones of Foundation, for tests with the real history of clocks.
struct FoundationZone: ZoneRules {
  private let zone: TimeZone

  init(_ name: String) throws {
    zone = try #require(TimeZone(identifier: name), "no zone data for \(name)")
  }

  func offset(at instant: Int64) -> Int {
    zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(instant)))
  }
}

/// A zone with given changes.
struct ScriptedZone: ZoneRules, CustomStringConvertible {
  let first: Int
  /// In order: the offset from this moment on.
  let changes: [(instant: Int64, offset: Int)]

  func offset(at instant: Int64) -> Int { changes.last { $0.instant <= instant }?.offset ?? first }

  var description: String { "\(first) then \(changes)" }
}

/// Unix seconds of `2016-03-13 02:30` in UTC. Tests read better with literals than with Foundation's calendar.
func utc(_ text: String) throws -> Int64 {
  let style = Date.ISO8601FormatStyle()
  return Int64(try style.parse(text.replacing(" ", with: "T") + ":00Z").timeIntervalSince1970)
}

extension Schedule {
  /// All firings after one moment, up to another.
  func firings(after start: Int64, upTo end: Int64, in zone: some ZoneRules) -> [Int64] {
    var found: [Int64] = []
    while let next = next(after: found.last ?? start, in: zone), next <= end { found.append(next) }
    return found
  }
}
