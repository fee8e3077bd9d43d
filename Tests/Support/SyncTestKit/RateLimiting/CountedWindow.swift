/// A window of so many requests that they are counted instead of stored: 64 sub-buckets cover its length.
///
/// An interval of that length that begins inside a sub-bucket ends inside the 64th after it, so it always overlaps 65
/// of them. As long as no 65 together hold more than the window's number, no interval does; the price is the additional
/// sub-bucket, 1.6 % of the rate.
struct CountedWindow: Sendable {
  static let bucketsPerLength: Int64 = 64

  let requests: Int
  /// Microseconds of a sub-bucket, rounded up so that 64 are no shorter than the window.
  private let width: Int64
  /// The number of permits in the latest 65 sub-buckets; a ring whose newest is at `newest`.
  private var counts: [Int]
  private var newest = 0
  private var total = 0
  /// When the newest sub-bucket began; nil before the first permit.
  private var start: Int64?

  /// - Parameter length: microseconds, padded.
  init(requests: Int, length: Int64) {
    self.requests = requests
    width = (length + Self.bucketsPerLength - 1) / Self.bucketsPerLength
    counts = Array(repeating: 0, count: Int(Self.bucketsPerLength) + 1)
  }

  /// When the sub-bucket begins that can take another permit: late enough that the 64 sub-buckets before it leave room.
  /// Nil if the newest one can, or none was given yet.
  var earliest: Int64? {
    guard var start, total >= requests else { return nil }
    var left = total
    var oldest = newest
    while left >= requests {
      oldest = (oldest + 1) % counts.count
      left -= counts[oldest]
      start += width
    }
    return start
  }

  /// - Parameter time: no earlier than any before it.
  mutating func record(_ time: Int64) {
    let start = start ?? time
    let steps = (time - start) / width
    for _ in 0..<min(steps, Int64(counts.count)) {
      newest = (newest + 1) % counts.count
      total -= counts[newest]
      counts[newest] = 0
    }
    counts[newest] += 1
    total += 1
    self.start = start + steps * width
  }
}
