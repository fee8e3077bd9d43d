import Foundation

/// A text with expressions in `{{ }}`.
struct JinjaTemplate {
  enum Part {
    case text(String)
    /// The second value is the expression as the manifest writes it.
    case expression(JinjaExpression, String)
  }

  let parts: [Part]

  init(_ text: String) {
    guard !text.contains("{%") else {
      // Statements are not read.
      parts = [.expression(.opaque, text)]
      return
    }
    var parts: [Part] = []
    var rest = text[...]
    while let open = rest.range(of: "{{"), let close = Self.end(of: rest[open.upperBound...]) {
      if open.lowerBound > rest.startIndex { parts.append(.text(String(rest[..<open.lowerBound]))) }
      let source = rest[open.upperBound..<close]
      parts.append(.expression(JinjaParser.expression(source), String(source).trimmingCharacters(in: .whitespaces)))
      rest = rest[rest.index(close, offsetBy: 2)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    self.parts = parts
  }

  /// Returns the place of the `}}` that ends an expression. Braces in texts and of mappings do not end it.
  private static func end(of text: Substring) -> Substring.Index? {
    var quote: Character?
    var depth = 0
    var index = text.startIndex
    while index < text.endIndex {
      let next = text[index]
      if let open = quote {
        if next == "\\" { index = text.index(after: index) }
        if next == open { quote = nil }
      } else if next == "'" || next == "\"" {
        quote = next
      } else if next == "{" {
        depth += 1
      } else if next == "}" {
        if depth == 0 { return text[index...].hasPrefix("}}") ? index : nil }
        depth -= 1
      }
      guard index < text.endIndex else { return nil }
      index = text.index(after: index)
    }
    return nil
  }
}
