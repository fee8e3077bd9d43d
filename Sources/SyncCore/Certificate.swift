/// What a walk can vouch for. Stored with its run; `runs show` puts it into words.
package struct Certificate: Sendable, Equatable, Codable {
  package enum EndedBy: String, Sendable, Codable {
    case notFound = "404"
    case emptyPage = "empty_page"
    case noNextPage = "has_next_page"
    /// More pages than twice the advertised number: the list does not end.
    case loop
    /// So many pages in a row could not be had that the rest was not asked for.
    case tooManyHoles = "too_many_holes"
    /// `--max-pages`.
    case maxPages = "max_pages"
    case interrupted
    case failed
  }

  /// Every id that the list held throughout was seen.
  package var complete: Bool
  package var endedBy: EndedBy
  package var claimedTotal: Int?
  package var distinctKeys: Int
  /// Items whose key stood on the same page before.
  package var repeats: Int
  /// Signs that the list moved during the walk: keys that stood on an earlier page, changed totals.
  package var drift: Int
  /// Pages in the middle that could not be had.
  package var holes: [Int]
  /// Items whose id could not be read.
  package var unreadable: Int

  package init(
    complete: Bool, endedBy: EndedBy, claimedTotal: Int?, distinctKeys: Int, repeats: Int, drift: Int, holes: [Int],
    unreadable: Int
  ) {
    self.complete = complete
    self.endedBy = endedBy
    self.claimedTotal = claimedTotal
    self.distinctKeys = distinctKeys
    self.repeats = repeats
    self.drift = drift
    self.holes = holes
    self.unreadable = unreadable
  }

  /// Fewer items than the list claimed to have; 0 if none is missing or nothing was claimed.
  package var deficit: Int {
    max(0, max(0, claimedTotal ?? 0) - distinctKeys - repeats)
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
    try container.encode(holes, forKey: .holes)
    try container.encode(unreadable, forKey: .unreadable)
  }

  private enum CodingKeys: String, CodingKey {
    case complete
    case endedBy = "ended_by"
    case claimedTotal = "claimed_total"
    case distinctKeys = "distinct_keys"
    case repeats, drift, holes, unreadable
  }
}

/// How much of a published list may disappear at once (design: entities > 5 % and ≥ 50 rows, a filtered list > 50 %).
package struct ShrinkGuard: Sendable, Equatable {
  package let maxShare: Double
  package let minRows: Int

  package init(maxShare: Double, minRows: Int) {
    self.maxShare = maxShare
    self.minRows = minRows
  }

  package static let wholeList = ShrinkGuard(maxShare: 0.05, minRows: 50)
  package static let filteredList = ShrinkGuard(maxShare: 0.5, minRows: 1)

  /// Whether a person has to look before `removed` of `published` entries go.
  package func refuses(removing removed: Int, of published: Int) -> Bool {
    removed >= minRows && Double(removed) > maxShare * Double(published)
  }
}

/// How many items of a run may be unusable before a person has to look: 500, or 5 % where that is at least 50.
/// Beyond that the upstream has changed its shape, and what is left is no copy of it.
package enum QuarantineLimit {
  package static func isExceeded(_ quarantined: Int, of rowsSeen: Int) -> Bool {
    quarantined > 500 || (quarantined >= 50 && quarantined * 20 > rowsSeen)
  }
}
