import Foundation
import SyncCore
import SyncPostgres
import SyncProgram

/// A page of a list that nobody has declared yet: its items and the signs beside them.
struct DraftPage {
  let response: UpstreamResponse
  /// The path of the array of items.
  let selector: [String]
  let items: [[String: Any]]
  let signs: PageSigns

  /// Reads the page and finds its list: the array of objects that have a key, then the longest, then the nearest to
  /// the top. A list of links to other pages can be longer than the list of items.
  /// - Throws: `SyncError` `.upstream` if the body is not JSON or has no list.
  init(_ response: UpstreamResponse) throws(SyncError) {
    guard let json = Self.json(response) else {
      throw SyncError(
        .upstream, "the answer is not JSON: \(Excerpt.of(response.body))", hint: "give the address of an API")
    }
    let found = Self.lists(in: json, at: []).max { one, other in Self.rank(one) < Self.rank(other) }
    guard let found else {
      throw SyncError(.upstream, "the answer has no list of objects", hint: "give the address of a list's first page")
    }
    self.init(response, at: found.path, found.items)
  }

  /// Reads a further page of a list; `nil` if the answer has no such list. The list can be empty.
  init?(_ response: UpstreamResponse, at selector: [String]) {
    guard response.status == 200, var json = Self.json(response) else { return nil }
    for name in selector {
      guard let member = (json as? [String: Any])?[name] else { return nil }
      json = member
    }
    guard let items = json as? [[String: Any]] else { return nil }
    self.init(response, at: selector, items)
  }

  private init(_ response: UpstreamResponse, at selector: [String], _ items: [[String: Any]]) {
    self.response = response
    self.selector = selector
    self.items = items
    let body = (try? JSONDecoder().decode(JSONMember.self, from: Data(response.body))) ?? .null
    signs = PageSigns(body, headers: response.headers)
  }

  private static func json(_ response: UpstreamResponse) -> Any? {
    try? JSONSerialization.jsonObject(with: Data(response.body))
  }

  private static func lists(in value: Any, at path: [String]) -> [(path: [String], items: [[String: Any]])] {
    if let list = value as? [[String: Any]], !list.isEmpty { return [(path, list)] }
    guard let object = value as? [String: Any], path.count < 5 else { return [] }
    return object.sorted { $0.key < $1.key }.flatMap { lists(in: $1, at: path + [$0]) }
  }

  private static func rank(_ list: (path: [String], items: [[String: Any]])) -> (Int, Int, Int) {
    let hasKey = DraftedKey.surelyUnique(in: list.items) != nil
    return (hasKey ? 1 : 0, list.items.count, -list.path.count)
  }

  /// The items' identities in their order: the values of `key`, or the whole items if `key` is `nil`.
  func identities(by key: [String]?) -> [String] {
    items.map { item in
      if let key, let value = DraftedKey.value(at: key, of: item) { return value }
      let data = try? JSONSerialization.data(withJSONObject: item, options: .sortedKeys)
      return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }

  /// The claimed number of items. It is larger than the page, because an equal number can be the page's own count.
  var total: PageSigns.Sign<Int>? {
    signs.totals.first { $0.value > items.count && PageSigns.isTotalOfItems($0.path, of: selector.last) }
  }
}

/// The member that identifies an item, as far as one page shows it.
enum DraftedKey {
  /// A member that identifies the items by its name and its values.
  case sure([String])
  /// A member with another value in each item of the page, which another page can repeat.
  case guess([String])
  case unknown

  init(of items: [[String: Any]]) {
    if let path = Self.surelyUnique(in: items) ?? Self.usuallyUnique(in: items) {
      self = .sure(path)
    } else if let name = Self.unique(in: items).min() {
      self = .guess([name])
    } else {
      self = .unknown
    }
  }

  var path: [String]? {
    switch self {
    case .sure(let path), .guess(let path): path
    case .unknown: nil
    }
  }

  /// A member whose name says that it identifies an item: `id`, `objectID`, `DOI`, `product_id`.
  static func surelyUnique(in items: [[String: Any]]) -> [String]? {
    let unique = unique(in: items)
    for word in ["id", "uuid", "guid", "objectid", "doi"] {
      if let name = unique.filter({ PageSigns.word($0) == word }).min() { return [name] }
    }
    if let name = unique.filter({ $0.hasSuffix("_id") || $0.hasSuffix("_uuid") || $0.hasSuffix("Id") }).min() {
      return [name]
    }
    // GeoJSON and ArcGIS have the members of an item in an object.
    for parent in ["attributes", "properties", "fields", "data"] {
      let inner = items.compactMap { $0[parent] as? [String: Any] }
      guard inner.count == items.count, !inner.isEmpty else { continue }
      let names = Self.unique(in: inner).filter { ["id", "objectid", "uuid"].contains(PageSigns.word($0)) }
      if let name = names.min() { return [parent, name] }
    }
    return nil
  }

  private static func usuallyUnique(in items: [[String: Any]]) -> [String]? {
    let unique = unique(in: items)
    return ["key", "slug", "code", "sku", "hash", "sha", "number", "name"].first(where: unique.contains).map { [$0] }
  }

  /// The members that are texts or numbers and different in each item.
  private static func unique(in items: [[String: Any]]) -> Set<String> {
    guard let first = items.first else { return [] }
    return Set(first.keys).filter { name in
      let values = items.map { value(at: [name], of: $0) ?? "" }
      return !values.contains("") && Set(values).count == values.count
    }
  }

  static func value(at path: [String], of item: [String: Any]) -> String? {
    var value: Any = item
    for name in path {
      guard let member = (value as? [String: Any])?[name] else { return nil }
      value = member
    }
    return (value as? String) ?? (value as? NSNumber).map { "\($0)" }
  }
}
