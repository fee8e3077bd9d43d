/// The types that an item's members have as a rule, checked in its canonical bytes.
///
/// Decoding a whole item only to learn that its types are right is most of the work of reading a list. This is the
/// quick answer for items without anything special: what it accepts, decoding accepts too. Of any other item decoding
/// decides, and says what is wrong.
package struct PlainTypes: Sendable {
  package enum Kind: Sendable {
    case text
    /// As `CalendarDate` has it.
    case date
    /// Of at most nine digits, so that an `Int32` takes it.
    case whole
    case number
    case flag
    indirect case object(PlainTypes)
  }

  private struct Member {
    let name: [UInt8]
    let kind: Kind
    let isRequired: Bool
  }

  /// Sorted as a canonical object is.
  private let members: [Member]

  /// - Parameters:
  ///   - kinds: of the members that are looked at. Any may be missing or null.
  ///   - required: those that may not.
  package init(_ kinds: [String: Kind], required: Set<String> = []) {
    members = kinds.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { Member(name: Array($0.key.utf8), kind: $0.value, isRequired: required.contains($0.key)) }
  }

  /// - Parameter canonical: an object in the canonical form of `JSONScan`.
  /// - Returns: false if decoding has to tell.
  func accept(_ canonical: [UInt8]) -> Bool {
    var cursor = Cursor(bytes: canonical)
    return accept(&cursor)
  }

  private func accept(_ cursor: inout Cursor) -> Bool {
    guard cursor.take("{") else { return false }
    var rest = members[...]
    if !cursor.take("}") {
      repeat {
        // A name with an escape may stand elsewhere than its bytes say.
        guard let name = cursor.string(), !name.contains(UInt8(ascii: "\\")), cursor.take(":") else { return false }
        while let member = rest.first, member.name.lexicographicallyPrecedes(name) {
          if member.isRequired { return false }
          rest.removeFirst()
        }
        if let member = rest.first, member.name.elementsEqual(name) {
          guard Self.accept(&cursor, member) else { return false }
          rest.removeFirst()
        } else {
          cursor.skipValue()
        }
      } while cursor.take(",")
      guard cursor.take("}") else { return false }
    }
    return !rest.contains(where: \.isRequired)
  }

  private static func accept(_ cursor: inout Cursor, _ member: Member) -> Bool {
    if cursor.take("null") { return !member.isRequired }
    switch member.kind {
    case .text: return cursor.string() != nil
    case .date: return cursor.string().map { CalendarDate.isValid(String(decoding: $0, as: UTF8.self)) } ?? false
    case .flag: return cursor.take("true") || cursor.take("false")
    case .whole:
      _ = cursor.take("-")
      return (1...9).contains(cursor.digits()) && cursor.isAtEndOfValue
    case .number:
      _ = cursor.take("-")
      guard (1...9).contains(cursor.digits()) else { return false }
      if cursor.take("."), !(1...9).contains(cursor.digits()) { return false }
      return cursor.isAtEndOfValue
    case .object(let types): return types.accept(&cursor)
    }
  }

  /// A place in canonical JSON, which has no white space.
  private struct Cursor {
    let bytes: [UInt8]
    var place = 0

    mutating func take(_ text: StaticString) -> Bool {
      let end = place + text.utf8CodeUnitCount
      guard end <= bytes.count else { return false }
      let isHere = text.withUTF8Buffer { $0.elementsEqual(bytes[place..<end]) }
      if isHere { place = end }
      return isHere
    }

    var isAtEndOfValue: Bool {
      place < bytes.count && (bytes[place] == UInt8(ascii: ",") || bytes[place] == UInt8(ascii: "}"))
    }

    mutating func digits() -> Int {
      let start = place
      while place < bytes.count, bytes[place].isDigit { place += 1 }
      return place - start
    }

    /// The text between the quotes, escapes as they are written.
    mutating func string() -> ArraySlice<UInt8>? {
      guard take("\"") else { return nil }
      let start = place
      while place < bytes.count {
        switch bytes[place] {
        case UInt8(ascii: "\""):
          place += 1
          return bytes[start..<(place - 1)]
        case UInt8(ascii: "\\"): place += 2
        default: place += 1
        }
      }
      return nil
    }

    /// To the comma or bracket after the value.
    mutating func skipValue() {
      var depth = 0
      while place < bytes.count {
        switch bytes[place] {
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
        place += 1
      }
    }
  }
}
