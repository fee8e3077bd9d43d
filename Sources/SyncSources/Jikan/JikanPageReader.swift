import Foundation
import JSONScan
import SyncCore

/// Reads the body of a list page: the items through `JSONScan`, their fields through the wire model.
struct JikanPageReader: Sendable {
  let kind: JikanKind

  /// Bump it when `write.sql` makes other columns of the same document: equal hashes would hide the change for ever.
  private static let mappingVersion: UInt8 = 1
  /// Move on every scrape; hashed apart from the document.
  private static let counters: Set<String> = [
    "score", "scored", "scored_by", "rank", "popularity", "members", "favorites",
  ]

  /// - Throws: `SyncError` when the body is no page at all.
  func page(_ body: [UInt8], request: UpstreamRequest) throws(SyncError) -> Page {
    let scanned: ScannedPage
    do {
      scanned = try JSONScan.page(
        body, itemsPath: ["data"], volatileMembers: Self.counters,
        limits: .init(depth: Limits.itemDepth, itemBytes: Limits.itemBytes, items: Limits.itemsPerPage))
    } catch {
      throw notAPage(error, body: body, request: request)
    }
    return Page(entries: scanned.items.map(entry), claim: claim(scanned.envelope))
  }

  private func notAPage(_ error: JSONScanError, body: [UInt8], request: UpstreamRequest) -> SyncError {
    // A proxy's page comes with any status, 200 included.
    let isHTML = body.first { ![0x09, 0x0A, 0x0D, 0x20].contains($0) } == UInt8(ascii: "<")
    let what = isHTML ? "answered 200 with HTML" : "answered 200 with a body that is no page (\(error))"
    return SyncError(
      .upstream, "\(request.url) \(what): \(Excerpt.of(body))",
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
      return .rejected(
        RejectedItem(
          key: nil, reason: item.reason.name, detail: "\(item.path): \(item.reason)",
          excerpt: Excerpt.of(item.excerpt)))
    case .item(let item):
      return entry(item)
    }
  }

  private func entry(_ item: ScannedItem) -> Page.Entry {
    let data = Data(item.canonical)
    do {
      let wire = try JSONDecoder().decode(JikanMedia.self, from: data)
      try wire.check(kind)
      return .item(
        PageItem(
          key: wire.malID, document: item.canonical, contentHash: item.contentHash + [Self.mappingVersion],
          counterHash: item.volatileHash))
    } catch {
      let key = (try? JSONDecoder().decode(JikanKey.self, from: data))?.malID
      let fault = FieldFault(error)
      return .rejected(
        RejectedItem(
          key: key, reason: key == nil ? "no_id" : fault.reason, detail: fault.detail,
          excerpt: Excerpt.of(item.canonical)))
    }
  }
}

extension BadItemReason {
  /// A short stable word for the quarantine.
  fileprivate var name: String {
    switch self {
    case .syntax: "syntax"
    case .depth: "depth"
    case .itemBytes, .stringBytes: "size"
    case .invalidUTF8: "invalid_utf8"
    case .numberRange: "number_range"
    }
  }
}
