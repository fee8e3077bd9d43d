extension Scanner {
  /// PostgreSQL's `numeric` allows this many digits before and after the decimal point.
  private static var maxIntegerDigits: Int { 131_072 }
  private static var maxFractionDigits: Int { 16_383 }
  /// PostgreSQL refuses exponents of `INT_MAX / 2` or more, even if the number is zero.
  private static var maxExponent: Int { 1_073_741_822 }

  /// Scans a number. Its range is checked on the text, because a floating-point type would round large integers.
  mutating func number() throws(Fault) {
    let start = position
    if input[position] == UInt8(ascii: "-") { position += 1 }
    // The power of ten of the first digit that is not zero. `nil` until this digit is found.
    var magnitude: Int?
    let integerStart = position
    try digits("expected a digit")
    if input[integerStart] == UInt8(ascii: "0") {
      if position - integerStart > 1 {
        position = integerStart
        throw syntax("a number with a leading zero")
      }
    } else {
      magnitude = position - integerStart - 1
    }
    var fractionDigits = 0
    if position < count, input[position] == UInt8(ascii: ".") {
      position += 1
      let fractionStart = position
      try digits("expected a digit after the decimal point")
      fractionDigits = position - fractionStart
      if magnitude == nil {
        for index in fractionStart..<position where input[index] != UInt8(ascii: "0") {
          magnitude = fractionStart - index - 1
          break
        }
      }
    }
    let hasExponent = position < count && input[position] | 0x20 == UInt8(ascii: "e")
    let exponent = hasExponent ? try scanExponent() : 0
    guard abs(exponent) <= Self.maxExponent, magnitude.map({ $0 + exponent < Self.maxIntegerDigits }) ?? true,
      fractionDigits - exponent <= Self.maxFractionDigits
    else { throw Fault.bad(.numberRange, offset: start) }
    if hasExponent || position - start > NumberSpelling.longest
      || (fractionDigits > 0 && input[position - 1] == UInt8(ascii: "0"))
      || (magnitude == nil && input[start] == UInt8(ascii: "-"))
    {
      hasOddNumbers = true
    }
    copy(from: input + start, count: position - start)
  }

  @inline(__always)
  private mutating func digits(_ expectation: String) throws(Fault) {
    let start = position
    while position < count, input[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    if position == start { throw syntax(expectation) }
  }

  /// Ignores further digits when the value exceeds `maxExponent`, to avoid an overflow.
  private mutating func scanExponent() throws(Fault) -> Int {
    position += 1
    var isNegative = false
    if position < count, input[position] == UInt8(ascii: "+") || input[position] == UInt8(ascii: "-") {
      isNegative = input[position] == UInt8(ascii: "-")
      position += 1
    }
    let start = position
    try digits("expected a digit in the exponent")
    var exponent = 0
    for index in start..<position where exponent <= Self.maxExponent {
      exponent = exponent * 10 + Int(input[index] - UInt8(ascii: "0"))
    }
    return isNegative ? -exponent : exponent
  }
}
