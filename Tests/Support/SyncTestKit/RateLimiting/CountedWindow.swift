/// A rate-limit window that stores only the number of permits per sub-bucket. A sub-bucket is a 64th of the window.
///
/// An interval of the window's length overlaps at most 65 sub-buckets. Therefore, 65 consecutive sub-buckets together
/// never get more than `requests` permits. In effect, the window is longer by one sub-bucket.
struct CountedWindow: Sendable {
  static let bucketsPerLength: Int64 = 64

  let requests: Int
  /// The length of a sub-bucket in microseconds, rounded up so that 64 cover the window.
  private let width: Int64
  /// The numbers of permits in the latest 65 sub-buckets, as a ring whose newest element is at `newest`.
  private var counts: [Int]
  private var newest = 0
  private var total = 0
  private var start: Int64?

  /// - Parameter length: The window's length with its padding, in microseconds.
  init(requests: Int, length: Int64) {
    self.requests = requests
    width = (length + Self.bucketsPerLength - 1) / Self.bucketsPerLength
    counts = Array(repeating: 0, count: Int(Self.bucketsPerLength) + 1)
  }

  /// The start of the next sub-bucket with room for a permit; `nil` if a permit is possible now.
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

  /// - Parameter time: Can be before the newest sub-bucket if a later permit was given back. Then the permit counts in
  ///   the newest sub-bucket.
  mutating func record(_ time: Int64) {
    let start = start ?? time
    let steps = max(0, (time - start) / width)
    for _ in 0..<min(steps, Int64(counts.count)) {
      newest = (newest + 1) % counts.count
      total -= counts[newest]
      counts[newest] = 0
    }
    counts[newest] += 1
    total += 1
    self.start = start + steps * width
  }

  /// - Parameter time: the time of a permit that was recorded.
  mutating func giveBack(_ time: Int64) {
    guard let start else { return }
    let steps = Int((max(0, start - time) + width - 1) / width)
    guard steps < counts.count else { return }
    let place = (newest - steps + counts.count) % counts.count
    guard counts[place] > 0 else { return }
    counts[place] -= 1
    total -= 1
  }
}
