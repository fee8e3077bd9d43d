import Foundation
import SyncCore
import SyncPostgres
import SyncProgram

extension MemberTypes {
  /// The types of declared columns. A member that does not fit is counted, and its column is null.
  init(_ columns: [DeclaredTable.Column]) {
    self.init(Tree(columns).kinds)
  }

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

    var kinds: [String: Kind] {
      members.mapValues { member in
        if let type = member.type { return .value { type.fits($0) } }
        return .object(MemberTypes(member.kinds))
      }
    }
  }
}

/// The rules of the SQL functions `sync.as_TYPE`, in `sql/shared/functions/members.sql`.
extension ColumnType {
  /// - Parameter json: A canonical JSON value that is not null.
  func fits(_ json: ArraySlice<UInt8>) -> Bool {
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
      guard isString, let text = try? JSONDecoder().decode(String.self, from: Data(json)) else { return false }
      return switch base {
      case .uuid: text.wholeMatch(of: /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/) != nil
      case .date: CalendarDate.isValid(String(text.prefix(10))) && (text.utf8.count == 10 || "T ".contains(text.dropFirst(10).first ?? "?"))
      default: CalendarDate.isValid(String(text.prefix(10))) && isTime(text.dropFirst(10))
      }
    }
  }

  private static func isTime(_ rest: Substring) -> Bool {
    rest.wholeMatch(
      of: /([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?(Z|[+-](0[0-9]|1[0-4])(:?[0-5][0-9])?)?)?/) != nil
  }

  private static func fitsNumber(_ json: ArraySlice<UInt8>, isString: Bool, _ base: Base) -> Bool {
    let sent = String(decoding: isString ? json.dropFirst().dropLast() : json, as: UTF8.self)
    let text = isString ? sent.trimmingCharacters(in: CharacterSet(charactersIn: " ")) : sent
    let form = /-?(0|[1-9][0-9]{0,99})(\.[0-9]{1,100})?([eE][+-]?[0-9]{1,3})?/
    guard isString ? text.wholeMatch(of: form) != nil : (json.first.map({ $0.isDigit || $0 == 0x2D }) ?? false) else {
      return false
    }
    if base == .numeric { return true }
    if base == .double {
      guard let value = Double(text) else { return false }
      return (1e-307...1e308).contains(value.magnitude) || !text.prefix { $0 != "e" && $0 != "E" }.contains { "1"..."9" ~= $0 }
    }
    let most = Decimal(base == .integer ? Int64(Int32.max) : Int64.max)
    guard var value = Decimal(string: text), value >= -most - 1, value <= most else { return false }
    var whole = Decimal()
    NSDecimalRound(&whole, &value, 0, .plain)
    return whole == value
  }
}
