import Foundation
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
  private let mask: SecretMask
  /// The top-level member that the scanner returns with each item. `nil` if the key has several members or a path.
  private let keyMember: String?
  /// Whether an object in place of the list is the only item. In a list of several pages it would rather be an error.
  private var acceptsObject: Bool { if case .single = resource.paginator { true } else { false } }

  /// - Parameters:
  ///   - mayBeEmpty: Whether an empty first page is a valid list, as in an incremental walk.
  ///   - mask: Finds the secrets that excerpts of items must not have.
  init(_ resource: Declaration.Resource, mayBeEmpty: Bool = false, mask: SecretMask = SecretMask()) {
    self.resource = resource
    self.mayBeEmpty = mayBeEmpty
    self.mask = mask
    let key = resource.table.keyColumns
    keyMember = key.count == 1 && key[0].path.count == 1 ? key[0].path[0] : nil
    counters = Set(resource.table.counters.map { $0.path[0] })
    types = MemberTypes(resource.table.columns + resource.table.counters)
  }

  func page(_ response: UpstreamResponse, to request: UpstreamRequest, isFirst: Bool) throws(SyncError) -> Page {
    let (items, body) = try list(response, to: request)
    if let named = NamedError(in: body, path: resource.listPath, hasItems: !items.isEmpty) {
      throw named.error(of: response, at: Excerpt.of(request.url))
    }
    let entries = withoutSecrets(entries(of: items), in: response.body)
    var claim = try claim(body, items)
    if isFirst { claim.remark = remark(PageSigns(body, headers: response.headers)) }
    if mayBeEmpty, isFirst, entries.isEmpty, claim.total == nil { claim.total = 0 }
    return .items(entries, claim)
  }

  /// Whether the body names an error, so that it is neither a page nor the end of a list.
  func namesError(_ response: UpstreamResponse) -> Bool {
    let scanned = Result { () throws(JSONScanError) in try scan(response.body) }
    let envelope: [UInt8]
    var hasItems = false
    switch scanned {
    case .success(let page):
      envelope = page.envelope
      hasItems = !page.items.isEmpty
    case .failure(.noItems(let found)): envelope = found.envelope
    case .failure: return false
    }
    let body = try? JSONDecoder().decode(JSONMember.self, from: Data(envelope))
    return body.flatMap { NamedError(in: $0, path: resource.listPath, hasItems: hasItems) } != nil
  }

  private func scan(_ body: [UInt8]) throws(JSONScanError) -> ScannedPage {
    try JSONScan.page(
      body, itemsPath: resource.selector, acceptsObject: acceptsObject, counterMembers: counters, keyMember: keyMember,
      limits: .body)
  }

  /// Returns the items of a page, and the body without them. A list that is null has no items.
  private func list(
    _ response: UpstreamResponse, to request: UpstreamRequest
  ) throws(SyncError) -> (items: [ScannedItemResult], body: JSONMember) {
    let scanned = Result { () throws(JSONScanError) in try scan(response.body) }
    switch scanned {
    case .success(let page):
      return (page.items, try body(page.envelope, request))
    case .failure(.noItems(let found)):
      let body = try body(found.envelope, request)
      if let named = NamedError(in: body, path: resource.listPath, hasItems: false) {
        throw named.error(of: response, at: Excerpt.of(request.url))
      }
      let list = resource.listPath
      guard !list.isEmpty, list.count == resource.selector.count, case .null? = body.at(list) else {
        throw unusable(response.body, request, what: "a page", .noItems(found))
      }
      return ([], body)
    case .failure(let error):
      throw unusable(response.body, request, what: "a page", error)
    }
  }

  private func body(_ envelope: [UInt8], _ request: UpstreamRequest) throws(SyncError) -> JSONMember {
    guard let body = try? JSONDecoder().decode(JSONMember.self, from: Data(envelope)) else {
      throw SyncError(
        .upstream, "\(Excerpt.of(request.url)) answered 200 with a body that cannot be read outside of its items",
        hint: "syncctl source check shows what the service sends")
    }
    return body
  }

  private func entries(of items: [ScannedItemResult]) -> [Page.Entry] {
    var keys: [Int64: RestKey] = [:]
    return items.map { result in
      result.entry { item in entry(item, &keys) }
    }
  }

  /// Returns the entries, whose rejected items show no secret. Their excerpts can end within a secret, so they are made
  /// again from a body without secrets.
  private func withoutSecrets(_ entries: [Page.Entry], in body: [UInt8]) -> [Page.Entry] {
    guard !entries.allSatisfy(\.isItem), let masked = mask.masking(body, .message) else { return entries }
    let others = (try? scan(masked)).map { self.entries(of: $0.items) } ?? []
    return entries.indices.map { index in
      guard case .rejected(let item) = entries[index] else { return entries[index] }
      if others.count == entries.count, case .rejected = others[index] { return others[index] }
      return .rejected(
        RejectedItem(
          key: item.key, reason: item.reason, detail: SecretMask.replacement, excerpt: SecretMask.replacement))
    }
  }

  /// The misfits of an item, whose examples show no secret.
  private func misfits(in canonical: [UInt8]) -> [Misfit] {
    let misfits = types.findings(in: canonical).misfits
    guard !misfits.isEmpty, let masked = mask.masking(canonical, .message) else { return misfits }
    return types.findings(in: masked).misfits
  }

  func stored(_ document: [UInt8]) -> Page.Entry {
    var keys: [Int64: RestKey] = [:]
    return .stored(document, { entry($0, &keys) }) { () throws(JSONScanError) in
      try JSONScan.document(document, counterMembers: counters, keyMember: keyMember, limits: .stored)
    }
  }

  func key(
    ofItemIn response: UpstreamResponse, at path: [String], to request: UpstreamRequest
  ) throws(SyncError) -> Int64? {
    let item = try Result { () throws(JSONScanError) in
      try JSONScan.item(response.body, itemPath: path, keyMember: keyMember, limits: .body)
    }.mapError { unusable(response.body, request, what: "an item", $0) }.get()
    return try? RestKey(item, of: resource.table).value
  }

  /// - Parameter keys: The keys of the page's items before this one.
  private func entry(_ item: ScannedItem, _ keys: inout [Int64: RestKey]) -> Page.Entry {
    do {
      let found = try RestKey(item, of: resource.table)
      let other = keys[found.value]
      if let other, other.members != found.members {
        throw FieldFault(
          reason: "key_collision",
          detail: "\(Excerpt.of(found.members)) has the same hash as \(Excerpt.of(other.members))")
      }
      var fault = found.fault
      if fault == nil, let other, other.areTexts != found.areTexts {
        fault = FieldFault(
          reason: RejectedItem.keyType,
          detail: "\(Excerpt.of(found.members)) is in the page twice, as a text and as a number")
      }
      // The item has a readable key, so it counts as seen.
      if let fault { return .rejected(RejectedItem(fault, key: found.value, document: item.canonical)) }
      keys[found.value] = found
      return .item(
        PageItem(
          key: found.value, document: item.canonical, contentHash: item.contentHash + [UInt8(Self.mappingVersion)],
          counterHash: item.counterHash, counters: item.counters, isRepaired: item.repairs != Repairs(),
          misfits: misfits(in: item.canonical)))
    } catch {
      return .rejected(RejectedItem(error, key: nil, document: item.canonical))
    }
  }

  /// - Throws: `SyncError` if the member for the next page has neither a next page nor a sign of the end.
  private func claim(_ body: JSONMember, _ items: [ScannedItemResult]) throws(SyncError) -> PageClaim {
    var claim = PageClaim(total: resource.total.flatMap { body.at($0)?.number })
    claim.absentPaths = absentPaths(of: body, isWhole: mayBeEmpty || claim.total.map { $0 <= items.count } ?? false)
    switch resource.paginator {
    case .pageNumber(let pages):
      claim.lastPage = pages.total.flatMap { body.at($0)?.number }
      claim.hasNext = pages.hasMore.flatMap { body.at($0)?.isTrue }
    case .offset(let offsets):
      claim.total = claim.total ?? offsets.total.flatMap { body.at($0)?.number }
      claim.hasNext = offsets.hasMore.flatMap { body.at($0)?.isTrue }
    case .jsonLink, .headerLink, .cursor, .lastItem:
      claim.hasNext = resource.chain.hasMore.flatMap { body.at($0)?.isTrue }
    case .single: break
    }
    // The last page of some services names a next page, although another member says that the list ends.
    if claim.hasNext == false { return claim }
    switch resource.paginator {
    case .jsonLink(let path), .cursor(let path, _):
      switch body.at(path) {
      case .object?, .array?, .other?, .bool(true)?:
        throw SyncError(
          .upstream, "the member \(Excerpt.of(path.joined(separator: "."))) of the page names no next page",
          hint: "check paginator in the declaration")
      case let member: claim.next = member?.text
      }
    case .lastItem(let path, _): claim.next = try items.last.map { (item) throws(SyncError) in try cursor(item, path) }
    case .pageNumber, .offset, .headerLink, .single: break
    }
    return claim
  }

  /// Returns a member of the last item, which the request of the next page needs.
  private func cursor(_ last: ScannedItemResult, _ path: [String]) throws(SyncError) -> String {
    if case .item(let item) = last,
      let member = try? JSONDecoder().decode(JSONMember.self, from: Data(item.canonical)),
      let text = member.at(path)?.text
    {
      return text
    }
    throw SyncError(
      .upstream,
      "the last item of the page has no \(Excerpt.of(path.joined(separator: "."))), so it names no next page",
      hint: "check cursor_path in the declaration")
  }

  /// A warning if the page that the declaration requests first does not look like the first page of the list.
  private func remark(_ signs: PageSigns) -> String? {
    let evidence: String?
    let key: String
    switch resource.paginator {
    case .pageNumber(let pages):
      evidence = signs.evidenceOfEarlierPages(base: pages.base, isOffset: false)
      key = "base_page"
    case .offset(let offsets):
      evidence = signs.evidenceOfEarlierPages(base: offsets.base, isOffset: true)
      key = "base_offset"
    case .jsonLink, .headerLink, .cursor, .lastItem, .single:
      evidence = signs.firstFlags.contains(where: \.value) ? nil : signs.firstFlags.first?.text
      key = "params"
    }
    return evidence.map { evidence in
      "the first page does not look like the first one of the list, so earlier items can be missing (\(evidence)); check \(key) in the declaration"
    }
  }

  /// The declared paths that the body lacks, with their keys in the declaration. A total that is not a number is as
  /// useless as a total that is missing.
  /// - Parameter isWhole: Whether the page can be the whole list, so that it needs no member for a next page.
  private func absentPaths(of body: JSONMember, isWhole: Bool) -> Set<String> {
    var totals = [("total_path", resource.total)]
    var others: [(key: String, path: [String]?)] = []
    switch resource.paginator {
    case .pageNumber(let numbers), .offset(let numbers):
      totals.append(("paginator.total_path", numbers.total))
      others.append(("has_more_path", numbers.hasMore))
    case .jsonLink(let path): if !isWhole { others.append(("next_url_path", path)) }
    case .cursor(let path, _): if !isWhole { others.append(("cursor_path", path)) }
    case .headerLink, .lastItem, .single: break
    }
    if resource.paginator.isChain { others.append(("has_more_path", resource.chain.hasMore)) }
    let absentTotals = totals.filter { $0.1.map { body.at($0)?.number == nil } ?? false }
    let absentOthers = others.filter { $0.path.map { body.at($0) == nil } ?? false }
    return Set((absentTotals + absentOthers).map { "\($0.0) \(($0.1 ?? []).joined(separator: "."))" })
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

extension DeclaredTable.Column {
  /// The path as the declaration writes it.
  var pathText: String { path.joined(separator: ".") }

  /// The declaration of the column with the type text.
  var asText: String {
    name == pathText
      ? "columns: { \(name): text }"
      : "columns: { \(name): { path: \(Excerpt.of(pathText, scalars: 60)), type: text } }"
  }
}
