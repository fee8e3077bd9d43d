import LibPQ
import SyncCore

/// A parameter that a report declares in its header. A command accepts the parameter as an option.
package struct ReportParameter: Sendable, Equatable {
  /// The declared type of a parameter. The raw value is the word in the declaration.
  package enum ValueType: String, Sendable, CaseIterable {
    case text, integer, number, date, time, boolean, choice
  }

  package let name: String
  package let type: ValueType
  package let isRequired: Bool
  package let standard: String?
  /// The words of a choice, or the minimum and maximum.
  package let bounds: [String]
  package let help: String

  package var option: String { name.replacing("_", with: "-") }
  package var range: String? { bounds.isEmpty ? nil : bounds.joined(separator: type == .choice ? ", " : " to ") }

  package var expected: String {
    switch type {
    case .text: "give a text"
    case .integer, .number, .choice: "give \(range ?? "a number such as 20")"
    case .date: "write it as 2026-11-21"
    case .time: Moment.hint
    case .boolean: "give true or false"
    }
  }

  var sqlType: String {
    ["choice": "text", "integer": "bigint", "number": "numeric", "time": "timestamptz"][type.rawValue] ?? type.rawValue
  }

  /// Relative times use the database's clock. Throws `.usage` if the value is invalid.
  func bound(_ argument: String?, _ connection: borrowing PGConnection) throws -> PGParameter {
    guard let word = argument ?? standard else { return .null }
    let excerpt = Excerpt.of(word, scalars: 40)
    let label = (argument == nil ? "the default of " : "") + "--\(option)"
    func refusal(_ message: String) -> SyncError { SyncError(.usage, "\(label): \(message)", hint: expected) }
    switch type {
    case .text: break
    case .choice: guard bounds.contains(word) else { throw refusal("there is no \(excerpt)") }
    case .time:
      guard let moment = Moment(word) else { throw refusal("\(excerpt) is not a time") }
      return .text(try moment.resolved(connection))
    case .integer, .number, .date, .boolean:
      let range = bounds.isEmpty ? "IS NOT NULL" : "BETWEEN $2::\(sqlType) AND $3::\(sqlType)"
      do {
        let sql = SQL(trusted: "SELECT $1::\(sqlType) \(range)")
        guard try connection.isTrue(sql, ([word] + bounds).map { .text($0) }) else {
          throw refusal("\(excerpt) is out of range")
        }
      } catch let error as PostgresError where error.sqlState?.classCode == "22" {
        throw refusal(Excerpt.of(error.server?.message ?? "\(excerpt) is not a value"))
      }
    }
    return .text(word)
  }

  /// The default as SQL for a view. `nil` if the parameter is required or its default is an absolute time.
  var literal: String? {
    guard !isRequired else { return nil }
    guard type == .time, let standard else { return "\(standard?.literal ?? "NULL")::\(sqlType)" }
    guard case .ago(let age) = Moment(standard) else { return nil }
    return "(now() - '\(age.components.seconds) seconds'::interval)"
  }
}

extension ReportParameter {
  /// Parses `NAME TYPE [= DEFAULT] [(BOUNDS)] [| HELP]` without regular expressions, which would take half of a
  /// command's time.
  init(header text: String) throws(SyncError) {
    var rest = text[...]
    func take(while isPart: (Character) -> Bool) -> String {
      let part = rest.prefix(while: isPart)
      rest = rest[part.endIndex...]
      return String(part)
    }
    func skip(_ character: Character) -> Bool {
      let next = rest.drop(while: \.isWhitespace)
      guard next.first == character else { return false }
      rest = next.dropFirst()
      return true
    }
    func fault(_ message: String) -> SyncError {
      let hint = "write it as: NAME TYPE [= DEFAULT] [(BOUNDS)] | HELP, e.g. limit integer = 20 (1..1000) | Rows"
      return SyncError(.usage, "parameter: \(Excerpt.of(message))", hint: hint)
    }

    let name = take { !$0.isWhitespace }
    guard name.utf8.count <= 63, let first = name.unicodeScalars.first, ("a"..."z").contains(first),
      name.unicodeScalars.allSatisfy({ ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "_" })
    else { throw fault("\(name) is not a name of lower-case letters, digits and _") }
    let reserved = ["format", "columns", "no_header", "config", "help", "time_limit", "version", "h"]
    guard !reserved.contains(name) else { throw fault("\(name) is an option of syncctl; choose another name") }
    _ = take { $0.isWhitespace }
    let typeName = take { !$0.isWhitespace && !"=(|".contains($0) }
    guard let type = ValueType(rawValue: typeName) else {
      throw fault("\(typeName) is not a type (\(ValueType.allCases.map(\.rawValue).joined(separator: ", ")))")
    }

    let isRequired = !skip("=")
    var (word, quoted): (String, [String]) = ("null", [])
    if !isRequired {
      _ = take { $0.isWhitespace }
      while rest.first == "'" {
        rest = rest.dropFirst()
        quoted.append(take { $0 != "'" })
        guard skip("'") else { throw fault("\(name): the default has no quote at its end") }
      }
      word = quoted.isEmpty ? take { !$0.isWhitespace && !"(|".contains($0) } : quoted.joined(separator: "'")
      guard !word.isEmpty || !quoted.isEmpty else { throw fault("\(name): there is no default after =") }
    }

    let isBounded = skip("(")
    let separator = type == .choice ? "," : ".."
    let bounds = isBounded ? take { $0 != ")" }.split(separator: separator) : []
    guard !isBounded || skip(")"),
      type == .choice ? !bounds.isEmpty : bounds.isEmpty || bounds.count == 2 && [.integer, .number].contains(type)
    else { throw fault("\(name): the bounds of a \(typeName) are invalid") }

    guard skip("|") || rest.trimmingBlanks.isEmpty else { throw fault("\(text) is not a declaration") }

    self.init(
      name: name, type: type, isRequired: isRequired, standard: quoted.isEmpty && word == "null" ? nil : word,
      bounds: bounds.map { $0.trimmingBlanks }, help: rest.trimmingBlanks)
  }
}
