/// An item of a page that can be stored: checked, in canonical form, hashed.
package struct PageItem: Sendable {
  /// The part of the item's key that differs within the stream.
  package let key: Int64
  /// Canonical JSON, accepted by `jsonb`.
  package let document: [UInt8]
  /// SHA-256 over the document without its counters, and the mapping's version.
  package let contentHash: [UInt8]
  /// Over the counters alone, which move every day.
  package let counterHash: Int64
  /// The counters as a canonical JSON object.
  package let counters: [UInt8]
  /// The upstream's text held something that had to be replaced or dropped: NUL, a lone surrogate, a duplicate name.
  package let isRepaired: Bool

  package init(
    key: Int64, document: [UInt8], contentHash: [UInt8], counterHash: Int64, counters: [UInt8] = Array("{}".utf8),
    isRepaired: Bool = false
  ) {
    self.key = key
    self.document = document
    self.contentHash = contentHash
    self.counterHash = counterHash
    self.counters = counters
    self.isRepaired = isRepaired
  }
}

/// An item that cannot be stored, with the reason a person needs.
package struct RejectedItem: Sendable, Equatable {
  /// Known when the item's id could be read in spite of the fault; it then counts as seen.
  package let key: Int64?
  /// Short and stable, one of a few per source: `wrong_type`, `no_id`, `syntax`, …
  package let reason: String
  /// Where in the item, e.g. `score`, and what was found there.
  package let detail: String
  /// The item's bytes as far as a person needs them: bounded, valid UTF-8, no control characters.
  package let excerpt: String

  package init(key: Int64?, reason: String, detail: String, excerpt: String) {
    self.key = key
    self.reason = reason
    self.detail = detail
    self.excerpt = excerpt
  }
}

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

/// How the address of a page answers, as a source has read it.
package enum Page: Sendable {
  /// Every item, in the upstream's order.
  case items([Entry], PageClaim)
  /// 404: the end of the list, a hole in it, or (on page 1) an error; the walk knows which.
  case notFound
  /// The service gives no page with so high a number; the list may well go on behind it.
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

  /// What is no page of the list says nothing of it.
  package var claim: PageClaim {
    if case .items(_, let claim) = self { claim } else { PageClaim() }
  }
}

/// How the own address of an item answers.
package enum LookupAnswer: Sendable {
  case item(Page.Entry)
  /// 404: the upstream does not have the item.
  case gone
}

/// The seam to a source: a list that is read page by page.
package protocol PagedStream: Sendable {
  var description: StreamDescription { get }
  /// How single items are looked up; nil where they have no address of their own.
  var lookup: (any ItemLookup)? { get }

  func request(_ address: PageAddress) -> UpstreamRequest

  /// Reads an answer.
  ///
  /// - Throws: `SyncError` for everything that is neither a page nor "not found".
  func read(_ response: UpstreamResponse, to request: UpstreamRequest) throws -> Page
}

extension PagedStream {
  package var lookup: (any ItemLookup)? { nil }
}

/// The seam to single items of a source.
package protocol ItemLookup: Sendable {
  func request(key: Int64) -> UpstreamRequest

  /// Reads an answer.
  ///
  /// - Throws: `SyncError` for everything that is neither the item nor "not found".
  func read(_ response: UpstreamResponse, key: Int64, to request: UpstreamRequest) throws -> LookupAnswer

  /// Which build of the service's data an answer is of; nil where it does not say.
  func build(of response: UpstreamResponse) -> String?
}

extension ItemLookup {
  package func build(of response: UpstreamResponse) -> String? { nil }
}
