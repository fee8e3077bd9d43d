import SyncCore

extension StreamImport {
  /// A text with the placeholders of a declaration.
  enum Composition {
    case text(FlowValue)
    /// The text contains this secret option of the user.
    case secret([String])
    /// The text contains something that no declaration has.
    case unread
  }

  /// The placeholder of the start of an incremental walk's interval, and of its end.
  static let intervalPlaceholders = (start: "{incremental.start_value}", end: "{incremental.end_value}")
  /// The part that both have.
  static let intervalMarker = "{incremental."

  /// Returns a text of parameters or bodies, and notes which placeholders the requests have.
  mutating func composition(of text: ImportedText) throws(UnusableStream) -> Composition {
    var words = ""
    var formats: [String?] = []
    for part in text.parts {
      switch part {
      case .text(let text):
        guard !Self.resemblesPlaceholder(text) else { return .unread }
        words += text
      case .option(let option):
        guard !context.spec.isSecret(option) else { return .secret(option) }
        words += Self.placeholder(option)
        ask(for: option, Self.placeholder(option), at: text.line)
      case .partition(let names): words += try placeholder(names, line: text.line)
      case .interval(let isStart):
        words += isStart ? Self.intervalPlaceholders.start : Self.intervalPlaceholders.end
        intervalInTexts.hasStart = intervalInTexts.hasStart || isStart
        intervalInTexts.hasEnd = intervalInTexts.hasEnd || !isStart
      case .moment(let moment):
        guard let placeholder = moment.placeholder else { return .unread }
        words += placeholder.text
        formats.append(placeholder.format)
      case .pageToken, .other: return .unread
      }
    }
    guard Set(formats).count <= 1 else { return .unread }
    let content = Self.unquoted(words)
    guard let format = formats.first ?? nil else { return .text(.text(content)) }
    return .text(.mapping([FlowMember("value", .text(content)), FlowMember("format", .text(format))]))
  }

  /// Returns the text without Python's quotes around it. The CDK reads a computed text as a value of Python.
  static func unquoted(_ text: String) -> String {
    guard let quote = text.first, "'\"".contains(quote), text.count > 1, text.last == quote else { return text }
    let content = text.dropFirst().dropLast()
    return content.contains(quote) || content.contains("\\") ? text : String(content)
  }

  /// Whether a declaration reads braces of the text as a placeholder, or refuses them.
  static func resemblesPlaceholder(_ text: String) -> Bool {
    text.wholeMatch(of: /\{[^{}]*\}/) != nil || text.contains(/\{ *(today|now|resources\.|incremental\.|env:|file:)/)
  }
}
