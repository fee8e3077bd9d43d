extension Sequence where Element: Hashable {
  /// Returns the elements in order, each only at its first place.
  package func distinct() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Sequence {
  /// Returns the elements grouped by key. Groups are in the order of their first elements, and elements keep their
  /// order.
  package func gathered<Key: Hashable>(by key: (Element) -> Key) -> [[Element]] {
    let groups = Dictionary(grouping: self, by: key)
    return map(key).distinct().compactMap { groups[$0] }
  }
}

extension Sequence<UInt8> {
  /// A fast hash that is not safe against deliberate collisions.
  package var fnv1a: UInt64 {
    reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// The bytes as lowercase hexadecimal digits, two for each byte.
  package var hexadecimal: String {
    // All digits go into one array, because one array per byte is too slow.
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

extension String {
  /// The text as one word of a POSIX shell: itself if it needs no quotation, else in single quotes.
  package var shellWord: String {
    let isPlain = unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_./:=,+@%".unicodeScalars.contains($0)
    }
    return isPlain && !isEmpty ? self : "'\(replacing("'", with: #"'\''"#))'"
  }

  private static let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

  /// Returns the text's UTF-8 bytes with percent-encoding (RFC 3986, section 2.1), except for the unreserved
  /// characters.
  /// - Parameter kept: Reserved ASCII characters that are not encoded.
  package func percentEncoded(keeping kept: String = "") -> String {
    let plain = Set((Self.unreserved + kept).utf8)
    return utf8.map { plain.contains($0) ? String(UnicodeScalar($0)) : "%\([$0].hexadecimal.uppercased())" }.joined()
  }
}

extension StringProtocol {
  /// The text without white space at its ends.
  package var trimmingBlanks: String {
    let text = drop { $0.isWhitespace }
    return String(text[..<(text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) } ?? text.startIndex)])
  }
}

extension BinaryInteger {
  /// The decimal digits with a comma before each group of three: `-1,234,567`.
  package var grouped: String {
    var result = ""
    let digits = String(magnitude)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.utf8.count - index).isMultiple(of: 3) { result += "," }
      result.append(digit)
    }
    return self < 0 ? "-" + result : result
  }
}

extension UInt8 {
  /// Whether the byte is a letter of ASCII.
  package var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

  /// Whether the byte is a decimal digit of ASCII.
  package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Whether the byte is a letter, a digit, a hyphen, a full stop or an underscore of ASCII.
  package var isPlain: Bool { isLetter || isDigit || [0x2D, 0x2E, 0x5F].contains(self) }

  /// The value of a hexadecimal digit in ASCII; `nil` for any other byte.
  var hexValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }
}
