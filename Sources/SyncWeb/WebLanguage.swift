/// Languages of texts from upstreams, as in BCP 47. Browsers choose the shapes of Han characters by the language.
package enum WebLanguage {
  /// Returns the language that the letters of a text show: `ja` for kana, `ko` for hangul, otherwise `nil`.
  package static func ofScript(_ text: String) -> String? {
    let scalars = text.unicodeScalars.map(\.value)
    if scalars.contains(where: { (0x3041...0x30FF).contains($0) || (0xFF66...0xFF9F).contains($0) }) { return "ja" }
    return scalars.contains { (0xAC00...0xD7A3).contains($0) } ? "ko" : nil
  }
}
