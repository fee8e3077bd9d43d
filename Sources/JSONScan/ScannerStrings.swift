extension Scanner {
  /// Scans the string at `position`. Returns true if its canonical form contains a backslash.
  mutating func string() throws(Fault) -> Bool {
    let start = position
    let outputStart = written
    var hasEscape = false
    put(UInt8(ascii: "\""))
    position += 1
    while true {
      asciiRun()
      guard position < count else { throw syntax("the text ends inside a string") }
      let byte = input[position]
      switch byte {
      case UInt8(ascii: "\""):
        if written - outputStart - 1 > limits.stringBytes {
          throw Fault.bad(.stringBytes(limit: limits.stringBytes), offset: start)
        }
        put(byte)
        position += 1
        return hasEscape
      case UInt8(ascii: "\\"):
        if try escape() { hasEscape = true }
      case 0x80...:
        try multibyte(byte)
      default:
        throw syntax("a control character inside a string")
      }
    }
  }

  /// Copies bytes up to the next quote, backslash, control or non-ASCII byte. Also copies `\/`, without the backslash.
  @inline(__always)
  private mutating func asciiRun() {
    // Local copies stay in registers. Properties would not, because a store through `output` could change them.
    let (input, output, count, capacity) = (input, output, count, capacity)
    var (position, written) = (position, written)
    defer { (self.position, self.written) = (position, written) }
    while position &+ 8 <= count, written &+ 8 <= capacity {
      let plain = Self.copyWord(from: input + position, to: output + written)
      position &+= plain
      written &+= plain
      if plain == 8 { continue }
      guard position &+ 1 < count, input[position] == UInt8(ascii: "\\"), input[position &+ 1] == UInt8(ascii: "/")
      else { return }
      // The byte is inside the buffer, because it is one of the 8 bytes that `copyWord` has just stored.
      output[written] = UInt8(ascii: "/")
      position &+= 2
      written &+= 1
    }
    while position < count {
      let byte = input[position]
      if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
      precondition(written < capacity)
      output[written] = byte
      position += 1
      written += 1
    }
  }

  @inline(__always)
  private static func copyWord(from input: UnsafePointer<UInt8>, to output: UnsafeMutablePointer<UInt8>) -> Int {
    let word = UInt64(littleEndian: UnsafeRawPointer(input).loadUnaligned(as: UInt64.self))
    UnsafeMutableRawPointer(output).storeBytes(of: word.littleEndian, as: UInt64.self)
    let quotes = word ^ 0x2222_2222_2222_2222
    let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
    // A set bit marks a byte that ends the run. Only the lowest set bit is reliable, because subtractions borrow.
    let marks =
      ((word &- 0x2020_2020_2020_2020) | (quotes &- 0x0101_0101_0101_0101)
        | (backslashes &- 0x0101_0101_0101_0101) | word) & 0x8080_8080_8080_8080
    return marks.trailingZeroBitCount >> 3
  }

  /// Copies one well-formed UTF-8 sequence of two to four bytes (Unicode table 3-7).
  @inline(__always)
  private mutating func multibyte(_ lead: UInt8) throws(Fault) {
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: throw Fault.bad(.invalidUTF8, offset: position)
    }
    guard position + length <= count, second.contains(input[position + 1]) else {
      throw Fault.bad(.invalidUTF8, offset: position)
    }
    for index in 2..<max(length, 2) where input[position + index] & 0xC0 != 0x80 {
      throw Fault.bad(.invalidUTF8, offset: position)
    }
    copy(from: input + position, count: length)
    position += length
  }

  private mutating func escape() throws(Fault) -> Bool {
    guard position + 1 < count else { throw syntax("the text ends inside a string") }
    let byte = input[position + 1]
    switch byte {
    case UInt8(ascii: "u"):
      return try unicodeEscape()
    case UInt8(ascii: "/"):
      put(byte)
      position += 2
      return false
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
      UInt8(ascii: "r"), UInt8(ascii: "t"):
      put(UInt8(ascii: "\\"))
      put(byte)
      position += 2
      return true
    default:
      throw syntax("an unknown escape in a string")
    }
  }

  private mutating func unicodeEscape() throws(Fault) -> Bool {
    let unit = try hexUnit(at: position)
    position += 6
    var scalar = UInt32(unit)
    if unit & 0xFC00 == 0xD800 {
      scalar = 0
      if position + 1 < count, input[position] == UInt8(ascii: "\\"), input[position + 1] == UInt8(ascii: "u") {
        let low = try hexUnit(at: position)
        if low & 0xFC00 == 0xDC00 {
          position += 6
          scalar = 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF))
        }
      }
    } else if unit & 0xFC00 == 0xDC00 {
      scalar = 0
    }
    if scalar == 0 {
      // `jsonb` cannot store NUL or lone surrogates.
      repairs.replacedScalars += 1
      scalar = 0xFFFD
    }
    return put(scalar: scalar)
  }

  private func hexUnit(at start: Int) throws(Fault) -> UInt16 {
    guard start + 6 <= count else { throw Fault.bad(.syntax("the text ends inside a string"), offset: start) }
    var unit: UInt16 = 0
    for index in start + 2..<start + 6 {
      let digit: UInt8
      switch input[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = input[index] - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = input[index] - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = input[index] - UInt8(ascii: "A") + 10
      default: throw Fault.bad(.syntax("a \\u escape without four hexadecimal digits"), offset: index)
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  private mutating func put(scalar: UInt32) -> Bool {
    if scalar < 0x80 {
      let text = Name.escape(UInt8(scalar))
      for byte in text { put(byte) }
      return text.count > 1
    }
    if scalar < 0x800 {
      put(UInt8(0xC0 | scalar >> 6))
    } else if scalar < 0x10000 {
      put(UInt8(0xE0 | scalar >> 12))
      put(UInt8(0x80 | scalar >> 6 & 0x3F))
    } else {
      put(UInt8(0xF0 | scalar >> 18))
      put(UInt8(0x80 | scalar >> 12 & 0x3F))
      put(UInt8(0x80 | scalar >> 6 & 0x3F))
    }
    put(UInt8(0x80 | scalar & 0x3F))
    return false
  }
}
