import SyncCore

/// Pages of the last published walk that are close to the current page. They can be requested conditionally.
struct CachedPages: Sendable {
  private var pages: [PageAddress: CachedPage] = [:]
  /// The last reading of the published walk that was examined. `nil` if no page is left to load.
  private var last: Int?
  private(set) var isLoading = false
  /// The keys of items on pages whose commit changed the mirror. A cached page with one of these keys is requested
  /// without a condition.
  private var written: Set<Int64> = []

  /// - Parameters:
  ///   - hasBasis: Whether the pages of the last published walk can be requested conditionally.
  ///   - reading: The number of the walk's readings up to now.
  init(hasBasis: Bool, reading: Int) { last = hasBasis ? max(0, reading - Limits.cachedPages) : nil }

  /// Returns the reading after which pages must be loaded now, and notes that they are being loaded. `nil` if enough
  /// pages are loaded, or if a load is under way.
  mutating func load(at reading: Int) -> Int? {
    guard !isLoading, let last, last < reading + Limits.cachedPages / 2 else { return nil }
    isLoading = true
    return last
  }

  /// Stores pages whose load `load(at:)` requested, and drops pages far before `reading`.
  /// - Parameter last: The last examined reading. `nil` if no page is left to load.
  mutating func loaded(_ loaded: [CachedPage], last: Int?, at reading: Int) {
    isLoading = false
    // `wrote` may have disabled conditional requests while the pages were loading.
    guard self.last != nil else { return }
    pages = pages.filter { $0.value.reading >= reading - Limits.cachedPages }
    for page in loaded { pages[page.address] = page }
    self.last = last
  }

  /// Notes that the load that `load(at:)` requested failed.
  mutating func failed() { isLoading = false }

  /// Whether the page after `reading` can be a cached page that is not loaded yet.
  func isBehind(_ reading: Int) -> Bool { last.map { $0 < reading + Limits.cachedPagesAhead } ?? false }

  /// Removes and returns the page at `address`. Returns `nil` if the page is not known, or if this walk has changed or
  /// may change one of its items, except the leading items that `overlaps` says the previous page also has.
  mutating func take(_ address: PageAddress, mayWrite: (Int64) -> Bool, overlaps: (Int64) -> Bool) -> CachedPage? {
    guard let page = pages.removeValue(forKey: address) else { return nil }
    let isOverwritten = page.keys.drop(while: overlaps).contains { key in
      written.contains(key) || mayWrite(key)
    }
    return isOverwritten ? nil : page
  }

  /// Notes the keys of pages whose commit changed the mirror.
  mutating func wrote(_ keys: [Int64]) {
    if last != nil || !pages.isEmpty { written.formUnion(keys) }
    if written.count > Limits.cachedPagesChanges { (pages, last, written) = ([:], nil, []) }
  }
}
