import Foundation
import Hashing
import JSONScan
import SyncCore
import SyncPostgres
import SyncProgram

/// The identity of an item: the values of its key's members, however they are spelled.
///
/// Each declared type has one canonical text. The function `sync.key_text` has the same rules.
/// * `bigint` and `integer`: the digits of a whole number of 64 bits, so `1`, `1.0` and `1e0` are the same.
/// * `uuid`: the UUID in lower case.
/// * `text`: the text itself, or the digits of a whole number, so `1` and `"1"` are the same.
///
/// A text that does not fit the type of its column is its own canonical text. Without a key (`primary_key: "*"`), the
/// document without its counters is the identity.
struct RestKey {
  /// A single whole number itself. For any other key, 63 bits of the SHA-256 of `members`, or of the document.
  let value: Int64
  /// The canonical JSON array of the members: numbers for the types bigint and integer, and otherwise texts. Without a
  /// key, the SHA-256 of the document.
  let members: [UInt8]
  /// Whether each member is a text in JSON. Two items with the same value can differ in this only.
  let areTexts: [Bool]
  /// Why an item with a readable key is not stored: the member is a text, but the key is a number.
  let fault: FieldFault?

  /// - Throws: `FieldFault` if a member is missing or identifies no item.
  init(_ item: ScannedItem, of table: DeclaredTable) throws(FieldFault) {
    let columns = Array(table.keyColumns)
    guard !columns.isEmpty else {
      members = item.contentHash
      value = Self.number(item.contentHash)
      areTexts = []
      fault = nil
      return
    }
    if columns.count == 1, table.hasNumberKey {
      let column = columns[0]
      guard let text = Self.value(at: column.path, of: item) else { throw Self.missing(column) }
      let isText = text.first == UInt8(ascii: "\"")
      guard let id = ColumnType.wholeNumber(text[...]), id > 0 else {
        throw FieldFault(
          reason: "no_id",
          detail: "\(column.pathText): \(Excerpt.of(text, scalars: 40)) is not a whole number above 0; "
            + "declare \(column.asText)")
      }
      value = id
      members = Array("\(id)".utf8)
      areTexts = [isText]
      fault =
        isText
        ? FieldFault(
          reason: RejectedItem.keyType,
          detail: "\(column.pathText): \(Excerpt.of(text, scalars: 40)) is a text, and the key is a number; "
            + "declare \(column.asText) if the service sends texts from the first run on")
        : nil
      return
    }
    var canonical: [[UInt8]] = []
    var areTexts: [Bool] = []
    for column in columns {
      guard let text = Self.value(at: column.path, of: item) else { throw Self.missing(column) }
      guard let member = Self.canonical(text, column.type) else {
        throw FieldFault(
          reason: "no_id",
          detail: "\(column.pathText): \(Excerpt.of(text, scalars: 40)) is neither a text nor a whole number")
      }
      canonical.append(member)
      areTexts.append(text.first == UInt8(ascii: "\""))
    }
    members = Self.array(canonical)
    value = Self.hash(members)
    self.areTexts = areTexts
    fault = nil
  }

  /// - Parameter text: The only member of a key that is hashed, as a user types it.
  static func value(ofText text: String, _ type: ColumnType) -> Int64? {
    guard let member = canonical(JSONScan.quoted(text), type) else { return nil }
    return hash(array([member]))
  }

  /// Returns the canonical JSON of a member. `nil` if the member is missing or null.
  private static func value(at path: [String], of item: ScannedItem) -> [UInt8]? {
    var value = path.count == 1 ? item.key : nil
    if value == nil {
      value = item.canonical
      for name in path {
        // The names of members in canonical JSON have escapes.
        let escaped = String(decoding: JSONScan.quoted(name).dropFirst().dropLast(), as: UTF8.self)
        value = value.flatMap { MemberTypes.values(of: [escaped], in: $0)[0] }
      }
    }
    return value == Array("null".utf8) ? nil : value
  }

  /// Returns the canonical JSON of a member. `nil` if the value identifies no item.
  /// - Parameter json: A canonical JSON value.
  private static func canonical(_ json: [UInt8], _ type: ColumnType) -> [UInt8]? {
    let isText = json.first == UInt8(ascii: "\"")
    switch type.base {
    case .bigint, .integer:
      if let number = ColumnType.wholeNumber(json[...]) { return Array("\(number)".utf8) }
    case .uuid where isText && type.fits(json[...]):
      return Array(String(decoding: json, as: UTF8.self).lowercased().utf8)
    default: break
    }
    if isText { return json.count > 2 ? json : nil }
    return ColumnType.wholeNumber(json[...]).map { JSONScan.quoted("\($0)") }
  }

  private static func array(_ members: [[UInt8]]) -> [UInt8] {
    [UInt8(ascii: "[")] + members.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
  }

  private static func missing(_ column: DeclaredTable.Column) -> FieldFault {
    FieldFault(reason: "no_id", detail: "\(column.pathText): missing")
  }

  static func hash(_ members: [UInt8]) -> Int64 { number(SHA256.hash(data: members)) }

  /// The first 63 bits of a hash; 1 instead of 0.
  private static func number(_ hash: [UInt8]) -> Int64 {
    let bits = hash.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return max(1, Int64(bits >> 1))
  }
}
