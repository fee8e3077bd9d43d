import Foundation
import SyncEngine
import Testing

/// Foundation's time zones, which have the real history of clock changes.
struct FoundationZone: ZoneRules {
  private let zone: TimeZone

  init(_ name: String) throws { zone = try #require(TimeZone(identifier: name), "no zone data for \(name)") }

  func offset(at instant: Int64) -> Int { zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(instant))) }
}

struct ScriptedZone: ZoneRules {
  let first: Int
  /// The changes in order of time. Each offset applies from its instant.
  let changes: [(instant: Int64, offset: Int)]

  func offset(at instant: Int64) -> Int { changes.last { $0.instant <= instant }?.offset ?? first }
}

/// Unix seconds of a UTC time such as `2016-03-13 02:30`.
func utc(_ text: String) throws -> Int64 {
  let style = Date.ISO8601FormatStyle()
  return Int64(try style.parse(text.replacing(" ", with: "T") + ":00Z").timeIntervalSince1970)
}

extension Schedule {
  func firings(after start: Int64, upTo end: Int64, in zone: some ZoneRules) -> [Int64] {
    var found: [Int64] = []
    while let next = next(after: found.last ?? start, in: zone), next <= end { found.append(next) }
    return found
  }
}
