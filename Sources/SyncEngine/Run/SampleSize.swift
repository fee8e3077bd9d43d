package import SyncCore

/// How much of a mirror is requested again to verify it.
package enum SampleSize: Sendable, Equatable {
  /// So many pages and documents of all streams together.
  case count(Int)
  /// A share of each stream, above 0 and at most 1.
  case share(Double)

  /// Nil if it is no size: `20` and `2.5%` are.
  package init?(_ text: String) {
    if text.hasSuffix("%") {
      guard let percent = Double(text.dropLast()), percent > 0, percent <= 100 else { return nil }
      self = .share(percent / 100)
    } else {
      guard let count = Int(text), count > 0 else { return nil }
      self = .count(count)
    }
  }

  /// Chooses at random: of what is as large as others, as much.
  ///
  /// - Parameter sizes: of the streams, in pages or documents.
  /// - Returns: of each stream, places from 0, in order and each once.
  package func places(of sizes: [Int], chance: Chance) -> [[Int]] {
    switch self {
    case .count(let count):
      var left = Self.places(min(count, sizes.reduce(0, +)), of: sizes.reduce(0, +), chance)[...]
      var start = 0
      return sizes.map { size in
        let end = start + size
        defer { start = end }
        let own = left.prefix { $0 < end }
        left = left.dropFirst(own.count)
        return own.map { $0 - start }
      }
    case .share(let share):
      return sizes.map { size in
        Self.places(min(size, max(1, Int((Double(size) * share).rounded(.up)))), of: size, chance)
      }
    }
  }

  /// One of each of so many parts of about the same size.
  private static func places(_ count: Int, of size: Int, _ chance: Chance) -> [Int] {
    (0..<count).map { part in
      let (low, high) = (part * size / count, (part + 1) * size / count)
      return min(low + Int(chance() * Double(high - low)), high - 1)
    }
  }
}
