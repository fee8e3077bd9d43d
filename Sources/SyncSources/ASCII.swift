/// The classes of bytes in names and numbers: no locale, no other script.
extension UInt8 {
  var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// A letter, a digit, a hyphen, a dot or an underscore: what goes into an address and onto a terminal as it is.
  var isPlain: Bool { isLetter || isDigit || [0x2D, 0x2E, 0x5F].contains(self) }
}
