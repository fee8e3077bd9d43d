import EmbeddedWeb
import SyncCore
import Testing

@testable import SyncWeb

@Suite("The templates of pages")
struct WebTemplateTests {
  private static let templates = EmbeddedWeb.texts.filter { $0.key.hasSuffix(".mustache") }

  private static func site(_ templates: [String: String], _ page: WebPage) throws -> WebTemplates {
    try WebTemplates(
      EmbeddedWeb.texts.merging(templates) { own, _ in own }, pages: [page],
      safe: { $0.replacing("\u{202E}", with: "⟨rtl⟩") })
  }

  private static func page(_ template: String) -> WebPage {
    WebPage("/x", template: template) { _, _ in WebContent(title: "x", [:]) }
  }

  @Test("no template has a value that is not escaped, a script, a style, or an address of another server")
  func safety() {
    #expect(Self.templates.count > 8)
    for (path, text) in Self.templates {
      for word in ["{{{", "{{&", "{{%", "<script", "javascript:", " style=", "<style", "http:", "https:", " on"] {
        #expect(!text.contains(word), "\(path) has \(word)")
      }
    }
  }

  @Test("every address of a page is below web.path")
  func paths() {
    var count = 0
    for (path, text) in Self.templates {
      for match in text.matches(of: /(?:href|action|src)="([^"]*)/) {
        count += 1
        let address = match.output.1
        // These addresses are of other servers, of this page, or complete.
        let others = ["{{linkAddress}}", "#content", "#{{groupAnchor}}", "{{continuesAt}}", "{{.}}", "{{picture}}"]
        let isOther = others.contains(String(address)) && (address != "{{.}}" || match.output.0.hasPrefix("src"))
        #expect(address.hasPrefix("{{base}}") || isOther, "\(path): \(address)")
      }
    }
    #expect(count > 15)
  }

  @Test("texts are escaped and cleaned, wherever they are")
  func hostileTexts() throws {
    let hostile = "<script>alert('1')</script>\u{202E}\"&"
    let templates = try Self.site(["t.mustache": "<p title=\"{{a}}\">{{#list}}{{.}}{{/list}}</p>"], Self.page("t"))
    let html = templates.page(
      "t", ["title": .text(hostile), "a": .text(hostile), "list": .list([.text(hostile)]), "links": .list([])])
    #expect(!html.contains("<script") && !html.contains("\u{202E}"))
    #expect(html.split(separator: "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;⟨rtl⟩&quot;&amp;").count == 5)
  }

  @Test(
    "a mark that combines with a quotation mark does not keep it from being escaped",
    arguments: ["\u{301}", "\u{338}", "\u{1F3FB}", "\u{E33}", "\u{93E}"])
  func combiningMarks(mark: String) throws {
    let templates = try Self.site(["t.mustache": "<p title=\"{{a}}\">"], Self.page("t"))
    for character in ["<", ">", "&", "\"", "'"] {
      for text in ["\(character)\(mark)x=y", "\u{600}\(character) x=y", "\(character)\u{200D}x=y"] {
        let html = templates.page("t", ["title": "T", "a": .text(text), "links": .list([])])
        let value = html.unicodeScalars.split(separator: "\"").map { String($0) }
        #expect(value.contains { $0.hasSuffix("x=y") && $0.contains("&") }, "\(text.debugDescription)")
      }
    }
    #expect(WebValue.separated("e\u{301} & 日本") == "e\u{301} & 日本")
  }

  @Test("a value that is missing renders nothing, and flags choose sections")
  func sections() throws {
    let text = "{{#a}}A{{.}}{{/a}}{{^a}}none{{/a}}{{#b}}B{{/b}}{{#c}}[{{x}}]{{/c}}"
    let templates = try Self.site(["t.mustache": text], Self.page("t"))
    func content(_ values: [String: WebValue?]) -> String {
      let html = templates.page("t", values.merging(["title": "T", "links": .list([])]) { own, _ in own })
      return html.split(separator: "</h1>\n").last.map { String($0.prefix { $0 != "\n" && $0 != "<" }) } ?? ""
    }
    #expect(content(["a": nil, "b": false, "c": .list([])]) == "none")
    #expect(content(["a": "1", "b": true, "c": .list([.object(["x": "1"]), .object(["x": "2"])])]) == "A1B[1][2]")
  }

  @Test("a missing or invalid template is an error at the start")
  func faults() {
    #expect(throws: SyncError.self) { try Self.site([:], Self.page("missing")) }
    #expect(throws: SyncError.self) { try Self.site(["t.mustache": "{{#a}}"], Self.page("t")) }
  }

  @Test("links and pictures of an upstream have safe addresses")
  func addresses() {
    for address in ["javascript:alert(1)", "data:text/html,x", "//evil.example", "", "ftp://a", " https://a"] {
      #expect(WebValue.link(address) == nil, "\(address)")
    }
    #expect(WebValue.link("HTTPS://a.example/") == .text("HTTPS://a.example/") && WebValue.link(nil) == nil)
    func request(_ showsPictures: Bool) -> WebRequest {
      WebRequest(
        path: "/", parameters: [:], fields: [], languages: "", showsPictures: showsPictures, rights: .owner)
    }
    #expect(WebValue.picture("https://a.example/1.png", request(true)) != nil)
    #expect(WebValue.picture("http://a.example/1.png", request(true)) == nil)
    #expect(WebValue.picture("https://a.example/1.png", request(false)) == nil)
    for showsPictures in [true, false] {
      var local = request(showsPictures)
      local.pictureOrigins = ["http://127.0.0.1:8"]
      #expect((WebValue.picture("http://127.0.0.1:8/1.png", local) != nil) == showsPictures)
      for other in ["http://127.0.0.1:80/1.png", "http://127.0.0.1:8@a.example/1.png", "http://a.example/1.png"] {
        #expect(WebValue.picture(other, local) == nil, "\(other)")
      }
    }
    var item = WebItem("a", picture: "data:image/png,x")
    item.details = [nil, "", "b"]
    item.links = [("bad", "javascript:alert(1)"), ("good", "https://a.example/")]
    guard case .object(let members) = item.value(request(true)) else { return }
    #expect(members["itemPicture"] == nil && members["itemDetails"] == .list([.object(["detail": "b"])]))
    #expect(
      members["itemLinks"] == .list([.object(["linkText": "good", "linkAddress": "https://a.example/"])]))
  }

  @Test("bars begin at zero, to the left for negative numbers")
  func bars() throws {
    let rows: [(String, Double)] = [("a", -10), ("b", 0), ("c", 30), ("d", .infinity)]
    let plot = WebPlot.bars(rows.map { (label: $0.0, value: $0.1, text: "\($0.1)") }, caption: "x")
    guard case .object(let members) = try #require(plot), case .list(let bars)? = members["bars"] else {
      Issue.record("not a plot")
      return
    }
    let sizes = bars.map { bar -> [WebValue?] in
      if case .object(let bar) = bar { [bar["barStart"], bar["barWidth"]] } else { [] }
    }
    #expect(sizes == [["0", "250"], ["250", "0"], ["250", "750"]])
    #expect(WebPlot.bars([], caption: "x") == nil)
    #expect(WebPlot.bars([(label: "a", value: 0, text: "0")], caption: "x") == nil)
  }

  @Test("the command of a page quotes what the reader typed")
  func commands() {
    #expect(
      WebCommandLine.text(
        ["syncctl", "pokedex", "list"],
        [("type", "fire"), ("name", "a'b $(c)"), ("sort", nil), ("owned", ""), ("generation", "-1")])
        == #"syncctl pokedex list --type fire --name 'a'\''b $(c)' --owned --generation=-1"#)
  }
}
