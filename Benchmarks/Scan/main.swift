// Measures the rate at which one core turns pages into canonical items with hashes: `scan-bench FILE`, with one page of
// a list per line. The same run also measures SHA-256 of the same bytes, because hashing is a part of the scan.
import Foundation
import Hashing
import JSONScan

guard CommandLine.arguments.count == 2, let file = FileManager.default.contents(atPath: CommandLine.arguments[1]) else {
  FileHandle.standardError.write(Data("usage: scan-bench FILE, with a page of a list on each line\n".utf8))
  exit(2)
}
let pages = file.split(separator: UInt8(ascii: "\n")).map(Array.init)
let bytes = pages.reduce(0) { $0 + $1.count }

/// Returns the megabytes per second of the fastest of five runs.
func speed(_ work: ([UInt8]) throws -> Void) rethrows -> Double {
  var best = Duration.seconds(3600)
  for _ in 0..<5 {
    let start = ContinuousClock.now
    for page in pages { try work(page) }
    best = min(best, ContinuousClock.now - start)
  }
  return Double(bytes) / 1_000_000 / (best / .seconds(1))
}

let hashed = speed { _ = SHA256.hash(data: $0) }
let scanned = try speed { page in
  _ = try JSONScan.page(
    page, itemsPath: ["data"],
    counterMembers: ["score", "scored", "scored_by", "rank", "popularity", "members", "favorites"], keyMember: "mal_id")
}
print(
  String(
    format: "%d pages, %.1f MB: SHA-256 %.0f MB/s, scan with canonical form and hashes %.0f MB/s, %.2f x the time",
    pages.count, Double(bytes) / 1_000_000, hashed, scanned, hashed / scanned))
