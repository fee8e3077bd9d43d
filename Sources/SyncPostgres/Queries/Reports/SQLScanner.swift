/// Splits SQL text into tokens, so that parameters inside literals, names and comments are not recognized.
///
/// Literals follow `standard_conforming_strings = on`. An unterminated literal or comment ends with the text.
package struct SQLScanner: Sendable {
  /// The kind of a token. `blank` includes comments, `parameter` is `$1` or `:name`, and `end` is a semicolon.
  package enum Token {
    case blank, parameter, end, other
  }

  let scalars: [Unicode.Scalar]
  private var position = 0

  /// Begins at the start of this SQL text.
  package init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// Returns the text of a range that `next` has returned.
  package func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

  func line(of position: Int) -> Int { 1 + scalars[..<position].count { $0 == "\n" } }

  /// Returns the next token, or `nil` at the end of the text. The ranges count Unicode scalars and leave no gaps.
  package mutating func next() -> (token: Token, range: Range<Int>)? {
    guard position < scalars.count else { return nil }
    let start = position
    let token = advance()
    position = min(position, scalars.count)
    return (token, start..<position)
  }

  private mutating func advance() -> Token {
    let first = scalars[position]
    position += 1
    switch first {
    case ";": return .end
    case _ where Self.isBlank(first): return .blank
    case "-" where scalar() == "-":
      skip { $0 != "\n" && $0 != "\r" }
      return .blank
    case "/" where scalar() == "*":
      skipComment()
      return .blank
    case "'", "\"": skipLiteral(to: first)
    case "e" where scalar() == "'", "E" where scalar() == "'":
      position += 1
      skipLiteral(to: "'", hasEscapes: true)
    case "$" where scalar().map(Self.isDigit) == true, ":" where scalar().map(Self.beginsName) == true:
      skip(while: Self.isOfName)
      return .parameter
    case "$": skipDollarQuote()
    case ":" where scalar() == ":" || scalar() == "=": position += 1
    case _ where Self.isOfName(first): skip { Self.isOfName($0) || $0 == "$" }
    default: break
    }
    return .other
  }

  private func scalar(_ offset: Int = 0) -> Unicode.Scalar? {
    position + offset < scalars.count ? scalars[position + offset] : nil
  }

  private mutating func skip(while isPart: (Unicode.Scalar) -> Bool) {
    while let next = scalar(), isPart(next) { position += 1 }
  }

  private mutating func skipLiteral(to quote: Unicode.Scalar, hasEscapes: Bool = false) {
    while let next = scalar() {
      position += next == "\\" && hasEscapes ? 2 : 1
      guard next == quote else { continue }
      let gap = hasEscapes ? scalars[position...].prefix(while: Self.isBlank) : []
      let skipped = gap.contains { $0 == "\n" || $0 == "\r" } ? gap.count : 0
      guard scalar(skipped) == quote else { return }
      position += skipped + 1
    }
  }

  private mutating func skipComment() {
    var depth = 1
    position += 1
    while depth > 0, let next = scalar() {
      position += 1
      guard next == "/" && scalar() == "*" || next == "*" && scalar() == "/" else { continue }
      position += 1
      depth += next == "/" ? 1 : -1
    }
  }

  private mutating func skipDollarQuote() {
    let name = scalars[position...].prefix(while: Self.isOfName)
    guard scalar(name.count) == "$" else { return }
    let tag = scalars[(position - 1)...(position + name.count)]
    position += tag.count - 1
    while position < scalars.count, !scalars[position...].starts(with: tag) { position += 1 }
    position += tag.count
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { " \t\n\r\u{B}\u{C}".unicodeScalars.contains(scalar) }
  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool { beginsName(scalar) || isDigit(scalar) }
  private static func beginsName(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_" || scalar.value >= 0x80
  }
}
