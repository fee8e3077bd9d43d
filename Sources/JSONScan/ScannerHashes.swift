internal import Hashing

extension Scanner {
  /// The place of a counter in the output: its name's start, its value's start, and its end.
  struct CounterMember {
    let start: Int
    let value: Int
    let end: Int
  }

  /// Must be called after sorting, because sorting moves the members.
  mutating func noteMembers(from base: Int) {
    for member in members[from: base] {
      if counterNames.contains(where: { isName(member, $0) }) {
        counterMembers.append(CounterMember(start: member.start, value: member.nameEnd + 2, end: member.end))
      }
      if let keyName, isName(member, keyName) { key = member.nameEnd + 2..<member.end }
    }
  }

  /// Returns the current item's counters as a canonical object.
  func counterObject() -> [UInt8] {
    let size = counterMembers.reduce(max(counterMembers.count, 1) + 1) { $0 + $1.end - $1.start }
    return [UInt8](unsafeUninitializedCapacity: size) { text, length in
      text[0] = UInt8(ascii: "{")
      length = 1
      for member in counterMembers {
        if length > 1 {
          text[length] = UInt8(ascii: ",")
          length += 1
        }
        let source = UnsafeBufferPointer(start: output + member.start, count: member.end - member.start)
        // `update` stops the program if the buffer is too small.
        length = UnsafeMutableBufferPointer(rebasing: text[length...]).update(fromContentsOf: source) + length
      }
      text[length] = UInt8(ascii: "}")
      length += 1
    }
  }

  /// Hashes the names of counters but not their values, so that a new value of a counter does not change the hash.
  func contentHash(of range: Range<Int>) -> [UInt8] {
    var hash = SHA256()
    var start = range.lowerBound
    for member in counterMembers {
      update(&hash, start..<member.value)
      start = member.end
    }
    update(&hash, start..<range.upperBound)
    return hash.finalize()
  }

  func counterHash(of object: [UInt8]) -> Int64 {
    if counterMembers.isEmpty { return 0 }
    var hash = SHA256()
    object.withUnsafeBufferPointer { update(&hash, $0) }
    return hash.finalize().prefix(8).reduce(0) { $0 << 8 | Int64($1) }
  }

  private func update(_ hash: inout SHA256, _ range: Range<Int>) {
    update(&hash, UnsafeBufferPointer(start: output + range.lowerBound, count: range.count))
  }

  private func update(_ hash: inout SHA256, _ text: UnsafeBufferPointer<UInt8>) {
    switch (arrays, hasOddNumbers) {
    case (.ordered, false):
      hash.update(bufferPointer: UnsafeRawBufferPointer(text))
    case (.ordered, true):
      NumberSpelling.respelled(text).withUnsafeBytes { hash.update(bufferPointer: $0) }
    case (.bags, _):
      // Numbers are rewritten first, because the order of elements must not depend on the spelling of numbers.
      var own = hasOddNumbers ? NumberSpelling.respelled(text) : Array(text)
      ArrayBags.arrange(&own)
      own.withUnsafeBytes { hash.update(bufferPointer: $0) }
    }
  }
}
