import Foundation
import Testing

@testable import SyncProgram

@Suite struct HyperlinkTests {
  private static func link(_ target: String, _ text: String) -> String {
    "\u{1B}]8;;\(target)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\"
  }

  @Test(
    "only addresses of the web become links, in printable ASCII",
    arguments: [
      ("https://a.example/b?c=d", "https://a.example/b?c=d"), ("https://a.example/進", "https://a.example/%E9%80%B2"),
      ("https://a.example/\u{9B}\u{202E}", "https://a.example/%C2%9B%E2%80%AE"),
      ("https://a.example/\u{1B}\\", nil), ("https://a.example/a b", nil), ("https://user@a.example/", nil),
      ("javascript:alert(1)", nil), ("file:///etc/passwd", nil), ("https://", nil), ("title", nil),
      ("https://a.example/" + String(repeating: "a", count: 2_000), nil),
    ] as [(String, String?)])
  func targets(text: String, target: String?) {
    #expect(Hyperlink(text)?.around("x") == target.map { Self.link($0, "x") })
  }

  @Test("titles lead to the page of their row, and a cut address to the whole one; widths stay")
  func table() {
    let listing = Listing(
      columns: [Column("title", fit: .cut(least: 6)), Column("id"), Column("url", fit: .cut(least: 6))],
      rows: [
        [.text("鋼の錬金術師 FULLMETAL"), .int(1), .text("https://a.example/anime/5114")],
        [.text("Bebop"), .int(2), .text("no address")],
      ])
    func text(hasLinks: Bool) -> String { listing.text(as: .table, RenderingOptions(width: 40, hasLinks: hasLinks)) }
    let linked = text(hasLinks: true)
    #expect(linked.components(separatedBy: "\u{1B}]8;;https://a.example/anime/5114\u{1B}\\").count == 3)
    #expect(String(decoding: Hyperlink.removed(from: Array(linked.utf8)), as: UTF8.self) == text(hasLinks: false))
  }

  @Test("an address at the end of a line is a link")
  func line() {
    #expect(
      Hyperlink.atEnd(of: "page  https://a.example/進") == "page  "
        + Self.link("https://a.example/%E9%80%B2", "https://a.example/進"))
    #expect(Hyperlink.atEnd(of: "https://a.example/x") == Self.link("https://a.example/x", "https://a.example/x"))
    for line in ["", "see https://a.example/ there", "postgresql:///mirror"] {
      #expect(Hyperlink.atEnd(of: line) == line)
    }
  }

  @Test("the last look keeps links of the web, where there are links, and escapes all others")
  func gate() {
    let link = Self.link("https://a.example/x", "x")
    #expect(TerminalText.gated(link, keepsLinks: true) == link)
    #expect(!TerminalText.gated(link).contains("\u{1B}"))
    for hostile in [
      Self.link("javascript:x", ""), "\u{1B}]8;;https://a.example/x\u{7}", "\u{1B}]8;id=1;https://a.example/x\u{1B}\\",
      "\u{1B}]0;title\u{1B}\\",
    ] { #expect(TerminalText.gated(hostile, keepsLinks: true).hasPrefix(#"\u001b]"#)) }
  }

  @Test(
    "links are for terminals that are known to show them",
    arguments: [
      (["TERM": "xterm-kitty"], true), (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], true),
      (["TERM": "xterm-256color", "VTE_VERSION": "7600"], true),
      (["TERM": "xterm-256color", "VTE_VERSION": "4803"], false), (["TERM": "xterm-256color"], false),
      (["TERM": "screen", "VTE_VERSION": "7600"], false), (["TERM": "xterm-kitty", "NO_COLOR": "1"], false),
      (["TERM": "dumb", "SYNCCTL_HYPERLINKS": "1"], false), (["TERM": "xterm", "SYNCCTL_HYPERLINKS": "1"], true),
      (["TERM": "xterm-kitty", "SYNCCTL_HYPERLINKS": "0"], false),
    ])
  func terminals(environment: [String: String], hasLinks: Bool) throws {
    let pair = try OutputStreamsTests.PseudoTerminal(columns: 80, rows: 24)
    #expect(StandardStreams.Channel(descriptor: pair.terminal) { environment[$0] }.hasLinks == hasLinks)
    let file = open("/dev/null", O_WRONLY)
    defer { close(file) }
    #expect(!StandardStreams.Channel(descriptor: file) { environment[$0] }.hasLinks)
  }
}
