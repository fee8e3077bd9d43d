/// A gzip stream (RFC 1952) of stored blocks: valid, but not compressed.
enum Gzip {
  private static let blockLimit = 65_535

  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    stream.reserveCapacity(bytes.count + bytes.count / blockLimit * 5 + 32)
    var start = 0
    repeat {
      let end = min(start + blockLimit, bytes.count)
      stream.append(end == bytes.count ? 1 : 0)
      let length = UInt16(end - start)
      stream += little(length) + little(~length)
      stream += bytes[start..<end]
      start = end
    } while start < bytes.count
    return stream + little(checksum(bytes)) + little(UInt32(truncatingIfNeeded: bytes.count))
  }

  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { sum, byte in sum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
  }

  private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
