extension Sequence where Element: Hashable {
  /// The elements without those that were there before, in their order.
  package func distinct() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
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
