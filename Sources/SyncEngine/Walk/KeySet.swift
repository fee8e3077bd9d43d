/// The keys that a walk has seen, one bit per key. A `Set` of a million ids takes 17 MB, and 25 MB while it grows.
struct KeySet: Sendable, Equatable {
  private var blocks: [Int64: UInt64] = [:]
  private(set) var count = 0

  func contains(_ key: Int64) -> Bool {
    (blocks[key >> 6] ?? 0) & Self.bit(key) != 0
  }

  /// Adds a key.
  /// - Returns: Whether the key was not in the set.
  @discardableResult
  mutating func insert(_ key: Int64) -> Bool {
    let bit = Self.bit(key)
    let isNew = blocks[key >> 6, default: 0] & bit == 0
    if isNew {
      blocks[key >> 6, default: 0] |= bit
      count += 1
    }
    return isNew
  }

  private static func bit(_ key: Int64) -> UInt64 { 1 << UInt64(key & 63) }
}
