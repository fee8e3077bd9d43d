package import SyncCore

/// A page as it came, with what its commit has to know of it besides.
package struct FetchedPage: Sendable {
  package let page: Page
  /// What the page may be requested by another time; nil for one that has to come whole in every walk.
  package let validators: Validators?
  /// Which build of the service's data the page says it is of.
  package let build: String?
  /// 304: the page is the one that was known. Nothing came but its name.
  package let isConfirmed: Bool

  init(_ page: Page, validators: Validators?, build: String?) {
    // A bad item has to be told of in every walk, so its page has to come in every walk.
    let isWhole =
      if case .items(let entries, _) = page {
        entries.allSatisfy { if case .item = $0 { true } else { false } }
      } else {
        false
      }
    self.page = page
    self.validators = isWhole ? validators : nil
    self.build = build
    isConfirmed = false
  }

  init(confirmed known: KnownPage) {
    page = .items(known.keys.map { .listed($0) }, known.claim)
    validators = known.validators
    build = nil
    isConfirmed = true
  }
}

extension Walk {
  /// Runs a page through the walk and makes the commit of it: one row per key, the last of repeats.
  ///
  /// - Parameter fetched: without an answer, the page failed with all its attempts: nothing is known of it, not even
  ///   that it is not there.
  /// - Returns: the next step, and what there is to commit.
  mutating func receive(
    _ fetched: Fetcher.Outcome<FetchedPage>, at address: PageAddress, counters: RunCounters, request: UpstreamRequest,
    clock: any SyncClock
  ) throws(SyncError) -> (step: WalkStep, commit: PageCommit?) {
    let answer = fetched.answer
    let entries = answer?.page.entries ?? []
    // Before the machine counts this page's keys as seen. No closure may hold the machine: it would copy all its keys.
    var earlier: Set<Int64> = []
    for entry in entries { if let key = entry.key, hasSeen(key) { earlier.insert(key) } }
    let reading = if let answer { try receive(answer.page, at: address, request: request) } else { skip(address) }
    guard let stored = reading.stored else { return (reading.step, nil) }
    let origin = answer?.validators.map { PageCommit.Origin(address: address, validators: $0) }
    let age: @Sendable () -> Duration = { [askedAt = fetched.askedAt] in clock.now() - askedAt }
    let new = entries.dropFirst(reading.overlap)
    let commit =
      answer?.isConfirmed ?? false
      ? PageCommit(
        confirmed: new.compactMap(\.key), as: stored, origin: origin, known: earlier, counters: counters, age: age)
      : PageCommit(of: new, as: stored, origin: origin, known: earlier, counters: counters, age: age)
    return (reading.step, commit)
  }
}

extension PageCommit {
  /// - Parameters:
  ///   - gone: of lookups, the keys whose own address answered 404.
  ///   - known: keys that earlier pages of the walk had.
  ///   - counters: as they were before the page.
  init(
    of entries: some Collection<Page.Entry>, gone: [Int64] = [], as page: StoredPage, origin: Origin? = nil,
    known: Set<Int64> = [], counters: RunCounters, age: @escaping @Sendable () -> Duration
  ) {
    var counters = counters
    var rows: [Row] = []
    var rejected: [RejectedItem] = []
    var places: [Int64: Int] = [:]
    for entry in entries {
      switch entry {
      case .listed: break
      case .rejected(let item):
        rejected.append(item)
      case .item(let item):
        let row = Row(item: item, isDuplicate: known.contains(item.key))
        if let place = places[item.key] {
          rows[place] = row
          counters.duplicates += 1
        } else {
          places[item.key] = rows.count
          rows.append(row)
        }
      }
    }
    counters.pages += page.page != nil && page.keys != nil && page.endedBy == nil ? 1 : 0
    // What is only named is seen when its document comes.
    counters.rowsSeen += entries.count { if case .listed = $0 { false } else { true } }
    counters.duplicates += rows.count(where: \.isDuplicate)
    counters.quarantined += rejected.count
    counters.repaired += rows.count(where: \.item.isRepaired)
    self.init(
      page: page, origin: origin, rows: rows, rejected: rejected, gone: gone, counters: counters, age: age)
  }

  /// A page that the upstream says is still the same: its keys are seen, and their items unchanged.
  init(
    confirmed keys: some Collection<Int64>, as page: StoredPage, origin: Origin?, known: Set<Int64>,
    counters: RunCounters, age: @escaping @Sendable () -> Duration
  ) {
    var counters = counters
    let new = Set(keys).subtracting(known).count
    counters.pages += 1
    counters.notModified += 1
    counters.rowsSeen += keys.count
    counters.duplicates += keys.count - new
    counters.unchanged += new
    self.init(
      page: page, origin: origin, rows: [], rejected: [], confirmed: Array(keys), counters: counters, age: age)
  }
}
