import SyncTestKit

/// Bodies of a top list that no upstream should send: a few items, some with a wrong value, and some with wrong bytes
/// in addition.
struct PagePathBodies {
  var random: SeededGenerator

  private static let values: [String] = [
    "null", "true", "false", "0", "-0", "12", "\"12\"", "12.0", "1.2e1", "1.5", "\"1.5\"", "-3", "\" 12 \"", "\"1e1\"",
    "2147483647", "2147483648", "\"2147483648\"", "9007199254740993", "9223372036854775808", "1e400", "1e131071",
    "1e131072", "1e999999999999", "\"NaN\"", "\"Infinity\"", "\"0x1F\"", "\"1_000\"", "\"١٢\"", "\"\"", "\"true\"",
    "\"yes\"", "{}", "[]", "[[]]", "{\"a\":{\"b\":[1,{}]}}", "{\"from\":null}", "{\"from\":\"0000-00-00\"}",
    "{\"from\":\"9999-12-31T23:59:59+14:59\"}", "{\"from\":\"0001-01-01\"}", "{\"from\":\"2023-02-29\"}",
    "{\"from\":5}", "{\"jpg\":{\"image_url\":12}}", "{\"jpg\":[]}", "\"\\u0000\"", "\"a\\u0000b\"", "\"\\ud800\"",
    "\"\\udc00\\ud800\"", "\"\\ud83d\\ude00\"", "\"\\u001b[2J\"", "\"\\uffff\\ufffe\"", "\"caf\u{e9}\"",
    "\"cafe\u{301}\"", "\"\u{202E}abc\"", "\"\\\\x'); DROP TABLE jikan.media; --\"", "\"{}\"", "\"[1,2]\"",
    "[1,\"\\u0000\",{\"\\ud800\":1}]", "{\"k\":1,\"k\":2}", "{\"\":1,\"\\u0000\":2,\"\\ud800\":3}", "nul", "NaN", "+1",
    "01", "1.", ".5", "1e", "'x'", "\"\\x\"", "\"\t\"", "undefined", "",
  ]

  private static let names = [
    "mal_id", "title", "title_english", "type", "source", "episodes", "status", "airing", "aired", "rating", "score",
    "scored_by", "rank", "popularity", "members", "favorites", "season", "year", "url", "images", "synopsis",
    "approved", "published", "publishing", "scored", "new", "", "\\u0000", "\\ud800", "\\u0074itle", "caf\u{e9}",
  ]

  private static let fragments: [[UInt8]] =
    ["\"", "\\", "\\u", "{", "}", "[", "]", ",", ":", "{}", "],[", "\u{0}", "\u{feff}", "1e9", "-", "null", "/*", "\n"]
    .map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF0, 0x9F], Array(repeating: 0x5B, count: 300)]

  private mutating func chance(_ part: Int, of whole: Int) -> Bool { Int.random(in: 0..<whole, using: &random) < part }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  mutating func next() -> [UInt8] {
    let items = (0..<Int.random(in: 1...4, using: &random)).map { _ in item() }
    let pagination =
      chance(1, of: 8)
      ? pick(Self.values) : #"{"last_visible_page":9,"has_next_page":true,"items":{"count":3,"total":27}}"#
    var body = #"{"pagination":\#(pagination),"data":[\#(items.joined(separator: ","))]}"#
    if chance(1, of: 40) { body = pick(["", "[]", "{}", "<html>", #"{"data":null}"#, "{\"data\":[\(items[0])"]) }
    var bytes = Array(body.utf8)
    if chance(1, of: 4) { damage(&bytes) }
    return bytes
  }

  /// One of two hundred items, with changing counters, missing members, and values that can be wrong.
  private mutating func item() -> String {
    let id = Int.random(in: 1...200, using: &random)
    var members: [(name: String, value: String)] = [
      ("mal_id", "\(id)"), ("title", "\"Title \(id)\""), ("type", "\"TV\""), ("episodes", "12"), ("airing", "false"),
      ("aired", #"{"from":"2009-04-05T00:00:00+00:00","to":null}"#), ("year", "2009"), ("score", "8.\(id % 10)"),
      ("members", "\(1000 + Int.random(in: 0..<3, using: &random))"), ("favorites", "\(id)"),
      ("genres", #"[{"mal_id":1,"name":"Action"},{"mal_id":\#(id),"name":"Drama"}]"#),
    ]
    if chance(1, of: 3) {
      for _ in 0..<Int.random(in: 1...3, using: &random) { spoil(&members) }
    }
    if chance(1, of: 3) { members.shuffle(using: &random) }
    let gap = pick(["", "", " ", "\n\t"])
    return "{" + members.map { "\(gap)\"\($0.name)\"\(gap):\(gap)\($0.value)" }.joined(separator: ",") + "\(gap)}"
  }

  private mutating func spoil(_ members: inout [(name: String, value: String)]) {
    let place = Int.random(in: 0..<members.count, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: members[place].value = pick(Self.values)
    case 2, 3: members.append((pick(Self.names), pick(Self.values)))
    case 4: members.insert((members[place].name, pick(Self.values)), at: 0)
    case 5: if members.count > 1 { members.remove(at: place) }
    case 6:
      let depth = pick([1, 5, 126, 127, 128, 400])
      members[place].value = "\(String(repeating: "[", count: depth))\(String(repeating: "]", count: depth))"
    default: members[place].name = pick(Self.names)
    }
  }

  private mutating func damage(_ bytes: inout [UInt8]) {
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[place] = .random(in: 0...255, using: &random)
      case 2: bytes.remove(at: place)
      case 3: bytes.insert(contentsOf: pick(Self.fragments), at: place)
      case 4: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &random))
      default: if chance(1, of: 4) { bytes.removeSubrange(place...) }
      }
    }
  }
}
