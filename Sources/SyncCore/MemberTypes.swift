/// The members of an item that become columns. If a value does not fit its column, the column is null, and the document
/// keeps the value. SQL functions apply the same rules; this type only reports the misfits.
package struct MemberTypes: Sendable {
  /// The values that fit a column. A null or missing value fits every column, unless the member is expected.
  package enum ValueType: Sendable {
    /// A string.
    case string
    /// A string or a number.
    case text
    /// A string that `CalendarDate.isValid` accepts.
    case date
    /// A whole number from -2147483647 to 2147483647, or a string that contains such a number.
    case whole
    /// A number between -10^12 and 10^12, or a string that contains such a number.
    case number
    /// A Boolean, or a string that contains a Boolean.
    case flag
    /// A member that repeats the number of the member named `of`, which precedes it in the document.
    case alias(of: String)
    /// An object, whose members have types of their own.
    indirect case object(MemberTypes)
    /// A value that the closure accepts. Its parameter is a canonical JSON value that is not null.
    case value(@Sendable (ArraySlice<UInt8>) -> Bool)
  }

  /// The differences between a document and its columns. `restated` and `misfits` are in the document's order.
  package struct Findings {
    package var misfits: [Misfit] = []
    /// The values that columns store in another form than the document. A string becomes its number, a misfit becomes
    /// null, and an alias becomes the number that it repeats.
    package fileprivate(set) var restated: [(range: Range<Int>, column: [UInt8])] = []
    /// Whether an alias differs from the number that it repeats. The content hash then includes the alias, because no
    /// column stores it.
    package fileprivate(set) var hasOtherAlias = false
    fileprivate var number: (name: String, column: ArraySlice<UInt8>)?
  }

  private struct Member {
    let name: String
    let bytes: [UInt8]
    let type: ValueType
    let isExpected: Bool
  }

  /// The members in the order of their names' UTF-8 bytes, as in a canonical object.
  private let members: [Member]

  /// Creates the types of an object's members. Names must not need an escape in JSON.
  /// - Parameter expected: Names of members that are misfits if they are missing or null.
  package init(_ types: [String: ValueType] = [:], expected: Set<String> = []) {
    members = types.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { Member(name: $0.key, bytes: Array($0.key.utf8), type: $0.value, isExpected: expected.contains($0.key)) }
  }

  /// The names of the members that repeat another member's number.
  package var aliases: [String] {
    members.filter { if case .alias = $0.type { true } else { false } }.map(\.name)
  }

  /// Returns the findings for a canonical object. The text must be canonical JSON, because its syntax is not checked. A
  /// value that is not an object has no findings.
  package func findings(in canonical: [UInt8]) -> Findings {
    var (cursor, findings) = (Cursor(bytes: canonical), Findings())
    if !members.isEmpty { read(&cursor, within: "", &findings) }
    return findings
  }

  /// Returns the members of a canonical object in the order of `names`; `nil` for a member that is missing. The syntax
  /// is not checked.
  package static func values(of names: [String], in canonical: [UInt8]) -> [[UInt8]?] {
    var (cursor, found) = (Cursor(bytes: canonical), [String: [UInt8]]())
    guard cursor.take("{"), !cursor.take("}") else { return names.map { _ in nil } }
    repeat {
      guard let name = cursor.string(), cursor.take(":") else { break }
      let value = cursor.value()
      if let member = names.first(where: { name.elementsEqual($0.utf8) }) { found[member] = Array(value) }
    } while cursor.take(",")
    return names.map { found[$0] }
  }

  /// Returns the elements of a canonical array; none if the text is not an array. The syntax is not checked.
  package static func elements(of array: [UInt8]) -> [ArraySlice<UInt8>] {
    var (cursor, elements) = (Cursor(bytes: array), [ArraySlice<UInt8>]())
    guard cursor.take("["), !cursor.take("]") else { return [] }
    repeat { elements.append(cursor.value()) } while cursor.take(",")
    return elements
  }

  /// Returns the canonical object with the values as columns store them (`Findings.restated`). Members that columns
  /// store alike then have the same text.
  package func restated(_ canonical: [UInt8]) -> [UInt8] {
    var text = canonical
    for part in findings(in: canonical).restated.reversed() { text.replaceSubrange(part.range, with: part.column) }
    return text
  }

  private func read(_ cursor: inout Cursor, within path: String, _ findings: inout Findings) {
    guard cursor.take("{") else { return }
    var rest = members[...]

    func miss(_ member: Member) {
      if member.isExpected { findings.misfits.append(Misfit(path: path + member.name, example: Misfit.missing)) }
    }

    if !cursor.take("}") {
      repeat {
        guard let name = cursor.string(), cursor.take(":") else { return }
        // No name in `members` has an escape. Names with escapes are skipped, because they can be out of order.
        if name.contains(UInt8(ascii: "\\")) {
          cursor.skipValue()
          continue
        }
        while let member = rest.first, member.bytes.lexicographicallyPrecedes(name) {
          miss(member)
          rest.removeFirst()
        }
        if let member = rest.first, member.bytes.elementsEqual(name) {
          Self.read(member, &cursor, within: path, &findings)
          rest.removeFirst()
        } else {
          cursor.skipValue()
        }
      } while cursor.take(",")
      _ = cursor.take("}")
    }

    rest.forEach(miss)
  }

  private static func read(_ member: Member, _ cursor: inout Cursor, within path: String, _ findings: inout Findings) {
    let start = cursor.position
    var column: ArraySlice<UInt8>?
    let fits =
      switch member.type {
      case .alias(let original): copies(&cursor, of: original, &findings, &column)
      case _ where cursor.take("null"): !member.isExpected
      case .string: cursor.string() != nil
      case .text: cursor.string() != nil || cursor.number() != nil
      case .date: cursor.string().map { CalendarDate.isValid(String(decoding: $0, as: UTF8.self)) } ?? false
      case .flag:
        cursor.take("true") || cursor.take("false") || cursor.take("\"true\"") || cursor.take("\"false\"")
      case .whole, .number: takes(&cursor, member.type, &column)
      case .object(let types): takes(&cursor, types, within: path + member.name + ".", &findings)
      case .value(let fits): fits(cursor.value())
      }

    if fits, column == nil {
      if case .number = member.type { findings.number = (member.name, cursor.bytes[start..<cursor.position]) }
      return
    }

    if !fits {
      cursor.position = start
      cursor.skipValue()
      let value = cursor.bytes[start..<cursor.position]
      findings.misfits.append(
        Misfit(path: path + member.name, example: Excerpt.of(value, scalars: Limits.misfitScalars)))
    }

    switch member.type {
    case .whole, .number, .alias:
      let column = (fits ? column : nil) ?? ArraySlice("null".utf8)
      findings.number = (member.name, column)
      findings.restated.append((start..<cursor.position, Array(column)))
    case .string, .text, .date, .flag, .object, .value: break
    }
  }

  private static func takes(
    _ cursor: inout Cursor, _ types: MemberTypes, within path: String, _ findings: inout Findings
  ) -> Bool {
    guard cursor.isAtObject else { return false }
    types.read(&cursor, within: path, &findings)
    return true
  }

  private static func copies(
    _ cursor: inout Cursor, of original: String, _ findings: inout Findings, _ column: inout ArraySlice<UInt8>?
  ) -> Bool {
    let (start, null) = (cursor.position, ArraySlice("null".utf8))
    var own: ArraySlice<UInt8>?
    let isNumber = takes(&cursor, .number, &own)
    cursor.position = start
    cursor.skipValue()
    let sent = cursor.bytes[start..<cursor.position]

    let expected = findings.number.flatMap { $0.name == original ? $0.column : nil } ?? null
    if !isSame(isNumber ? own ?? sent : null, expected) { findings.hasOtherAlias = true }
    if sent != expected { column = expected }
    return true
  }

  private static func isSame(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    if one == other { return true }
    guard let one = Double(String(decoding: one, as: UTF8.self)) else { return false }
    return one == Double(String(decoding: other, as: UTF8.self))
  }

  private static func takes(_ cursor: inout Cursor, _ type: ValueType, _ column: inout ArraySlice<UInt8>?) -> Bool {
    if let literal = cursor.number() { return takes(literal, type) }
    guard let text = cursor.string() else { return false }
    let space = UInt8(ascii: " ")
    let trimmed = text.drop { $0 == space }
    let literal = trimmed.dropLast(trimmed.reversed().prefix { $0 == space }.count)
    guard isNumber(Array(literal)), takes(literal, type) else { return false }
    column = literal
    return true
  }

  private static func takes(_ literal: ArraySlice<UInt8>, _ type: ValueType) -> Bool {
    if literal.count <= 9, literal.allSatisfy(\.isDigit) { return true }
    guard let number = Double(String(decoding: literal, as: UTF8.self)) else { return false }
    if case .whole = type { return number.magnitude <= Double(Int32.max) && isWhole(literal) }
    return number.magnitude < 1e12
  }

  /// Counts digits, because `Double` would round a small fraction away.
  private static func isWhole(_ literal: ArraySlice<UInt8>) -> Bool {
    let parts = literal.split(maxSplits: 1) { $0 | 0x20 == UInt8(ascii: "e") }
    guard let mantissa = parts.first else { return false }
    let exponent = parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) ?? 0 : 0
    let fraction = mantissa.drop { $0 != UInt8(ascii: ".") }.dropFirst().count
    let digits = mantissa.filter(\.isDigit)
    let zeros = digits.reversed().prefix { $0 == UInt8(ascii: "0") }.count
    return zeros == digits.count || zeros + exponent >= fraction
  }

  /// Returns whether the text is a JSON number with at most `digits` digits before the point, at most `digits` after
  /// it, and at most `exponent` digits in the exponent.
  package static func isNumber(_ text: [UInt8], digits: Int = 100, exponent: Int = 3) -> Bool {
    var cursor = Cursor(bytes: text)
    _ = cursor.take("-")
    if !cursor.take("0"), !(1...digits).contains(cursor.digits()) { return false }
    if cursor.take("."), !(1...digits).contains(cursor.digits()) { return false }
    if cursor.take("e") || cursor.take("E") {
      _ = cursor.take("+") || cursor.take("-")
      if !(1...exponent).contains(cursor.digits()) { return false }
    }
    return cursor.position == cursor.bytes.count
  }

  private struct Cursor {
    let bytes: [UInt8]
    var position = 0

    mutating func take(_ text: StaticString) -> Bool {
      let end = position + text.utf8CodeUnitCount
      guard end <= bytes.count else { return false }
      let isHere = text.withUTF8Buffer { $0.elementsEqual(bytes[position..<end]) }
      if isHere { position = end }
      return isHere
    }

    var isAtObject: Bool { position < bytes.count && bytes[position] == UInt8(ascii: "{") }

    mutating func digits() -> Int {
      let start = position
      while position < bytes.count, bytes[position].isDigit { position += 1 }
      return position - start
    }

    mutating func number() -> ArraySlice<UInt8>? {
      let start = position
      guard position < bytes.count, bytes[position] == UInt8(ascii: "-") || bytes[position].isDigit else { return nil }
      while position < bytes.count, bytes[position].isDigit || "-+.eE".utf8.contains(bytes[position]) { position += 1 }
      return bytes[start..<position]
    }

    mutating func string() -> ArraySlice<UInt8>? {
      guard take("\"") else { return nil }
      let start = position
      while position < bytes.count {
        switch bytes[position] {
        case UInt8(ascii: "\""):
          position += 1
          return bytes[start..<(position - 1)]
        case UInt8(ascii: "\\"): position += 2
        default: position += 1
        }
      }
      return nil
    }

    mutating func value() -> ArraySlice<UInt8> {
      let start = position
      skipValue()
      return bytes[start..<position]
    }

    mutating func skipValue() {
      var depth = 0
      while position < bytes.count {
        switch bytes[position] {
        case UInt8(ascii: "\""):
          _ = string()
          continue
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { return }
          depth -= 1
        case UInt8(ascii: ","):
          if depth == 0 { return }
        default: break
        }
        position += 1
      }
    }
  }
}
