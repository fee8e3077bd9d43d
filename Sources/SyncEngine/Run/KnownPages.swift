import SyncCore

/// The pages of the walk published last that may be requested conditionally. A walk requests pages nearly in the order
/// of the walk before it, so a window around the same reading finds them, and memory does not grow with the list.
struct KnownPages: Sendable {
  private var pages: [PageAddress: KnownPage] = [:]
  /// The last reading of the earlier walk that was looked at; nil when there are no more.
  private var last: Int?
  private var isLoading = false
  /// Keys of pages of this walk that came whole and changed something. A page that has such a key too may hold another
  /// version of it, which is not the one in the mirror any more, so that page has to come whole as well.
  private var written: Set<Int64> = []

  init(hasBasis: Bool, reading: Int) {
    last = hasBasis ? max(0, reading - Limits.knownPages) : nil
  }

  /// The reading after which more pages are to be loaded while others are fetched and committed; nil if none are.
  mutating func load(at reading: Int) -> Int? {
    guard !isLoading, let last, last < reading + Limits.knownPages / 2 else { return nil }
    isLoading = true
    return last
  }

  /// - Parameter last: the last reading that was looked at; nil when there are no more.
  mutating func loaded(_ loaded: [KnownPage], last: Int?, at reading: Int) {
    isLoading = false
    // Given up while these were loaded.
    guard self.last != nil else { return }
    pages = pages.filter { $0.value.reading >= reading - Limits.knownPages }
    for page in loaded { pages[page.address] = page }
    self.last = last
  }

  /// Whether the next page may be one that is known, but is not loaded yet.
  func isBehind(_ reading: Int) -> Bool { last.map { $0 < reading + Limits.knownPagesAhead } ?? false }

  /// Gives a page out once, because what this walk reads later may overwrite what the page was known to hold.
  /// `overlaps` tells keys at the end of the page before, for which this page does not count.
  mutating func take(
    _ address: PageAddress, mayWrite: (Int64) -> Bool, overlaps: (Int64) -> Bool
  ) -> KnownPage? {
    guard let page = pages.removeValue(forKey: address) else { return nil }
    let isOverwritten = page.keys.drop(while: overlaps).contains { key in
      written.contains(key) || mayWrite(key)
    }
    return isOverwritten ? nil : page
  }

  mutating func wrote(_ keys: [Int64]) {
    // Without an earlier walk there is no page to look for.
    if last != nil || !pages.isEmpty { written.formUnion(keys) }
    // So much is new that there is little to gain, and memory to lose.
    if written.count > Limits.knownPagesChanges { (pages, last, written) = ([:], nil, []) }
  }
}
