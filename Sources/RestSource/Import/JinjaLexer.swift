/// Splits the text of an expression into names, numbers, texts and signs.
struct JinjaLexer {
  enum Token: Equatable {
    case name(String)
    case number(String)
    case text(String)
    case sign(String)
  }

  private var rest: Substring

  /// Returns the tokens; `nil` for a sign that no expression has, or a text that does not end.
  static func tokens(_ text: Substring) -> [Token]? {
    var lexer = JinjaLexer(rest: text)
    var tokens: [Token] = []
    while let next = lexer.rest.first {
      if next.isWhitespace {
        lexer.rest = lexer.rest.dropFirst()
        continue
      }
      guard let token = lexer.token(next) else { return nil }
      tokens.append(token)
    }
    return tokens
  }

  private mutating func token(_ next: Character) -> Token? {
    if next == "'" || next == "\"" { return quoted(next) }
    if next.isASCII, next.isNumber { return .number(take { $0.isASCII && ($0.isNumber || $0 == ".") }) }
    if next.isLetter || next == "_" { return .name(take { $0.isLetter || $0.isNumber || $0 == "_" }) }
    for sign in ["==", "!=", "<=", ">=", "//"] where rest.hasPrefix(sign) {
      rest = rest.dropFirst(sign.count)
      return .sign(sign)
    }
    guard ".,()[]{}+-*/%~|:<>=".contains(next) else { return nil }
    rest = rest.dropFirst()
    return .sign(String(next))
  }

  private mutating func take(while isPart: (Character) -> Bool) -> String {
    let taken = rest.prefix(while: isPart)
    rest = rest.dropFirst(taken.count)
    return String(taken)
  }

  private mutating func quoted(_ quote: Character) -> Token? {
    var text = ""
    rest = rest.dropFirst()
    while let next = rest.popFirst() {
      if next == quote { return .text(text) }
      guard next == "\\" else {
        text.append(next)
        continue
      }
      guard let escaped = rest.popFirst() else { return nil }
      text.append(escaped == "n" ? "\n" : escaped == "t" ? "\t" : escaped)
    }
    return nil
  }
}
