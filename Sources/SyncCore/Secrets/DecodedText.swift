/// A text whose escapes are decoded, one level at a time. Each byte knows its place in the original text.
struct DecodedText {
  /// The number of nested escapes that are decoded.
  static let depth = 3

  /// The decoded text.
  private(set) var bytes: [UInt8]
  /// For each byte, the place in the original text where its spelling begins.
  private(set) var starts: [Int32]
  /// For each byte, the place after its spelling.
  private(set) var ends: [Int32]

  init(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    bytes = Array(text[range])
    starts = range.map { Int32($0) }
    ends = range.map { Int32($0 + 1) }
  }

  /// Whether the byte can begin an escape.
  @inline(__always)
  static func canEscape(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "&") || byte == 0
  }

  /// Decodes one level of escapes. Returns false if the text has none.
  mutating func decode() -> Bool {
    var decoded: [UInt8] = []
    var newStarts: [Int32] = []
    var newEnds: [Int32] = []
    decoded.reserveCapacity(bytes.count)
    newStarts.reserveCapacity(bytes.count)
    newEnds.reserveCapacity(bytes.count)

    var place = 0
    var hasEscape = false
    bytes.withUnsafeBufferPointer { bytes in
      while place < bytes.count {
        let escape = Self.canEscape(bytes[place]) ? TextEscape.read(at: place, in: bytes) : nil
        let length = escape?.length ?? 1
        hasEscape = hasEscape || escape != nil
        let start = starts[place]
        let end = ends[place + length - 1]
        func add(_ byte: UInt8) {
          decoded.append(byte)
          newStarts.append(start)
          newEnds.append(end)
        }
        switch escape?.value {
        case nil: add(bytes[place])
        case .byte(let byte)?: add(byte)
        case .scalar(let scalar)?: UTF8.encode(scalar).map { $0.forEach(add) }
        case .nothing?: break
        }
        place += length
      }
    }

    guard hasEscape else { return false }
    bytes = decoded
    starts = newStarts
    ends = newEnds
    return true
  }
}
