/// The keys of a page in order, in about three bytes per key. Arrays of `Int64` would take most of a walk's memory.
struct PackedKeys: Sendable, Equatable {
  /// Differences between consecutive keys as zigzag varints (as in Protocol Buffers).
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

  /// Calls `body` with each key, in the order of the page.
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
      value = 0
      shift = 0
    }
  }
}
