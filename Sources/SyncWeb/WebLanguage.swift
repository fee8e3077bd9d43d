/// The language of a title whose source does not state it.
package enum WebLanguage {
  /// Returns `ja` for a text with kana, so that browsers choose Japanese glyphs; `nil` for other texts.
  package static func of(_ text: String) -> String? {
    text.unicodeScalars.contains { kana.contains($0.value) } ? "ja" : nil
  }

  private static let kana: ClosedRange<UInt32> = 0x3041...0x30FF
}
