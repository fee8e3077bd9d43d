import JSONScan
import Testing

@Suite("Canonical form")
struct CanonicalTests {
  @Test(
    "one text, one form",
    arguments: [
      ("{\"b\":1,\"a\":2}", "{\"a\":2,\"b\":1}"), (" { \"a\" : [ 1 , 2 ] }\r\n\t", "{\"a\":[1,2]}"),
      ("\u{FEFF}{}", "{}"), ("[[],{},\"\",0,-0,true,false,null]", "[[],{},\"\",0,-0,true,false,null]"),
      ("{\"a\":{\"d\":1,\"c\":{\"f\":1,\"e\":2}},\"A\":0}", "{\"A\":0,\"a\":{\"c\":{\"e\":2,\"f\":1},\"d\":1}}"),
      ("[1.0,1e2,1E+2,9007199254740993,1e400,0.10]", "[1.0,1e2,1E+2,9007199254740993,1e400,0.10]"),
      (#""\/\b\f\n\r\t\"\\""#, #""/\b\f\n\r\t\"\\""#),
      (#""\u0008\u0009\u000a\u000C\u000d\u0022\u005c\u002f""#, #""\b\t\n\f\r\"\\/""#),
      (#""\u0001\u001F\u007f\u0020""#, "\"\\u0001\\u001f\u{7f} \""),
      (#""\u00e9\u20AC\ud83d\ude00\uFFFF""#, "\"é€😀\u{FFFF}\""), (#""e\u0301 é""#, "\"e\u{301} \u{e9}\""),
      (#"{"ab":1,"a":2,"":3,"b":4}"#, #"{"":3,"a":2,"ab":1,"b":4}"#),
      (
        #"{"longer_name_2":1,"longer_name_10":2,"longer_name":3}"#,
        #"{"longer_name":3,"longer_name_10":2,"longer_name_2":1}"#
      ),
      (#"{"~":1,"é":2,"\uffee":3,"😀":4,"z":5}"#, "{\"z\":5,\"~\":1,\"é\":2,\"\u{FFEE}\":3,\"😀\":4}"),
      // Names are sorted by their decoded bytes, not by their escapes: 0x0a < 0x22 < 0x41 < 0x5c < 0x61.
      (#"{"a":1,"\\":2,"A":3,"\"":4,"\n":5}"#, #"{"\n":5,"\"":4,"A":3,"\\":2,"a":1}"#),
      (#"{"longlong\\":1,"longlongA":2,"longlong\u0001":3}"#, #"{"longlong\u0001":3,"longlongA":2,"longlong\\":1}"#),
    ])
  func form(input: String, expected: String) throws { #expect(try JSONScan.canonical(input) == expected) }

  @Test("canonically equal names are two names: identity is on bytes")
  func unicodeEquivalence() throws {
    let item = try JSONScan.document(bytes("{\"caf\u{e9}\":1,\"cafe\u{301}\":2}"))
    #expect(item.duplicateNames == 0)
    #expect(item.canonical == bytes("{\"cafe\u{301}\":2,\"caf\u{e9}\":1}"))
  }

  @Test(
    "the last of duplicate names wins, and each loser is counted",
    arguments: [
      (#"{"a":1,"a":2}"#, #"{"a":2}"#, 1), (#"{"b":0,"a":1,"b":3,"a":2,"b":[4]}"#, #"{"a":2,"b":[4]}"#, 3),
      (#"{"a":1,"\u0061":2}"#, #"{"a":2}"#, 1),
      (#"{"x":{"k":1,"k":2},"y":[{"k":1,"k":1}]}"#, #"{"x":{"k":2},"y":[{"k":1}]}"#, 2),
      (#"{"":1,"":2}"#, #"{"":2}"#, 1),
      (#"{"\u0000":1,"\ud800":2}"#, "{\"\u{FFFD}\":2}", 1),
      (#"{"abcdefgh1":1,"abcdefgh1":2,"abcdefgh":3}"#, #"{"abcdefgh":3,"abcdefgh1":2}"#, 1),
    ])
  func duplicates(input: String, expected: String, count: Int) throws {
    let item = try JSONScan.document(bytes(input))
    #expect(text(item.canonical) == expected)
    #expect(item.duplicateNames == count)
  }

  @Test("duplicates among many members, where the sort is not an insertion sort")
  func manyDuplicates() throws {
    let members = (0..<500).map { "\"k\($0 % 100)\":\($0)" }.joined(separator: ",")
    let item = try JSONScan.document(bytes("{\(members)}"))
    let expected = (400..<500).map { ("k\($0 % 100)", $0) }
      .sorted { Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8)) }
      .map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
    #expect(text(item.canonical) == "{\(expected)}")
    #expect(item.duplicateNames == 400)
  }

  @Test(
    "NUL and lone surrogates are replaced and counted, nested ones and in names too",
    arguments: [
      (#""\u0000""#, "\"\u{FFFD}\"", 1), (#""\ud800""#, "\"\u{FFFD}\"", 1),
      (#""\udc00\ud800""#, "\"\u{FFFD}\u{FFFD}\"", 2), (#""\ud800\ud83d\ude00""#, "\"\u{FFFD}😀\"", 1),
      (#""\ud800\n\ud800x\ud800\u0041""#, "\"\u{FFFD}\\n\u{FFFD}x\u{FFFD}A\"", 3),
      (#"{"a\u0000":{"b":["\udfff"]}}"#, "{\"a\u{FFFD}\":{\"b\":[\"\u{FFFD}\"]}}", 2),
      ("\"\u{FFFD}\"", "\"\u{FFFD}\"", 0),
    ])
  func replacement(input: String, expected: String, count: Int) throws {
    let item = try JSONScan.document(bytes(input))
    #expect(text(item.canonical) == expected)
    #expect(item.replacedScalars == count)
  }

  @Test("strings of every length around the word size, with a special byte at every place")
  func wordBoundaries() throws {
    let specials = ["\\n", "\\\"", "\\\\", "é", "€", "😀", "\u{7f}", "\\u0000", "~", "!"]
    for length in 0..<20 {
      for place in 0...length {
        for special in specials {
          let body = String(repeating: "a", count: place) + special + String(repeating: "b", count: length - place)
          let expected = body.replacing("\\u0000", with: "\u{FFFD}")
          #expect(try JSONScan.canonical("\"\(body)\"") == "\"\(expected)\"")
        }
      }
    }
  }

  @Test("every control character must be escaped, at every place of a word")
  func controls() {
    for control in UInt8(0)..<0x20 {
      for place in 0..<10 {
        let body = [0x22] + [UInt8](repeating: 0x61, count: place) + [control] + bytes("bbbbbbbbb\"")
        #expect(throws: JSONScanError.self) { try JSONScan.document(body) }
      }
    }
  }
}
