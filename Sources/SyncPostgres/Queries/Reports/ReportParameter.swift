import LibPQ
package import SyncCore

/// What a report is asked with: `:min_score` in its SQL, `--min-score` on the command line.
package struct ReportParameter: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case text
    case integer(ClosedRange<Int64>?)
    case number(ClosedRange<Double>?)
    case date, time, boolean
    case choice([String])
  }

  /// A value that has been checked.
  package enum Value: Sendable, Equatable {
    case null
    case word(String)
    case moment(Moment)
  }

  package let name: String
  package let kind: Kind
  /// Nil if one must be given.
  package private(set) var standard: Value?
  /// The default as the header has it.
  package let standardText: String?
  /// What it means, one line.
  package let help: String

  /// Without the dashes.
  package var option: String { name.replacing("_", with: "-") }

  package var typeName: String {
    switch kind {
    case .text: "text"
    case .integer: "integer"
    case .number: "number"
    case .date: "date"
    case .time: "time"
    case .boolean: "boolean"
    case .choice: "choice"
    }
  }

  /// The bounds, or the words of a choice; nil if there are none.
  package var range: String? {
    switch kind {
    case .integer(let range?): "\(range.lowerBound) to \(range.upperBound)"
    case .number(let range?): "\(Self.plain(range.lowerBound)) to \(Self.plain(range.upperBound))"
    case .choice(let words): words.joined(separator: ", ")
    default: nil
    }
  }

  /// Checks a word of the command line, or a default.
  ///
  /// - Throws: `SyncError` `.usage`.
  package func value(_ word: String) throws(SyncError) -> Value {
    if word.utf8.contains(0) { throw refusal(word, "a text without NUL", "omit the NUL") }
    switch kind {
    case .text: return .word(word)
    case .integer(let range):
      guard let number = Int64(word) else { throw refusal(word, "a whole number", expected) }
      guard range?.contains(number) ?? true else { throw outOfBounds(word) }
      return .word(String(number))
    case .number(let range):
      guard word.wholeMatch(of: #/[+-]?[0-9]{1,30}(\.[0-9]{1,30})?/#) != nil, let number = Double(word) else {
        throw refusal(word, "a number", expected)
      }
      guard range?.contains(number) ?? true else { throw outOfBounds(word) }
      return .word(word)
    case .date:
      guard word.utf8.count == 10, case .at = Moment(word) else { throw refusal(word, "a date", expected) }
      return .word(word)
    case .time:
      guard let moment = Moment(word) else { throw refusal(word, "a time", expected) }
      return .moment(moment)
    case .boolean:
      guard let value = Self.booleans[word.lowercased()] else { throw refusal(word, "true or false", expected) }
      return .word(value ? "true" : "false")
    case .choice(let words):
      guard words.contains(word) else {
        throw SyncError(
          .usage, "--\(option): there is no \(Excerpt.of(word, scalars: 40))",
          hint: Suggestion.choice(for: word, among: words))
      }
      return .word(word)
    }
  }

  /// What to give.
  package var expected: String {
    switch kind {
    case .text: "give a text"
    case .integer, .number: range.map { "give \($0)" } ?? "give a number such as 20"
    case .date: "write it as 2026-11-21"
    case .time: "write it as 2026-11-21, 2026-11-21T04:00:00Z (UTC without a zone), or 24h, 7d, 2w for so long ago"
    case .boolean: "give true or false"
    case .choice(let words): "give \(words.joined(separator: ", "))"
    }
  }

  /// What may stand for true and false.
  package static let booleans = ["true": true, "yes": true, "false": false, "no": false]

  private func refusal(_ word: String, _ what: String, _ hint: String) -> SyncError {
    SyncError(.usage, "--\(option): \(Excerpt.of(word, scalars: 40)) is not \(what)", hint: hint)
  }

  private func outOfBounds(_ word: String) -> SyncError {
    SyncError(.usage, "--\(option) \(Excerpt.of(word, scalars: 40)) is out of bounds", hint: expected)
  }

  private static func plain(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : String(number)
  }
}

extension ReportParameter {
  /// The type in SQL.
  private var type: String {
    switch kind {
    case .text, .choice: "text"
    case .integer: "bigint"
    case .number: "numeric"
    case .date: "date"
    case .time: "timestamptz"
    case .boolean: "boolean"
    }
  }

  /// The parameter in a statement.
  func placeholder(_ number: Int) -> String { "$\(number)::\(type)" }

  /// The value that is bound. A time is one of the database's clock.
  static func bound(_ value: Value, _ connection: borrowing PGConnection) throws -> PGParameter {
    switch value {
    case .null: .null
    case .word(let word): .text(word)
    case .moment(let moment): .text(try moment.resolved(connection))
    }
  }

  /// The default as it is written in a view; `now()` is then the time of the query. Nil without a default.
  var literal: String? {
    switch standard {
    case nil: nil
    case .null: "NULL::\(type)"
    case .word(let word): "'\(word.replacing("'", with: "''"))'::\(type)"
    case .moment(.ago(let duration)): "(now() - '\(duration.components.seconds) seconds'::interval)"
    case .moment(.at(let text)):
      text.contains(".") ? "'\(text)'::\(type)" : "('\(text)'::\(type) + '0.999999 seconds'::interval)"
    }
  }
}

extension ReportParameter {
  /// Reads `limit integer = 20 (1..1000) | How many rows`; without `= …` one must be given, and `null` is no value.
  ///
  /// - Throws: `ReportFault`.
  init(header text: String, line: Int) throws(ReportFault) {
    func fault(_ message: String) -> ReportFault {
      ReportFault(
        line: line, message: "parameter: \(message)",
        hint: "write it as: NAME TYPE [= DEFAULT] [(BOUNDS)] | HELP, e.g. limit integer = 20 (1..1000) | How many rows")
    }
    guard let parts = Declaration(text) else {
      throw fault("\(Excerpt.of(text, scalars: 60)) is no declaration")
    }
    let name = String(parts.name)
    guard name.utf8.count <= 63, let first = name.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first),
      name.utf8.allSatisfy({ byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "_")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      })
    else {
      throw fault("\(Excerpt.of(name, scalars: 40)) is not a name of small letters, digits and _")
    }
    guard !Self.reserved.contains(name) else { throw fault("\(name) is an option of syncctl; choose another name") }
    let (type, range) = (String(parts.type), parts.bounds.map { $0.trimmingBlanks })
    guard let kind = Self.kind(type, range) else {
      throw fault(
        Self.types.contains(type)
          ? "\(name): the bounds of a \(type) are not right"
          : "\(Excerpt.of(type, scalars: 40)) is not a type (\(Self.types.joined(separator: ", ")))")
    }
    let word = parts.standard.map { text in
      text.hasPrefix("'") ? String(text.dropFirst().dropLast()).replacing("''", with: "'") : String(text)
    }
    self.init(name, kind, standardText: word, help: parts.help?.trimmingBlanks ?? "")
    guard let word else { return }
    do throws(SyncError) {
      standard = parts.standard == "null" ? .null : try value(word)
    } catch {
      throw fault("\(name): the default is not right: \(error.message)")
    }
  }

  private init(_ name: String, _ kind: Kind, standardText: String?, help: String) {
    self.name = name
    self.kind = kind
    self.standardText = standardText
    self.help = help
    standard = nil
  }

  private static let types = ["text", "integer", "number", "date", "time", "boolean", "choice"]
  /// Options of the command itself.
  private static let reserved: Set = [
    "format", "columns", "no_header", "config", "help", "time_limit", "version", "h",
  ]

  private static func kind(_ type: String, _ range: String?) -> Kind? {
    let bounds = range?.split(separator: "..", omittingEmptySubsequences: false).map { $0.trimmingBlanks }
    switch type {
    case "integer":
      guard let bounds else { return .integer(nil) }
      guard bounds.count == 2, let low = Int64(bounds[0]), let high = Int64(bounds[1]), low <= high else { return nil }
      return .integer(low...high)
    case "number":
      guard let bounds else { return .number(nil) }
      guard bounds.count == 2, let low = Double(bounds[0]), let high = Double(bounds[1]), low <= high
      else { return nil }
      return .number(low...high)
    case "choice":
      let words = range?.split(separator: ",").map { $0.trimmingBlanks } ?? []
      return words.isEmpty || words.contains("") ? nil : .choice(words)
    default:
      guard range == nil else { return nil }
      return ["text": .text, "date": .date, "time": .time, "boolean": .boolean][type]
    }
  }
}

/// The parts of `NAME TYPE [= DEFAULT] [(BOUNDS)] [| HELP]`, as they are written.
private struct Declaration {
  let name: Substring
  let type: Substring
  /// With its quotes.
  private(set) var standard: Substring?
  private(set) var bounds: Substring?
  private(set) var help: Substring?

  /// - Returns: nil for anything else.
  init?(_ text: String) {
    var rest = text[...]
    func take(while isPart: (Character) -> Bool) -> Substring {
      let part = rest.prefix(while: isPart)
      rest = rest[part.endIndex...]
      return part
    }
    func skip(_ character: Character) -> Bool {
      let next = rest.drop(while: \.isWhitespace)
      guard next.first == character else { return false }
      rest = next.dropFirst()
      return true
    }
    name = take { !$0.isWhitespace }
    rest = rest.drop(while: \.isWhitespace)
    type = take { !$0.isWhitespace && !"=(|".contains($0) }
    guard !name.isEmpty, !type.isEmpty else { return nil }
    if skip("=") {
      rest = rest.drop(while: \.isWhitespace)
      let start = rest.startIndex
      if rest.first == "'" {
        repeat {
          rest = rest.dropFirst()
          _ = take { $0 != "'" }
          guard !rest.isEmpty else { return nil }
          rest = rest.dropFirst()
        } while rest.first == "'"
      } else {
        guard let first = rest.first, !"|()".contains(first) else { return nil }
        _ = take { !$0.isWhitespace }
      }
      standard = text[start..<rest.startIndex]
    }
    if skip("(") {
      bounds = take { $0 != ")" && $0 != "|" }
      guard rest.first == ")" else { return nil }
      rest = rest.dropFirst()
    }
    if skip("|") {
      help = rest
    } else if rest.contains(where: { !$0.isWhitespace }) {
      return nil
    }
  }
}
