extension Sequence where Element: Hashable {
  /// The elements without those that were there before, in their order.
  package func distinct() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Sequence {
  /// Elements with equal keys together, in the order in which the keys occur first.
  package func gathered<Key: Hashable>(by key: (Element) -> Key) -> [[Element]] {
    let groups = Dictionary(grouping: self, by: key)
    return map(key).distinct().compactMap { groups[$0] }
  }
}

extension Sequence<UInt8> {
  /// FNV-1a, 64 bits: tells few things apart, and nothing that somebody makes alike on purpose.
  package var fnv1a: UInt64 {
    reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

extension StringProtocol {
  /// Without white space around it.
  package var trimmingBlanks: String {
    let text = drop { $0.isWhitespace }
    return String(text[..<(text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) } ?? text.startIndex)])
  }
}

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
