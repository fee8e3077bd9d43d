import Foundation
import SyncCore
import SyncTelemetry
import Testing

@testable import SyncWeb

@Suite("The rules for requests of pages")
struct WebRulesTests {
  private static let signIn = WebSignIn(token: "0123456789abcdef0123456789abcdef")
  private static let loopback = ListenAddress(host: "127.0.0.1", port: 8080)
  private static let local = WebRules(loopback, local: .signedIn(signIn))
  private static let open = ListenAddress(host: "0.0.0.0", port: 80)

  private static func sender(_ rules: WebRules, _ host: String?, isForwarded: Bool = false) -> String {
    do {
      return "\(try rules.sender(host: host, isForwarded: isForwarded))"
    } catch {
      return error.title
    }
  }

  @Test(
    "on loopback, only the names of this machine are served",
    arguments: [
      ("127.0.0.1", true), ("127.0.0.1:8080", true), ("[::1]", true), ("[::1]:1", true), ("localhost:65535", true),
      ("LOCALHOST", true), ("localhost.", false), ("127.0.0.2", false), ("evil.example", false), ("", false),
      ("localhost.evil.example:8080", false), ("[::1", false), ("localhost:", false), ("localhost:8080:1", false),
      ("localhost:123456", false), ("localhost:80a", false), ("[::1]x", false), ("::1", false), (nil, false),
    ] as [(String?, Bool)])
  func hosts(host: String?, isServed: Bool) {
    #expect(Self.sender(Self.local, host) == (isServed ? "thisMachine" : "Unknown host"))
    #expect(Self.sender(Self.local, host, isForwarded: true) == (isServed ? "Proxy" : "Unknown host"))
  }

  @Test("at a loopback address, the names of web.hosts are for other machines")
  func hostsOfProxies() {
    let rules = WebRules(Self.loopback, local: .everyone, hosts: ["mirror.example.org", "localhost"])
    for isForwarded in [true, false] {
      #expect(Self.sender(rules, "Mirror.example.org", isForwarded: isForwarded) == "others")
      #expect(Self.sender(rules, "evil.example", isForwarded: isForwarded) == "Unknown host")
    }
    #expect(Self.sender(rules, "localhost:8080") == "thisMachine")
    #expect(Self.sender(rules, "localhost:8080", isForwarded: true) == "others")
    #expect(Self.sender(rules, "127.0.0.1", isForwarded: true) == "Proxy")
  }

  @Test("elsewhere, only the names of web.hosts are served, without personal data")
  func otherHosts() {
    for local in [LocalAccess.everyone, .signedIn(Self.signIn), .nobody] {
      let rules = WebRules(Self.open, local: local, hosts: ["Mirror.example.org"])
      for host in ["mirror.example.org", "MIRROR.example.org:443"] { #expect(Self.sender(rules, host) == "others") }
      for host in ["localhost", "127.0.0.1", nil] { #expect(Self.sender(rules, host) == "Unknown host") }
      #expect(rules.rights(.others, host: "mirror.example.org", cookies: []) == WebRights())
      #expect(!rules.hasPassword(nil))
    }
  }

  @Test("the owner's rights need the cookie of this instance, this port and a request that is not forwarded")
  func rights() throws {
    let host = "127.0.0.1:8080"
    let header = Self.signIn.cookie(host: host, path: "")
    #expect(header.hasPrefix("syncctl-8080=") && header.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"), "\(header)")
    #expect(!header.contains("0123456789abcdef0123456789abcdef"))
    let cookie = String(header.prefix { $0 != ";" })
    let signedOut = WebRights(offersSignIn: true)
    func rights(_ cookies: [String], _ rules: WebRules = Self.local) -> WebRights {
      rules.rights(.thisMachine, host: host, cookies: cookies)
    }
    for cookies in [[cookie], ["a=1; \(cookie)"], ["syncctl-8080=x", cookie], ["syncctl-8080=x;\(cookie); b=2"]] {
      #expect(rights(cookies) == .owner, "\(cookies)")
      #expect(Self.local.rights(.others, host: host, cookies: cookies) == WebRights())
    }
    let others = [
      "", "syncctl-8080", "syncctl-8080=", String(cookie.dropLast()), cookie + "0", "x" + cookie, cookie.uppercased(),
      cookie.replacing("8080", with: "8081"), "syncctl-8080=0123456789abcdef0123456789abcdef",
    ]
    for cookie in others { #expect(rights([cookie]) == signedOut, "\(cookie)") }
    #expect(rights([]) == signedOut)
    #expect(Self.local.rights(.thisMachine, host: "127.0.0.1:9000", cookies: [cookie]) == signedOut)
    let restarted = WebRules(
      Self.loopback, local: .signedIn(WebSignIn(token: "0123456789abcdef0123456789abcdef")))
    #expect(rights([cookie], restarted) == signedOut)
    #expect(rights([cookie], WebRules(Self.loopback, local: .nobody)) == WebRights())
    #expect(rights([], WebRules(Self.loopback, local: .everyone)) == .owner)
  }

  @Test("the name of the cookie has the port that the browser uses, and its path is web.path")
  func cookieNames() {
    for (host, name) in [("localhost", "syncctl-80="), ("[::1]:9", "syncctl-9="), ("[::1]", "syncctl-80=")] {
      #expect(Self.signIn.cookie(host: host, path: "/mirror").hasPrefix(name))
    }
    #expect(Self.signIn.cookie(host: nil, path: "/mirror").contains("; Path=/mirror;"))
  }

  @Test("only the whole token is accepted, and new ones are long and random")
  func tokens() {
    #expect(Self.signIn.accepts("0123456789abcdef0123456789abcdef"))
    for wrong in ["", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef0", "0123456789ABCDEF"] {
      #expect(!Self.signIn.accepts(wrong), "\(wrong)")
    }
    let many = Set((1...100).map { _ in WebSignIn.newSecret() })
    #expect(many.count == 100 && many.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil })
  }

  @Test(
    "the token leaves the address, and other parameters stay",
    arguments: [
      ("token=a", "a", ""), ("x=1&token=a&y=%22", "a", "x=1&y=%22"), ("token=a&token=b", "a", ""), ("token", "", ""),
      ("%74oken=a", "a", ""), ("tokens=a", nil, nil), ("", nil, nil), ("x=token", nil, nil),
    ] as [(String, String?, String?)])
  func tokenInQuery(query: String, token: String?, rest: String?) {
    let found = WebSignIn.token(in: query)
    #expect(found?.token == token && found?.rest == rest)
  }

  @Test("for other machines, writing needs the name and the password")
  func password() throws {
    let credentials = try #require(WebCredentials("ann:p:ss wörd"))
    let rules = WebRules(Self.open, local: .nobody, hosts: ["a"], credentials: credentials)
    func header(_ text: String) -> String { "Basic " + Data(text.utf8).base64EncodedString() }
    #expect(rules.rights(.others, host: "a", cookies: []) == WebRights(allowsWriting: true))
    #expect(rules.hasPassword(header("ann:p:ss wörd")))
    for wrong in ["ann:p:ss wör", "ann:p:ss wörds", "Ann:p:ss wörd", "ann:", ""] {
      #expect(!rules.hasPassword(header(wrong)), "\(wrong)")
    }
    for wrong in [nil, "", "Basic", "Basic ?", "Bearer \(header("ann:p:ss wörd").dropFirst(6))"] {
      #expect(!rules.hasPassword(wrong))
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
    #expect(Self.local.isOwnForm(.thisMachine, fetchSite: site, origin: origin, host: "localhost:1") == isOwn)
    #expect(!Self.local.isOwnForm(.thisMachine, fetchSite: nil, origin: origin, host: nil))
    let isBehindProxy = origin == "https://localhost:1" && site == nil
    #expect(
      Self.local.isOwnForm(.others, fetchSite: site, origin: origin, host: "localhost:1") == (isOwn || isBehindProxy))
  }

  @Test(
    "a form returns to its page, and never to another server",
    arguments: [
      ("http://localhost:1/books?after=c1", "/books?after=c1"), ("https://localhost:1/", "/"),
      ("http://localhost:1//evil.example", nil), ("http://localhost:1/\\evil.example", nil),
      ("http://localhost:1", nil), ("http://localhost:12/x", nil),
      ("http://evil.example/?://localhost:1/x", nil), ("javascript://localhost:1/x", nil),
      ("http://localhost:1/a\tb", nil), (nil, nil),
    ] as [(String?, String?)])
  func returning(referrer: String?, path: String?) {
    #expect(Self.local.path(from: referrer, host: "localhost:1") == path ?? "/")
    let below = WebRules(Self.loopback, local: .nobody, path: "/mirror")
    #expect(below.path(from: referrer, host: "localhost:1") == "/mirror/")
    guard let path else { return }
    let moved = referrer?.replacing("localhost:1/", with: "localhost:1/mirror/")
    #expect(below.path(from: moved, host: "localhost:1") == "/mirror\(path)")
  }

  @Test(
    "pages are below web.path",
    arguments: [
      ("/mirror/", "/"), ("/mirror", "/"), ("/mirror?a=1", "/?a=1"), ("/mirror/books?a=1", "/books?a=1"),
      ("/mirror/mirror/", "/mirror/"), ("/mirrors/", nil), ("/", nil), ("/books", nil), ("", nil),
    ] as [(String, String?)])
  func paths(target: String, inner: String?) {
    #expect(WebRules(Self.loopback, local: .nobody, path: "/mirror").inner(target) == inner)
    #expect(Self.local.inner(target) == target)
  }

  @Test("wrong attempts slow their client, and not others")
  func attempts() {
    var limit = AttemptLimit()
    let (one, other) = (WebClient(peer: "203.0.113.7", forwardedFor: nil), WebClient(peer: "::1", forwardedFor: nil))
    var tried = 0
    // 600 attempts in 600 ms.
    for millisecond in 0..<600 {
      let now = Duration.milliseconds(millisecond)
      if limit.wait(one, now: now) == nil {
        limit.noteWrong(one, now: now)
        tried += 1
      }
      #expect(limit.wait(other, now: now) == nil)
    }
    #expect(tried == 5)
    #expect(limit.wait(one, now: .milliseconds(600)) == .milliseconds(1_400))
    #expect(limit.wait(one, now: .seconds(2)) == nil)
    limit.noteWrong(one, now: .seconds(2))
    #expect(limit.wait(one, now: .seconds(2)) == .seconds(2))
    // After a pause, all attempts are regained, and the client is forgotten.
    limit.noteWrong(other, now: .seconds(60))
    #expect(limit.count == 1 && limit.wait(one, now: .seconds(60)) == nil)
  }

  @Test("forged addresses of clients are limited together, with bounded memory")
  func forgedClients() {
    var limit = AttemptLimit()
    var (tried, most) = (0, 0)
    for number in 0..<10_000 {
      let client = WebClient(peer: "127.0.0.1", forwardedFor: "10.0.\(number / 250).\(number % 250)")
      let now = Duration.milliseconds(number * 6)
      guard limit.wait(client, now: now) == nil else { continue }
      limit.noteWrong(client, now: now)
      tried += 1
      most = max(most, limit.count)
    }
    // A burst of 100, and ten in each of the 60 seconds.
    #expect((690...710).contains(tried) && most <= 120, "\(tried) \(most)")
  }

  @Test("a client is its address, or the last address that the nearest proxy reports")
  func clients() {
    func isSame(_ one: (String?, String?), _ other: (String?, String?)) -> Bool {
      var limit = AttemptLimit()
      for _ in 1...5 { limit.noteWrong(WebClient(peer: one.0, forwardedFor: one.1), now: .zero) }
      return limit.wait(WebClient(peer: other.0, forwardedFor: other.1), now: .zero) != nil
    }
    #expect(
      isSame(("2001:db8::1", nil), ("2001:db8::2", nil)) && !isSame(("2001:db8::1", nil), ("2001:db8:0:1::", nil)))
    #expect(isSame(("::ffff:192.0.2.1", nil), ("::ffff:192.0.2.1", nil)))
    #expect(!isSame(("::ffff:192.0.2.1", nil), ("::ffff:192.0.2.2", nil)) && isSame((nil, nil), (nil, nil)))
    #expect(isSame(("10.0.0.1", "1.1.1.1, 9.9.9.9"), ("10.0.0.1", "2.2.2.2,9.9.9.9")))
    #expect(!isSame(("10.0.0.1", "9.9.9.9"), ("10.0.0.1", "9.9.9.8")))
    #expect(isSame(("10.0.0.1", "x"), ("10.0.0.1", "y")))
    #expect(WebClient(peer: "10.0.0.1", forwardedFor: "a, 9.9.9.9 ").text == "9.9.9.9 through 10.0.0.1")
    #expect(WebClient(peer: "10.0.0.1", forwardedFor: "\u{1B}[2J").text == "10.0.0.1")
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

  @Test("a service on this machine can have pictures and sounds, if pictures are shown")
  func loopbackPictures() throws {
    let origins: Set = ["http://127.0.0.1:9", "http://127.0.0.1:8"]
    for (showsPictures, sources) in [
      (
        true,
        "img-src 'self' https: http://127.0.0.1:8 http://127.0.0.1:9; "
          + "media-src https: http://127.0.0.1:8 http://127.0.0.1:9;"
      ), (false, "img-src 'self'; media-src 'none';"),
    ] {
      let headers = WebRules.headers(showsPictures: showsPictures, pictureOrigins: origins)
      let policy = try #require(headers.first { $0.name == "Content-Security-Policy" }?.value)
      #expect(policy.contains(sources), "\(policy)")
    }
  }

  @Test(
    "the fields of a form are in their order, and its empty values are omitted",
    arguments: [
      ("a=1&b=x+y%20z&a=2", ["a: 1", "b: x y z", "a: 2"]), ("a=&b", []), ("", []), ("c=%E4%B8%AD", ["c: 中"]),
      ("a=b=c&&%61b=1", ["a: b=c", "ab: 1"]),
    ] as [(String, [String])])
  func fields(text: String, fields: [String]) throws {
    #expect(try WebForm.fields(text).map { "\($0.name): \($0.value)" } == fields)
  }

  @Test("the first value of a field counts, unless a page reads them all")
  func repeatedFields() throws {
    let request = Self.request("1", try WebForm.fields("genre=Action&genre=Drama&year=2024"))
    #expect(request.query == ["genre": "Action", "year": "2024"])
    #expect(request.all("genre") == ["Action", "Drama"] && request.all("type") == [])
    #expect(request.withoutFields.query.isEmpty && request.withoutFields.typed == request.query)
  }

  @Test("the parameter page is a number from 1")
  func pageNumbers() throws {
    func request(_ text: String) throws -> WebRequest { Self.request("1", try WebForm.fields(text)) }
    #expect(try request("").page() == 1 && request("page=3").page() == 3)
    #expect(try request("page=3").offset(limit: 50) == 100)
    for text in ["0", "-1", "x", "99999999999999999999"] {
      #expect(throws: SyncError.self) { try request("page=\(text)").page() }
    }
  }

  @Test(
    "a pager has the links to other pages, and the entries of this page",
    arguments: [
      (1, 50, 2010, "1–50 of 2,010", ["followingPath: /x?page=2", "lastPath: /x?page=41"]),
      (
        2, 50, 2010, "51–100 of 2,010",
        ["firstPath: /x", "followingPath: /x?page=3", "lastPath: /x?page=41", "previousPath: /x"]
      ),
      (41, 10, 2010, "2,001–2,010 of 2,010", ["firstPath: /x", "previousPath: /x?page=40"]),
      (60, 0, 2010, "none of 2,010", ["firstPath: /x", "previousPath: /x?page=41"]), (1, 50, 50, nil, []),
    ] as [(Int, Int, Int, String?, [String])])
  func pager(page: Int, shown: Int, total: Int, range: String?, paths: [String]) {
    guard case .object(var members)? = WebPath("/x").pager(page: page, shown: shown, limit: 50, total: total) else {
      #expect(range == nil)
      return
    }
    #expect(members.removeValue(forKey: "range") == range.map { .text($0) })
    let shownPaths = members.map { name, value in if case .text(let text) = value { "\(name): \(text)" } else { name } }
    #expect(shownPaths.sorted() == paths)
  }

  @Test("a filter in use can be removed without its other values")
  func chips() {
    let path = WebPath("/x").adding("genre", "Action").adding("genre", "Drama").with("year", "2024")
    #expect(path.text == "/x?genre=Action&genre=Drama&year=2024")
    let chip = path.chip("genre", "Action", "genre Action")
    #expect(chip == .object(["chipText": "genre Action", "chipPath": "/x?genre=Drama&year=2024"]))
  }

  @Test("a link of the navigation covers the pages below its paths")
  func coveringLinks() {
    let link = WebLink("Anime", to: "/rankings/anime", covering: ["/anime", "/seasons"])
    for path in ["/anime/5114", "/seasons", "/seasons/2024/spring"] { #expect(link.covers(path), "\(path)") }
    for path in ["/", "/animes", "/rankings/manga"] { #expect(!link.covers(path), "\(path)") }
  }

  @Test("invalid escapes and U+0000 are refused", arguments: ["a=%ZZ", "%ff=1", "b=1&a=%f", "a=x%00"])
  func invalidParameters(text: String) throws {
    #expect(throws: WebFault.self) { _ = try Self.request("1", WebForm.fields(text)).checked() }
    #expect(throws: WebFault.self) { _ = try Self.request("1\u{0}", []).checked() }
    _ = try Self.request("1", WebForm.fields("a=%E4%B8%AD")).checked()
  }

  private static func request(_ id: String, _ fields: [WebField]) -> WebRequest {
    WebRequest(
      path: "/", parameters: ["id": id], fields: fields, languages: "", showsPictures: false, rights: WebRights())
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
    let fields = try WebForm.fields(String(path.text.dropFirst("/books?".count)))
    #expect(fields == [WebField(name: "q", value: "a&b=ü/"), WebField(name: "page", value: "2")])
  }

  @Test("kana and hangul show the language of a text, and Han characters do not")
  func languages() {
    for text in ["葬送のフリーレン", "ﾊﾝｶｸ"] { #expect(WebLanguage.ofScript(text) == "ja", "\(text)") }
    #expect(WebLanguage.ofScript("나 혼자만 레벨업") == "ko")
    for text in ["周杰倫", "Frieren", ""] { #expect(WebLanguage.ofScript(text) == nil, "\(text)") }
  }
}
