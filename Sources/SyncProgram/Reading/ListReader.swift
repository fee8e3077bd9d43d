package import Foundation
import JSONScan
package import SyncCore

/// Reads items from JSON answers. `path` leads to the list or the item, and `idMember` has an item's id.
///
/// An item whose id is not a positive whole number becomes a rejected entry.
package struct ListReader: Sendable {
  let path: [String]
  let idMember: String
  /// Members that are hashed separately from the rest of the document.
  let counters: Set<String>
  /// The last byte of every content hash; see `StreamDescription.mappingVersion`.
  package let mappingVersion: UInt8
  private let types: MemberTypes
  /// Returns the claim of a page. The parameter is the page's body without the items.
  let claim: @Sendable (Data) -> PageClaim

  /// Creates a reader.
  /// - Parameters:
  ///   - path: The members from a body to its list of items, or to its single item.
  ///   - idMember: The member of an item with its id, a positive whole number.
  ///   - counters: Members of an item that change often. They are hashed separately.
  ///   - mappingVersion: The last byte of every content hash. Must equal the stream's `mappingVersion`.
  ///   - types: The types of columns. Values that do not fit are counted as misfits.
  ///   - claim: Returns the claim of a page, from the JSON of its body with an empty list in place of the items.
  package init(
    path: [String], idMember: String, counters: Set<String> = [], mappingVersion: UInt8,
    types: MemberTypes = MemberTypes(), claim: @escaping @Sendable (Data) -> PageClaim
  ) {
    self.path = path
    self.idMember = idMember
    self.counters = counters
    self.mappingVersion = mappingVersion
    self.types = types
    self.claim = claim
  }

  /// Returns the items of a page and the claim of its envelope. Unusable items are rejected entries.
  ///
  /// - Throws: `SyncError` `.upstream` with the disposition `.retry` if the body is not a page.
  package func page(_ body: [UInt8], request: UpstreamRequest) throws(SyncError) -> Page {
    let scanned = try Result { () throws(JSONScanError) in
      try JSONScan.page(
        body, itemsPath: path.map { .member($0) }, counterMembers: counters, keyMember: idMember, limits: .body)
    }.mapError { unusable(body, request, what: "a body that is not a page (\($0))") }.get()
    return .items(scanned.items.map { $0.entry(entry) }, claim(Data(scanned.envelope)))
  }

  /// Returns the item of an answer that has a single item.
  ///
  /// - Throws: `SyncError` `.upstream` with the disposition `.retry` if the body is not an item or has another id.
  package func item(_ body: [UInt8], key: Int64, request: UpstreamRequest) throws(SyncError) -> Page.Entry {
    let scanned = try Result { () throws(JSONScanError) in
      try JSONScan.item(body, itemPath: path, counterMembers: counters, keyMember: idMember, limits: .body)
    }.mapError { unusable(body, request, what: "a body that is not an item (\($0))") }.get()
    let entry = entry(scanned)
    guard entry.key == key else {
      let found = entry.key.map { "the item \($0)" } ?? "an item without an id"
      throw unusable(body, request, what: "\(found) in place of \(key)")
    }
    return entry
  }

  /// Reads an item's document from the mirror like a new one. The document is the item itself, without `path`.
  ///
  /// A document that cannot be read is a rejected entry.
  package func stored(_ document: [UInt8]) -> Page.Entry {
    .stored(document, entry) { () throws(JSONScanError) in
      try JSONScan.document(document, counterMembers: counters, keyMember: idMember, limits: .stored)
    }
  }

  private func unusable(_ body: [UInt8], _ request: UpstreamRequest, what: String) -> SyncError {
    AnswerFault.unusable(
      body, to: request.url, what: what,
      hint: "run again later; if the error persists, check the base URL (syncctl config)")
  }

  private func entry(_ item: ScannedItem) -> Page.Entry {
    do {
      let id = try id(item.key)
      let findings = types.findings(in: item.canonical)
      return .item(
        PageItem(
          key: id, document: item.canonical,
          contentHash: (findings.hasOtherAlias ? contentHash(of: item) : item.contentHash) + [mappingVersion],
          counterHash: findings.restated.isEmpty ? item.counterHash : counterHash(of: item), counters: item.counters,
          isRepaired: item.repairs != Repairs(), misfits: findings.misfits))
    } catch {
      return .rejected(RejectedItem(error, key: nil, document: item.canonical))
    }
  }

  /// Includes the aliases in the content hash. If an alias differs from the number that it repeats, only the hash shows
  /// a change, because no column stores the alias.
  private func contentHash(of item: ScannedItem) -> [UInt8] {
    let scanned = try? JSONScan.document(
      item.canonical, counterMembers: counters.subtracting(types.aliases), limits: .stored)
    return scanned?.contentHash ?? item.contentHash
  }

  private func counterHash(of item: ScannedItem) -> Int64 {
    let scanned = try? JSONScan.document(types.restated(item.counters), counterMembers: counters, limits: .stored)
    return scanned?.counterHash ?? item.counterHash
  }

  /// Accepts only a plain whole number, because `1e2` or `"1"` could be a second spelling of another item's id.
  private func id(_ text: [UInt8]?) throws(FieldFault) -> Int64 {
    guard let text else { throw FieldFault(reason: "no_id", detail: "\(idMember): missing") }
    guard let id = Int64(String(decoding: text, as: UTF8.self)), id > 0 else {
      throw FieldFault(reason: "no_id", detail: "\(idMember): \(Excerpt.of(text, scalars: 40)) is not an id")
    }
    return id
  }
}
