package import SyncCore

package struct WalkStoreUnderTest: Sendable {
  package struct Parts: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The store keeps writes, and protects them with a lease and a fence. The store of a dry run does not.
    package static let writes = Parts(rawValue: 1)
    package static let cachedPages = Parts(rawValue: 2)
    package static let guards = Parts(rawValue: 4)
    package static let documents = Parts(rawValue: 8)
    package static let lists = Parts(rawValue: 16)
  }

  package let store: any WalkStore
  /// The store of a second process for the same mirror. If `store` is for a dry run, `other` has written the mirror's
  /// data.
  package let other: any WalkStore
  package let parts: Parts
  package let list: StreamDescription
  package let catalogue: StreamDescription
  package let documents: StreamDescription
  /// Returns a valid item. Each version has a different document.
  package let item: @Sendable (_ stream: StreamDescription, _ key: Int64, _ version: Int) -> PageItem
  package let expireLeases: @Sendable () async throws -> Void

  package init(
    _ store: any WalkStore, other: any WalkStore, parts: Parts, list: StreamDescription,
    catalogue: StreamDescription, documents: StreamDescription,
    item: @escaping @Sendable (_ stream: StreamDescription, _ key: Int64, _ version: Int) -> PageItem,
    expireLeases: @escaping @Sendable () async throws -> Void
  ) {
    self.store = store
    self.other = other
    self.parts = parts
    self.list = list
    self.catalogue = catalogue
    self.documents = documents
    self.item = item
    self.expireLeases = expireLeases
  }
}

/// Each check needs an empty mirror.
package enum WalkStoreConformance: CaseIterable, Sendable {
  case beginning, resuming, otherPageSize, ending, batch
  case lease, fence, gap, lostReadings
  case cachedPages, confirmedPages
  case missingItems, vanishing, guardedCatalogue, guardedList, nothingToConfirm
  case freshDocuments
  case lists, cachedPagesOfLists, itemOfTwoLists

  package static func checks(for parts: WalkStoreUnderTest.Parts) -> [WalkStoreConformance] {
    allCases.filter { parts.isSuperset(of: $0.parts) }
  }

  private var parts: WalkStoreUnderTest.Parts {
    switch self {
    case .beginning, .resuming, .otherPageSize, .ending, .batch: []
    case .lease, .fence, .gap, .lostReadings: .writes
    case .cachedPages: .cachedPages
    case .confirmedPages: [.cachedPages, .writes]
    case .missingItems, .guardedCatalogue, .nothingToConfirm: .guards
    case .vanishing, .guardedList: [.guards, .writes]
    case .freshDocuments: .documents
    case .lists: .lists
    case .cachedPagesOfLists: [.lists, .cachedPages]
    case .itemOfTwoLists: [.lists, .writes]
    }
  }

  package func run(_ test: WalkStoreUnderTest) async throws {
    switch self {
    case .beginning: try await beginning(test)
    case .resuming: try await resuming(test)
    case .otherPageSize: try await otherPageSize(test)
    case .ending: try await ending(test)
    case .batch: try await batch(test)
    case .lease: try await lease(test)
    case .fence: try await fence(test)
    case .gap: try await gap(test)
    case .lostReadings: try await lostReadings(test)
    case .cachedPages: try await cachedPages(test)
    case .confirmedPages: try await confirmedPages(test)
    case .missingItems: try await missingItems(test)
    case .vanishing: try await vanishing(test)
    case .guardedCatalogue: try await guardedCatalogue(test)
    case .guardedList: try await guardedList(test)
    case .nothingToConfirm: try await nothingToConfirm(test)
    case .freshDocuments: try await freshDocuments(test)
    case .lists: try await lists(test)
    case .cachedPagesOfLists: try await cachedPagesOfLists(test)
    case .itemOfTwoLists: try await itemOfTwoLists(test)
    }
  }

  private func beginning(_ test: WalkStoreUnderTest) async throws {
    let open = try await test.store.open(test.list, fresh: false)
    try promise(open.pages, [], "a stream that never ran has nothing to resume")
    try promise(!open.isConfirmed && !open.isFull && open.basis == nil, "nothing is known of it: \(open)")
  }

  private func resuming(_ test: WalkStoreUnderTest) async throws {
    var first = try await WalkScript(test.other, test.list, test, fresh: true)
    let claim = PageClaim(total: 9, lastPage: 3, hasNext: true, next: "second")
    try await first.commit([3, 1, 3], claim: claim)
    try await first.commit(StoredPage(number: 2, page: 2, keys: nil, unreadable: 0, claim: PageClaim()))
    try await first.commit(StoredPage(number: 3, page: 2, keys: [], unreadable: 1, claim: claim, endedBy: .emptyPage))
    try await first.commit(StoredPage(number: 4, page: nil, keys: [5], unreadable: 0, claim: PageClaim()), [5])
    _ = try await first.finish(.interrupted)

    let again = try await test.store.open(test.list, fresh: false)
    try promise(again.pages, first.readings, "a walk is resumed with its readings as they were committed")
    try promise(again.walkID, first.open.walkID, "it is the same walk")
    try promise(again.runID != first.open.runID, "each run has an id of its own")
    try promise(again.isFull, "a walk that was begun to request everything still does")
    guard test.parts.contains(.writes) else { return }
    var script = WalkScript(test.store, test.list, test, again)
    try await script.commit([7])
    _ = try await script.finish(.interrupted)

    let fresh = try await test.other.open(test.list, fresh: true)
    try promise(fresh.pages, [], "a walk from scratch resumes nothing")
    try promise(fresh.walkID != again.walkID, "it is another walk")
    try promise(fresh.isFull, "it requests everything")
  }

  private func otherPageSize(_ test: WalkStoreUnderTest) async throws {
    var first = try await WalkScript(test.other, test.list, test)
    try await first.commit([1, 2])
    _ = try await first.finish(.interrupted)
    let list = test.list
    let other = StreamDescription(
      id: list.id, provider: list.provider, origin: list.origin, pageSize: list.pageSize + 1, method: list.method,
      absence: list.absence, sql: list.sql, mappingVersion: list.mappingVersion)
    let open = try await test.store.open(other, fresh: false)
    try promise(open.pages, [], "pages of another size do not continue a walk")
  }

  private func ending(_ test: WalkStoreUnderTest) async throws {
    var first = try await WalkScript(test.other, test.list, test)
    try await first.commit([1, 2])
    _ = try await first.finish()
    var next = try await WalkScript(test.store, test.list, test)
    try promise(next.open.pages, [], "a walk that has ended is not resumed")
    try await next.commit([1, 2])
    let report = try await next.finish()
    try promise(report.id, next.open.runID, "the report is the run's")
    try promise(report.status, .complete, "the status is the ending's")
    try promise(report.counters, next.counters, "the counters are those of the last commit")
    try promise(report.error == nil, "nothing went wrong: \(String(describing: report.error))")
  }

  private func batch(_ test: WalkStoreUnderTest) async throws {
    var first = try await WalkScript(test.other, test.list, test)
    try await first.commit([1, 2, 3])
    _ = try await first.finish()

    var next = try await WalkScript(test.store, test.list, test)
    let hole = PageCommit(
      page: StoredPage(number: 3, page: 3, keys: nil, unreadable: 0, claim: PageClaim()), rows: [], rejected: [],
      counters: RunCounters(), requestedAt: .zero)
    let bad = RejectedItem(key: 5, reason: "wrong_type", detail: "title: 5", excerpt: "{}")
    try await next.commit([
      next.page(1, [1, 2, 4], versions: [2: 1], etag: "a"), next.page(2, [4, 3], etag: "b"), hole,
      next.page(4, [6], rejected: [bad]),
    ])
    let counters = next.counters
    try promise(counters.inserted, 2, "an item that the mirror lacks is inserted once")
    try promise(counters.updated, 1, "an item that differs is updated")
    try promise(counters.unchanged, 2, "an item that is the same is unchanged")
    try promise(counters.duplicates, 1, "an item of an earlier page is a duplicate and has no other outcome")
    try promise(counters.quarantined, 1, "what the source rejected stays counted")
    try promise(counters.rowsSeen, 7, "what the caller counted stays as it was")
    try promise(counters.pages, 3, "what the caller counted stays as it was")
    try await next.commit([next.page(5, [3], versions: [3: 1]), next.page(6, [7], etag: "c")])
    try promise(next.counters.duplicates, 2, "an item of an earlier commit is a duplicate, too")
    try promise(next.counters.inserted, 3, "commits follow each other")
    guard test.parts.contains(.writes) else { return }
    _ = try await next.finish(.interrupted)
    let again = try await test.other.open(test.list, fresh: false)
    try promise(again.pages, next.readings, "a walk is resumed with its readings as they were committed")
    guard test.parts.contains(.cachedPages) else { return }
    _ = try await WalkScript(test.other, test.list, test, again).finish()
    let open = try await test.store.open(test.list, fresh: false)
    let cached = try await test.store.cachedPages(in: open, stream: test.list, after: 0, limit: 10).pages
    // Page 5 has stored a new version of item 3. Page 2 contains item 3 too, so page 2 is not a known page.
    try promise(cached.map(\.reading), [1, 6], "known are the pages that the mirror has as they were")
  }

  private func lease(_ test: WalkStoreUnderTest) async throws {
    let walk = try await WalkScript(test.store, test.list, test)
    let error = try await thrown(SyncError.self) { _ = try await test.other.open(test.list, fresh: false) }
    try promise(error?.code, .leaseHeld, "a stream that another process runs is not opened")
    try await test.store.renew(walk.open, stream: test.list)
    _ = try await walk.finish()
    let open = try await test.other.open(test.list, fresh: false)
    try promise(open.generation != walk.open.generation, "the fence tells every holder from the one before")
  }

  private func fence(_ test: WalkStoreUnderTest) async throws {
    var old = try await WalkScript(test.store, test.list, test)
    try await old.commit([1])
    try await test.expireLeases()
    var new = try await WalkScript(test.other, test.list, test)
    try promise(new.open.pages, old.readings, "whoever takes over resumes the walk")
    let before = old
    try await promiseFenced("a page") { try await old.commit([2]) }
    try await promiseFenced("a heartbeat") { try await test.store.renew(before.open, stream: test.list) }
    try await promiseFenced("an ending") { _ = try await before.finish() }
    try await test.other.renew(new.open, stream: test.list)
    try await new.commit([3])
    try promise(new.counters.inserted, 1, "the new holder writes")
    _ = try await new.finish(.interrupted)
    let last = try await test.store.open(test.list, fresh: false)
    try promise(last.pages, new.readings, "only the new holder's pages are there")
  }

  private func promiseFenced(_ what: String, _ body: () async throws -> Void) async throws {
    let error = try await thrown(SyncError.self, by: body)
    try promise(error?.code, .tryLater, "\(what) of a process that has lost its lease is refused")
  }

  private func gap(_ test: WalkStoreUnderTest) async throws {
    var walk = try await WalkScript(test.store, test.list, test)
    try await walk.commit([1])
    let later = StoredPage(number: 3, page: 3, keys: [3], unreadable: 0, claim: PageClaim())
    let error = try await thrown(SyncError.self) { try await walk.commit(later, [3]) }
    try promise(error?.code, .tryLater, "a page is committed only on top of the page before it")
    let batch = [walk.page(3, [3]), walk.page(4, [4])]
    let ofBatch = try await thrown(SyncError.self) { try await walk.commit(batch) }
    try promise(ofBatch?.code, .tryLater, "so are pages that are committed together")
    _ = try await walk.finish(.interrupted)
    let open = try await test.store.open(test.list, fresh: false)
    try promise(open.pages, walk.readings, "nothing of it was written")
  }

  private func lostReadings(_ test: WalkStoreUnderTest) async throws {
    var walk = try await WalkScript(test.store, test.list, test)
    try await walk.commit([1])
    let report = try await walk.finish(committed: 2)
    try promise(report.status, .failed, "a walk of which the database has lost a reading is not published")
    try promise(report.error?.code, .tryLater, "it is a matter for the next run")
    let open = try await test.store.open(test.list, fresh: false)
    try promise(open.pages, walk.readings, "which resumes it")
    try promise(open.basis == nil, "nothing was published")
  }

  private func cachedPages(_ test: WalkStoreUnderTest) async throws {
    var first = try await WalkScript(test.other, test.list, test)
    let claim = PageClaim(total: 5, lastPage: 3, hasNext: true)
    try await first.commit([1, 2], claim: claim, etag: "a")
    try await first.commit([3], claim: PageClaim(next: "third"), etag: nil)
    try await first.commit([4], etag: "c")
    try await first.commit([5], etag: "d")
    _ = try await first.finish()
    var second = try await WalkScript(test.other, test.list, test)
    try await second.commit([5], versions: [5: 1])
    _ = try await second.finish(.partial)

    let open = try await test.store.open(test.list, fresh: false)
    func cached(after reading: Int, limit: Int) async throws -> (pages: [CachedPage], last: Int?) {
      try await test.store.cachedPages(in: open, stream: test.list, after: reading, limit: limit)
    }
    let all = try await cached(after: 0, limit: 10)
    try promise(
      all.pages.map(\.reading), [1, 3], "known are the pages published last that have validators and are unchanged")
    try promise(all.last, 4, "the last reading that was looked at is told")
    let page = try required(all.pages.first)
    try promise(page.keys, [1, 2], "a known page has its keys")
    try promise(page.claim, claim, "and its claim")
    try promise(page.validators?.etag, "a", "and its validators")
    let size = test.list.pageSize
    try promise(
      all.pages.map(\.address), [PageAddress(page: 1, size: size), PageAddress(page: 3, size: size, next: "third")],
      "and its address, as the page before named it")
    let rest = try await cached(after: 1, limit: 2)
    try promise(rest.pages.map(\.reading), [3], "pages up to a reading are passed over")
    try promise(rest.last, 3, "no more readings are looked at than the limit says")
    try promise(try await cached(after: 4, limit: 2).last == nil, "after the last reading there is none")
    guard test.parts.contains(.writes) else { return }
    let script = WalkScript(test.store, test.list, test, open)
    _ = try await script.finish(.partial)
    let full = try await test.store.open(test.list, fresh: true)
    try promise(full.basis == nil, "a walk from scratch requests no page conditionally")
  }

  private func required(_ page: CachedPage?) throws(ConformanceFailure) -> CachedPage {
    guard let page else { throw ConformanceFailure(description: "no page is known") }
    return page
  }

  private func confirmedPages(_ test: WalkStoreUnderTest) async throws {
    var first = try await WalkScript(test.store, test.list, test)
    try await first.commit([1, 2], etag: "a")
    _ = try await first.finish()
    var second = try await WalkScript(test.store, test.list, test)
    let cached = try await test.store.cachedPages(in: second.open, stream: test.list, after: 0, limit: 10).pages
    try await second.confirm(required(cached.first))
    try promise(second.counters.unchanged, 2, "what the caller counted stays as it was")
    _ = try await second.finish()
    let third = try await test.store.open(test.list, fresh: false)
    let again = try await test.store.cachedPages(in: third, stream: test.list, after: 0, limit: 10).pages
    try promise(again.map(\.keys), [[1, 2]], "a page that was confirmed is known to the next walk")
    try promise(again.first?.validators?.etag, "a", "with its validators")
  }

  private func missingItems(_ test: WalkStoreUnderTest) async throws {
    var first = try await WalkScript(test.other, test.catalogue, test)
    try await first.commit([5, 1, 6, 2])
    _ = try await first.finish()
    var next = try await WalkScript(test.store, test.catalogue, test)
    try await next.commit([1, 2, 3])
    let missing = try await test.store.missing(in: next.open, stream: test.catalogue).map(\.key)
    try promise(missing, [5, 6], "live items that the walk has not met are missing, in the order of keys")
    let stored = StoredPage(number: 2, page: nil, keys: [5], unreadable: 0, claim: PageClaim())
    try await next.commit(stored, [5], gone: [6])
    try promise(next.counters.vanished, 1, "an item whose own address says 404 vanishes")
  }

  private func vanishing(_ test: WalkStoreUnderTest) async throws {
    var first = try await WalkScript(test.store, test.catalogue, test)
    try await first.commit([1, 2])
    let lookups = StoredPage(number: 2, page: nil, keys: [], unreadable: 0, claim: PageClaim())
    try await first.commit(lookups, gone: [2])
    _ = try await first.finish()
    var second = try await WalkScript(test.store, test.catalogue, test)
    try await second.commit([1])
    let missing = try await test.store.missing(in: second.open, stream: test.catalogue).map(\.key)
    try promise(missing, [], "what has vanished is missing no more")
    _ = try await second.finish()
    var third = try await WalkScript(test.store, test.catalogue, test)
    try await third.commit([1, 2])
    try promise(third.counters.updated, 1, "an item that returns is live again, which is a change")
    _ = try await third.finish()
    var fourth = try await WalkScript(test.store, test.catalogue, test)
    try await fourth.commit([1])
    let again = try await test.store.missing(in: fourth.open, stream: test.catalogue).map(\.key)
    try promise(again, [2], "and may be missing again")
  }

  private func guardedCatalogue(_ test: WalkStoreUnderTest) async throws {
    var first = try await WalkScript(test.other, test.catalogue, test)
    try await first.commit(Array(1...100))
    _ = try await first.finish()
    var next = try await WalkScript(test.store, test.catalogue, test)
    try await next.commit(Array(1...40))
    let error = try await thrown(SyncError.self) {
      _ = try await test.store.missing(in: next.open, stream: test.catalogue)
    }
    try promise(error?.code, .guarded, "more missing items than the guard allows stop the run")
    guard test.parts.contains(.writes) else { return }
    let report = try await next.finish(.failed, error: error)
    try promise(report.error?.code, .guarded, "which its report says")
    let fresh = try await WalkScript(test.store, test.catalogue, test)
    try promise(fresh.open.pages, [], "and which no other run resumes by itself")
    _ = try await fresh.finish(.interrupted)

    let confirmed = try await test.store.open(test.catalogue, fresh: false, confirming: report.id)
    try promise(confirmed.isConfirmed, "a person may confirm it")
    try promise(confirmed.walkID, next.open.walkID, "then its walk is resumed")
    try promise(confirmed.pages, next.readings, "with its readings")
    let missing = try await test.store.missing(in: confirmed, stream: test.catalogue).map(\.key)
    try promise(missing, Array(41...100), "and the guard lets it pass")
  }

  private func guardedList(_ test: WalkStoreUnderTest) async throws {
    var first = try await WalkScript(test.store, test.list, test)
    try await first.commit(Array(1...100), etag: "a")
    _ = try await first.finish()
    var next = try await WalkScript(test.store, test.list, test)
    try await next.commit(Array(1...40), etag: "b")
    let report = try await next.finish()
    try promise(report.status, .failed, "a list that would lose more than the guard allows is not published")
    try promise(report.error?.code, .guarded, "the guard stops it")
    if test.parts.contains(.cachedPages) {
      let open = try await WalkScript(test.store, test.list, test)
      let cached = try await test.store.cachedPages(in: open.open, stream: test.list, after: 0, limit: 10).pages
      try promise(cached.map(\.keys.count), [100], "what was published stays")
      _ = try await open.finish(.interrupted)
    }
    let open = try await test.store.open(test.list, fresh: false, confirming: report.id)
    let confirmed = try await WalkScript(test.store, test.list, test, open).finish()
    try promise(confirmed.status, .complete, "a person may confirm it")
  }

  private func nothingToConfirm(_ test: WalkStoreUnderTest) async throws {
    var walk = try await WalkScript(test.other, test.catalogue, test)
    try await walk.commit([1])
    let report = try await walk.finish()
    for (id, code) in [(report.id, SyncError.Code.usage), ("00000000-no-run", .missing)] {
      let error = try await thrown(SyncError.self) {
        _ = try await test.store.open(test.catalogue, fresh: false, confirming: id)
      }
      try promise(error?.code, code, "a run that no guard has stopped cannot be confirmed")
    }
    let open = try await test.store.open(test.catalogue, fresh: false)
    try promise(!open.isConfirmed, "and the stream is free")
  }

  private func freshDocuments(_ test: WalkStoreUnderTest) async throws {
    var first = try await WalkScript(test.other, test.documents, test)
    try await first.commit(StoredPage(number: 1, page: 1, keys: [1, 2, 3], unreadable: 0, claim: PageClaim(total: 3)))
    try await first.commit(StoredPage(number: 2, page: nil, keys: [1, 2], unreadable: 0, claim: PageClaim()), [1, 2])
    _ = try await first.finish(.partial)
    let open = try await test.store.open(test.documents, fresh: false)
    let fresh = try await test.store.fresh([1, 2, 3, 4], in: open, stream: test.documents)
    try promise(fresh, [1, 2], "fresh are the documents that an earlier walk has had within their time to live")
  }
}
