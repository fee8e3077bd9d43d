/// A member of an object in the output. `start` is the quotation mark before the name, `nameEnd` the one after it, and
/// `end` follows the value. All are offsets in the output.
struct Member {
  var start, nameEnd: Int
  var end: Int
  /// The first 8 bytes of the name, big endian, padded with zeros. Names never contain a zero byte.
  let prefix: UInt64
  let hasEscape: Bool
}

/// A member's name in the form that a scanner compares with the output: canonical bytes, and the prefix of `Member`.
struct Name {
  let canonical: [UInt8]
  let prefix: UInt64

  init(_ text: String) {
    let bytes = text.utf8.flatMap { $0 == 0 ? [0xEF, 0xBF, 0xBD] : [$0] }
    canonical = bytes.flatMap(Self.escape)
    prefix = (0..<8).reduce(0) { $0 << 8 | UInt64($1 < bytes.count ? bytes[$1] : 0) }
  }

  static func escape(_ byte: UInt8) -> [UInt8] {
    switch byte {
    case 0x08: Array("\\b".utf8)
    case 0x09: Array("\\t".utf8)
    case 0x0A: Array("\\n".utf8)
    case 0x0C: Array("\\f".utf8)
    case 0x0D: Array("\\r".utf8)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
    case 0..<0x20:
      Array("\\u00".utf8) + [UInt8(ascii: "0") + byte >> 4, Array("0123456789abcdef".utf8)[Int(byte & 15)]]
    default: [byte]
    }
  }
}

extension Scanner {
  mutating func name() throws(Fault) {
    guard position < count, input[position] == UInt8(ascii: "\"") else { throw syntax("expected a member name") }
    let start = written
    let hasEscape = try string()
    let nameEnd = written - 1
    let member = Member(
      start: start, nameEnd: nameEnd, end: nameEnd,
      prefix: Self.prefix(of: output, from: start + 1, to: nameEnd, hasEscape: hasEscape), hasEscape: hasEscape)
    let top = frames.count - 1
    if frames[top].isSorted, members.count > frames[top].memberBase {
      frames[top].isSorted = Self.compare(members[members.count - 1], member, in: output) < 0
    }
    members.append(member)
    skipWhiteSpace()
    guard position < count, input[position] == UInt8(ascii: ":") else {
      throw syntax("expected ':' after a member name")
    }
    position += 1
    put(UInt8(ascii: ":"))
    let level = frames[top].pathLevel
    guard level >= 0 else { return }
    switch steps[level] {
    case .member(let name) where isName(member, name):
      // Of members with the same name, the last one counts.
      items.removeSubrange(frames[top].itemBase...)
      nextPathLevel = level + 1
    case .values: nextPathLevel = level + 1
    case .member, .element, .elements: break
    }
  }

  mutating func closeObject(_ frame: Frame) {
    if !frame.isSorted { arrange(frame) }
    if frames.count == itemFloor + 1 { noteMembers(from: frame.memberBase) }
    members.drop(to: frame.memberBase)
  }

  private mutating func arrange(_ frame: Frame) {
    sort(from: frame.memberBase)
    let textStart = frame.outputStart + 1
    var length = 0
    var kept = frame.memberBase
    for index in frame.memberBase..<members.count {
      var member = members[index]
      if index + 1 < members.count, Self.compare(member, members[index + 1], in: output) == 0 {
        repairs.duplicateNames += 1
        continue
      }
      let size = member.end - member.start
      // Sorted members take as much space as the original members.
      precondition(length + 1 + size <= capacity)
      if length > 0 {
        scratch[length] = UInt8(ascii: ",")
        length += 1
      }
      (scratch + length).update(from: output + member.start, count: size)
      let shift = textStart + length - member.start
      member.start += shift
      member.nameEnd += shift
      member.end += shift
      length += size
      members[kept] = member
      kept += 1
    }
    members.drop(to: kept)
    written = textStart
    copy(from: scratch, count: length)
  }

  /// Sorts an object's members by name. Members with the same name keep their order, so that the last one stays last.
  private mutating func sort(from base: Int) {
    let (output, own) = (output, members[from: base])
    if own.count <= 8 {
      for index in 1..<own.count {
        let member = own[index]
        var target = index
        while target > 0, Self.compare(member, own[target - 1], in: output) < 0 {
          own[target] = own[target - 1]
          target -= 1
        }
        own[target] = member
      }
      return
    }
    if order.count == own.count {
      let sorted = order.map { own[$0] }
      if (1..<own.count).allSatisfy({ Self.compare(sorted[$0 - 1], sorted[$0], in: output) < 0 }) {
        _ = own.update(fromContentsOf: sorted)
        return
      }
    }
    order = own.indices.sorted { left, right in
      let order = Self.compare(own[left], own[right], in: output)
      return order < 0 || (order == 0 && left < right)
    }
    _ = own.update(fromContentsOf: order.map { own[$0] })
  }

  func isName(_ member: Member, _ name: Name) -> Bool {
    guard member.prefix == name.prefix else { return false }
    let length = member.nameEnd - member.start - 1
    guard length == name.canonical.count else { return false }
    for index in 0..<length where output[member.start + 1 + index] != name.canonical[index] { return false }
    return true
  }

  /// Compares names by their UTF-8 bytes, because `String` considers some different names equal.
  private static func compare(_ left: Member, _ right: Member, in output: UnsafeMutablePointer<UInt8>) -> Int {
    if left.prefix != right.prefix { return left.prefix < right.prefix ? -1 : 1 }
    var (a, b) = (left.start + 1, right.start + 1)
    while a < left.nameEnd, b < right.nameEnd {
      let (x, y) = (decode(output, &a), decode(output, &b))
      if x != y { return x < y ? -1 : 1 }
    }
    return a < left.nameEnd ? 1 : b < right.nameEnd ? -1 : 0
  }

  /// Returns the first 8 bytes of the name without escapes, the first byte in the highest place. Missing bytes are 0.
  private static func prefix(
    of output: UnsafeMutablePointer<UInt8>, from start: Int, to end: Int, hasEscape: Bool
  ) -> UInt64 {
    if !hasEscape {
      // The load stays in bounds, because `capacity(for:)` adds 8 bytes.
      let word = UInt64(bigEndian: UnsafeRawPointer(output + start).loadUnaligned(as: UInt64.self))
      return word & ~(UInt64.max >> UInt64(8 * min(end - start, 8)))
    }
    var (prefix, filled, index) = (UInt64(0), 0, start)
    while index < end, filled < 8 {
      prefix = prefix << 8 | UInt64(decode(output, &index))
      filled += 1
    }
    return filled == 0 ? 0 : prefix << UInt64(8 * (8 - filled))
  }

  /// Returns the name's byte at `index` and advances `index`. A canonical escape counts as one byte.
  @inline(__always)
  private static func decode(_ text: UnsafeMutablePointer<UInt8>, _ index: inout Int) -> UInt8 {
    let byte = text[index]
    if byte != UInt8(ascii: "\\") {
      index += 1
      return byte
    }
    let code = text[index + 1]
    index += 2
    switch code {
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "u"):
      // This scanner writes `\u00xy`, where x is 0 or 1, and y is a digit or a lower-case letter.
      let (high, low) = (text[index + 2], text[index + 3])
      index += 4
      return (high & 1) << 4 | (low >= 0x61 ? low - 0x61 + 10 : low - 0x30)
    default: return code
    }
  }
}
