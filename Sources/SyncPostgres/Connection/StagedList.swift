import LibPQ
import SyncCore

/// A list that is sent before the transaction's first lock. Otherwise the server could keep locks while it waits for
/// the rest of a large message. The list is stored in a transaction-local setting, which works behind a pooler.
struct StagedList: Sendable {
  /// The setting's name. PostgreSQL accepts unknown names only with a prefix ("syncctl.x").
  let name: String
  let type: String

  fileprivate static let separator = "\u{1E}"

  init(_ name: String, of type: String = "bigint") {
    self.name = "syncctl.\(name)"
    self.type = type
  }

  /// Joins elements in PostgreSQL's input format. The separator cannot occur in JSON text (RFC 7464).
  func holding(_ elements: some Sequence<String>) -> TransactionOptions.LocalSetting {
    .init(name: name, value: elements.joined(separator: Self.separator))
  }

  func holding(_ numbers: [Int64]) -> TransactionOptions.LocalSetting {
    holding(numbers.lazy.map(String.init))
  }

  /// Returns SQL for the list or a part of it. PostgreSQL evaluates the subquery only once, not for each row.
  func expression(_ range: Range<Int>? = nil) -> String {
    let part = range.map { "[\($0.lowerBound + 1):\($0.upperBound)]" } ?? ""
    return "(SELECT (string_to_array(current_setting('\(name)'), chr(30)))\(part)::\(type)[])"
  }
}

extension StagedList {
  /// Returns SQL that sends settings to the other machines of a Citus cluster. Elsewhere, the SQL does nothing.
  static func sending(_ names: [String]) -> String {
    let names = names.map(\.literal).joined(separator: ", ")
    return "CASE WHEN current_setting('citus.propagate_set_commands', true) = 'local' "
      + "THEN sync.send_settings(\(names)) END IS NULL"
  }
}

extension PGConnection {
  borrowing func stage(_ settings: [TransactionOptions.LocalSetting]) throws {
    // `IS NULL` keeps the server from returning the values.
    var calls = settings.indices.map { "set_config($\(2 * $0 + 1), $\(2 * $0 + 2), true) IS NULL" }
    calls.append(StagedList.sending(settings.map(\.name)))
    try query(
      SQL(trusted: "SELECT \(calls.joined(separator: ", "))"), settings.flatMap { [.text($0.name), .text($0.value)] })
  }

  /// Stages JSON texts in parts, because this program, libpq and the server each copy a whole message.
  borrowing func stage(_ list: StagedList, _ texts: [[UInt8]]) throws {
    var parts = StagedParts(texts)
    let sending = StagedList.sending([list.name])
    try query(
      SQL(trusted: "SELECT set_config($1, convert_from($2, 'UTF8'), true) IS NULL, \(sending)"),
      [.text(list.name), .bytes(parts.next() ?? [])])
    while let part = parts.next() {
      try query(
        SQL(
          trusted: "SELECT set_config($1, current_setting($1) || convert_from($2, 'UTF8'), true) IS NULL, \(sending)"),
        [.text(list.name), .bytes(part)])
    }
  }

  /// - Parameter staged: SQL expressions instead of parameters, by the parameter's number.
  @discardableResult
  borrowing func query(_ sql: SQL, _ parameters: [PGParameter], staged: [Int: String]) throws -> PGResult {
    let sent = parameters.enumerated().map { index, parameter in
      staged[index + 1] == nil ? parameter : .bool(false)
    }
    return try query(staged.isEmpty ? sql : sql.replacing(staged), sent)
  }
}

private struct StagedParts: IteratorProtocol {
  private var texts: ArraySlice<[UInt8]>
  private var rest: ArraySlice<UInt8>

  init(_ texts: [[UInt8]]) {
    self.texts = texts[...]
    rest = self.texts.popFirst()?[...] ?? []
  }

  mutating func next() -> [UInt8]? {
    var part: [UInt8] = []
    while part.count < Limits.stagedPartBytes {
      if rest.isEmpty {
        guard let text = texts.popFirst() else { break }
        part += StagedList.separator.utf8
        rest = text[...]
      }
      var end = min(rest.endIndex, rest.startIndex + Limits.stagedPartBytes - part.count)
      while end < rest.endIndex, rest[end] & 0xC0 == 0x80 { end += 1 }
      part += rest[..<end]
      rest = rest[end...]
    }
    return part.isEmpty ? nil : part
  }
}

extension SQL {
  fileprivate func replacing(_ expressions: [Int: String]) -> SQL {
    let parts = text.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
    var replaced = parts.first.map { String(Substring($0)) } ?? ""
    for part in parts.dropFirst() {
      let digits = part.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      if let number = Int(Substring(digits)), let expression = expressions[number] {
        replaced += expression + Substring(part.dropFirst(digits.count))
      } else {
        replaced += "$" + Substring(part)
      }
    }
    return SQL(trusted: replaced)
  }
}
