import SyncCore

/// The pages of the walk published last that may be requested conditionally: a window of them that goes along.
///
/// A walk requests pages in the order of the walk before it, or nearly so. Thus a window around the same reading finds
/// them, and memory does not grow with the list. What it does not find is requested as if nothing were known.
struct KnownPages: Sendable {
  private var pages: [PageAddress: KnownPage] = [:]
  /// The last reading of the earlier walk that was looked at; nil when there are no more.
  private var last: Int?
  /// Keys of pages of this walk that came whole and changed something. A page that has such a key too may hold another
  /// version of it, which is not the one in the mirror any more, so that page has to come whole as well.
  private var written: Set<Int64> = []

  /// - Parameters:
  ///   - hasBasis: whether there is an earlier walk at all.
  ///   - reading: where this walk begins or resumes.
  init(hasBasis: Bool, reading: Int) {
    last = hasBasis ? max(0, reading - Limits.knownPages) : nil
  }

  /// Gives a page out once: what this walk reads later may overwrite what the page was known to hold.
  ///
  /// - Parameters:
  ///   - reading: where the walk is.
  ///   - mayWrite: whether a page of this walk that is not committed may write an item.
  ///   - overlaps: whether a key stands at the end of the page before, so that this page does not count for it.
  ///   - load: pages behind a reading of the earlier walk, and the last reading that was looked at.
  mutating func take(
    _ address: PageAddress, reading: Int, mayWrite: (Int64) -> Bool, overlaps: (Int64) -> Bool,
    load: (Int) async throws -> (pages: [KnownPage], last: Int?)
  ) async throws -> KnownPage? {
    while let last, last < reading + Limits.knownPages / 2 {
      let loaded = try await load(last)
      pages = pages.filter { $0.value.reading >= reading - Limits.knownPages }
      for page in loaded.pages { pages[page.address] = page }
      self.last = loaded.last
    }
    guard let page = pages.removeValue(forKey: address) else { return nil }
    let isOverwritten = page.keys.drop(while: overlaps).contains { key in
      written.contains(key) || mayWrite(key)
    }
    return isOverwritten ? nil : page
  }

  /// Pages that have such items were committed, and have changed something.
  mutating func wrote(_ keys: [Int64]) {
    // Without an earlier walk there is no page to look for.
    if last != nil || !pages.isEmpty { written.formUnion(keys) }
    // So much is new that there is little to gain, and memory to lose.
    if written.count > Limits.knownPagesChanges { self = KnownPages(hasBasis: false, reading: 0) }
  }
}
