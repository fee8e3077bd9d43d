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
  /// What the page may be asked for by another time.
  let validators: Validators?
  /// The page is the one that was known: nothing came but its name.
  let isConfirmed: Bool
  /// Which build of the service's data the page says it is of.
  let build: String?
  /// The memory of a large page.
  let reservation: ByteReservation?

  private init(
    content: ReceivedPage.Content, entries: [Page.Entry] = [], claim: PageClaim = PageClaim(),
    isUnavailable: Bool = false, askedAt: Duration, validators: Validators? = nil, isConfirmed: Bool = false,
    build: String? = nil, reservation: ByteReservation? = nil
  ) {
    self.build = build
    self.reservation = reservation
    self.content = content
    self.entries = entries
    self.claim = claim
    self.isUnavailable = isUnavailable
    self.askedAt = askedAt
    self.validators = validators
    self.isConfirmed = isConfirmed
  }

  static func unavailable(askedAt: Duration) -> PageContent {
    PageContent(content: .notFound, isUnavailable: true, askedAt: askedAt)
  }

  init(_ fetched: FetchedPage, askedAt: Duration, reservation: ByteReservation?) {
    switch fetched {
    case .answered(.notFound, _, _): self.init(content: .notFound, askedAt: askedAt)
    case .answered(.pageCap, _, _): self.init(content: .pageCap, askedAt: askedAt)
    case .answered(.page(let page), let validators, let build):
      // A bad item has to be told of in every walk, so its page has to come in every walk.
      let isWhole = page.entries.allSatisfy { if case .item = $0 { true } else { false } }
      self.init(
        content: .items(page.entries.map(\.key)), entries: page.entries, claim: page.claim, askedAt: askedAt,
        validators: isWhole ? validators : nil, build: build, reservation: reservation)
    case .unchanged(let known):
      self.init(
        content: .items(known.keys), claim: known.claim, askedAt: askedAt, validators: known.validators,
        isConfirmed: true)
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
    let keys: [Int64?] = if case .items(let keys) = content.content { keys } else { [] }
    // Before the machine counts this page's keys as seen. No closure may hold the machine: it would copy all its keys.
    var earlier: Set<Int64> = []
    for case let key? in keys where hasSeen(key) { earlier.insert(key) }
    let reading =
      if content.isUnavailable {
        skip(address)
      } else {
        try receive(
          ReceivedPage(address: address, content: content.content, claim: content.claim), request: request)
      }
    guard let stored = reading.stored else { return WalkedPage(step: reading.step, commit: nil) }
    let origin = content.validators.map { PageCommit.Origin(address: address, validators: $0) }
    let age: @Sendable () -> Duration = { [askedAt = content.askedAt] in clock.now() - askedAt }
    let commit =
      content.isConfirmed
      ? PageCommit(
        confirmed: keys.compactMap(\.self).dropFirst(reading.overlap), as: stored, origin: origin, known: earlier,
        counters: counters, age: age)
      : PageCommit(
        of: content.entries.dropFirst(reading.overlap), as: stored, origin: origin, known: earlier, counters: counters,
        age: age)
    return WalkedPage(step: reading.step, commit: commit)
  }
}

extension PageCommit {
  /// - Parameters:
  ///   - known: keys that earlier pages of the walk had.
  ///   - counters: as they were before the page.
  init(
    of entries: some Collection<Page.Entry>, as page: StoredPage, origin: Origin? = nil, known: Set<Int64>,
    counters: RunCounters, age: @escaping @Sendable () -> Duration
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
    self.init(page: page, origin: origin, rows: rows, rejected: rejected, counters: counters, age: age)
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
