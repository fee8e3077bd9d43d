import Testing

@testable import SyncProgram

@Suite struct GlyphsTests {
  @Test("what screens are made of has stand-ins in ASCII; data stays as it is")
  func standIns() {
    let drawn = "✓ ✗ → – · … × ½ ¼ « » █▌▐ │┤├└─┬┴ ⠉⠤⣀⡇"
    #expect(Glyphs.shown(drawn, isUTF8: false) == "ok x -> - | ~ x 1/2 1/4 < > #== |+|`-++ '..:")
    #expect(Glyphs.shown(drawn, isUTF8: true) == drawn)
    #expect(Glyphs.shown("進撃の巨人 é", isUTF8: false) == "進撃の巨人 é")
  }
}
