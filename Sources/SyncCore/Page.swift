/// The claims of a page about its list. The walk checks the claims, because they can be false.
package struct PageClaim: Sendable, Equatable {
  package var total: Int?
  package var lastPage: Int?
  package var hasNext: Bool?
  /// The next page's address or cursor, in a chain.
  package var next: String?
  /// The value that `next` has in common with the page's last item: the members of its key, one a line, or its
  /// incremental cursor. `nil` if `next` has neither.
  package var nextKey: String?
  /// A warning about the page's place in the list, for the run's report. It is not stored with the page.
  package var remark: String?
  /// The declared paths of claims that the page lacks, each with its key, such as `total_path meta.total`. They are not
  /// stored, so they are empty for a page that was not read in this run.
  package var absentPaths: Set<String> = []

  package init(
    total: Int? = nil, lastPage: Int? = nil, hasNext: Bool? = nil, next: String? = nil, nextKey: String? = nil
  ) {
    self.next = next
    self.nextKey = nextKey
    self.total = total
    self.lastPage = lastPage
    self.hasNext = hasNext
  }
}

package enum Page: Sendable {
  case items([Entry], PageClaim)
  /// The response was a 404. Depending on the walk, it is the end of the list, a hole, or (on page 1) an error.
  case notFound
  /// The page number is higher than the service allows. The list can have more pages.
  case pageCap
  /// The service refused the page, for example with the status 400, or answered without a list. Some services answer
  /// so after the end of a list. The walk throws the error if the list cannot have ended.
  case refused(SyncError)

  package enum Entry: Sendable {
    case item(PageItem)
    case rejected(RejectedItem)
    /// The page contains only the item's id. The document has its own address, or is already in the mirror.
    case listed(Int64)

    package var key: Int64? {
      switch self {
      case .item(let item): item.key
      case .rejected(let item): item.key
      case .listed(let key): key
      }
    }

    package var isItem: Bool { if case .item = self { true } else { false } }
  }

  package var entries: [Entry] {
    if case .items(let entries, _) = self { entries } else { [] }
  }

  package var keys: [Int64?] { entries.map(\.key) }

  package var claim: PageClaim {
    if case .items(_, let claim) = self { claim } else { PageClaim() }
  }
}

/// The part of a list that a request asks for: `size` items from the position `offset`.
///
/// A service that counts pages gets `page` and `size`, so `offset` is a multiple of `size`. A service that counts
/// positions gets `offset` and `size`. The part can contain fewer items than `size`.
package struct PageAddress: Sendable, Hashable {
  package enum Direction: Sendable, Hashable {
    case forward
    case backward
  }

  /// The number of the page, from 1. If `offset` is no multiple of `size`, the number of the page with that position.
  package let page: Int
  /// The number of requested items.
  package let size: Int
  package let direction: Direction
  /// In a chain, the address or cursor that the page before named. `nil` for page 1.
  package let next: String?
  /// The position of the first item, from 0.
  package let offset: Int

  package init(page: Int, size: Int, direction: Direction = .forward, next: String? = nil) {
    self.page = page
    self.size = size
    self.direction = direction
    self.next = next
    offset = (page - 1) * size
  }

  /// An address for a service that counts positions.
  ///
  /// - Parameter offset: The position of the first item, from 0.
  package init(offset: Int, size: Int) {
    page = offset / max(size, 1) + 1
    self.size = size
    direction = .forward
    next = nil
    self.offset = offset
  }

  /// The stored form: `12x25`, `12x25-` for `backward`, or `@280x25` for an offset that is no multiple of the size.
  package var text: String {
    if offset != (page - 1) * size { return "@\(offset)x\(size)" }
    return "\(page)x\(size)\(direction == .backward ? "-" : "")"
  }

  /// Reads the stored form. Returns `nil` for other texts.
  package init?(text: String, next: String? = nil) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    if parts[0].hasPrefix("@") {
      guard let offset = Int(parts[0].dropFirst()), offset >= 0, let size = Int(parts[1]), size > 0 else { return nil }
      self.init(offset: offset, size: size)
      return
    }
    guard let page = Int(parts[0]), page > 0 else { return nil }
    let isBackward = parts[1].hasSuffix("-")
    guard let size = Int(isBackward ? parts[1].dropLast() : parts[1]), size > 0 else { return nil }
    self.init(page: page, size: size, direction: isBackward ? .backward : .forward, next: next)
  }
}

package struct PageItem: Sendable {
  package let key: Int64
  /// Canonical JSON.
  package let document: [UInt8]
  /// 33 bytes: the SHA-256 of the document without its counters' values, then the mapping's version.
  package let contentHash: [UInt8]
  /// Separate from the content hash, because the counters change daily.
  package let counterHash: Int64
  package let counters: [UInt8]
  /// True if a NUL, a lone surrogate or a duplicate name in the document was replaced or removed.
  package let isRepaired: Bool
  package let misfits: [Misfit]

  package init(
    key: Int64, document: [UInt8], contentHash: [UInt8], counterHash: Int64, counters: [UInt8] = Array("{}".utf8),
    isRepaired: Bool = false, misfits: [Misfit] = []
  ) {
    (self.key, self.document, self.contentHash, self.counterHash) = (key, document, contentHash, counterHash)
    (self.counters, self.isRepaired, self.misfits) = (counters, isRepaired, misfits)
  }

  package func isSameVersion(as other: PageItem) -> Bool {
    contentHash == other.contentHash && counterHash == other.counterHash
  }

  /// Whether the item, which was read from a stored document, has the hash that was stored with the document, maybe by
  /// another version of the mapping. If not, the document is damaged and must not get a new hash.
  package func proves(contentHash stored: [UInt8]) -> Bool {
    contentHash.dropLast().elementsEqual(stored.dropLast())
  }
}

package struct RejectedItem: Sendable, Equatable {
  /// `nil` if the id cannot be read. An item with a key counts as seen.
  package let key: Int64?
  /// One of the source's reasons, such as `wrong_type`, `no_id` or `syntax`.
  package let reason: String
  package let detail: String
  /// A short text of valid UTF-8 without control characters.
  package let excerpt: String

  package init(key: Int64?, reason: String, detail: String, excerpt: String) {
    (self.key, self.reason, self.detail, self.excerpt) = (key, reason, detail, excerpt)
  }
}

/// A JSON member that does not fit its column. The column is null, and the document contains the original value.
package struct Misfit: Sendable, Equatable {
  package let path: String
  /// The beginning of the value's JSON; `missing` if the member is absent.
  package let example: String

  package static let missing = "missing"

  package init(path: String, example: String) {
    self.path = path
    self.example = example
  }
}

package struct MisfitTally: Sendable, Equatable {
  package struct Entry: Sendable, Equatable, Codable {
    package var count: Int
    package let example: String
  }

  package private(set) var paths: [String: Entry] = [:]

  package init() {}

  package var count: Int { paths.values.reduce(0) { $0 + $1.count } }

  package mutating func add(_ misfits: [Misfit]) {
    for misfit in misfits { paths[misfit.path, default: Entry(count: 0, example: misfit.example)].count += 1 }
  }

  package static func += (sum: inout MisfitTally, other: MisfitTally) {
    sum.paths.merge(other.paths) { Entry(count: $0.count + $1.count, example: $0.example) }
  }

  package var sentence: String? {
    guard !paths.isEmpty else { return nil }
    let sorted = paths.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    let told = sorted.prefix(Limits.toldMisfits).map { path, entry in
      entry.example == Misfit.missing
        ? "\(path) (\(entry.count), \(entry.example))"
        : "\(path) (\(entry.count), e.g. \(entry.example))"
    }
    let more = sorted.count > told.count ? ", and \(sorted.count - told.count) more" : ""
    let members =
      count == 1
      ? "1 member was not understood, and its column is" : "\(count) members were not understood, and their columns are"
    return "\(members) null: \(told.joined(separator: ", "))\(more)"
  }
}

/// The limit of unusable items. If it is exceeded, the upstream's format has changed, and no item can be trusted.
package enum QuarantineLimit {
  /// In a window, more than half unusable items always exceed the limit, because a window has no shrink guard.
  package static func isExceeded(_ unusable: Int, of items: Int, isWindow: Bool = false) -> Bool {
    // The count is divided, because a product could overflow if a service claims a very large number of items.
    let isMoreThanHalf = unusable > items / 2
    if isWindow, isMoreThanHalf { return true }
    if items < 10 { return items > 0 && unusable >= items }
    return isMoreThanHalf && unusable >= 10 || unusable >= 50 && unusable > items / 20
  }

  /// Whether the limit is exceeded even if all further items up to `claimed` are usable.
  package static func isDecided(_ unusable: Int, of items: Int, claimed: Int?) -> Bool {
    guard let claimed, claimed > items else { return false }
    return isExceeded(unusable, of: claimed)
  }
}

package struct ItemTally: Sendable, Equatable {
  package var unusable = 0
  package var items = 0

  package init() {}

  package mutating func add(_ counters: RunCounters) {
    unusable += counters.quarantined
    items += counters.rowsSeen + counters.fresh
  }
}
