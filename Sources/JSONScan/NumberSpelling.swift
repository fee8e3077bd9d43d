/// The one spelling of a number that is hashed, whatever the text has: `1`, `1.0` and `10e-1` are one value.
///
/// PostgreSQL keeps the value of a number in `jsonb` but not always its spelling (`1e2` is returned as `100`), and the
/// hash of a document that is read back must be that of the upstream's text. The document itself keeps the spelling: an
/// id that is written `1e2` is invalid.
enum NumberSpelling {
  /// Numbers of more bytes than this, written out, are spelled as digits and exponent: `1e131071` must stay short.
  static var longest: Int { 40 }

  /// Canonical text with the numbers outside its strings in their hashed spelling.
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
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  /// Spells a number, valid by the grammar and within the scanner's range.
  private static func append(_ number: Slice<UnsafeBufferPointer<UInt8>>, to result: inout [UInt8]) {
    let mantissa = number.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    var digits = mantissa.filter { $0 &- UInt8(ascii: "0") < 10 }
    // The value is the digits as a whole number, times ten to the power of the exponent.
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
