/// The response to a request for a page of a list, as a stream's `read` classifies it. Each walk decides what a case
/// means at its place in the list.
package enum Page: Sendable {
  case items([Entry], PageClaim)
  /// The response was a 404. Depending on the walk, it is the end of the list, a hole, or (on page 1) an error.
  case notFound
  /// The page number is higher than the service allows. The list can have more pages.
  case pageCap
  /// The service refused the page, for example with the status 400, or answered without a list. Some services answer
  /// so after the end of a list. The walk throws the error if the list cannot have ended.
  case refused(SyncError)
  /// The declaration says that the response is ignored. Each walk ends here, and publishes nothing.
  case ignored

  /// An item of a page in the upstream's order.
  package enum Entry: Sendable {
    case item(PageItem)
    case rejected(RejectedItem)
    /// The page contains only the item's id. The document has its own address, or is already in the mirror.
    case listed(Int64)

    /// The item's key. `nil` for a rejected item whose key cannot be read.
    package var key: Int64? {
      switch self {
      case .item(let item): item.key
      case .rejected(let item): item.key
      case .listed(let key): key
      }
    }

    package var isItem: Bool { if case .item = self { true } else { false } }
  }

  /// The items in the upstream's order. Empty unless the page has items.
  package var entries: [Entry] {
    if case .items(let entries, _) = self { entries } else { [] }
  }

  /// The keys of `entries`; `nil` for an item whose key cannot be read.
  package var keys: [Int64?] { entries.map(\.key) }

  /// The page's claims. Empty unless the page has items.
  package var claim: PageClaim {
    if case .items(_, let claim) = self { claim } else { PageClaim() }
  }
}
