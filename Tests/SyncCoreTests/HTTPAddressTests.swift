import SyncCore
import SyncTestKit
import Testing

@Suite("Addresses of HTTP")
struct HTTPAddressTests {
  private static let base = "https://api.example.org/v2/items?page=1"

  private static func text(_ read: () throws(HTTPAddress.Fault) -> HTTPAddress) -> String {
    do throws(HTTPAddress.Fault) {
      return try read().description
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "a reference has the server that RFC 3986 gives it, however it is spelled",
    arguments: [
      // References that stay at the server.
      ("https://api.example.org/v2/items?page=2", "https://api.example.org/v2/items?page=2"),
      ("HTTPS://API.Example.ORG:443/v2/items?page=2", "https://api.example.org/v2/items?page=2"),
      ("https://api.example.org:/x", "https://api.example.org/x"), ("//api.example.org/x", "https://api.example.org/x"),
      ("?page=2", "https://api.example.org/v2/items?page=2"), ("", "https://api.example.org/v2/items?page=1"),
      ("#top", "https://api.example.org/v2/items?page=1"), ("?", "https://api.example.org/v2/items?"),
      ("more?a=1", "https://api.example.org/v2/more?a=1"), ("../x", "https://api.example.org/x"),
      ("../../../x/.", "https://api.example.org/x/"), ("/a/./b/../c", "https://api.example.org/a/c"),
      ("./a:b", "https://api.example.org/v2/a:b"), ("/%2e%2e/x", "https://api.example.org/%2e%2e/x"),
      ("  ?page=2\r\n", "https://api.example.org/v2/items?page=2"),
      ("https://api.example.org", "https://api.example.org"),
      // Characters that an address may not have are encoded, and percent signs only if they encode nothing.
      (#"/\evil.example/x"#, "https://api.example.org/%5Cevil.example/x"),
      (#"\\evil.example/x"#, "https://api.example.org/v2/%5C%5Cevil.example/x"),
      ("/a b?q=a b+c", "https://api.example.org/a%20b?q=a%20b+c"),
      ("/ü?q=周", "https://api.example.org/%C3%BC?q=%E5%91%A8"),
      ("?page[after]=a|b{c}^`\"<>", "https://api.example.org/v2/items?page%5Bafter%5D=a%7Cb%7Bc%7D%5E%60%22%3C%3E"),
      ("?q=100%&r=%2f%zz%4", "https://api.example.org/v2/items?q=100%25&r=%2f%25zz%254"),
      ("?u=http://evil.example/@x", "https://api.example.org/v2/items?u=http://evil.example/@x"),
      // References to another server.
      ("//evil.example/x", "https://evil.example/x"), ("///evil.example/x", "\(HTTPAddress.Fault.host)"),
      ("http://api.example.org/x", "http://api.example.org/x"),
      ("https://api.example.org:8443/x", "https://api.example.org:8443/x"),
      ("https://api.example.org.evil.example/x", "https://api.example.org.evil.example/x"),
      ("https://api.example.org./x", "https://api.example.org./x"), ("https://[::1]:443/x", "https://[::1]/x"),
      ("https://[FE80::A%25eth0]:8443/x", "https://[fe80::a%25eth0]:8443/x"),
      // Texts that are no address.
      (#"https:\\evil.example/x"#, "\(HTTPAddress.Fault.scheme)"), ("http:evil.example", "\(HTTPAddress.Fault.scheme)"),
      ("https:/evil.example", "\(HTTPAddress.Fault.scheme)"),
      ("ftp://api.example.org/x", "\(HTTPAddress.Fault.scheme)"),
      ("javascript:alert(1)", "\(HTTPAddress.Fault.scheme)"), (":x", "\(HTTPAddress.Fault.scheme)"),
      ("1a://api.example.org", "\(HTTPAddress.Fault.scheme)"), ("a b:c", "\(HTTPAddress.Fault.scheme)"),
      ("ht\ttps://evil.example/x", "\(HTTPAddress.Fault.control)"), ("/a\nb", "\(HTTPAddress.Fault.control)"),
      ("/\u{7F}", "\(HTTPAddress.Fault.control)"), ("/a\u{0}", "\(HTTPAddress.Fault.control)"),
      ("https://u:p@api.example.org/x", "\(HTTPAddress.Fault.userInfo)"),
      ("https://api.example.org@evil.example/x", "\(HTTPAddress.Fault.userInfo)"),
      (#"https://evil.example\@api.example.org/x"#, "\(HTTPAddress.Fault.userInfo)"),
      (#"https://api.example.org\.evil.example/x"#, "\(HTTPAddress.Fault.host)"),
      ("https://api.example.org%2eevil.example/x", "\(HTTPAddress.Fault.host)"),
      ("https://api example.org/x", "\(HTTPAddress.Fault.host)"),
      ("https://bücher.example/x", "\(HTTPAddress.Fault.host)"),
      ("https://аpi.example.org/x", "\(HTTPAddress.Fault.host)"), ("https:///x", "\(HTTPAddress.Fault.host)"),
      ("https://:443/x", "\(HTTPAddress.Fault.host)"), ("https://[::1/x", "\(HTTPAddress.Fault.host)"),
      ("https://[::1]evil/x", "\(HTTPAddress.Fault.host)"), ("https://[evil]/x", "\(HTTPAddress.Fault.host)"),
      ("https://api.example.org:0/x", "\(HTTPAddress.Fault.port)"),
      ("https://api.example.org:99999/x", "\(HTTPAddress.Fault.port)"),
      ("https://api.example.org:4 43/x", "\(HTTPAddress.Fault.port)"),
      ("https://api.example.org:443:443/x", "\(HTTPAddress.Fault.port)"),
    ])
  func references(reference: String, expected: String) throws {
    let base = try HTTPAddress(Self.base)
    #expect(Self.text { () throws(HTTPAddress.Fault) in try base.resolving(reference) } == expected)
    #expect(
      (try? HTTPAddress(reference)) == nil
        || expected == Self.text { () throws(HTTPAddress.Fault) in try HTTPAddress(reference) })
  }

  @Test("the examples of RFC 3986, section 5.4")
  func examples() throws {
    let base = try HTTPAddress("http://a/b/c/d;p?q")
    for (reference, expected) in [
      ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
      ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
      ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
      ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
      ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"),
      ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
      ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
      ("g/./h", "http://a/b/c/g/h"),
      ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ] {
      #expect(try base.resolving(reference).description == expected, "\(reference)")
    }
  }

  @Test(
    "with only the path of a reference, the server stays, whatever the reference names",
    arguments: [
      ("http://internal:8080/v2/items?page=2", "https://api.example.org/v2/items?page=2"),
      ("//evil.example/x?y", "https://api.example.org/x?y"), ("http://u:p@[::bad/x", "https://api.example.org/x"),
      ("https://evil.example", "https://api.example.org"), ("?page=2", "https://api.example.org/v2/items?page=2"),
      ("more", "https://api.example.org/v2/more"), (#"http://\\evil/a b"#, "https://api.example.org/a%20b"),
      ("http:evil", "\(HTTPAddress.Fault.scheme)"), ("http://a/\n", "https://api.example.org/"),
      ("http://a/x\ny", "\(HTTPAddress.Fault.control)"),
    ])
  func onlyPath(reference: String, expected: String) throws {
    let base = try HTTPAddress(Self.base)
    #expect(Self.text { () throws(HTTPAddress.Fault) in try base.resolvingOnlyPath(of: reference) } == expected)
  }

  @Test("dots in a declared path or in an absolute address stay, because they can be part of a key")
  func dots() throws {
    #expect(try HTTPAddress("https://a.be/v2").appending(path: "items/..").description == "https://a.be/v2/items/..")
    #expect(try HTTPAddress("https://a.be/v2/items/../x").description == "https://a.be/v2/items/../x")
  }

  @Test("each part is encoded once: brackets in a name, and an encoded byte in a path")
  func composed() throws {
    let base = try HTTPAddress("https://a.be/v2")
    #expect(
      base.appending(path: "a%20b/c d/ü%", parameters: [("filter[text]", "cowboy bebop"), ("q", "100%&+=")]).description
        == "https://a.be/v2/a%20b/c%20d/%C3%BC%25?filter%5Btext%5D=cowboy%20bebop&q=100%25%26%2B%3D")
    #expect(base.appending(path: "").description == "https://a.be/v2")
  }

  @Test("parameters are dropped by their decoded names and values, and the others stay as they are")
  func dropped() throws {
    let address = try HTTPAddress("https://a.be/x?a%5Bb%5D=1&k%65y=s%65cret&c&=&d=%zz")
    #expect(
      address.droppingParameters { name, value in name == "key" && value == "secret" }.description
        == "https://a.be/x?a%5Bb%5D=1&c&=&d=%25zz")
    #expect(address.droppingParameters { name, _ in name == "a[b]" }.description.hasPrefix("https://a.be/x?k%65y"))
    #expect(try HTTPAddress("https://a.be/x?key=1").droppingParameters { _, _ in true }.description == "https://a.be/x")
    #expect(try HTTPAddress("https://a.be/x?").droppingParameters { _, _ in false }.description == "https://a.be/x")
  }

  @Test("the text of an address is an address, and no text of any bytes crashes the parser")
  func idempotent() throws {
    let seed = testSeed
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "http", "https", ":", "//", "/", "\\", "@", "[", "]", "::1", "%", "%41", "?", "#", "&", "=", ".", "..", "ü", "🦊",
      " ", "\t",
      "a.be", "443", "80", "{", "|", "\u{0}", "\u{202E}", "x", "\r\n", "٣",
    ]
    let base = try HTTPAddress(Self.base)
    for _ in 0..<(3_000 * testFactor) {
      let text = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }.joined()
      guard let address = try? base.resolving(text) else { continue }
      let isSafe = address.description.utf8.allSatisfy {
        (0x21...0x7E).contains($0) && !"\\\"<>^`{|}".utf8.contains($0)
      }
      try #require(isSafe, "\(text.debugDescription), seed \(seed)")
      try #require(try HTTPAddress(address.description) == address, "\(text.debugDescription), seed \(seed)")
    }
  }
}
