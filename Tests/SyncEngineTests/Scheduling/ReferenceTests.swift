import Foundation
import SyncEngine
import SyncTestKit
import Testing

/// Compares fifty expressions in twelve zones over ten years with the results of `reference.py`.
@Suite("Cron expressions and croniter")
struct ReferenceTests {
  private static let span = (start: 1_293_840_000 as Int64, end: 1_609_459_200 as Int64)

  struct Row: Sendable {
    let expression: String
    let count: Int
    let digest: String
  }

  private static func rows() throws -> [String: [Row]] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "reference.csv")
    var rows: [String: [Row]] = [:]
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
      // A line is `"zone","expression",count,"digest"`, so a split at the quotes yields seven parts.
      let parts = line.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
      try #require(parts.count == 7, "\(line)")
      let count = try #require(Int(parts[4].dropFirst().dropLast()))
      rows[parts[1], default: []].append(Row(expression: parts[3], count: count, digest: parts[5]))
    }
    return rows
  }

  @Test("the file has all 600 pairs")
  func complete() throws {
    let rows = try Self.rows()
    #expect(rows.count == 12)
    #expect(rows.values.allSatisfy { Set($0.map(\.expression)).count == 50 })
  }

  /// By default, tests every tenth expression in each zone, and thus each expression in at least one zone. Tests all
  /// pairs if `testFactor` is 10 or more.
  @Test(
    "each firing of ten years is the one that croniter's calendar, Python's zones and cronie's rules give",
    arguments: try rows().keys.sorted())
  func agrees(zoneName: String) throws {
    let zone = try FoundationZone(zoneName)
    let all = try Self.rows()
    let place = try #require(all.keys.sorted().firstIndex(of: zoneName)) + Int(testSeed % 10)
    for (number, row) in try #require(all[zoneName]).enumerated() {
      guard testFactor >= 10 || (number + place) % 10 == 0 else { continue }
      let schedule = try Schedule(row.expression)
      var digest = Digest()
      var instant = Self.span.start - 1
      while let next = schedule.next(after: instant, in: zone), next < Self.span.end {
        digest.add(next)
        instant = next
      }
      #expect(
        digest.count == row.count && digest.text == row.digest,
        "\(digest.count) firings, \(row.count) expected; see: reference.py \(zoneName) '\(row.expression)'")
    }
  }

  /// The 64-bit FNV-1a hash of decimal instants that are separated by newlines.
  private struct Digest {
    private(set) var count = 0
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ instant: Int64) {
      if count > 0 { add(UInt8(ascii: "\n")) }
      for byte in String(instant).utf8 { add(byte) }
      count += 1
    }

    private mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }

    var text: String {
      let digits = String(state, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
  }
}
