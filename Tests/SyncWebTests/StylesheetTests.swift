import EmbeddedWeb
import Foundation
import Testing

@Suite("The stylesheet")
struct StylesheetTests {
  /// The colours of light and dark pages, by the names of their tokens. Tokens that both share are not included.
  private static func palettes() throws -> [[String: String]] {
    let style = try #require(EmbeddedWeb.texts["style.css"])
    return style.matches(of: /:root \{([^}]*)\}/).map { block in
      let pairs = block.output.1.matches(of: /--([a-z-]+): (#[0-9a-f]{6});/)
      return Dictionary(
        pairs.map { (String($0.output.1), String($0.output.2)) }, uniquingKeysWith: { first, _ in first })
    }.filter { $0["page"] != nil }
  }

  /// The names of all tokens.
  private static func tokens() throws -> Set<String> {
    let style = try #require(EmbeddedWeb.texts["style.css"])
    return Set(style.matches(of: #/\n *--([a-z0-9-]+): /#).map { String($0.output.1) })
  }

  /// Relative luminance by WCAG 2.2.
  private static func luminance(_ colour: String) throws -> Double {
    let number = try #require(Int(colour.dropFirst(), radix: 16))
    let parts = [16, 8, 0].map { shift -> Double in
      let value = Double(number >> shift & 0xFF) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  @Test(
    "colours have the contrast of WCAG AA, in light and dark",
    arguments: [
      ("text", "page", 4.5), ("text", "surface", 4.5), ("muted", "page", 4.5), ("muted", "surface", 4.5),
      ("link", "page", 4.5), ("link", "surface", 4.5), ("good", "page", 4.5), ("warn", "page", 4.5),
      ("bad", "page", 4.5), ("good", "surface", 4.5), ("bad", "surface", 4.5), ("button-text", "button", 4.5),
      ("button", "page", 3), ("bar", "page", 3),
      ("bar", "surface", 3), ("line", "page", 3), ("focus", "page", 3), ("focus", "surface", 3),
      ("text", "sunken", 4.5), ("muted", "sunken", 4.5), ("link", "sunken", 4.5), ("badge-text", "badge", 4.5),
      ("good", "good-soft", 4.5), ("warn", "warn-soft", 4.5), ("bad", "bad-soft", 4.5),
      ("text", "bad-soft", 4.5), ("line", "surface", 3),
    ] as [(String, String, Double)])
  func contrast(front: String, back: String, least: Double) throws {
    let palettes = try Self.palettes()
    #expect(palettes.count == 2)
    for palette in palettes {
      let pair = try [front, back].map { try Self.luminance(try #require(palette[$0])) }.sorted()
      let ratio = (pair[1] + 0.05) / (pair[0] + 0.05)
      #expect(ratio >= least, "\(front) on \(back): \(ratio)")
    }
  }

  @Test("all colours are variables, and no address is in the stylesheet")
  func variables() throws {
    let style = try #require(EmbeddedWeb.texts["style.css"])
    let palettes = try Self.palettes()
    let tokens = try Self.tokens()
    #expect(Set(palettes[0].keys) == Set(palettes[1].keys))
    for use in style.matches(of: /var\(--([a-z0-9-]+)\)/) {
      #expect(tokens.contains(String(use.output.1)), "\(use.output.1)")
    }
    let rules = style.split(separator: "\n").filter { !$0.contains("--") || $0.contains("var(") }.joined()
    for word in ["#", "url(", "@import", "rgb"] { #expect(!rules.contains(word), "\(word)") }
    #expect(style.contains(":focus-visible") && style.contains("prefers-color-scheme: dark"))
  }
}
