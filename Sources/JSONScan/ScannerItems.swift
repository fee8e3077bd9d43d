extension Scanner {
  /// Scans an array whose elements are items. The envelope gets an empty array instead.
  mutating func scanItems() throws(Fault) {
    let outputStart = written
    let envelopeRepairs = repairs
    if opensEmptyArray() {
      position += 1
    } else {
      repeat {
        skipWhiteSpace()
        if items.count == limits.items { throw .tooManyItems(offset: position) }
        items.append(try itemResult(endingWith: UInt8(ascii: "]")))
        written = outputStart
      } while endsWithComma()
    }
    putEmptyArray(envelopeRepairs)
  }

  /// Scans a value that is an item. The envelope gets an empty array instead.
  mutating func scanLoneItem() throws(Fault) {
    let outputStart = written
    let envelopeRepairs = repairs
    if items.count == limits.items { throw .tooManyItems(offset: position) }
    if frames.count == 0 || pathEnd == .object {
      items.append(.item(try item()))
    } else {
      let isMember = frames[frames.count - 1].isObject
      items.append(try itemResult(endingWith: isMember ? UInt8(ascii: "}") : UInt8(ascii: "]")))
    }
    written = outputStart
    putEmptyArray(envelopeRepairs)
  }

  private mutating func putEmptyArray(_ envelopeRepairs: Repairs) {
    repairs = envelopeRepairs
    put(UInt8(ascii: "["))
    put(UInt8(ascii: "]"))
  }

  private mutating func opensEmptyArray() -> Bool {
    position += 1
    skipWhiteSpace()
    return position < count && input[position] == UInt8(ascii: "]")
  }

  private mutating func endsWithComma() -> Bool {
    position += 1
    return input[position - 1] == UInt8(ascii: ",")
  }

  /// - Parameter closer: The byte that ends the container of the item.
  private mutating func itemResult(endingWith closer: UInt8) throws(Fault) -> ScannedItemResult {
    let start = position
    let (frameBase, memberBase) = (frames.count, members.count)
    do throws(Fault) {
      let scanned = try item()
      skipWhiteSpace()
      guard position < count else { throw syntax("the text ends inside the array of items") }
      guard input[position] == UInt8(ascii: ",") || input[position] == closer else {
        throw syntax("expected ',' or '\(Character(Unicode.Scalar(closer)))' after an item")
      }
      return .item(scanned)
    } catch {
      guard case .bad(let reason, let offset) = error, let end = lexicalEnd(from: start, closer), end > start else {
        throw error
      }
      let path = faultPath(above: frameBase)
      frames.drop(to: frameBase)
      members.drop(to: memberBase)
      itemFloor = 0
      position = end
      var last = end
      while last > start, [0x20, 0x0A, 0x0D, 0x09].contains(input[last - 1]) { last -= 1 }
      let range = start..<last
      return .bad(
        BadItem(range: range, reason: reason, offset: offset, path: path, excerpt: excerpt(of: range, near: offset)))
    }
  }

  /// Scans one value as an item, from its first byte. Resets the state that belongs to one item.
  mutating func item() throws(Fault) -> ScannedItem {
    skipWhiteSpace()
    let (start, outputStart) = (position, written)
    itemFloor = frames.count
    repairs = Repairs()
    hasOddNumbers = false
    counterMembers.removeAll(keepingCapacity: true)
    key = nil
    let memberName = memberName()
    try value()
    itemFloor = 0
    if position - start > limits.itemBytes {
      throw .bad(.itemBytes(limit: limits.itemBytes), offset: start)
    }
    let canonical = UnsafeBufferPointer(start: output + outputStart, count: written - outputStart)
    let counters = counterObject()
    return ScannedItem(
      range: start..<position, canonical: Array(canonical),
      key: key.map { Array(UnsafeBufferPointer(start: output + $0.lowerBound, count: $0.count)) },
      memberName: memberName, counters: counters,
      contentHash: contentHash(of: outputStart..<written), counterHash: counterHash(of: counters), repairs: repairs)
  }

  /// Returns the name of the member that the last step `.values` followed to the next value, with its quotation marks.
  /// `nil` if the value is not below this step, or if names are not returned.
  private func memberName() -> [UInt8]? {
    // A container on the items path is as deep as its level.
    guard namesLevel >= 0, namesLevel < frames.count, frames[namesLevel].pathLevel == namesLevel else { return nil }
    let isInnermost = namesLevel + 1 == frames.count
    let end = isInnermost ? members.count : frames[namesLevel + 1].memberBase
    guard end > frames[namesLevel].memberBase else { return nil }
    let member = members[end - 1]
    return Array(UnsafeBufferPointer(start: output + member.start, count: member.nameEnd + 1 - member.start))
  }

  /// Returns the position of the `,` or `closer` after the item at `start`. `nil` if the item's end cannot be found.
  private func lexicalEnd(from start: Int, _ closer: UInt8) -> Int? {
    var open: [UInt8] = []
    var index = start
    while index < count {
      let byte = input[index]
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        while index < count, input[index] != UInt8(ascii: "\"") {
          index += input[index] == UInt8(ascii: "\\") ? 2 : 1
        }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        // In ASCII, each closing bracket has the code of its opening bracket plus two.
        open.append(byte + 2)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if open.isEmpty { return byte == closer ? index : nil }
        if open.removeLast() != byte { return nil }
      case UInt8(ascii: ","):
        if open.isEmpty { return index }
      default: break
      }
      index += 1
    }
    return nil
  }

  private func faultPath(above floor: Int) -> String {
    var path = JSONScan.Step.text(itemsPath)
    path += "[\(items.count)]"
    for depth in floor..<max(frames.count, floor) {
      if path.utf8.count > 480 { return path + "…" }
      let frame = frames[depth]
      guard frame.isObject else {
        path += "[\(frame.index)]"
        continue
      }
      let next = depth + 1 < frames.count ? frames[depth + 1].memberBase : members.count
      guard next > frame.memberBase else { continue }
      let member = members[next - 1]
      let name = UnsafeBufferPointer(start: output + member.start + 1, count: member.nameEnd - member.start - 1)
      let isPlain = name.allSatisfy { byte in
        let lower = byte | 0x20
        return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z") || byte == UInt8(ascii: "_")
          || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
      }
      let text = Self.printable(UnsafeBufferPointer(rebasing: name.prefix(64))) + (name.count > 64 ? "…" : "")
      path += isPlain && !name.isEmpty ? ".\(text)" : "[\"\(text)\"]"
    }
    return path
  }

  private func excerpt(of range: Range<Int>, near offset: Int) -> String {
    var start = max(range.lowerBound, min(offset, range.upperBound) - 80)
    let end = min(range.upperBound, start + 160)
    while start < end, start > range.lowerBound, input[start] & 0xC0 == 0x80 { start += 1 }
    return Self.printable(UnsafeBufferPointer(start: input + start, count: end - start))
  }

  private static func printable(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    String(decoding: bytes.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
  }
}
