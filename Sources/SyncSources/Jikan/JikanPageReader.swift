import Foundation
import JSONScan
import SyncCore

/// Reads the bodies of lists and of single items: the items through `JSONScan`, their fields through the wire model.
struct JikanPageReader: Sendable {
  let model: JikanModel

  private static let idMember = "mal_id"

  /// - Throws: `SyncError` when the body is no page at all.
  func page(_ body: [UInt8], request: UpstreamRequest) throws(SyncError) -> Page {
    let scanned: ScannedPage
    do {
      scanned = try JSONScan.page(
        body, itemsPath: ["data"], volatileMembers: model.counters, keyMember: Self.idMember, limits: .body)
    } catch {
      throw unusable(body, request, what: "a body that is no page (\(error))")
    }
    return Page(entries: scanned.items.map(entry), claim: claim(scanned.envelope))
  }

  /// The answer of an item's own address. Its hashes are those that the item has on a page.
  ///
  /// - Throws: `SyncError` when the body holds no item, or another one than was asked for.
  func item(_ body: [UInt8], key: Int64, request: UpstreamRequest) throws(SyncError) -> Page.Entry {
    let scanned: ScannedItem
    do {
      scanned = try JSONScan.item(
        body, itemPath: ["data"], volatileMembers: model.counters, keyMember: Self.idMember, limits: .body)
    } catch {
      throw unusable(body, request, what: "a body that is no item (\(error))")
    }
    let entry = entry(scanned)
    guard entry.key == key else {
      let found = entry.key.map { "the item \($0)" } ?? "an item without an id"
      throw unusable(body, request, what: "\(found) in place of \(key)")
    }
    return entry
  }

  /// A document that was an item once: what that item would be on a page, however PostgreSQL has written it.
  func stored(_ document: [UInt8]) -> Page.Entry {
    do {
      let scanned = try JSONScan.document(
        document, volatileMembers: model.counters, keyMember: Self.idMember, limits: .stored)
      return entry(scanned)
    } catch {
      return .rejected(RejectedItem(unreadable: document, error))
    }
  }

  private func unusable(_ body: [UInt8], _ request: UpstreamRequest, what: String) -> SyncError {
    let isHTML = AnswerFault.isHTML(body)
    return SyncError(
      .upstream, "\(request.url) answered 200 with \(isHTML ? "HTML" : what): \(Excerpt.of(body))",
      hint: isHTML
        ? "a proxy, a block or maintenance answers in place of the API; run again later"
        : "run again later; if it stays, check the base URL (syncctl config)",
      disposition: .retry(after: nil))
  }

  private func claim(_ envelope: [UInt8]) -> PageClaim {
    // Without a readable envelope the walk goes on to a 404 or an empty page; nothing is lost.
    guard let page = try? JSONDecoder().decode(JikanEnvelope.self, from: Data(envelope)).pagination else {
      return PageClaim()
    }
    return PageClaim(total: page.items?.total, lastPage: page.lastVisiblePage, hasNext: page.hasNextPage)
  }

  private func entry(_ result: ScannedItemResult) -> Page.Entry {
    switch result {
    case .bad(let item):
      return .rejected(RejectedItem(item))
    case .item(let item):
      return entry(item)
    }
  }

  private func entry(_ item: ScannedItem) -> Page.Entry {
    var key: Int64?
    do {
      let id = try id(item.key)
      key = id
      try model.check(Data(item.canonical))
      return .item(
        PageItem(
          key: id, document: item.canonical, contentHash: item.contentHash + [model.mappingVersion],
          counterHash: item.volatileHash, counters: item.volatile, isRepaired: item.repairs != Repairs()))
    } catch {
      return .rejected(RejectedItem(error, key: key, document: item.canonical))
    }
  }

  /// An id is the text of a whole number and nothing else: what reads `1e2` or `"1"` as an id may read another number
  /// as the same one.
  private func id(_ text: [UInt8]?) throws(FieldFault) -> Int64 {
    guard let text else { throw FieldFault(reason: "no_id", detail: "\(Self.idMember): missing") }
    guard let id = Int64(String(decoding: text, as: UTF8.self)), id > 0 else {
      throw FieldFault(reason: "no_id", detail: "\(Self.idMember): \(Excerpt.of(text, scalars: 40)) is not an id")
    }
    return id
  }
}
