/// What a page says of the list it belongs to. All of it may lie; the walk compares it with what is seen.
package struct PageClaim: Sendable, Equatable {
  package var total: Int?
  package var lastPage: Int?
  package var hasNext: Bool?

  package init(total: Int? = nil, lastPage: Int? = nil, hasNext: Bool? = nil) {
    self.total = total
    self.lastPage = lastPage
    self.hasNext = hasNext
  }
}

package enum Page: Sendable {
  case items([Entry], PageClaim)
  /// 404: the end of the list, a hole in it, or (on page 1) an error; the walk knows which.
  case notFound
  /// The service gives no page with so high a number; the list may well continue.
  case pageCap

  package enum Entry: Sendable {
    case item(PageItem)
    case rejected(RejectedItem)
    /// The item is named, and its document did not come with the page: it lies at an address of its own, or the mirror
    /// has it already.
    case listed(Int64)

    package var key: Int64? {
      switch self {
      case .item(let item): item.key
      case .rejected(let item): item.key
      case .listed(let key): key
      }
    }
  }

  package var entries: [Entry] {
    if case .items(let entries, _) = self { entries } else { [] }
  }

  /// Keys in order, repeats included; nil for an item whose key could not be read.
  package var keys: [Int64?] { entries.map(\.key) }

  package var claim: PageClaim {
    if case .items(_, let claim) = self { claim } else { PageClaim() }
  }
}
