import Foundation
import JSONScan
import SyncTestKit
import Testing

indirect enum Model: Equatable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([Model])
  case object([(String, Model)])

  static func == (left: Model, right: Model) -> Bool { left.canonical == right.canonical }

  static func random(_ depth: Int, using random: inout SeededGenerator) -> Model {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
    case 0: return random.chance(1, of: 2) ? .null : .bool(random.chance(1, of: 2))
    case 1, 2: return .number(randomNumber(using: &random))
    case 3, 4: return .string(randomString(using: &random))
    case 5: return .array((0..<Int.random(in: 0..<5, using: &random)).map { _ in .random(depth - 1, using: &random) })
    default: return randomObject(depth, using: &random)
    }
  }

  static func randomObject(_ depth: Int, using random: inout SeededGenerator) -> Model {
    var seen: Set<[UInt8]> = []
    var members: [(String, Model)] = []
    for _ in 0..<Int.random(in: 0..<(random.chance(1, of: 20) ? 60 : 6), using: &random) {
      let name = randomString(using: &random)
      if seen.insert(Array(name.utf8)).inserted { members.append((name, .random(depth - 1, using: &random))) }
    }
    return .object(members)
  }

  /// Whether an object has two names that Unicode defines as canonically equivalent.
  var hasAlikeNames: Bool {
    switch self {
    case .object(let members): Set(members.map(\.0)).count < members.count || members.contains { $0.1.hasAlikeNames }
    case .array(let elements): elements.contains(where: \.hasAlikeNames)
    default: false
    }
  }

  private static func randomNumber(using random: inout SeededGenerator) -> String {
    var text = random.chance(1, of: 3) ? "-" : ""
    text += String(UInt64.random(in: 0..<(random.chance(1, of: 2) ? 100 : .max), using: &random))
    if random.chance(1, of: 3) { text += ".\(UInt32.random(in: 0..<1000, using: &random))" }
    if random.chance(1, of: 4) {
      text += ["e", "E", "e+", "E-"].randomElement(using: &random) ?? "e"
      text += String(Int.random(in: 0..<200, using: &random))
    }
    return text
  }

  private static func randomString(using random: inout SeededGenerator) -> String {
    var scalars = String.UnicodeScalarView()
    let ranges: [ClosedRange<UInt32>] = [
      0x61...0x64, 0x20...0x7F, 0x01...0x1F, 0x22...0x22, 0x5C...0x5C, 0x2F...0x2F, 0x80...0x7FF, 0x300...0x310,
      0x800...0xD7FF, 0xE000...0xFFFF, 0x10000...0x10FFFF,
    ]
    let isPlain = random.chance(1, of: 2)
    for _ in 0..<Int.random(in: 0..<(random.chance(1, of: 5) ? 40 : 4), using: &random) {
      let range = isPlain ? ranges[0] : ranges[Int.random(in: 0..<ranges.count, using: &random)]
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { scalars.append(scalar) }
    }
    return String(scalars)
  }

  var canonical: String {
    switch self {
    case .null: return "null"
    case .bool(let value): return value ? "true" : "false"
    case .number(let text): return text
    case .string(let value): return Self.quoted(value)
    case .array(let elements): return "[" + elements.map(\.canonical).joined(separator: ",") + "]"
    case .object(let members):
      let sorted = members.sorted { Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8)) }
      return "{" + sorted.map { "\(Self.quoted($0.0)):\($0.1.canonical)" }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ value: String) -> String {
    var text = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\u{8}": text += "\\b"
      case "\u{c}": text += "\\f"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\0"..<" ":
        text += "\\u" + String(repeating: "0", count: scalar.value < 16 ? 3 : 2) + String(scalar.value, radix: 16)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  func written(using random: inout SeededGenerator) -> String {
    func gap() -> String {
      random.chance(1, of: 3)
        ? (0..<2).map { _ in [" ", "\t", "\n", "\r"].randomElement(using: &random) ?? "" }.joined() : ""
    }
    func string(_ value: String) -> String {
      var text = "\""
      for scalar in value.unicodeScalars {
        // `dropFirst` on characters would drop a combining mark together with the quote before it.
        let plain = String(Self.quoted(String(scalar)).unicodeScalars.dropFirst().dropLast())
        if random.chance(1, of: 6) {
          for unit in String(scalar).utf16 {
            let hex = String(unit, radix: 16, uppercase: random.chance(1, of: 2))
            text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
          }
        } else {
          text += scalar == "/" && random.chance(1, of: 2) ? "\\/" : plain
        }
      }
      return text + "\""
    }
    switch self {
    case .string(let value): return gap() + string(value) + gap()
    case .array(let elements):
      return gap() + "[" + gap() + elements.map { $0.written(using: &random) }.joined(separator: ",") + "]" + gap()
    case .object(let members):
      let texts = members.shuffled(using: &random).map { member in
        gap() + string(member.0) + gap() + ":" + member.1.written(using: &random)
      }
      return gap() + "{" + gap() + texts.joined(separator: ",") + "}" + gap()
    default: return gap() + canonical + gap()
    }
  }
}

@Suite("Properties")
struct PropertyTests {
  @Test("every text of a value has the same canonical bytes and hashes, and they parse to that value")
  func canonicalIsUnique() throws {
    var random = SeededGenerator(seed: testSeed)
    let count = 150 * testFactor
    for round in 0..<count {
      let model = Model.random(4, using: &random)
      let first = try JSONScan.document(bytes(model.written(using: &random)))
      let second = try JSONScan.document(bytes(model.written(using: &random)))
      let note: Comment = "seed \(testSeed), round \(round)"
      #expect(first.canonical == bytes(model.canonical), note)
      #expect(first.canonical == second.canonical && first.contentHash == second.contentHash, note)
      #expect(first.repairs == Repairs(), note)
      #expect(isSoundCanonical(first.canonical), note)
    }
    tellTorture("\(count) documents of seed \(testSeed), each in two spellings")
  }

  @Test("canonical bytes mean to Foundation what the text meant")
  func differential() throws {
    var random = SeededGenerator(seed: testSeed &+ 1)
    let count = 100 * testFactor
    var compared = 0
    for round in 0..<count {
      let model = Model.randomObject(3, using: &random)
      // Foundation merges names that are canonically equivalent, and drops a byte order mark before a string.
      guard !model.hasAlikeNames, !model.canonical.unicodeScalars.contains("\u{FEFF}") else { continue }
      let written = bytes(model.written(using: &random))
      let canonical = try JSONScan.document(written).canonical
      let left = try? JSONSerialization.jsonObject(with: Data(written)) as? NSDictionary
      let right = try? JSONSerialization.jsonObject(with: Data(canonical)) as? NSDictionary
      #expect(left == right, "seed \(testSeed), round \(round)")
      compared += left == nil ? 0 : 1
    }
    #expect(compared > count / 2, "Foundation reads most texts")
  }

  @Test("another order of elements or another scalar gives another content hash")
  func hashesDiffer() throws {
    var random = SeededGenerator(seed: testSeed &+ 2)
    for round in 0..<100 * testFactor {
      let elements = (0..<4).map { _ in Model.random(2, using: &random) }
      let other = elements.shuffled(using: &random)
      var changed = elements
      changed[Int.random(in: 0..<4, using: &random)] = .random(2, using: &random)
      for pair in [other, changed] where pair != elements {
        let left = try JSONScan.document(bytes(Model.array(elements).written(using: &random)))
        let right = try JSONScan.document(bytes(Model.array(pair).written(using: &random)))
        #expect(left.contentHash != right.contentHash, "seed \(testSeed), round \(round)")
      }
    }
  }
}
