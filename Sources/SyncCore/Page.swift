/// The claims of a page about its list. The walk checks the claims, because they can be false.
package struct PageClaim: Sendable, Equatable {
  /// The number of items in the whole list.
  package var total: Int?
  /// The number of the last page.
  package var lastPage: Int?
  /// Whether another page follows.
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

/// The part of a list that a request asks for: `size` items from the position `offset`.
///
/// A service that counts pages gets `page` and `size`, so `offset` is a multiple of `size`. A service that counts
/// positions gets `offset` and `size`. The part can contain fewer items than `size`.
package struct PageAddress: Sendable, Hashable {
  /// The direction in which a walk reads. A catalogue past its page cap is read backward from its end.
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

  /// An address for a service that counts pages, or for a chain. `page` counts from 1.
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

/// A usable item: its document, the hashes that show whether the document has changed, and the values that fit no
/// column.
package struct PageItem: Sendable {
  /// The item's key within its stream, such as the service's numeric id.
  package let key: Int64
  /// Canonical JSON.
  package let document: [UInt8]
  /// 33 bytes: the SHA-256 of the document without its counters' values, then the mapping's version.
  package let contentHash: [UInt8]
  /// The hash of the counters; 0 without counters. Separate from the content hash, because the counters change daily.
  package let counterHash: Int64
  /// The counters as a canonical object, as in `ScannedItem.counters`.
  package let counters: [UInt8]
  /// True if a NUL, a lone surrogate or a duplicate name in the document was replaced or removed.
  package let isRepaired: Bool
  package let misfits: [Misfit]

  package init(
    key: Int64, document: [UInt8], contentHash: [UInt8], counterHash: Int64, counters: [UInt8] = Array("{}".utf8),
    isRepaired: Bool = false, misfits: [Misfit] = []
  ) {
    self.key = key
    self.document = document
    self.contentHash = contentHash
    self.counterHash = counterHash
    self.counters = counters
    self.isRepaired = isRepaired
    self.misfits = misfits
  }

  /// Returns whether both items have equal documents and equal counters, by their hashes.
  package func isSameVersion(as other: PageItem) -> Bool {
    contentHash == other.contentHash && counterHash == other.counterHash
  }

  /// Returns whether the item, which was read from a stored document, has the hash that was stored with the document.
  /// The last byte, the version of the mapping, is not compared. If the hashes differ, the document is damaged and must
  /// not get a new hash.
  package func proves(contentHash stored: [UInt8]) -> Bool {
    contentHash.dropLast().elementsEqual(stored.dropLast())
  }
}

/// An item that cannot be stored. It goes into the quarantine, which a run counts as `quarantined`.
package struct RejectedItem: Sendable, Equatable {
  /// `nil` if the id cannot be read. An item with a key counts as seen.
  package let key: Int64?
  /// One of the source's reasons, such as `wrong_type`, `no_id` or `syntax`.
  package let reason: String
  /// What is wrong with the item, in words for the user, for example with the path of the wrong member.
  package let detail: String
  /// A short text of valid UTF-8 without control characters.
  package let excerpt: String

  package init(key: Int64?, reason: String, detail: String, excerpt: String) {
    self.key = key
    self.reason = reason
    self.detail = detail
    self.excerpt = excerpt
  }
}

/// A JSON member that does not fit its column. The column is null, and the document contains the original value.
package struct Misfit: Sendable, Equatable {
  /// The member's path in the item, such as `aired.from`.
  package let path: String
  /// The beginning of the value's JSON; `missing` if the member is absent.
  package let example: String

  /// The `example` of a member that is absent.
  package static let missing = "missing"

  package init(path: String, example: String) {
    self.path = path
    self.example = example
  }
}

/// Counts misfits by path, with the first example of each path.
package struct MisfitTally: Sendable, Equatable {
  /// The misfits of one path.
  package struct Entry: Sendable, Equatable, Codable {
    package var count: Int
    package let example: String
  }

  package private(set) var paths: [String: Entry] = [:]

  package init() {}

  /// The number of misfits of all paths.
  package var count: Int { paths.values.reduce(0) { $0 + $1.count } }

  /// Counts the misfits of one item.
  package mutating func add(_ misfits: [Misfit]) {
    for misfit in misfits { paths[misfit.path, default: Entry(count: 0, example: misfit.example)].count += 1 }
  }

  /// Adds the counts. Of a path that both have, the example on the left stays.
  package static func += (sum: inout MisfitTally, other: MisfitTally) {
    sum.paths.merge(other.paths) { Entry(count: $0.count + $1.count, example: $0.example) }
  }

  /// A warning for the user that names the most frequent paths, or `nil` without misfits.
  package var sentence: String? {
    guard !paths.isEmpty else { return nil }
    let sorted = paths.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    let examples = sorted.prefix(Limits.reportedMisfits).map { path, entry in
      entry.example == Misfit.missing
        ? "\(path) (\(entry.count), \(entry.example))"
        : "\(path) (\(entry.count), e.g. \(entry.example))"
    }
    let more = sorted.count > examples.count ? ", and \(sorted.count - examples.count) more" : ""
    let members =
      count == 1
      ? "1 member was not understood, and its column is" : "\(count) members were not understood, and their columns are"
    return "\(members) null: \(examples.joined(separator: ", "))\(more)"
  }
}

/// The limit of unusable items. If it is exceeded, the upstream's format has changed, and no item can be trusted.
package enum QuarantineLimit {
  /// Returns whether too many items are unusable: all of fewer than 10 items, more than half and at least 10, or more
  /// than 5 % and at least 50.
  ///
  /// In a window, more than half unusable items always exceed the limit, because a window has no shrink guard.
  package static func isExceeded(_ unusable: Int, of items: Int, isWindow: Bool = false) -> Bool {
    // The count is divided, because a product could overflow if a service claims a very large number of items.
    let isMoreThanHalf = unusable > items / 2
    if isWindow, isMoreThanHalf { return true }
    if items < 10 { return items > 0 && unusable >= items }
    return isMoreThanHalf && unusable >= 10 || unusable >= 50 && unusable > items / 20
  }

  /// Returns whether the limit is exceeded even if all further items up to `claimed` are usable. Returns false if the
  /// list claims no more than the `items` that were already counted.
  package static func isDecided(_ unusable: Int, of items: Int, claimed: Int?) -> Bool {
    guard let claimed, claimed > items else { return false }
    return isExceeded(unusable, of: claimed)
  }
}

/// The two numbers that `QuarantineLimit` compares. `items` includes the unusable items, and documents that were too
/// young to be fetched.
package struct ItemTally: Sendable, Equatable {
  package var unusable = 0
  package var items = 0

  package init() {}

  /// Adds the items of a run or reading.
  package mutating func add(_ counters: RunCounters) {
    unusable += counters.quarantined
    items += counters.rowsSeen + counters.fresh
  }
}
