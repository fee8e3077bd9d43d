/// The keys of a page in their order, in about three bytes each: ids of one service lie near each other.
///
/// A walk keeps them for every page, to tell what a page no longer shows when it is read again. As `[Int64]` they would
/// take more than all else that is kept of a list of a million items.
struct PackedKeys: Sendable, Equatable {
  /// Differences from the key before, as zigzag varints (as in Protocol Buffers).
  private var bytes: [UInt8] = []

  init(_ keys: [Int64]) {
    bytes.reserveCapacity(keys.count * 3)
    var before: Int64 = 0
    for key in keys {
      let difference = key &- before
      var rest = UInt64(bitPattern: difference << 1 ^ difference >> 63)
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(truncatingIfNeeded: rest))
      before = key
    }
  }

  func forEach(_ body: (Int64) -> Void) {
    var key: Int64 = 0
    var value: UInt64 = 0
    var shift: UInt64 = 0
    for byte in bytes {
      value |= UInt64(byte & 0x7F) << shift
      shift += 7
      guard byte < 0x80 else { continue }
      key &+= Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
      body(key)
      (value, shift) = (0, 0)
    }
  }

  var keys: [Int64] {
    var keys: [Int64] = []
    forEach { keys.append($0) }
    return keys
  }
}
