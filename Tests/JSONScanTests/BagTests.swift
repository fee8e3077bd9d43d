import JSONScan
import SyncTestKit
import Testing

@Suite("Arrays as bags")
struct BagTests {
  private func hash(_ body: String, counters: Set<String> = []) throws -> [UInt8] {
    try JSONScan.document(bytes(body), counterMembers: counters, arrays: .bags).contentHash
  }

  private func hash(_ model: Model, using random: inout SeededGenerator) throws -> [UInt8] {
    try hash(model.written(using: &random))
  }

  @Test("the hash is SHA-256 of the canonical form with every array in order: shorter elements first, then by bytes")
  func digest() throws {
    let body = #"{"b":[[3,20],{"z":[2,1],"a":1.50},"xyzxyzxy0","xyzxyzxy",[],1e1],"a":[false,null]}"#
    let arranged = #"{"a":[null,false],"b":[10,[],[3,20],"xyzxyzxy","xyzxyzxy0",{"a":1.5,"z":[1,2]}]}"#
    #expect(try hash(body) == JSONScan.document(bytes(arranged)).contentHash)
    #expect(
      try hash(body).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        == "8c3acefea0e7145fee6bebca7c501ae3bacd3c05fa78ced9064b7fa572ae9222")
  }

  @Test("the canonical form keeps the order of the text, and arrays that are not bags are hashed in it")
  func canonical() throws {
    let body = #"{"a":[3,1,2]}"#
    let item = try JSONScan.document(bytes(body), arrays: .bags)
    #expect(text(item.canonical) == body)
    #expect(try item.contentHash != JSONScan.document(bytes(body)).contentHash)
    #expect(try item.contentHash == JSONScan.document(bytes(#"{"a":[1,2,3]}"#)).contentHash)
    let plain = #"{"a":{"b":1},"c":"[2,1]"}"#
    #expect(try hash(plain) == JSONScan.document(bytes(plain)).contentHash)
  }

  static let alike: [[String]] = [
    ["[]"], ["[[]]"], ["[[],[]]"], ["[[[]]]"], ["{}"], ["[{}]"], ["[1]"], ["1"], ["[[1]]"],
    ["[1,2,3]", "[3,2,1]", "[2,3,1]", "[ 2 , 1,3 ]", "[3.0,20e-1,1]"], ["[1,1,2]", "[1,2,1]", "[2,1,1.0]"],
    ["[1,2]", "[2,1]"], ["[1,2,2]", "[2,1,2]"], ["[[1,2],[3]]", "[[3],[2,1]]"], ["[[1],[2,3]]", "[[3,2],[1]]"],
    ["[[1,2,3]]", "[[3,1,2]]"], [#"["],[","[",","]"#, #"["[",",","],["]"#], [#"["]",",[",","]"#, #"[",[","]",","]"#],
    [#"["\"","\\","\\\""]"#, #"["\\\"","\"","\\"]"#, #"["\u005c","\u0022","\\\u0022"]"#],
    [#"["12345678","12345679"]"#, #"["12345679","12345678"]"#],
    [#"["1234567\"","1234567,"]"#, #"["1234567,","1234567\""]"#], [#"{"a":[1],"b":[2]}"#, #"{"b":[2],"a":[1]}"#],
    [#"{"a":[2],"b":[1]}"#], [#"{"a":[1,2],"b":[]}"#, #"{"a":[2,1],"b":[]}"#], [#"{"a":[1],"b":[2,2]}"#],
    [#"[{"a":[2,1],"b":0},{"a":[3]}]"#, #"[{"a":[3]},{"b":0,"a":[1,2]}]"#], [#"[{"a":[3,1],"b":0},{"a":[2]}]"#],
    [#"[null,true,false,"null"]"#, #"["null",false,null,true]"#], [#"["a","é"]"#, #"["é","\u0061"]"#],
  ]

  @Test("what differs by the order of elements alone is alike, and nothing else is")
  func places() throws {
    var seen: Set<[UInt8]> = []
    for bodies in Self.alike {
      let hashes = try Set(bodies.map { try hash($0) })
      #expect(hashes.count == 1, "\(bodies)")
      for hash in hashes { #expect(seen.insert(hash).inserted, "\(bodies)") }
    }
  }

  @Test("counters are omitted as always, and their own hash treats their arrays as bags too")
  func counterMembers() throws {
    func scan(_ body: String) throws -> ScannedItem {
      try JSONScan.document(bytes(body), counterMembers: ["m", "v"], arrays: .bags)
    }
    let first = try scan(#"{"a":[1,2],"m":[5,6.0],"n":[[3],[4,5]],"v":{"x":[7]},"z":[8,9]}"#)
    let second = try scan(#"{"z":[9,8],"v":{"x":[7]},"a":[2,1],"n":[[5,4],[3]],"m":[6,5]}"#)
    #expect(first.contentHash == second.contentHash && first.counterHash == second.counterHash)
    let moved = try scan(#"{"a":[1,2],"m":[5,7],"n":[[3],[4,5]],"v":{"x":[7]},"z":[8,9]}"#)
    #expect(moved.contentHash == first.contentHash && moved.counterHash != first.counterHash)
    #expect(try scan(#"{"a":[1,2],"m":[5,6],"n":[[3],[4]],"v":{"x":[7]},"z":[8,9]}"#).contentHash != first.contentHash)
  }

  @Test("shuffling the arrays anywhere in a document keeps its hash")
  func shuffled() throws {
    var random = SeededGenerator(seed: testSeed &+ 10)
    for round in 0..<150 * testFactor {
      let model = Model.random(5, using: &random)
      let other = model.shuffled(using: &random)
      #expect(try hash(model, using: &random) == hash(other, using: &random), "seed \(testSeed), round \(round)")
      let canonical = try JSONScan.document(bytes(other.written(using: &random)), arrays: .bags).canonical
      #expect(canonical == bytes(other.canonical), "seed \(testSeed), round \(round)")
    }
  }

  @Test("dropping or repeating an element, or moving it to the next array, gives another hash")
  func edited() throws {
    var random = SeededGenerator(seed: testSeed &+ 11)
    for round in 0..<150 * testFactor {
      let note: Comment = "seed \(testSeed), round \(round)"
      let rest = Model.random(4, using: &random)
      let (left, right) = (Model.randomElements(1...4, using: &random), Model.randomElements(0...4, using: &random))
      func object(_ one: [Model], _ two: [Model]) -> Model {
        .object([("rest", rest), ("a", .array(one)), ("b", .array(two))])
      }
      let hash = try hash(object(left, right), using: &random)
      let (dropped, last) = (Array(left.dropLast()), Array(left.suffix(1)))
      for other in [object(dropped, right), object(left + last, right), object(dropped, right + last)] {
        #expect(try self.hash(other.shuffled(using: &random), using: &random) != hash, note)
      }
    }
  }

  @Test("an array of many alike elements, and one of many levels, take their time and no more")
  func large() throws {
    let element = #"{"name":"a-very-long-name-that-all-of-them-share-to-the-last","url":"/api/v2/pokemon/"#
    let forward = (0..<20_000).map { "\(element)\($0 % 7)/\"}" }
    #expect(try hash("[\(forward.joined(separator: ","))]") == hash("[\(forward.reversed().joined(separator: ","))]"))
    let deep = String(repeating: "[2,", count: 100) + "1" + String(repeating: ",0]", count: 100)
    let other = String(repeating: "[0,", count: 100) + "1" + String(repeating: ",2]", count: 100)
    #expect(try hash(deep) == hash(other))
  }
}

extension Model {
  static func randomElements(_ count: ClosedRange<Int>, using random: inout SeededGenerator) -> [Model] {
    (0..<Int.random(in: count, using: &random)).map { _ in .random(2, using: &random) }
  }

  func shuffled(using random: inout SeededGenerator) -> Model {
    switch self {
    case .array(let elements): .array(elements.shuffled(using: &random).map { $0.shuffled(using: &random) })
    case .object(let members): .object(members.map { ($0.0, $0.1.shuffled(using: &random)) })
    default: self
    }
  }
}
