import Foundation
import SyncCore
import SyncTelemetry
import Testing

@testable import SyncWeb

@Suite("The rules for requests of pages")
struct WebRulesTests {
  private static let local = WebRules(ListenAddress(host: "127.0.0.1", port: 8080))
  private static let open = ListenAddress(host: "0.0.0.0", port: 80)

  @Test(
    "on loopback, only the names of this machine are served",
    arguments: [
      ("127.0.0.1", true), ("127.0.0.1:8080", true), ("[::1]", true), ("[::1]:1", true), ("localhost:65535", true),
      ("LOCALHOST", true), ("localhost.", false), ("127.0.0.2", false), ("evil.example", false), ("", false),
      ("localhost.evil.example:8080", false), ("[::1", false), ("localhost:", false), ("localhost:8080:1", false),
      ("localhost:123456", false), ("localhost:80a", false), ("[::1]x", false), ("::1", false), (nil, false),
    ] as [(String?, Bool)])
  func hosts(host: String?, isServed: Bool) { #expect(Self.local.serves(host: host) == isServed) }

  @Test("elsewhere, only the names of web.hosts are served, without personal data")
  func otherHosts() {
    let rules = WebRules(Self.open, hosts: ["Mirror.example.org"])
    #expect(rules.serves(host: "mirror.example.org") && rules.serves(host: "MIRROR.example.org:443"))
    #expect(!rules.serves(host: "localhost") && !rules.serves(host: "127.0.0.1") && !rules.serves(host: nil))
    #expect(!rules.showsPersonalData && !rules.allowsWriting && !rules.authorizes(nil))
    #expect(Self.local.showsPersonalData && Self.local.authorizes(nil))
  }

  @Test("elsewhere, writing needs the name and the password")
  func password() throws {
    let credentials = try #require(WebCredentials("ann:p:ss wörd"))
    let rules = WebRules(Self.open, hosts: ["a"], credentials: credentials)
    func header(_ text: String) -> String { "Basic " + Data(text.utf8).base64EncodedString() }
    #expect(rules.allowsWriting && rules.authorizes(header("ann:p:ss wörd")))
    for wrong in ["ann:p:ss wör", "ann:p:ss wörds", "Ann:p:ss wörd", "ann:", ""] {
      #expect(!rules.authorizes(header(wrong)), "\(wrong)")
    }
    for wrong in [nil, "", "Basic", "Basic ?", "Bearer \(header("ann:p:ss wörd").dropFirst(6))"] {
      #expect(!rules.authorizes(wrong))
    }
    for line in ["", "ann", "ann:", ":secret"] { #expect(WebCredentials(line) == nil, "\(line)") }
  }

  @Test(
    "a form must be a page's own",
    arguments: [
      ("same-origin", nil, true), ("same-origin", "http://evil.example", true), ("cross-site", nil, false),
      ("same-site", "http://localhost:1", false), ("none", "http://localhost:1", false),
      (nil, "http://localhost:1", true), (nil, "HTTP://LOCALHOST:1", true), (nil, "http://localhost:2", false),
      (nil, "https://localhost:1", false), (nil, "http://localhost:1.evil.example", false), (nil, "null", false),
      (nil, nil, false),
    ] as [(String?, String?, Bool)])
  func forms(site: String?, origin: String?, isOwn: Bool) {
    #expect(Self.local.isOwnForm(fetchSite: site, origin: origin, host: "localhost:1") == isOwn)
    #expect(!Self.local.isOwnForm(fetchSite: nil, origin: origin, host: nil))
    let isBehindProxy = origin == "https://localhost:1" && site == nil
    #expect(
      WebRules(Self.open).isOwnForm(fetchSite: site, origin: origin, host: "localhost:1")
        == (isOwn || isBehindProxy))
  }

  @Test(
    "a form returns to its page, and never to another server",
    arguments: [
      ("http://localhost:1/books?after=c1", "/books?after=c1"), ("https://localhost:1/", "/"),
      ("http://localhost:1//evil.example", "/standard"), ("http://localhost:1/\\evil.example", "/standard"),
      ("http://localhost:1", "/standard"), ("http://localhost:12/x", "/standard"),
      ("http://evil.example/?://localhost:1/x", "/standard"), ("javascript://localhost:1/x", "/standard"),
      ("http://localhost:1/a\tb", "/standard"), (nil, "/standard"),
    ] as [(String?, String)])
  func returning(referrer: String?, path: String) {
    #expect(WebRules.path(from: referrer, host: "localhost:1", otherwise: "/standard") == path)
  }

  @Test("no script may run, and pictures need a setting")
  func policy() throws {
    for (showsPictures, images) in [(true, "img-src 'self' https:;"), (false, "img-src 'self';")] {
      let headers = WebRules.headers(showsPictures: showsPictures)
      let policy = try #require(headers.first { $0.name == "Content-Security-Policy" }?.value)
      #expect(policy.hasPrefix("default-src 'none'; ") && policy.contains(images), "\(policy)")
      #expect(!policy.contains("script") && !policy.contains("unsafe"))
      #expect(headers.contains { $0 == ("X-Content-Type-Options", "nosniff") })
      #expect(headers.contains { $0 == ("Referrer-Policy", "same-origin") })
    }
  }

  @Test(
    "the first value of a form counts",
    arguments: [
      ("a=1&b=x+y%20z&a=2", ["a": "1", "b": "x y z"]), ("a=&b", [:]), ("", [:]), ("c=%E4%B8%AD", ["c": "中"]),
      ("a=b=c&&%61b=1", ["a": "b=c", "ab": "1"]),
    ] as [(String, [String: String])])
  func values(text: String, values: [String: String]) throws { #expect(try WebForm.values(text) == values) }

  @Test("invalid escapes and U+0000 are refused", arguments: ["a=%ZZ", "%ff=1", "b=1&a=%f", "a=x%00"])
  func invalidParameters(text: String) throws {
    #expect(throws: WebFault.self) { _ = try Self.request("1", WebForm.values(text)).checked() }
    #expect(throws: WebFault.self) { _ = try Self.request("1\u{0}", [:]).checked() }
    _ = try Self.request("1", WebForm.values("a=%E4%B8%AD")).checked()
  }

  private static func request(_ id: String, _ query: [String: String]) -> WebRequest {
    WebRequest(
      path: "/", parameters: ["id": id], query: query, languages: "", showsPictures: false, showsPersonalData: false,
      allowsWriting: false)
  }

  @Test(
    "for other machines, an error of the server names no database",
    arguments: [.database, .permission, .configuration, .tryLater] as [SyncError.Code])
  func details(code: SyncError.Code) {
    #expect(!WebFault(SyncError(code, "database host=db user=alice")).withoutDetails.message.contains("alice"))
  }

  @Test("a form and a group of links keep the other parameters of their path")
  func filters() {
    let path = WebPath("/books").with("q", "a").with("sort", "year")
    let field = WebValue.field("q", label: "words", value: "a")
    #expect(
      path.form([field])
        == .object([
          "formPath": "/books", "fields": .list([field]),
          "hiddenFields": .list([.object(["hiddenName": "sort", "hiddenValue": "year"])]),
        ]))
    let all = WebPath("/books").with("q", "a").choice("any", isChosen: false)
    #expect(
      path.group("Order", "sort", ["title", "year"], names: ["title": "any"], chosen: "year")
        == .object(["groupTitle": "Order", "choices": .list([all, path.choice("year", isChosen: true)])]))
  }

  @Test("a path keeps other parameters, and escapes values")
  func paths() throws {
    let path = WebPath("/books").with("q", "a&b=ü/").with("page", "2")
    #expect(path.text == "/books?q=a%26b%3D%C3%BC%2F&page=2")
    #expect(path.with("q", nil).text == "/books?page=2" && path.with("page", "3").text.hasSuffix("&page=3"))
    #expect(WebPath("/books").with("q", "").text == "/books")
    #expect(try WebForm.values(String(path.text.dropFirst("/books?".count))) == ["q": "a&b=ü/", "page": "2"])
  }
}
