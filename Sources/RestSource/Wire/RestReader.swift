import Foundation
import Hashing
import JSONScan
import SyncCore
import SyncPostgres
import SyncProgram

/// Reads the pages and the stored documents of a resource.
struct RestReader: Sendable {
  static let mappingVersion = 1

  private let resource: Declaration.Resource
  private let counters: Set<String>
  private let types: MemberTypes
  private let mayBeEmpty: Bool
  private var key: [String] { resource.table.key }

  /// - Parameter mayBeEmpty: Whether an empty first page is a valid list, as in an incremental walk.
  init(_ resource: Declaration.Resource, mayBeEmpty: Bool = false) {
    (self.resource, self.mayBeEmpty) = (resource, mayBeEmpty)
    counters = Set(resource.table.counters.map { $0.path[0] })
    types = MemberTypes(resource.table.columns + resource.table.counters)
  }

  func page(_ response: UpstreamResponse, to request: UpstreamRequest, isFirst: Bool) throws(SyncError) -> Page {
    let scanned = try Result { () throws(JSONScanError) in
      try JSONScan.page(
        response.body, itemsPath: resource.selector, counterMembers: counters, keyMember: key[0], limits: .body)
    }.mapError { unusable(response.body, request, what: "a page", $0) }.get()
    var members: [Int64: [UInt8]] = [:]
    let entries = scanned.items.map { result in
      result.entry { item in entry(item, &members) }
    }
    let body = (try? JSONDecoder().decode(JSONMember.self, from: Data(scanned.envelope))) ?? .null
    var claim = try claim(body)
    if isFirst { claim.remark = remark(PageSigns(body, headers: response.headers)) }
    if mayBeEmpty, isFirst, entries.isEmpty, claim.total == nil { claim.total = 0 }
    return .items(entries, claim)
  }

  func stored(_ document: [UInt8]) -> Page.Entry {
    var members: [Int64: [UInt8]] = [:]
    return .stored(document, { entry($0, &members) }) { () throws(JSONScanError) in
      try JSONScan.document(document, counterMembers: counters, keyMember: key[0], limits: .stored)
    }
  }

  func key(
    ofItemIn response: UpstreamResponse, at path: [String], to request: UpstreamRequest
  ) throws(SyncError) -> Int64? {
    let item = try Result { () throws(JSONScanError) in
      try JSONScan.item(response.body, itemPath: path, keyMember: key[0], limits: .body)
    }.mapError { unusable(response.body, request, what: "an item", $0) }.get()
    return try? RestKey(item, of: resource.table).value
  }

  private func entry(_ item: ScannedItem, _ members: inout [Int64: [UInt8]]) -> Page.Entry {
    do {
      let found = try RestKey(item, of: resource.table)
      if let other = members.updateValue(found.members, forKey: found.value), other != found.members {
        throw FieldFault(
          reason: "key_collision", detail: "\(Excerpt.of(found.members)) has the same hash as \(Excerpt.of(other))")
      }
      return .item(
        PageItem(
          key: found.value, document: item.canonical, contentHash: item.contentHash + [UInt8(Self.mappingVersion)],
          counterHash: item.counterHash, counters: item.counters, isRepaired: item.repairs != Repairs(),
          misfits: types.findings(in: item.canonical).misfits))
    } catch {
      return .rejected(RejectedItem(error, key: nil, document: item.canonical))
    }
  }

  /// - Throws: `SyncError` if the member for the next page has neither a next page nor a sign of the end.
  private func claim(_ body: JSONMember) throws(SyncError) -> PageClaim {
    var claim = PageClaim(total: resource.total.flatMap { body.at($0)?.number })
    switch resource.paginator {
    case .pageNumber(let pages):
      claim.lastPage = pages.total.flatMap { body.at($0)?.number }
      claim.hasNext = pages.hasMore.flatMap { body.at($0)?.isTrue }
    case .offset(let places):
      claim.total = claim.total ?? places.total.flatMap { body.at($0)?.number }
      claim.hasNext = places.hasMore.flatMap { body.at($0)?.isTrue }
    case .jsonLink, .headerLink, .cursor: claim.hasNext = resource.chain.hasMore.flatMap { body.at($0)?.isTrue }
    case .single: break
    }
    // The last page of some services names a next page, although another member says that the list ends.
    if claim.hasNext == false { return claim }
    switch resource.paginator {
    case .jsonLink(let path), .cursor(let path, _):
      switch body.at(path) {
      case .object?, .other?, .bool(true)?:
        throw SyncError(
          .upstream, "the member \(Excerpt.of(path.joined(separator: "."))) of the page names no next page",
          hint: "check paginator in the declaration")
      case let member: claim.next = member?.text
      }
    case .pageNumber, .offset, .headerLink, .single: break
    }
    return claim
  }

  /// A warning if the page that the declaration requests first does not look like the first page of the list.
  private func remark(_ signs: PageSigns) -> String? {
    let evidence: String?
    let key: String
    switch resource.paginator {
    case .pageNumber(let pages):
      evidence = signs.evidenceOfEarlierPages(base: pages.base, isOffset: false)
      key = "base_page"
    case .offset(let places):
      evidence = signs.evidenceOfEarlierPages(base: places.base, isOffset: true)
      key = "base_offset"
    case .jsonLink, .headerLink, .cursor, .single:
      evidence = signs.firstFlags.contains(where: \.value) ? nil : signs.firstFlags.first?.text
      key = "params"
    }
    return evidence.map { evidence in
      "the first page does not look like the first one of the list, so earlier items can be missing (\(evidence)); check \(key) in the declaration"
    }
  }

  private func unusable(
    _ body: [UInt8], _ request: UpstreamRequest, what: String, _ error: JSONScanError
  ) -> SyncError {
    // Half of a body is not JSON. The next attempt can get the whole body.
    let isBroken = if case .malformed = error { true } else { false }
    return AnswerFault.unusable(
      body, to: Excerpt.of(request.url), what: "a body that is not \(what) (\(error))",
      hint: "check data_selector in the declaration: syncctl source check shows what the service sends",
      isLasting: !isBroken)
  }
}

/// The key of an item: its only whole number itself, or 63 bits of the SHA-256 of its members.
struct RestKey {
  let value: Int64
  /// A JSON array of the members.
  let members: [UInt8]

  /// - Throws: `FieldFault` if a member is missing or has another type.
  init(_ item: ScannedItem, of table: DeclaredTable) throws(FieldFault) {
    let names = table.key
    if names.count == 1, table.hasNumberKey {
      guard let text = item.key else { throw FieldFault(reason: "no_id", detail: "\(names[0]): missing") }
      guard let id = Int64(String(decoding: text, as: UTF8.self)), id > 0 else {
        let isText = text.first == UInt8(ascii: "\"")
        throw FieldFault(
          reason: "no_id",
          detail: "\(names[0]): \(Excerpt.of(text, scalars: 40)) is not a whole number above 0"
            + (isText ? "; declare columns: { \(names[0]): text }" : ""))
      }
      (value, members) = (id, text)
      return
    }
    let texts = names.count == 1 ? [item.key] : MemberTypes.values(of: names, in: item.canonical)
    var joined: [UInt8] = [UInt8(ascii: "[")]
    for (place, (name, text)) in zip(names, texts).enumerated() {
      guard let text, let first = text.first,
        first == UInt8(ascii: "\"") || Int64(String(decoding: text, as: UTF8.self)) != nil,
        text.count > 2 || first != UInt8(ascii: "\"")
      else {
        let shown = text.map { Excerpt.of($0, scalars: 40) + " is neither a text nor a whole number" } ?? "missing"
        throw FieldFault(reason: "no_id", detail: "\(name): \(shown)")
      }
      joined += (place == 0 ? [] : [UInt8(ascii: ",")]) + text
    }
    members = joined + [UInt8(ascii: "]")]
    value = Self.hash(members)
  }

  /// The first 63 bits of the SHA-256; 1 instead of 0.
  static func hash(_ members: [UInt8]) -> Int64 {
    let bits = SHA256.hash(data: members).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return max(1, Int64(bits >> 1))
  }
}

/// A value of a page outside of its items.
enum JSONMember: Decodable {
  case object([String: JSONMember])
  case string(String)
  case int(Int)
  case bool(Bool)
  case null
  /// An array, or a number with a fraction.
  case other

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([String: JSONMember].self) {
      self = .object(value)
    } else {
      self = .other
    }
  }

  func at(_ path: [String]) -> JSONMember? {
    path.reduce(self) { (member: JSONMember?, name) in
      if case .object(let members)? = member { members[name] } else { nil }
    }
  }

  /// A whole number, also as a text.
  var number: Int? {
    switch self {
    case .int(let value): value
    case .string(let text): Int(text)
    default: nil
    }
  }

  /// A link or cursor. Services send null, an empty text, false or 0 for none.
  var text: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .int(let value): value == 0 ? nil : "\(value)"
    default: nil
    }
  }

  var isTrue: Bool? {
    switch self {
    case .bool(let value): value
    case .int(let value): value != 0
    case .string(let text): !text.isEmpty && text.lowercased() != "false"
    case .null: false
    default: nil
    }
  }
}
