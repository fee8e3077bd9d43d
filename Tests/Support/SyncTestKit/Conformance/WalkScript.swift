import SyncCore

struct WalkScript {
  let store: any WalkStore
  let stream: StreamDescription
  let test: WalkStoreUnderTest
  let open: OpenWalk
  private(set) var readings: [StoredPage]
  private(set) var counters = RunCounters()
  private var seen: Set<Int64> = []

  init(_ store: any WalkStore, _ stream: StreamDescription, _ test: WalkStoreUnderTest, _ open: OpenWalk) {
    self.store = store
    self.stream = stream
    self.test = test
    self.open = open
    readings = open.pages
  }

  init(
    _ store: any WalkStore, _ stream: StreamDescription, _ test: WalkStoreUnderTest, fresh: Bool = false
  ) async throws {
    self.init(store, stream, test, try await store.open(stream, fresh: fresh))
  }

  mutating func commit(
    _ keys: [Int64], versions: [Int64: Int] = [:], rejected: [RejectedItem] = [], claim: PageClaim = PageClaim(),
    etag: String? = nil
  ) async throws {
    try await commit([page(nil, keys, versions: versions, rejected: rejected, claim: claim, etag: etag)])
  }

  /// - Parameter number: `nil` for the page after the last committed page.
  mutating func page(
    _ number: Int?, _ keys: [Int64], versions: [Int64: Int] = [:], rejected: [RejectedItem] = [],
    claim: PageClaim = PageClaim(), etag: String? = nil
  ) -> PageCommit {
    let number = number ?? readings.count + 1
    let page = StoredPage(
      number: number, page: number, keys: keys + rejected.compactMap(\.key),
      unreadable: rejected.count { $0.key == nil }, claim: claim)
    return reading(page, keys, versions: versions, rejected: rejected, etag: etag)
  }

  mutating func commit(_ page: StoredPage, _ keys: [Int64] = [], gone: [Int64] = []) async throws {
    try await commit([reading(page, keys, gone: gone)])
  }

  mutating func commit(_ pages: [PageCommit]) async throws {
    counters += try await store.commit(pages, after: counters, of: open, stream: stream).counters
    readings += pages.map(\.page)
  }

  private mutating func reading(
    _ page: StoredPage, _ keys: [Int64], versions: [Int64: Int] = [:], rejected: [RejectedItem] = [],
    gone: [Int64] = [], etag: String? = nil
  ) -> PageCommit {
    var added = RunCounters()
    let rows = Set(keys).sorted().map { key in
      PageCommit.Row(item: test.item(stream, key, versions[key] ?? 0), isDuplicate: seen.contains(key))
    }
    added.pages += page.page == nil ? 0 : 1
    added.rowsSeen += keys.count + rejected.count
    added.duplicates += rows.count(where: \.isDuplicate) + keys.count - rows.count
    added.quarantined += rejected.count
    let origin = Validators(etag: etag, lastModified: nil).map {
      PageCommit.Origin(
        address: PageAddress(page: page.number, size: stream.pageSize, next: readings.last?.claim.next), validators: $0)
    }
    seen.formUnion(keys)
    return PageCommit(
      page: page, origin: origin, rows: rows, rejected: rejected, gone: gone, counters: added, requestedAt: .zero)
  }

  mutating func confirm(_ known: CachedPage) async throws {
    let number = readings.count + 1
    let page = StoredPage(number: number, page: number, keys: known.keys, unreadable: 0, claim: known.claim)
    var added = RunCounters()
    added.pages = 1
    added.notModified = 1
    added.rowsSeen = known.keys.count
    added.unchanged = known.keys.count
    try await commit([
      PageCommit(
        page: page,
        origin: PageCommit.Origin(address: known.address, validators: known.validators, cachedReading: known.reading),
        rows: [], rejected: [], confirmed: known.keys, counters: added, requestedAt: .zero)
    ])
  }

  /// - Parameter committed: The number of readings that the run believes to be committed.
  func finish(
    _ status: RunStatus = .complete, committed: Int? = nil, error: SyncError? = nil
  ) async throws -> RunReport {
    let isComplete = status == .complete
    let certificate = Certificate(
      complete: isComplete, endedBy: isComplete ? .noNextPage : .interrupted, claimedTotal: nil,
      distinctKeys: seen.count, repeats: 0, drift: 0, rewalked: 0, holes: [], unreadable: 0)
    return try await store.finish(
      open, stream: stream,
      ending: WalkEnding(
        status: status, certificate: certificate, counters: counters, error: error,
        readings: committed ?? readings.count, publishes: isComplete, isResumable: status == .interrupted))
  }
}
