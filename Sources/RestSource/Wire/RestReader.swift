import Foundation
import JSONScan
import SyncCore
import SyncPostgres
import SyncProgram

/// Reads the pages and the stored documents of a resource.
struct RestReader: Sendable {
  static let mappingVersion = 1

  let resource: Declaration.Resource
  /// The names of the members that are counters.
  let counters: Set<String>
  let types: MemberTypes
  /// Whether an empty first page is a valid list.
  let mayBeEmpty: Bool
  let mask: SecretMask
  /// The top-level member that the scanner returns with each item. `nil` if the key has several members or a path.
  let keyMember: String?
  /// Members that each item of a page gets before it is hashed and keyed: their names, and their values as JSON.
  /// Documents of the mirror already have them, so `stored(_:)` adds none.
  var addedMembers: [String: String] = [:]
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

  /// Returns the items and the claim of a page.
  /// - Throws: `SyncError` `.upstream` if the body has no list, or names an error.
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

  /// Returns the error that the body names, so that it is neither a page nor the end of a list. `nil` without such an
  /// error, and if the body is not JSON.
  func namedError(in body: [UInt8]) -> NamedError? {
    envelope(of: body).flatMap { NamedError(in: $0.body, path: resource.listPath, hasItems: $0.hasItems) }
  }

  /// Returns the body without its items, and whether it has items. `nil` if the body is not JSON that can be read.
  func envelope(of body: [UInt8]) -> (body: JSONMember, hasItems: Bool)? {
    let scanned = Result { () throws(JSONScanError) in try scan(body) }
    let envelope: [UInt8]
    var hasItems = false
    switch scanned {
    case .success(let page):
      envelope = page.envelope
      hasItems = !page.items.isEmpty
    case .failure(.noItems(let found)): envelope = found.envelope
    case .failure: return nil
    }
    return (try? JSONDecoder().decode(JSONMember.self, from: Data(envelope))).map { ($0, hasItems) }
  }

  func scan(_ body: [UInt8]) throws(JSONScanError) -> ScannedPage {
    try JSONScan.page(
      body, itemsPath: resource.selector, acceptsObject: acceptsObject, counterMembers: counters, keyMember: keyMember,
      keepsMemberNames: resource.keyAs != nil, limits: .body)
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
        throw unusable(response.body, to: request, what: "a page", because: .noItems(found))
      }
      return ([], body)
    case .failure(let error):
      throw unusable(response.body, to: request, what: "a page", because: error)
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

  /// Returns the error for a body that the scanner refuses.
  /// - Parameter what: The expected content, as in "a page".
  func unusable(
    _ body: [UInt8], to request: UpstreamRequest, what: String, because error: JSONScanError
  ) -> SyncError {
    // Half of a body is not JSON. The next attempt can get the whole body.
    let isBroken = if case .malformed = error { true } else { false }
    return AnswerFault.unusable(
      body, to: Excerpt.of(request.url), what: "a body that is not \(what) (\(error))",
      hint: "check data_selector in the declaration: syncctl source check shows what the service sends",
      isLasting: !isBroken)
  }
}
