/// What a walk can certify. Stored with its run; `runs show` puts it into words.
package struct Certificate: Sendable, Equatable, Codable {
  package enum EndedBy: String, Sendable, Codable {
    case notFound = "404"
    case emptyPage = "empty_page"
    case noNextPage = "has_next_page"
    /// Read from both ends, which have met.
    case partsMet = "parts_met"
    /// The service gave its last page again: it knows no further one.
    case echo
    /// The service gives no further page, though the list continues.
    case pageCap = "page_cap"
    /// More pages than twice the advertised number, or pages that stood before: the list does not end.
    case loop
    /// So many pages in a row were not available that the rest was not requested.
    case tooManyHoles = "too_many_holes"
    case maxPages = "max_pages"
    case interrupted
    case failed

    package var isEnd: Bool {
      switch self {
      case .notFound, .emptyPage, .noNextPage, .partsMet, .echo: true
      case .pageCap, .loop, .tooManyHoles, .maxPages, .interrupted, .failed: false
      }
    }
  }

  /// Every id that the list held throughout was seen.
  package var complete: Bool
  package var endedBy: EndedBy
  package var claimedTotal: Int?
  package var distinctKeys: Int
  /// Items whose key stood on the same page before.
  package var repeats: Int
  /// Signs that the list moved during the walk: keys that stood on an earlier page, changed totals, pages that differ
  /// when they are read again.
  package var drift: Int
  package var rewalked: Int
  /// Pages in the middle that were not available.
  package var holes: [Int]
  package var unreadable: Int
  /// Items that the list names and whose own address was not available.
  package var unavailable: [Int64]
  /// Of a long list that moved, keys that only superseded readings of their page have shown. They are published, and
  /// counted in `distinctKeys`; whether they moved or were removed is not known.
  package var unaccounted: Int
  /// Items that are on several pages now as they were at the last walk, with the same neighbours: a fault of the
  /// upstream's list, and no sign that it moved.
  package var listedTwice: Int

  package init(
    complete: Bool, endedBy: EndedBy, claimedTotal: Int?, distinctKeys: Int, repeats: Int, drift: Int, rewalked: Int,
    holes: [Int], unreadable: Int, unavailable: [Int64] = [], unaccounted: Int = 0, listedTwice: Int = 0
  ) {
    (self.listedTwice, self.unavailable, self.unaccounted) = (listedTwice, unavailable, unaccounted)
    (self.complete, self.endedBy, self.claimedTotal) = (complete, endedBy, claimedTotal)
    (self.distinctKeys, self.repeats, self.drift, self.rewalked) = (distinctKeys, repeats, drift, rewalked)
    (self.holes, self.unreadable) = (holes, unreadable)
  }

  /// Fewer items than the list claimed to have; 0 if none is missing or nothing was claimed.
  package var deficit: Int {
    // The ledger may hold any numbers; none of these is negative.
    max(0, max(0, max(0, claimedTotal ?? 0) - max(0, distinctKeys)) - max(0, repeats) - max(0, listedTwice))
  }

  /// The walk read the list to its end, and at most a few of the claimed items were not seen. What it saw is as fresh
  /// as the list, also if it cannot be proven that nothing moved past the reader.
  package var isFresh: Bool {
    if complete { return true }
    return endedBy.isEnd && endedBy != .echo && holes.isEmpty && unavailable.isEmpty
      && !ShrinkGuard.wholeList.refuses(removing: deficit, of: claimedTotal ?? 0)
  }

  /// By hand, because a key that is absent when there is no value is no stable key.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(complete, forKey: .complete)
    try container.encode(endedBy, forKey: .endedBy)
    try container.encode(claimedTotal, forKey: .claimedTotal)
    try container.encode(distinctKeys, forKey: .distinctKeys)
    try container.encode(repeats, forKey: .repeats)
    try container.encode(drift, forKey: .drift)
    try container.encode(rewalked, forKey: .rewalked)
    try container.encode(holes, forKey: .holes)
    try container.encode(unreadable, forKey: .unreadable)
    try container.encode(unavailable, forKey: .unavailable)
    try container.encode(unaccounted, forKey: .unaccounted)
    try container.encode(listedTwice, forKey: .listedTwice)
  }

  private enum CodingKeys: String, CodingKey {
    case complete
    case endedBy = "ended_by"
    case claimedTotal = "claimed_total"
    case distinctKeys = "distinct_keys"
    case repeats, drift, rewalked, holes, unreadable, unavailable, unaccounted
    case listedTwice = "listed_twice"
  }

  /// By hand, because the ledger keeps certificates of earlier versions.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    complete = try container.decode(Bool.self, forKey: .complete)
    endedBy = try container.decode(EndedBy.self, forKey: .endedBy)
    claimedTotal = try container.decodeIfPresent(Int.self, forKey: .claimedTotal)
    distinctKeys = try container.decode(Int.self, forKey: .distinctKeys)
    repeats = try container.decode(Int.self, forKey: .repeats)
    drift = try container.decode(Int.self, forKey: .drift)
    rewalked = try container.decodeIfPresent(Int.self, forKey: .rewalked) ?? 0
    holes = try container.decode([Int].self, forKey: .holes)
    unreadable = try container.decode(Int.self, forKey: .unreadable)
    unavailable = try container.decodeIfPresent([Int64].self, forKey: .unavailable) ?? []
    unaccounted = try container.decodeIfPresent(Int.self, forKey: .unaccounted) ?? 0
    listedTwice = try container.decodeIfPresent(Int.self, forKey: .listedTwice) ?? 0
  }
}
