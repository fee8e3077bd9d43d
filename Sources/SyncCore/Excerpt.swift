/// Foreign text made fit for an error message: bounded, one line, without anything a terminal would act on, and
/// without the user and the password of a URL.
package enum Excerpt {
  /// Reads bytes as UTF-8, with U+FFFD for what is not.
  package static func of(_ bytes: some Sequence<UInt8>, scalars: Int = Limits.excerptScalars) -> String {
    // Four bytes a scalar at most, and one more to see that something was cut off.
    of(String(decoding: Array(bytes.prefix(4 * scalars + 4)), as: UTF8.self), scalars: scalars)
  }

  package static func of(_ text: String, scalars: Int = Limits.excerptScalars) -> String {
    var result = String.UnicodeScalarView()
    var count = 0
    for scalar in hidingUserInfo(of: text).unicodeScalars {
      if count == scalars {
        result.append("…")
        break
      }
      result.append(isHarmless(scalar) ? scalar : " ")
      count += 1
    }
    return String(result)
  }

  /// The text without the users and the passwords of URLs. A password may hold / and ?, so the last @ ends it.
  private static func hidingUserInfo(of text: String) -> String {
    var (shown, rest) = ("", text[...])
    while let scheme = rest.firstRange(of: "://") {
      shown += rest[..<scheme.upperBound]
      rest = rest[scheme.upperBound...]
      if let at = rest.prefix(while: { !$0.isWhitespace }).lastIndex(of: "@") {
        shown += "***"
        rest = rest[at...]
      }
    }
    return shown + rest
  }

  /// Neither C0 nor C1 controls, nor the scalars that reorder, hide or break a line.
  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
    default: !scalar.isUnsafe
    }
  }
}
