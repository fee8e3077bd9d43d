import SyncCore

/// Pages of the last published walk that are close to the current page. They can be requested conditionally.
struct KnownPages: Sendable {
  private var pages: [PageAddress: KnownPage] = [:]
  private var last: Int?
  private var isLoading = false
  /// The keys of items on pages whose commit changed the mirror. A known page with one of these keys is requested
  /// without a condition.
  private var written: Set<Int64> = []

  init(hasBasis: Bool, reading: Int) { last = hasBasis ? max(0, reading - Limits.knownPages) : nil }

  mutating func load(at reading: Int) -> Int? {
    guard !isLoading, let last, last < reading + Limits.knownPages / 2 else { return nil }
    isLoading = true
    return last
  }

  mutating func loaded(_ loaded: [KnownPage], last: Int?, at reading: Int) {
    isLoading = false
    // `wrote` may have disabled conditional requests while the pages were loading.
    guard self.last != nil else { return }
    pages = pages.filter { $0.value.reading >= reading - Limits.knownPages }
    for page in loaded { pages[page.address] = page }
    self.last = last
  }

  func isBehind(_ reading: Int) -> Bool { last.map { $0 < reading + Limits.knownPagesAhead } ?? false }

  /// Returns `nil` if this walk changes an item that the previous page did not contain.
  mutating func take(_ address: PageAddress, mayWrite: (Int64) -> Bool, overlaps: (Int64) -> Bool) -> KnownPage? {
    guard let page = pages.removeValue(forKey: address) else { return nil }
    let isOverwritten = page.keys.drop(while: overlaps).contains { key in
      written.contains(key) || mayWrite(key)
    }
    return isOverwritten ? nil : page
  }

  mutating func wrote(_ keys: [Int64]) {
    if last != nil || !pages.isEmpty { written.formUnion(keys) }
    if written.count > Limits.knownPagesChanges { (pages, last, written) = ([:], nil, []) }
  }
}
