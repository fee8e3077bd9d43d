import SyncCore

extension Listing {
  func renderCSV<Failure: Error>(options: RenderingOptions, emit: (String) throws(Failure) -> Void) throws(Failure) {
    if options.hasHeader { try emit(columns.map { Self.field($0.key, options) }.joined(separator: ",") + "\r\n") }
    for row in rows { try emit(row.map { Self.field($0, options) }.joined(separator: ",") + "\r\n") }
  }

  private static func field(_ cell: Cell, _ options: RenderingOptions) -> String {
    switch cell {
    case .text(let text): field(text, options)
    // Values such as `-1 days` and `-infinity` cannot contain a formula, so they need no protection.
    case .time(let text), .literal(let text): quoted(text, options)
    case .number(let text): JSONText.isNumber(text) || text == "-Infinity" ? text : field(text, options)
    case .json(let text): JSONText.isNumber(text) ? text : field(text, options)
    case .int(let value): String(value)
    case .bool(let value): value ? "true" : "false"
    case .null: ""
    }
  }

  private static func field(_ text: String, _ options: RenderingOptions) -> String {
    // The formula check comes before escaping, because an escape would hide a leading tab, which starts a formula.
    quoted(options.guardsFormulas && startsFormula(text) ? "'" + text : text, options)
  }

  private static func quoted(_ text: String, _ options: RenderingOptions) -> String {
    let value = options.isTerminal ? TerminalText.safe(text) : text
    // An empty field without quotes means NULL, so an empty text gets quotes.
    let needsQuotes =
      value.unicodeScalars.isEmpty || value.unicodeScalars.contains { "\",\r\n".unicodeScalars.contains($0) }
    if !needsQuotes { return value }
    return "\"" + value.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
  }

  func guarding(_ keys: String...) -> Listing {
    keys.reduce(self) { listing, key in
      listing.mapping(key) { cell in
        if case .text(let text) = cell, Self.startsFormula(text) { .text("'" + text) } else { cell }
      }
    }
  }

  /// Ignores leading blanks, as some spreadsheets do. In Japanese locales, full-width signs start a formula too.
  private static func startsFormula(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first else { return false }
    if "\t\r\n".unicodeScalars.contains(first) { return true }
    let shown = text.unicodeScalars.first { !$0.properties.isWhitespace && !$0.isUnsafe }
    return shown.map { "=+-@＝＋－＠".unicodeScalars.contains($0) } ?? false
  }
}
