/// The keys that a walk has seen: ids that lie near each other share a word of bits.
///
/// A `Set` of a million ids takes 17 MB, and 25 MB while it grows. Upstreams number their items as they come, so most
/// blocks of 64 ids have many in use, and this takes a few bytes a key. Ids that are all far apart take 16 to 32 bytes.
struct KeySet: Sendable, Equatable {
  /// Bits by the ids' upper part.
  private var blocks: [Int64: UInt64] = [:]
  private(set) var count = 0

  func contains(_ key: Int64) -> Bool {
    (blocks[key >> 6] ?? 0) & Self.bit(key) != 0
  }

  /// - Returns: whether it was not there.
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
