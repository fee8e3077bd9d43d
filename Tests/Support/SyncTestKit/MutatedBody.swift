extension SeededGenerator {
  package mutating func chance(_ part: Int, of whole: Int) -> Bool { Int.random(in: 0..<whole, using: &self) < part }

  package mutating func mutated(_ original: [UInt8]) -> [UInt8] {
    var body = original
    for _ in 0..<Int.random(in: 1...3, using: &self) where !body.isEmpty {
      let place = Int.random(in: 0..<body.count, using: &self)
      switch Int.random(in: 0..<6, using: &self) {
      case 0: body[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
      case 1: body[place] = .random(in: 0...255, using: &self)
      case 2: body.remove(at: place)
      case 3: body.insert(contentsOf: fragments[Int.random(in: 0..<fragments.count, using: &self)], at: place)
      case 4:
        let end = min(body.count, place + Int.random(in: 1..<40, using: &self))
        let start = Int.random(in: 0..<original.count, using: &self)
        let other = original[start..<min(original.count, start + Int.random(in: 0..<60, using: &self))]
        body.replaceSubrange(place..<end, with: other)
      default: if chance(1, of: 3) { body.removeSubrange(place...) }
      }
    }
    return body
  }
}

private let fragments: [[UInt8]] =
  [
    "\"", "\\", "\\u", "\\u0000", "\\ud800", "{", "}", "[", "]", ",", ":", "[[[[[[", "}}}}", "1e999999", "-", "0",
    "NaN", "null", "\u{0}", "\n", "\u{feff}", "\"data\":[", "\"data\":null,", "{\"a\":1,\"a\":2}",
    "],\"data\":[{},1,", "e", ".", "/*",
  ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF0, 0x9F], [UInt8](repeating: 0x5B, count: 600)]
