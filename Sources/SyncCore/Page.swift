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

/// Which page of a list is requested: what goes into `page=`, `limit=` and, for a catalogue, `sort=`.
package struct PageAddress: Sendable, Hashable {
  package enum Direction: Sendable, Hashable {
    case forward
    /// The same list from its other end.
    case backward
  }

  /// From 1.
  package let page: Int
  /// Items requested.
  package let size: Int
  package let direction: Direction

  package init(page: Int, size: Int, direction: Direction = .forward) {
    self.page = page
    self.size = size
    self.direction = direction
  }

  /// As it is kept with a page: `12x25`, or `12x25-` from the other end.
  package var text: String { "\(page)x\(size)\(direction == .backward ? "-" : "")" }

  /// Nil if it is no address.
  package init?(text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let page = Int(parts[0]), page > 0 else { return nil }
    let isBackward = parts[1].hasSuffix("-")
    guard let size = Int(isBackward ? parts[1].dropLast() : parts[1]), size > 0 else { return nil }
    self.init(page: page, size: size, direction: isBackward ? .backward : .forward)
  }

  /// Items before the page.
  package var offset: Int { (page - 1) * size }
}

package struct PageItem: Sendable {
  /// The part of the item's key that differs within the stream.
  package let key: Int64
  /// Canonical JSON, accepted by `jsonb`.
  package let document: [UInt8]
  /// SHA-256 over the document without its counters, and the mapping's version.
  package let contentHash: [UInt8]
  /// Over the counters alone, which move every day.
  package let counterHash: Int64
  package let counters: [UInt8]
  /// The upstream's text held something that had to be replaced or dropped: NUL, a lone surrogate, a duplicate name.
  package let isRepaired: Bool
  package let misfits: [Misfit]

  package init(
    key: Int64, document: [UInt8], contentHash: [UInt8], counterHash: Int64, counters: [UInt8] = Array("{}".utf8),
    isRepaired: Bool = false, misfits: [Misfit] = []
  ) {
    (self.key, self.document, self.contentHash, self.counterHash) = (key, document, contentHash, counterHash)
    (self.counters, self.isRepaired, self.misfits) = (counters, isRepaired, misfits)
  }

  /// Whether the mirror would be the same with the other item.
  package func isSameVersion(as other: PageItem) -> Bool {
    contentHash == other.contentHash && counterHash == other.counterHash
  }
}

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
    (self.key, self.reason, self.detail, self.excerpt) = (key, reason, detail, excerpt)
  }
}

/// A member of an item that does not fit its column. The column is null, and the document has what was sent.
package struct Misfit: Sendable, Equatable {
  /// Where in the item, e.g. `aired.from`: one of the few paths that a source reads.
  package let path: String
  /// What was found there, as the beginning of its JSON; `missing` if nothing was.
  package let example: String

  package static let missing = "missing"

  package init(path: String, example: String) {
    self.path = path
    self.example = example
  }
}

/// How often each member did not fit, with one example: no more paths than a source reads, however many items.
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

/// How many items of a list or an endpoint may be unusable. Beyond that the upstream has changed its shape, and what is
/// left is no copy of it.
package enum QuarantineLimit {
  /// More than half and at least 10; all, of fewer than 10; or more than 5 % and at least 50. Of a window, which is
  /// short and which no shrink guard protects, more than half, however few.
  package static func isExceeded(_ unusable: Int, of items: Int, isWindow: Bool = false) -> Bool {
    // No product: a service may claim any number of items.
    let isMoreThanHalf = unusable > items / 2
    if isWindow, isMoreThanHalf { return true }
    if items < 10 { return items > 0 && unusable >= items }
    return isMoreThanHalf && unusable >= 10 || unusable >= 50 && unusable > items / 20
  }

  /// Whether the limit will be exceeded at the end of a walk, though all that is left of it is usable.
  ///
  /// - Parameter claimed: how many items the list says that it has; nil, or a number that was reached, bounds nothing.
  package static func isDecided(_ unusable: Int, of items: Int, claimed: Int?) -> Bool {
    guard let claimed, claimed > items else { return false }
    return isExceeded(unusable, of: claimed)
  }
}

/// Items that were met, and how many of them could not be used.
package struct ItemTally: Sendable, Equatable {
  package var unusable = 0
  package var items = 0

  package init() {}

  package mutating func add(_ counters: RunCounters) {
    unusable += counters.quarantined
    items += counters.rowsSeen + counters.fresh
  }
}
