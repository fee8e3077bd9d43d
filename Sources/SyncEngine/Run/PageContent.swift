import SyncCore

/// An answer sorted into what the walk needs (keys) and what the store needs (rows, rejects).
struct PageContent {
  let content: ReceivedPage.Content
  let entries: [Page.Entry]
  let claim: PageClaim
  /// The page failed with all its attempts: nothing is known of it, not even that it is not there.
  let isUnavailable: Bool
  /// By the process's clock; whatever others wrote after it is newer.
  let askedAt: Duration

  private init(
    content: ReceivedPage.Content, entries: [Page.Entry] = [], claim: PageClaim = PageClaim(),
    isUnavailable: Bool = false, askedAt: Duration
  ) {
    self.content = content
    self.entries = entries
    self.claim = claim
    self.isUnavailable = isUnavailable
    self.askedAt = askedAt
  }

  static func unavailable(askedAt: Duration) -> PageContent {
    PageContent(content: .notFound, isUnavailable: true, askedAt: askedAt)
  }

  init(_ answer: PageAnswer, askedAt: Duration) {
    switch answer {
    case .notFound: self.init(content: .notFound, askedAt: askedAt)
    case .pageCap: self.init(content: .pageCap, askedAt: askedAt)
    case .page(let page):
      self.init(content: .items(page.entries.map(\.key)), entries: page.entries, claim: page.claim, askedAt: askedAt)
    }
  }
}

/// What comes of a page: the next step, and what there is to commit.
struct WalkedPage {
  let step: WalkStep
  let commit: PageCommit?
}

extension Walk {
  /// Runs a page through the walk and makes the commit of it: one row per key, the last of repeats.
  mutating func receive(
    _ content: PageContent, at address: PageAddress, counters: RunCounters, request: UpstreamRequest,
    clock: any SyncClock
  ) throws(SyncError) -> WalkedPage {
    // Before the machine counts this page's keys as seen.
    let isOld = { [self] (key: Int64) in hasSeen(key) }
    let earlier = Set(content.entries.compactMap(\.key).filter(isOld))
    let reading =
      if content.isUnavailable {
        skip(address)
      } else {
        try receive(
          ReceivedPage(address: address, content: content.content, claim: content.claim), request: request)
      }
    guard let stored = reading.stored else { return WalkedPage(step: reading.step, commit: nil) }
    let commit = PageCommit(
      of: content.entries.dropFirst(reading.overlap), as: stored, known: earlier, counters: counters
    ) { [askedAt = content.askedAt] in clock.now() - askedAt }
    return WalkedPage(step: reading.step, commit: commit)
  }
}

extension PageCommit {
  /// - Parameters:
  ///   - known: keys that earlier pages of the walk had.
  ///   - counters: as they were before the page.
  init(
    of entries: some Collection<Page.Entry>, as page: StoredPage, known: Set<Int64>, counters: RunCounters,
    age: @escaping @Sendable () -> Duration
  ) {
    var counters = counters
    var rows: [Row] = []
    var rejected: [RejectedItem] = []
    var places: [Int64: Int] = [:]
    for entry in entries {
      switch entry {
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
    counters.rowsSeen += entries.count
    counters.duplicates += rows.count(where: \.isDuplicate)
    counters.quarantined += rejected.count
    self.init(page: page, rows: rows, rejected: rejected, counters: counters, age: age)
  }
}
