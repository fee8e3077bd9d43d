import SyncCore

/// A decimal number whose digits are kept: `1000.50`, `-3`, `000123`.
struct CursorNumber {
  /// The number without its point.
  private var digits: Int128
  private let fractionDigits: Int
  /// The number of digits before the point, if the first of them is a 0.
  private let paddedWidth: Int

  /// - Returns: `nil` if the text has another form, more than 20 digits before the point, or more than 9 after it.
  init?(_ text: String) {
    let isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }),
      parts[0].count <= 20, parts.count == 1 || parts[1].count <= 9, let digits = Int128(parts.joined())
    else { return nil }

    self.digits = isNegative ? -digits : digits
    fractionDigits = parts.count == 2 ? parts[1].count : 0
    paddedWidth = parts[0].hasPrefix("0") && !isNegative ? parts[0].count : 1
  }

  /// The units of the number in a second; see `IncrementalCursor.shifted`.
  private var unitsPerSecond: Int128 {
    switch abs(digits) / power(fractionDigits) {
    case power(17)...: 1_000_000_000
    case power(14)...: 1_000_000
    case power(11)...: 1_000
    default: 1
    }
  }

  /// The number as a time in nanoseconds since 1970.
  var nanoseconds: Int128 { digits * (1_000_000_000 / unitsPerSecond) / power(fractionDigits) }

  private func power(_ exponent: Int) -> Int128 { (0..<exponent).reduce(1) { power, _ in 10 * power } }

  /// Returns the number minus the time, whose fraction of a unit is rounded up.
  func shifted(back nanoseconds: Int128) -> CursorNumber {
    let second: Int128 = 1_000_000_000
    let units = nanoseconds * unitsPerSecond * power(fractionDigits)
    let (quotient, rest) = units.quotientAndRemainder(dividingBy: second)
    var copy = self
    // A negative quotient is rounded up already.
    copy.digits -= rest > 0 ? quotient + 1 : quotient
    return copy
  }

  /// The number with the fraction digits and the width of the original text.
  var text: String {
    let allDigits = String(abs(digits))
    let width = fractionDigits + (digits < 0 ? 1 : paddedWidth)
    let padded = String(repeating: "0", count: max(0, width - allDigits.count)) + allDigits
    let sign = digits < 0 ? "-" : ""

    guard fractionDigits > 0 else { return sign + padded }
    return "\(sign)\(padded.dropLast(fractionDigits)).\(padded.suffix(fractionDigits))"
  }
}
