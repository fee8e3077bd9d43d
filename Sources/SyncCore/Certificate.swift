/// The evidence of a walk: how it ended, and what it counted. A run stores it and shows it to the user, so its JSON
/// keys are part of the public contract (snake_case).
///
/// `complete` and `unproven` are never true together. A run that failed after its walk has neither.
package struct Certificate: Sendable, Equatable, Codable {
  /// The reason why the walk read no further page. The raw value is part of the public contract.
  package enum EndedBy: String, Sendable, Codable {
    /// A page after the last page was answered with 404.
    case notFound = "404"
    /// A page without items.
    case emptyPage = "empty_page"
    /// A page said that no page follows.
    case noNextPage = "has_next_page"
    /// All claimed items were seen, and the last page was shorter than the others. No further page was requested.
    case claimedTotal = "claimed_total"
    /// The service refused the page after the last item: it answered 400, for example, or without a list.
    case refused
    case partsMet = "parts_met"
    /// The walk has read all lists of a stream of several lists.
    case lists
    case echo
    /// The service returns no further page, although the list continues.
    case pageCap = "page_cap"
    /// The list never ends: it repeats earlier pages, or has many more pages than it advertised.
    case loop
    case tooManyHoles = "too_many_holes"
    /// The declaration says that an answer of the service is ignored, so the run proves nothing and publishes nothing.
    case ignored
    case maxPages = "max_pages"
    case interrupted
    case failed

    /// Whether the walk read to the end of the list. Other reasons stopped the walk before the end.
    package var isEnd: Bool {
      switch self {
      case .notFound, .emptyPage, .noNextPage, .claimedTotal, .refused, .partsMet, .lists, .echo: true
      case .pageCap, .loop, .tooManyHoles, .maxPages, .interrupted, .failed: false
      case .ignored: false
      }
    }
  }

  /// Why a walk that reached the end did not miss an item although the list could change between two requests. Without
  /// evidence, a removal on a page that was already read moves an unread item to that page, and nothing shows it.
  package enum Evidence: String, Sendable, Codable {
    /// The list claimed its number of items from the first page on, and the walk saw exactly this number.
    case total
    /// Each page began with an item of the page before it.
    case overlap
    /// The list has one page, and this page said so.
    case onePage = "one_page"
    /// Each page was requested by the key of the last item before it, so a removal moves no item past the walk.
    case key
    /// Each of several lists has evidence of its own, or is ignored.
    case lists
  }

  /// True if the walk saw every id that was in the list from the walk's start to its end. If the stream enumerates
  /// (`StreamDescription.enumerates`), only evidence makes a walk complete.
  package var complete: Bool
  /// True if only evidence is missing for a complete walk. Never true together with `complete`.
  package private(set) var unproven = false
  /// The reason why the walk can be complete. `nil` without evidence.
  package var evidence: Evidence?
  package var endedBy: EndedBy
  /// The number of items that the list claims to have. `nil` without a claim.
  package var claimedTotal: Int?
  /// The number of distinct keys that the walk saw.
  package var distinctKeys: Int
  /// The number of items whose key the page had already shown. A chain counts keys of all earlier pages.
  package var repeats: Int
  /// The number of signs that the list changed during the walk, for example repeated keys or a changed total.
  package var drift: Int
  /// The number of pages that were read again because the list changed during the walk.
  package var rewalked: Int
  /// The numbers of the pages that could not be read.
  package var holes: [Int]
  /// The number of items whose key cannot be read. Nothing can vanish after a walk with such items.
  package var unreadable: Int
  /// Listed items whose own address returned no document.
  package var unavailable: [Int64]
  /// The number of keys that a second reading of their page did not find. These keys are published anyway.
  package var unaccounted: Int
  /// The number of items that are on several pages, with the same neighbours as in the previous walk. Such items do
  /// not prove that the list changed.
  package var listedTwice: Int
  /// The number of items of the previous list that an unproven walk did not see although their own addresses have
  /// them. They prove that the walk missed items.
  package private(set) var missed = 0
  /// The lists of a stream that has several. `nil` in a stream of one list.
  package var lists: Lists?

  /// The number of lists of a stream by what the walk proved about them (`ListStatus`). A list that was not read to its
  /// end only counts in `total`.
  package struct Lists: Sendable, Equatable, Codable {
    package var total: Int
    package var complete: Int
    package var unproven: Int
    package var inconsistent: Int
    package var partial: Int
    package var ignored: Int
  }

  /// Creates a certificate that is not `unproven`. `holes` are page numbers, and `unavailable` are keys; the other
  /// numbers are counts. Call `requireEvidence` afterwards if the stream enumerates.
  package init(
    complete: Bool, endedBy: EndedBy, claimedTotal: Int?, distinctKeys: Int, repeats: Int, drift: Int, rewalked: Int,
    holes: [Int], unreadable: Int, unavailable: [Int64] = [], unaccounted: Int = 0, listedTwice: Int = 0,
    evidence: Evidence? = nil
  ) {
    self.evidence = evidence
    self.listedTwice = listedTwice
    self.unavailable = unavailable
    self.unaccounted = unaccounted
    self.complete = complete
    self.endedBy = endedBy
    self.claimedTotal = claimedTotal
    self.distinctKeys = distinctKeys
    self.repeats = repeats
    self.drift = drift
    self.rewalked = rewalked
    self.holes = holes
    self.unreadable = unreadable
  }

  /// The number of items that the list claimed and the walk did not see. Repeats and items listed twice count as seen,
  /// because services count them. Never negative.
  package var deficit: Int {
    // A stored certificate can contain any numbers, even negative numbers.
    max(0, max(0, max(0, claimedTotal ?? 0) - max(0, distinctKeys)) - max(0, repeats) - max(0, listedTwice))
  }

  /// Whether the walk reached the end without a sign that an item is missing.
  package var isWhole: Bool { complete || unproven }

  /// Makes a complete walk without evidence unproven, or inconsistent if it missed items.
  /// - Parameter missed: The number of items of the previous list that lookups found after the walk.
  package mutating func requireEvidence(missed: Int = 0) {
    guard complete, evidence == nil else { return }
    complete = false
    unproven = missed == 0
    self.missed = missed
  }

  /// Records that the run failed after the walk.
  package mutating func fail() {
    complete = false
    unproven = false
    endedBy = .failed
  }

  /// Whether the walk read to the end without holes, unavailable documents or a large deficit, so that the mirror
  /// counts as fresh. A fresh walk can be inconsistent. An echo is never fresh. A walk that ended at an ignored answer
  /// is fresh, because the declaration expects the answer.
  package var isFresh: Bool {
    if endedBy == .ignored { return holes.isEmpty && unavailable.isEmpty }
    if isWhole { return true }
    return endedBy.isEnd && endedBy != .echo && holes.isEmpty && unavailable.isEmpty && (lists?.partial ?? 0) == 0
      && !ShrinkGuard.wholeList.refuses(removing: deficit, of: claimedTotal ?? 0)
  }

  /// Encodes all keys, also those of `nil` values, which a synthesized encoder would omit.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(complete, forKey: .complete)
    try container.encode(unproven, forKey: .unproven)
    try container.encode(evidence, forKey: .evidence)
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
    try container.encode(missed, forKey: .missed)
    try container.encodeIfPresent(lists, forKey: .lists)
  }

  private enum CodingKeys: String, CodingKey {
    case complete, unproven, evidence, missed, lists
    case endedBy = "ended_by"
    case claimedTotal = "claimed_total"
    case distinctKeys = "distinct_keys"
    case repeats, drift, rewalked, holes, unreadable, unavailable, unaccounted
    case listedTwice = "listed_twice"
  }

  /// Decodes also a certificate of an earlier version, which lacks the newer keys.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    complete = try container.decode(Bool.self, forKey: .complete)
    unproven = try container.decodeIfPresent(Bool.self, forKey: .unproven) ?? false
    evidence = try container.decodeIfPresent(Evidence.self, forKey: .evidence)
    missed = try container.decodeIfPresent(Int.self, forKey: .missed) ?? 0
    lists = try container.decodeIfPresent(Lists.self, forKey: .lists)
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

extension Certificate {
  /// The status of a run whose walk ended with this certificate.
  package var status: RunStatus {
    switch endedBy {
    case .notFound, .emptyPage, .noNextPage, .claimedTotal, .refused, .partsMet, .lists, .echo:
      if complete { return .complete }
      if unproven { return .unproven }
      if let lists, lists.partial > 0 { return .partial }
      return holes.isEmpty && unavailable.isEmpty ? .inconsistent : .partial
    case .pageCap, .loop, .tooManyHoles, .maxPages: return .partial
    case .ignored: return .partial
    case .interrupted: return .interrupted
    case .failed: return .failed
    }
  }

  /// Whether the walk read the list to its end, or to the service's page cap, without missing pages or documents.
  package var mayPublish: Bool {
    (endedBy.isEnd || endedBy == .pageCap) && holes.isEmpty && unavailable.isEmpty
  }
}
