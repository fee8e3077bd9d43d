/// Sorts every array's elements. The order is arbitrary but must never change, because stored hashes depend on it.
struct ArrayBags {
  private struct Element { let start, end: Int }

  private struct Container {
    let base: Int?
    var start: Int
  }

  private let text: UnsafeMutablePointer<UInt8>
  private let count: Int
  private let scratch: UnsafeMutablePointer<UInt8>
  private var elements: [Element] = []
  private var containers: [Container] = []

  /// - Parameter text: Canonical text. Every array in the text must be complete.
  static func arrange(_ text: inout [UInt8]) {
    text.withUnsafeMutableBufferPointer { text in
      guard let start = text.baseAddress else { return }
      let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: text.count)
      defer { scratch.deallocate() }
      var bags = ArrayBags(text: start, count: text.count, scratch: scratch)
      bags.arrange()
    }
  }

  private mutating func arrange() {
    var index = 0
    while index < count {
      switch text[index] {
      case UInt8(ascii: "\""):
        index = endOfString(at: index)
        continue
      case UInt8(ascii: "["): containers.append(Container(base: elements.count, start: index + 1))
      case UInt8(ascii: "{"): containers.append(Container(base: nil, start: index))
      case UInt8(ascii: "}"): _ = containers.popLast()
      case UInt8(ascii: ","):
        let top = containers.count - 1
        if top >= 0, containers[top].base != nil {
          elements.append(Element(start: containers[top].start, end: index))
          containers[top].start = index + 1
        }
      case UInt8(ascii: "]"):
        if let array = containers.popLast(), let base = array.base { close(from: base, last: array.start..<index) }
      default: break
      }
      index += 1
    }
  }

  private func endOfString(at start: Int) -> Int {
    var index = start + 1
    while index < count {
      while index + 8 <= count {
        let word = UInt64(littleEndian: UnsafeRawPointer(text + index).loadUnaligned(as: UInt64.self))
        let (quotes, backslashes) = (word ^ 0x2222_2222_2222_2222, word ^ 0x5C5C_5C5C_5C5C_5C5C)
        // A set bit marks a quote or a backslash. Only the lowest set bit is reliable, because subtractions borrow.
        let marks =
          ((quotes &- 0x0101_0101_0101_0101) & ~quotes | (backslashes &- 0x0101_0101_0101_0101) & ~backslashes)
          & 0x8080_8080_8080_8080
        index += marks.trailingZeroBitCount >> 3
        if marks != 0 { break }
      }
      guard index < count else { break }
      if text[index] == UInt8(ascii: "\"") { return index + 1 }
      index += text[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return count
  }

  private mutating func close(from base: Int, last: Range<Int>) {
    defer { elements.removeSubrange(base...) }
    guard elements.count > base else { return }
    elements.append(Element(start: last.lowerBound, end: last.upperBound))
    let (text, start) = (text, elements[base].start)
    if (base + 1..<elements.count).allSatisfy({ !Self.precedes(elements[$0], elements[$0 - 1], in: text) }) { return }
    elements.withUnsafeMutableBufferPointer { all in
      var own = UnsafeMutableBufferPointer(rebasing: all[base...])
      own.sort { Self.precedes($0, $1, in: text) }
    }
    var length = 0
    for element in elements[base...] {
      let size = element.end - element.start
      // Sorted elements take as much space as the original elements.
      precondition(length + 1 + size <= count)
      if length > 0 {
        scratch[length] = UInt8(ascii: ",")
        length += 1
      }
      (scratch + length).update(from: text + element.start, count: size)
      length += size
    }
    (text + start).update(from: scratch, count: length)
  }

  private static func precedes(_ left: Element, _ right: Element, in text: UnsafeMutablePointer<UInt8>) -> Bool {
    let length = left.end - left.start
    if length != right.end - right.start { return length < right.end - right.start }
    let (a, b) = (UnsafeRawPointer(text + left.start), UnsafeRawPointer(text + right.start))
    var index = 0
    while index + 8 <= length {
      let x = UInt64(bigEndian: (a + index).loadUnaligned(as: UInt64.self))
      let y = UInt64(bigEndian: (b + index).loadUnaligned(as: UInt64.self))
      if x != y { return x < y }
      index += 8
    }
    while index < length {
      let (x, y) = (a.load(fromByteOffset: index, as: UInt8.self), b.load(fromByteOffset: index, as: UInt8.self))
      if x != y { return x < y }
      index += 1
    }
    return false
  }
}
