import Foundation
import SyncCore
import Testing

@Suite("Secrets in foreign text")
struct SecretMaskTests {
  private static let secret = "Sk_l1ve+7f/Q=&9\"x%2Bz\\w"
  private static let mask = SecretMask([secret])

  private static func escaped(_ escape: (Unicode.Scalar) -> String, where isEscaped: (Unicode.Scalar) -> Bool) -> String
  {
    secret.unicodeScalars.map { isEscaped($0) ? escape($0) : String($0) }.joined()
  }

  private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.properties.isAlphabetic && !isDigit(scalar)
  }
  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
  private static func hex(_ scalar: Unicode.Scalar, _ digits: Int) -> String {
    let text = String(scalar.value, radix: 16)
    return String(repeating: "0", count: digits - text.count) + text
  }

  private static func html(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
  }

  private static func json(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }

  /// Ways to write a secret that services, proxies and frameworks have.
  static let spellings: [(name: String, text: String)] = [
    ("plain", secret),
    ("uppercase", secret.uppercased()),
    ("lowercase", secret.lowercased()),
    ("percent encoding", secret.percentEncoded()),
    ("percent encoding in lowercase", secret.percentEncoded().lowercased()),
    ("percent encoding of each character", escaped({ "%" + hex($0, 2) }, where: { _ in true })),
    ("a form's percent encoding", secret.replacing("+", with: " ").percentEncoded().replacing("%20", with: "+")),
    ("percent encoding, twice", secret.percentEncoded().percentEncoded()),
    ("percent encoding, three times", secret.percentEncoded().percentEncoded().percentEncoded()),
    ("percent encoding of JavaScript", escaped({ "%u" + hex($0, 4) }, where: isPunctuation)),
    ("JSON", json(secret)),
    ("JSON with escaped slashes", json(secret).replacing("/", with: "\\/")),
    ("JSON with numbers", escaped({ "\\u" + hex($0, 4) }, where: isPunctuation)),
    ("JSON with numbers in uppercase", escaped({ "\\u" + hex($0, 4).uppercased() }, where: isPunctuation)),
    ("JSON with a number for each character", escaped({ "\\u" + hex($0, 4) }, where: { _ in true })),
    ("JSON within JSON", json(json(secret))),
    ("JSON with numbers within JSON", json(escaped({ "\\u" + hex($0, 4) }, where: isPunctuation))),
    ("JavaScript", escaped({ "\\x" + hex($0, 2) }, where: isPunctuation)),
    ("JavaScript with braces", escaped({ "\\u{" + hex($0, 2) + "}" }, where: isPunctuation)),
    ("HTML", html(secret)),
    ("HTML with decimal numbers", escaped({ "&#\($0.value);" }, where: isPunctuation)),
    ("HTML with hexadecimal numbers", escaped({ "&#X" + hex($0, 4) + ";" }, where: isPunctuation)),
    (
      "HTML with names",
      secret.replacing("&", with: "&AMP;").replacing("+", with: "&plus;").replacing("/", with: "&sol;")
        .replacing("=", with: "&equals;").replacing("%", with: "&percnt;").replacing("_", with: "&lowbar;")
    ),
    ("HTML, twice", html(html(secret))),
    ("HTML within JSON", html(secret).replacing("&", with: "\\u0026")),
    ("percent encoding within HTML within JSON", json(html(secret.percentEncoded()))),
    ("JSON within percent encoding", json(secret).percentEncoded()),
    ("UTF-16", secret.map(String.init).joined(separator: "\u{0}")),
    ("hexadecimal", Array(secret.utf8).hexadecimal),
    ("hexadecimal in uppercase", Array(secret.utf8).hexadecimal.uppercased()),
  ]

  @Test("a secret is found in each spelling, and nothing else is replaced", arguments: spellings.indices)
  func spelling(index: Int) {
    let (name, text) = Self.spellings[index]
    for (before, after) in [
      ("", ""), ("key ", " is invalid"), (#"{"message": "no access with "#, #"."}"#), ("<b>", "</b>"),
      ("?api_key=", "&page=2"), ("\\\"", "\\\""), ("100 % of \\ & ", " 100 % of \\ & "), ("é\u{1F600}", "\u{1F600}"),
      (String(repeating: "x", count: (64 << 10) - 7), "x"),
      (String(repeating: "é", count: (34 << 10) - 10), String(repeating: "x", count: 8 << 10)),
    ] {
      for scope in SecretMask.Scope.allCases {
        let masked = Self.mask.masking(before + text + after, scope)
        #expect(masked == before + "***" + after, "\(name), \(scope): \(masked.suffix(200))")
      }
    }
  }

  @Test("base64 and base64url have no piece of a secret, whatever is before it", arguments: 0...5)
  func base64(before: Int) {
    for after in 0...3 {
      let text = "userid".prefix(before) + Self.secret + "###".prefix(after)
      let standard = Data(text.utf8).base64EncodedString()
      let address = standard.replacing("+", with: "-").replacing("/", with: "_")
      for text in [
        standard, address, address.replacing("=", with: ""), standard.percentEncoded(), standard.lowercased(),
      ] {
        for scope in SecretMask.Scope.allCases {
          let masked = Self.mask.masking("Basic \(text), sent", scope)
          #expect(masked.hasPrefix("Basic ") && masked.hasSuffix(", sent") && masked.contains("***"))
          // What remains is of the bytes around the secret, and of at most 6 bits of the secret on each side.
          #expect(masked.utf8.count <= "Basic ***, sent".utf8.count + (before + after + 4) * 4 / 3 + 8, "\(masked)")
        }
      }
    }
  }

  @Test("parts of a secret are hidden in messages, and left in data")
  func parts() {
    let mask = SecretMask(["sk_live_4eC39HqLyjWDarjtT1zdp7dc"])
    #expect(mask.masking("invalid key sk_live_4eC39HqLyj…") == "invalid key ***…")
    #expect(mask.masking("invalid key …arjtT1zdp7dc") == "invalid key …***")
    #expect(mask.masking("sk_live_4eC39HqL", .recording) == "***")
    for scope in [SecretMask.Scope.recording, .document] {
      #expect(mask.masking("invalid key sk_live_4eC39", scope) == "invalid key sk_live_4eC39")
    }
    // The common prefix of a service's keys, and the few last characters that many services show, say nothing.
    for text in ["sk_live_ keys only", "the key that ends with p7dc", "live", ""] {
      #expect(mask.masking(text) == text)
    }
  }

  @Test("a secret that can be a word is left in documents")
  func words() {
    for secret in ["database", "changeme1", "correcthorsebatterystaple", "123456789012345"] {
      let mask = SecretMask([secret])
      let text = "{\"title\": \"a \(secret) b\"}"
      #expect(mask.masking(text, .document) == text)
      #expect(mask.masking(text, .recording).contains("\"a \(secret == "123456789012345" ? "999" : "***") b\""))
      #expect(mask.masking(text, .message) == #"{"title": "a *** b"}"#)
    }
  }

  @Test("a secret of six or seven characters is hidden as a word of its own")
  func shortSecrets() {
    let mask = SecretMask(["abc123", "s3cret!"])
    #expect(mask.masking("key=abc123&x") == "key=***&x")
    #expect(mask.masking("key ABC123") == "key ***")
    #expect(mask.masking("word s3cret! word, s3cret%21") == "word *** word, ***")
    #expect(mask.masking("xabc123 abc1234 éabc123") == "xabc123 abc1234 éabc123")
    #expect(SecretMask(["abc12", ""]).isEmpty)
    #expect(mask.masking("abc123", .document) == "abc123")
  }

  @Test("a suspected secret is left in documents")
  func suspects() {
    let mask = SecretMask(suspects: ["0f8fad5b-d9cb-469f-a165-70867728950e"])
    let text = #"{"tenant": "0f8fad5b-d9cb-469f-a165-70867728950e"}"#
    #expect(mask.masking(text, .document) == text)
    #expect(mask.masking(text, .recording) == #"{"tenant": "***"}"#)
  }

  @Test("numbers are replaced by a number in data, so that JSON stays JSON")
  func numbers() {
    let mask = SecretMask(["12345678901234567890"])
    #expect(mask.masking(#"{"id": 12345678901234567890}"#, .recording) == #"{"id": 999}"#)
    #expect(mask.masking("key 12345678901234567890") == "key ***")
  }

  @Test("text without a secret is the same", arguments: SecretMask.Scope.allCases)
  func unchanged(scope: SecretMask.Scope) {
    for text in ["", "%", "\\", "&", "&#", "%2", "\\u00", "&amp;&lt;%20\\n", "the secret", "\u{0}\u{0}"] {
      #expect(Self.mask.masking(text, scope) == text)
      #expect(!Self.mask.finds(in: text, scope))
    }
    #expect(Self.mask.masking(Array("no secret".utf8), scope) == nil)
    #expect(SecretMask().masking(Self.secret) == Self.secret)
  }

  @Test("one MiB of the worst text takes less than a second", arguments: SecretMask.Scope.allCases)
  func time(scope: SecretMask.Scope) {
    let long = SecretMask([String(repeating: "a", count: 64 << 10), "Sk_l1ve+7f/Q", "abc123"])
    for unit in [
      "a", "%", "\\", "&", "%25", "\\\\", "&amp;", "\\u0061", "&#x61;", "&#", "%u", "%2561", "\u{0}", "Sk_l1ve+7f/P",
      "aaaaaaab", "&aaaaaaa", "abc12", "\\u{61}",
    ] {
      let bytes = Array(String(repeating: unit, count: (1 << 20) / unit.utf8.count).utf8)
      let time = ContinuousClock().measure { _ = long.masking(bytes, scope) }
      #expect(time < .seconds(1), "\(unit): \(time)")
    }
  }
}
