import SyncCore

extension Listing {
  func renderJSON<Failure: Error>(emit: (String) throws(Failure) -> Void) throws(Failure) {
    let open = envelope.map { "{" + JSONText.string($0) + ":[" } ?? "["
    let close = envelope == nil ? "]\n" : "]}\n"
    if rows.isEmpty { return try emit(open + close) }
    try emit(open + "\n")
    let keys = columns.map { JSONText.string($0.key) }
    for (index, row) in rows.enumerated() {
      try emit("  " + Self.object(keys, row) + (index == rows.count - 1 ? "\n" : ",\n"))
    }
    try emit(close)
  }

  func renderJSONLines<Failure: Error>(emit: (String) throws(Failure) -> Void) throws(Failure) {
    let keys = columns.map { JSONText.string($0.key) }
    for row in rows { try emit(Self.object(keys, row) + "\n") }
  }

  private static func object(_ keys: [String], _ row: [Cell]) -> String {
    var object = "{"
    for (index, cell) in row.enumerated() {
      object += (index == 0 ? "" : ",") + keys[index] + ":" + JSONText.value(cell)
    }
    return object + "}"
  }
}

enum JSONText {
  static func value(_ cell: Cell) -> String {
    switch cell {
    case .text(let text), .time(let text), .literal(let text): string(text)
    case .int(let value): String(value)
    case .number(let text): isNumber(text) ? text : string(text)
    case .bool(let value): value ? "true" : "false"
    case .null: "null"
    case .json(let text): text.utf8.isEmpty ? "null" : document(text)
    }
  }

  /// Escapes characters that control a terminal. A JSON parser still reads the same text.
  static func string(_ text: String) -> String { "\"" + text.transformedOutsideFlags(escaped) + "\"" }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if scalar.isUnsafe {
          result += scalar.jsonEscape
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }

  /// Returns a valid JSON document on one line. The document must have line ends only between tokens, and unsafe
  /// characters only in strings.
  static func document(_ text: String) -> String {
    if !text.unicodeScalars.contains(where: \.isUnsafe) { return text }
    return text.transformedOutsideFlags(escapedDocument)
  }

  private static func escapedDocument(_ text: String) -> String {
    text.unicodeScalars.map { scalar -> String in
      scalar.value < 0x20 ? " " : scalar.isUnsafe ? scalar.jsonEscape : String(scalar)
    }.joined()
  }

  static func isNumber(_ text: String) -> Bool {
    guard let first = text.utf8.first, first.isDigit || first == UInt8(ascii: "-") else { return false }
    return MemberTypes.isNumber(Array(text.utf8), digits: .max, exponent: .max)
  }
}
