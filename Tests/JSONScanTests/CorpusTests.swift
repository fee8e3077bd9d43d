import Foundation
import JSONScan
import Testing

@Suite("RFC 8259 corpus")
struct CorpusTests {
  static let valid: [String] = [
    "[]", "{}", "0", "-0", "1", "-1", "123456789012345678901234567890", "0.0", "-0.5", "1.25", "1e1", "1E1", "1e+1",
    "1e-1", "1E+00", "0e0", "0.0e-0", "-1.5e+300", "20e1", "123.456e78", "true", "false", "null", "\"\"", "\"a\"", " 1",
    "1 ", "\t\n\r 1 \t\n\r", "[1]", "[1,2]", "[ 1 , 2 ]", "[[],[]]", "[[[[]]]]", "[{}]", "[null,1,\"1\",{}]", "[true]",
    "[false]", "[1\n]", "[1,null,null,null,2]", "{\"a\":1}", "{ \"a\" : 1 }", "{\"\":0}", "{\"a\":{}}", "{\"a\":[]}",
    "{\"a\":1,\"b\":2}", "{\"a\":1,\"a\":2}", "{\"a\\u0000b\":1}", "{\"a\":\"b\",\"a\":\"b\"}", #""\"""#, #""\\""#,
    #""\/""#, #""\b\f\n\r\t""#, #""\u0012""#, #""\uFFFF""#, #""\uabCD""#, #""\uD83D\uDE00""#, #""\u0022\u005C""#,
    #""\\u0000""#, #""\\\"""#, #""a/*b*/c""#, #""\u200B\u2060""#, #""\uFDD0""#, #""\uDBFF\uDFFE""#, "\"\u{7f}\"",
    "\"\u{80}\"", "\"\u{7ff}\"", "\"\u{800}\"", "\"\u{ffff}\"", "\"\u{10000}\"", "\"\u{10ffff}\"",
    "\"\u{2028}\u{2029}\"", "\"€𝄞\"", "\"\u{feff}\"", "{\"\u{e9}\":\"\u{e9}\"}", "\"asd \"", "[\"a,b]\"]", "\"{\"",
    "{\"min\":-1.0e+28,\"max\":1.0e+28}", "[-123123123123123123123123123123]",
  ]

  static let invalid: [String] = [
    "", " ", "\n", "[", "]", "{", "}", "[]]", "{}}", "[}", "{]", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]",
    "[1:2]", "[\"a\":1]", "[][]", "{}{}", "1 2", "[] x", "[]\u{0}", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,",
    "{\"a\":1,}", "{\"a\":1,,\"b\":2}", "{,}", "{,\"a\":1}", "{\"a\"}", "{\"a\",1}", "{\"a\" 1}", "{\"a\"::1}",
    "{\"a\":1:2}", "{:1}", "{1:1}", "{a:1}", "{'a':1}", "{null:1}", "{[]:1}", "{\"a\":1 \"b\":2}", "{\"a\":}",
    "{\"a\":1]", "[{]}", "[{\"a\":1]}", "([])", "[1];", "{\"a\":1};", "[\u{c}1]", "[\u{a0}1]", "[\u{b}1]",
    "[\u{2060}1]", "\u{feff}", "\u{feff}\u{feff}1", "1\u{feff}", "<html>", "[#1]", "[1]//", "[1]/**/", "/**/[1]",
    "[1]#", "*", ",", ":", "[*]", "{*}", "[\\n]", "\\u005b]", "[\"a\" \"b\"]", "[\"a\",\n4\n,1", "[`x`]", "@",
    "[<null>]", "[1\u{0}]", "{\"a\":[}", "[[[[1]]]", "[[1]]]]", "tru", "true1", "truee", "True", "TRUE", "fals",
    "FALSE", "nul", "nulll", "NULL", "None", "undefined", "NaN", "-NaN", "nan", "Infinity", "-Infinity", "inf",
    "+Infinity", "t", "f", "n", "truefalse", "[true false]", "tRue", "-", "+1", "+", ".5", "-.5", "1.", "-1.", "0.",
    "1.e1", "0.e1", "01", "-01", "00", "-00", "012", "1e", "1E", "1e+", "1e-", "1ee1", "1e1.5", "1e1e1", "1.2.3",
    "1..2", "--1", "-+1", "+-1", "++1", "1-", "1+", "1+2", "1a", "0x1", "0x", "0X42", "1_000", "1,000", "1 000", "- 1",
    "0e", "0e+", ".", ".e1", "e1", "1eE2", "9.e+", "2.e3", "2.e-3", "-2.", "1/2", "１", "[1.0e]", "[1.0e+]", "0b1",
    "0o7", "1f", "1L", "$1", "1%", "-foo", "1e１", "\"", "\"a", "'a'", "\"\\\"", "\"\\", "\"\\x\"", "\"\\x00\"",
    "\"\\a\"", "\"\\'\"", "\"\\0\"", "\"\\v\"", "\"\\e\"", "\"\\ \"", "\"\\U0041\"", "\"\\u\"", "\"\\u0\"", "\"\\u00\"",
    "\"\\u004\"", "\"\\u00G0\"", "\"\\u 041\"", "\"\\u+041\"", "\"\\u-041\"", "\"\\ud800\\u\"", "\"\\ud800\\u1\"",
    "\"\\ud800\\ug\"", "\"\\ud83d\\u12\"", "\"\\ud800\\x\"", "\"\n\"", "\"\r\"", "\"\t\"", "\"\u{0}\"", "\"\u{1f}\"",
    "\"a\nb\"", "\"a\"\"", "\"a\"b", "\"\\\u{1f300}\"", "\"\\\n\"", "\"\\\u{0}\"", "a\"b\"", "\\\"a\"", "“a”", "\"a” ",
    "\"\\u{41}\"", "\"\\u004", "\"\\u", "{\"a\":\"b}", "{\"a\":'b'}", "{\"a", "{\"", "{\"a\\\":1}", "[\"\\\"]",
  ]

  /// Texts that RFC 8259 lets a parser accept or refuse, with the expected result (`nil`: refused).
  static let open: [(String, String?)] = [
    ("\u{feff}{}", "{}"), (#""\u0000""#, "\"\u{fffd}\""), (#""\uD800""#, "\"\u{fffd}\""),
    (#""\uDFAA""#, "\"\u{fffd}\""), (#""\uD800\uD800\n""#, "\"\u{fffd}\u{fffd}\\n\""),
    (#""\uDd1e\uD834""#, "\"\u{fffd}\u{fffd}\""), (#""\uD800abc""#, "\"\u{fffd}abc\""),
    (#"{"a":1,"a":2}"#, #"{"a":2}"#), ("1e400", "1e400"), ("-1e-400", "-1e-400"),
    (
      "0.4e00669999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999969999999006",
      nil
    ),
    ("123e-10000000", nil), ("1e131072", nil),
    ("100000000000000000000000000000000000000000", "100000000000000000000000000000000000000000"),
    (
      String(repeating: "[", count: 128) + String(repeating: "]", count: 128),
      String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
    ),
    (String(repeating: "[", count: 129) + String(repeating: "]", count: 129), nil),
  ]

  static let invalidBytes: [[UInt8]] = [
    [0x22, 0xFF, 0x22], [0xFF], [0xE9], [0x22, 0xE9, 0x22], [0x5B, 0xC3, 0x5D], [0xEF, 0xBB], [0xEF, 0xBB, 0x7B, 0x7D],
    // These are JSON texts in UTF-16 and UTF-32, with and without a byte order mark.
    [0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00], [0xFE, 0xFF, 0x00, 0x7B, 0x00, 0x7D], [0x7B, 0x00, 0x7D, 0x00],
    [0x00, 0x7B, 0x00, 0x7D], [0x5B, 0x00, 0x31, 0x00, 0x5D, 0x00], [0x00, 0x00, 0x00, 0x31], [0x31, 0x00, 0x00, 0x00],
    [0x00, 0x00, 0xFE, 0xFF, 0x00, 0x00, 0x00, 0x31], [0xFF, 0xFE, 0x00, 0x00, 0x31, 0x00, 0x00, 0x00],
  ]

  @Test("valid", arguments: valid)
  func accepts(input: String) throws {
    let item = try JSONScan.document(bytes(input))
    #expect(isSoundCanonical(item.canonical))
    let wrapped = try JSONScan.page(bytes("[0, \(input) ,1]"), itemsPath: [])
    #expect(wrapped.good.map { text($0.canonical) } == ["0", text(item.canonical), "1"])
  }

  @Test("invalid", arguments: invalid)
  func refuses(input: String) {
    #expect(throws: JSONScanError.self) { try JSONScan.document(bytes(input)) }
    if let page = try? JSONScan.page(bytes("[0,\(input),1]"), itemsPath: []) {
      #expect(page.items.count != 3 || !page.bad.isEmpty || page.good.map { text($0.canonical) } == ["0", "1", "1"])
    }
  }

  @Test("left open by the RFC", arguments: open)
  func decides(input: String, expected: String?) { #expect((try? JSONScan.canonical(input)) == expected) }

  @Test("invalid bytes", arguments: invalidBytes)
  func refusesBytes(input: [UInt8]) {
    #expect(throws: JSONScanError.self) { try JSONScan.document(input) }
    let page = try? JSONScan.page(input, itemsPath: [])
    #expect(page == nil || page?.good.isEmpty == true)
  }

  @Test("errors are one short line with the byte offset")
  func errorText() {
    for input in Self.invalid {
      do throws(JSONScanError) {
        _ = try JSONScan.document(bytes(input))
      } catch {
        let text = String(describing: error)
        #expect(text.contains("at byte ") && text.utf8.count < 160 && !text.contains("\n"), "\(input)")
      }
    }
  }
}
