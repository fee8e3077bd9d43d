import Foundation
import SyncCore
import SyncPostgres
import SyncProgram

extension MemberTypes {
  /// The types of declared columns. A member that does not fit is counted, and its column is null.
  init(_ columns: [DeclaredTable.Column]) {
    self.init(Tree(columns).types)
  }

  /// The types of members, nested as the paths of the columns.
  private struct Tree {
    var type: ColumnType?
    var members: [String: Tree] = [:]

    init(_ columns: [DeclaredTable.Column]) {
      for column in columns { add(column.path[...], column.type) }
    }

    private mutating func add(_ path: ArraySlice<String>, _ type: ColumnType) {
      guard let name = path.first else { return self.type = type }
      members[name, default: Tree([])].add(path.dropFirst(), type)
    }

    var types: [String: ValueType] {
      members.mapValues { member in
        if let type = member.type { return .value { type.fits($0) } }
        return .object(MemberTypes(member.types))
      }
    }
  }
}

/// The rules of the SQL functions `sync.as_TYPE`, in `sql/shared/functions/members.sql`.
extension ColumnType {
  /// - Parameter json: A canonical JSON value that is not null.
  func fits(_ json: ArraySlice<UInt8>) -> Bool {
    if let format { return Self.fits(json, base, format) }
    guard isArray else { return Self.fits(json, base) }
    return json.first == UInt8(ascii: "[")
      && MemberTypes.elements(of: Array(json)).allSatisfy { $0.elementsEqual("null".utf8) || Self.fits($0, base) }
  }

  private static func fits(_ json: ArraySlice<UInt8>, _ base: Base) -> Bool {
    let isString = json.first == UInt8(ascii: "\"")
    let isContainer = json.first == UInt8(ascii: "{") || json.first == UInt8(ascii: "[")
    switch base {
    case .jsonb: return true
    case .text: return !isContainer
    case .boolean: return ["true", "false", "\"true\"", "\"false\""].contains { json.elementsEqual($0.utf8) }
    case .integer, .bigint, .numeric, .double: return fitsNumber(json, isString: isString, base)
    case .date, .timestamptz, .uuid:
      guard isString else { return false }
      // No such value has a character that JSON escapes.
      let text = String(decoding: json.dropFirst().dropLast(), as: UTF8.self)
      return switch base {
      case .uuid: text.wholeMatch(of: /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/) != nil
      case .date:
        CalendarDate.isValid(String(text.prefix(10))) && "T ".utf8.contains(text.utf8.dropFirst(10).first ?? 0x20)
      // The first check alone finds most times, and is much faster than the regular expression.
      default: CalendarDate.isValid(text) || CalendarDate.isValid(String(text.prefix(10))) && isTime(text.dropFirst(10))
      }
    }
  }

  private static func fits(_ json: ArraySlice<UInt8>, _ base: Base, _ format: Format) -> Bool {
    switch format {
    case .number:
      return fits(json, .boolean) || [0, 1].contains(wholeNumber(json))
    case .epoch, .epochMilliseconds:
      guard let number = Decimals(json) else { return false }
      let scale: Int64 = format == .epoch ? 1 : 1000
      return number.isWithin(Self.earliestEpoch * scale...Self.latestEpoch * scale)
    }
  }

  /// 0001-01-01 and 9999-12-31T23:59:59 in seconds since 1970.
  private static let earliestEpoch: Int64 = -62_135_596_800
  private static let latestEpoch: Int64 = 253_402_300_799

  /// Returns the whole number of 64 bits that a JSON number or a text has, however the number is spelled. `nil` for any
  /// other value. The rule of `sync.as_bigint`.
  /// - Parameter json: A canonical JSON value.
  static func wholeNumber(_ json: ArraySlice<UInt8>) -> Int64? { Decimals(json)?.whole }

  private static func isTime(_ rest: Substring) -> Bool {
    rest.wholeMatch(
      of: /([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?(Z|[+-](0[0-9]|1[0-4])(:?[0-5][0-9])?)?)?/)
      != nil
  }

  private static func fitsNumber(_ json: ArraySlice<UInt8>, isString: Bool, _ base: Base) -> Bool {
    if json.count <= 9, json.allSatisfy(\.isDigit) { return true }
    guard let number = Decimals(json) else { return false }
    switch base {
    case .numeric: return true
    case .double: return number.fitsDouble
    case .integer: return number.whole.map { Int32(exactly: $0) != nil } ?? false
    default: return number.whole != nil
    }
  }
}

/// A decimal number as its digits, because `Double` and `Decimal` round long numbers.
private struct Decimals {
  private let isNegative: Bool
  /// Without zeros at either end; empty for 0.
  private let digits: String
  /// The power of ten of the last digit.
  private let exponent: Int

  /// - Parameter json: A canonical JSON value. `nil` unless it is a number, or a text with a number of up to 100 digits
  ///   before and after the point, as in `sync.as_numeric`.
  init?(_ json: ArraySlice<UInt8>) {
    guard let first = json.first else { return nil }
    guard first == UInt8(ascii: "\"") else {
      guard first.isDigit || first == UInt8(ascii: "-") else { return nil }
      self.init(number: String(decoding: json, as: UTF8.self))
      return
    }
    let sent = String(decoding: json.dropFirst().dropLast(), as: UTF8.self)
    let text = sent.trimmingCharacters(in: CharacterSet(charactersIn: " "))
    guard text.wholeMatch(of: /-?(0|[1-9][0-9]{0,99})(\.[0-9]{1,100})?([eE][+-]?[0-9]{1,3})?/) != nil else {
      return nil
    }
    self.init(number: text)
  }

  private init(number text: String) {
    let parts = text.lowercased().split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    var digits = mantissa.joined().drop { $0 == "-" || $0 == "0" }
    var exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - (mantissa.count > 1 ? mantissa[1].count : 0)
    while digits.last == "0" {
      digits.removeLast()
      exponent += 1
    }
    isNegative = text.hasPrefix("-")
    self.digits = String(digits)
    self.exponent = digits.isEmpty ? 0 : exponent
  }

  var whole: Int64? {
    guard exponent >= 0, digits.count + exponent <= 19 else { return nil }
    if digits.isEmpty { return 0 }
    return Int64((isNegative ? "-" : "") + digits + String(repeating: "0", count: exponent))
  }

  var fitsDouble: Bool {
    guard !digits.isEmpty else { return true }
    let power = digits.count + exponent - 1
    return (-307...307).contains(power) || power == 308 && digits == "1"
  }

  /// - Parameter range: A range that contains 0.
  func isWithin(_ range: ClosedRange<Int64>) -> Bool {
    if let whole { return range.contains(whole) }
    // The number has a fraction, or is larger than 64 bits. So it is within the range if its whole part is.
    guard exponent < 0, digits.count + exponent <= 18 else { return false }
    let part = Int64(digits.dropLast(-exponent)) ?? 0
    return isNegative ? -part > range.lowerBound : part < range.upperBound
  }
}
