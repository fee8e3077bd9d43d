/// A value of a template. All texts pass `TerminalText.safe` when a page is rendered, and Mustache escapes them.
package enum WebValue: Sendable, Equatable {
  case text(String)
  case flag(Bool)
  case list([WebValue])
  case object([String: WebValue])

  /// Returns an object with the members that are not `nil`.
  package static func object(of members: [String: WebValue?]) -> WebValue { .object(members.compactMapValues(\.self)) }

  /// Returns the text as a value, or `nil` without a text, for members of `object(of:)`.
  package static func text(orNil text: String?) -> WebValue? { text.map { .text($0) } }

  /// Returns an address from an upstream as the target of a link; `nil` unless it is HTTP or HTTPS.
  package static func link(_ address: String?) -> WebValue? {
    guard let address, ["https://", "http://"].contains(where: address.lowercased().hasPrefix) else { return nil }
    return .text(address)
  }

  /// Returns the address of a picture or a sound. Returns `nil` unless it is HTTPS or of a service on this machine, or
  /// if the user wants no pictures.
  package static func picture(_ address: String?, _ request: WebRequest) -> WebValue? {
    guard request.showsPictures, let address else { return nil }
    let isOfThisMachine = request.pictureOrigins.contains { address.hasPrefix("\($0)/") }
    guard isOfThisMachine || address.lowercased().hasPrefix("https://") else { return nil }
    return .text(address)
  }

  /// Returns a list with each line of the text, without empty lines; `nil` without a text. The lines are separate,
  /// because `safe` would escape the line breaks.
  package static func paragraphs(_ text: String?) -> WebValue? {
    text.map { .list($0.split(whereSeparator: \.isNewline).map { .text(String($0)) }) }
  }

  func rendered(_ safe: (String) -> String) -> Any {
    switch self {
    case .text(let text): Self.separated(safe(text))
    case .flag(let flag): flag
    case .list(let values): values.map { $0.rendered(safe) }
    case .object(let members): members.mapValues { $0.rendered(safe) }
    }
  }
}

extension WebValue {
  /// Replaces combining marks after a character of HTML by escapes such as `\u{301}`. Mustache compares each
  /// `Character`, so it would not escape a quotation mark that has an accent.
  static func separated(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isMarkup), !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    return text.reduce(into: "") { result, character in
      let scalars = character.unicodeScalars
      guard scalars.count > 1, scalars.contains(where: isMarkup) else { return result.append(character) }
      for scalar in scalars {
        result += isMarkup(scalar) ? String(scalar) : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
  }

  private static func isMarkup(_ scalar: Unicode.Scalar) -> Bool { "<>&\"'".unicodeScalars.contains(scalar) }
}

extension WebValue: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { self = .text(value) }
}

extension WebValue: ExpressibleByBooleanLiteral {
  package init(booleanLiteral value: Bool) { self = .flag(value) }
}
