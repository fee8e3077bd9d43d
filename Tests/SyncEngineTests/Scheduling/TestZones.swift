import Foundation
import SyncEngine
import Testing

struct FoundationZone: ZoneRules {
  private let zone: TimeZone

  init(_ name: String) throws { zone = try #require(TimeZone(identifier: name), "no zone data for \(name)") }

  func offset(at instant: Int64) -> Int { zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(instant))) }
}

struct ScriptedZone: ZoneRules {
  let first: Int
  let changes: [(instant: Int64, offset: Int)]

  func offset(at instant: Int64) -> Int { changes.last { $0.instant <= instant }?.offset ?? first }
}

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
