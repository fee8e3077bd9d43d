import SyncCore

/// An answer sorted into what the walk needs (keys) and what the store needs (rows, rejects).
struct PageContent {
  /// In the upstream's order, repeats included; nil for a 404.
  let keys: [Int64]?
  let entries: [Page.Entry]
  let claim: PageClaim
  /// The page failed with all its attempts: nothing is known of it, not even that it is not there.
  let isUnavailable: Bool

  static let unavailable = PageContent()

  private init() {
    keys = nil
    entries = []
    claim = PageClaim()
    isUnavailable = true
  }

  init(_ answer: PageAnswer) {
    isUnavailable = false
    switch answer {
    case .notFound:
      keys = nil
      entries = []
      claim = PageClaim()
    case .page(let page):
      keys = page.entries.compactMap(\.key)
      entries = page.entries
      claim = page.claim
    }
  }

  var unreadable: Int { entries.count { $0.key == nil } }
}

extension Walk {
  struct Received {
    let step: Step
    let commit: PageCommit?
  }

  /// Runs a page through the walk and makes the commit of it: one row per key, the last of repeats.
  mutating func receive(
    page number: Int, content: PageContent, counters: inout RunCounters, request: UpstreamRequest
  ) throws(SyncError) -> Received {
    // Before the machine counts this page's keys as seen.
    let isOld = { [self] (key: Int64) in hasSeen(key) }
    let earlier = Set((content.keys ?? []).filter(isOld))
    let reading =
      if content.isUnavailable {
        skip(page: number)
      } else {
        try receive(
          page: number, keys: content.keys, unreadable: content.unreadable, claim: content.claim, request: request)
      }
    guard let stored = reading.stored else { return Received(step: reading.step, commit: nil) }

    var rows: [PageCommit.Row] = []
    var rejected: [RejectedItem] = []
    var places: [Int64: Int] = [:]
    for entry in content.entries {
      switch entry {
      case .rejected(let item):
        rejected.append(item)
      case .item(let item):
        let row = PageCommit.Row(item: item, isDuplicate: earlier.contains(item.key))
        if let place = places[item.key] {
          rows[place] = row
          counters.duplicates += 1
        } else {
          places[item.key] = rows.count
          rows.append(row)
        }
      }
    }
    counters.pages += stored.keys == nil ? 0 : 1
    counters.rowsSeen += content.entries.count
    counters.duplicates += rows.count(where: \.isDuplicate)
    counters.quarantined += rejected.count
    return Received(
      step: reading.step, commit: PageCommit(page: stored, rows: rows, rejected: rejected, counters: counters))
  }
}
