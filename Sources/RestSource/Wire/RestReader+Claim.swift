import Foundation
import JSONScan
import SyncCore

extension RestReader {
  /// Returns what the page says about the list: its number of items, and whether and where it continues.
  /// - Throws: `SyncError` if the member for the next page has neither a next page nor a sign of the end.
  func claim(_ body: JSONMember, _ items: [ScannedItemResult]) throws(SyncError) -> PageClaim {
    var claim = PageClaim(total: resource.total.flatMap { body.at($0)?.number })
    claim.absentPaths = absentPaths(of: body, isWhole: mayBeEmpty || claim.total.map { $0 <= items.count } ?? false)

    switch resource.paginator {
    case .pageNumber(let pages):
      claim.lastPage = pages.total.flatMap { body.at($0)?.number }
      claim.hasNext = pages.hasMore.flatMap { body.at($0)?.isTrue }
    case .offset(let places):
      claim.total = claim.total ?? places.total.flatMap { body.at($0)?.number }
      claim.hasNext = places.hasMore.flatMap { body.at($0)?.isTrue }
    case .jsonLink, .headerLink, .cursor, .lastItem:
      claim.hasNext = resource.chain.hasMore.flatMap { body.at($0)?.isTrue }
    case .single: break
    }

    // The last page of some services names a next page, although another member says that the list ends.
    if claim.hasNext != false { claim.next = try next(body, items) }
    return claim
  }

  /// Returns the link or cursor of the next page that the body contains.
  private func next(_ body: JSONMember, _ items: [ScannedItemResult]) throws(SyncError) -> String? {
    switch resource.paginator {
    case .jsonLink(let path), .cursor(let path, _):
      switch body.at(path) {
      case .object?, .array?, .other?, .bool(true)?:
        throw SyncError(
          .upstream, "the member \(Excerpt.of(path.joined(separator: "."))) of the page names no next page",
          hint: "check paginator in the declaration")
      case let member: return member?.text
      }
    case .lastItem(let path, _):
      guard let last = items.last else { return nil }
      return try cursor(in: last, at: path)
    case .pageNumber, .offset, .headerLink, .single: return nil
    }
  }

  /// Returns a member of the last item, which the request of the next page needs.
  private func cursor(in lastItem: ScannedItemResult, at path: [String]) throws(SyncError) -> String {
    if case .item(let item) = lastItem,
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

  /// Returns a warning if the page that the declaration requests first does not look like the first page of the list.
  func remark(_ signs: PageSigns) -> String? {
    let evidence: String?
    let key: String
    switch resource.paginator {
    case .pageNumber(let pages):
      evidence = signs.evidenceOfEarlierPages(base: pages.base, isOffset: false)
      key = "base_page"
    case .offset(let places):
      evidence = signs.evidenceOfEarlierPages(base: places.base, isOffset: true)
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
}
