import LibPQ
import SyncCore

/// A list that a transaction sends before its first lock, and that its statements name afterwards.
///
/// A server waits without a limit for the rest of a message that it has begun to read, and keeps the locks of the
/// transaction meanwhile: PostgreSQL has no timeout for that. So whatever is large arrives while nothing is locked. It
/// waits in a setting of the transaction, which costs no write and ends with the transaction, also behind a pooler.
struct StagedList: Sendable {
  /// Of the setting. PostgreSQL takes a name that it does not know if it has a prefix.
  let name: String
  let type: String

  fileprivate static let separator = "\u{1E}"

  init(_ name: String, of type: String = "bigint") {
    self.name = "syncctl.\(name)"
    self.type = type
  }

  /// The setting that carries these elements.
  ///
  /// - Parameter elements: as PostgreSQL reads values of the type. None contains the separator, which JSON text must
  ///   not contain and RFC 7464 separates JSON texts by.
  func holding(_ elements: some Sequence<String>) -> TransactionOptions.LocalSetting {
    .init(name: name, value: elements.joined(separator: Self.separator))
  }

  func holding(_ numbers: [Int64]) -> TransactionOptions.LocalSetting {
    holding(numbers.lazy.map(String.init))
  }

  /// The list as an SQL expression: a query of its own, so that it is evaluated once and not for every row that is
  /// compared with it.
  ///
  /// - Parameter places: of the part that is meant; nil for all.
  func expression(_ places: Range<Int>? = nil) -> String {
    let part = places.map { "[\($0.lowerBound + 1):\($0.upperBound)]" } ?? ""
    return "(SELECT (string_to_array(current_setting('\(name)'), chr(30)))\(part)::\(type)[])"
  }
}

extension PGConnection {
  /// Sends settings for the statements of this transaction that follow.
  borrowing func stage(_ settings: [TransactionOptions.LocalSetting]) throws {
    // `IS NULL`, or the server would send every value back.
    let calls = settings.indices.map { "set_config($\(2 * $0 + 1), $\(2 * $0 + 2), true) IS NULL" }
    try query(
      SQL(trusted: "SELECT \(calls.joined(separator: ", "))"),
      settings.flatMap { [.text($0.name), .text($0.value)] })
  }

  /// Sends a list of JSON texts.
  ///
  /// A long list goes in parts: the caller, libpq and the server each keep a copy of all that is sent at once.
  borrowing func stage(_ list: StagedList, _ texts: [[UInt8]]) throws {
    var parts = StagedParts(texts)
    try query(
      "SELECT set_config($1, convert_from($2, 'UTF8'), true) IS NULL",
      [.text(list.name), .bytes(parts.next() ?? [])])
    while let part = parts.next() {
      try query(
        "SELECT set_config($1, current_setting($1) || convert_from($2, 'UTF8'), true) IS NULL",
        [.text(list.name), .bytes(part)])
    }
  }

  /// Runs a statement some of whose parameters were staged.
  ///
  /// - Parameter staged: expressions that take the place of parameters, by their number. Those parameters are not sent.
  @discardableResult
  borrowing func query(_ sql: SQL, _ parameters: [PGParameter], staged: [Int: String]) throws -> PGResult {
    // The other numbers stay. One that no statement uses must have a type all the same.
    let sent = parameters.enumerated().map { index, parameter in
      staged[index + 1] == nil ? parameter : .bool(false)
    }
    return try query(staged.isEmpty ? sql : sql.replacing(staged), sent)
  }
}

/// The bytes of a staged list in parts that are not much longer than `Limits.stagedBytes`.
private struct StagedParts: IteratorProtocol {
  private var texts: ArraySlice<[UInt8]>
  private var rest: ArraySlice<UInt8>

  init(_ texts: [[UInt8]]) {
    self.texts = texts[...]
    rest = self.texts.popFirst()?[...] ?? []
  }

  mutating func next() -> [UInt8]? {
    var part: [UInt8] = []
    while part.count < Limits.stagedBytes {
      if rest.isEmpty {
        guard let text = texts.popFirst() else { break }
        part += StagedList.separator.utf8
        rest = text[...]
      }
      var end = min(rest.endIndex, rest.startIndex + Limits.stagedBytes - part.count)
      // Not in the middle of a character.
      while end < rest.endIndex, rest[end] & 0xC0 == 0x80 { end += 1 }
      part += rest[..<end]
      rest = rest[end...]
    }
    return part.isEmpty ? nil : part
  }
}

extension SQL {
  /// The statement with expressions in place of parameters, by their numbers.
  fileprivate func replacing(_ expressions: [Int: String]) -> SQL {
    // By bytes: this runs for most statements, and they are long.
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
