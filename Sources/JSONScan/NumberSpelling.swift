/// Rewrites numbers for hashing, so that `1`, `1.0` and `10e-1` have the same hash. PostgreSQL's `jsonb` returns `1e2`
/// as `100`, but a document from the database must have the same hash as the upstream's text.
enum NumberSpelling {
  /// The maximum length of a rewritten number without an exponent. Longer numbers get an exponent.
  static var longest: Int { 40 }

  /// Returns canonical JSON with each number in its shortest form. Strings are copied unchanged.
  static func respelled(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      let start = index
      switch text[index] {
      case UInt8(ascii: "\""):
        index += 1
        while index < text.count, text[index] != UInt8(ascii: "\"") {
          index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index = min(index + 1, text.count)
        result += text[start..<index]
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        while index < text.count, isPartOfNumber(text[index]) { index += 1 }
        append(text[start..<index], to: &result)
      default:
        result.append(text[index])
        index += 1
      }
    }
    return result
  }

  private static func isPartOfNumber(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "+") || byte | 0x20 == UInt8(ascii: "e")
  }

  private static func append(_ number: Slice<UnsafeBufferPointer<UInt8>>, to result: inout [UInt8]) {
    let mantissa = number.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    var digits = mantissa.filter { $0 &- UInt8(ascii: "0") < 10 }
    var exponent = Int(String(decoding: number.dropFirst(mantissa.count + 1), as: UTF8.self)) ?? 0
    if let point = mantissa.firstIndex(of: UInt8(ascii: ".")) { exponent -= mantissa.endIndex - point - 1 }
    let significant = digits.count - digits.reversed().prefix { $0 == UInt8(ascii: "0") }.count
    exponent += digits.count - significant
    digits = Array(digits[..<significant].drop { $0 == UInt8(ascii: "0") })
    guard !digits.isEmpty else {
      result.append(UInt8(ascii: "0"))
      return
    }
    let isNegative = number.first == UInt8(ascii: "-")
    if isNegative { result.append(UInt8(ascii: "-")) }
    let before = digits.count + exponent
    let length = exponent >= 0 ? before : before > 0 ? digits.count + 1 : 2 - exponent
    if length + (isNegative ? 1 : 0) > longest {
      result += digits + Array("e\(exponent)".utf8)
    } else if exponent >= 0 {
      result += digits + zeros(exponent)
    } else if before > 0 {
      result += digits[..<before] + [UInt8(ascii: ".")] + digits[before...]
    } else {
      result += Array("0.".utf8) + zeros(-before) + digits
    }
  }

  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: "0"), count: count) }
}
