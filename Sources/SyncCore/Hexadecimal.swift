extension Sequence<UInt8> {
  /// Two digits a byte, in lower case.
  package var hexadecimal: String {
    // A string of every hash that is compared: no array for each byte.
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * underestimatedCount)
    for byte in self {
      digits.append(Self.digit(byte >> 4))
      digits.append(Self.digit(byte & 15))
    }
    return String(decoding: digits, as: UTF8.self)
  }

  private static func digit(_ half: UInt8) -> UInt8 {
    half < 10 ? UInt8(ascii: "0") + half : UInt8(ascii: "a") - 10 + half
  }
}
