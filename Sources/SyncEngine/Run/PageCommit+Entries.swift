import SyncCore

extension PageCommit {
  /// The changes of a page or batch that was read. If an item occurs twice, its last version is written, and the others
  /// count as duplicates.
  /// - Parameters:
  ///   - earlierKeys: The keys that earlier pages of the walk had.
  ///   - times: The request times of items that were requested one by one.
  init(
    of entries: some Collection<Page.Entry>, gone: [Int64] = [], as page: StoredPage, origin: Origin? = nil,
    earlierKeys: Set<Int64> = [], requestedAt: Duration, times: [Int64: Duration] = [:]
  ) {
    var counters = RunCounters()
    var rows: [Row] = []
    var rejected: [RejectedItem] = []
    var indexes: [Int64: Int] = [:]

    for entry in entries {
      switch entry {
      case .listed: break
      case .rejected(let item):
        rejected.append(item)
      case .item(let item):
        let row = Row(item: item, isDuplicate: earlierKeys.contains(item.key), requestedAt: times[item.key])
        if let index = indexes[item.key] {
          rows[index] = row
          counters.duplicates += 1
        } else {
          indexes[item.key] = rows.count
          rows.append(row)
        }
      }
    }

    counters.pages += page.page != nil && page.keys != nil && page.endedBy == nil ? 1 : 0
    // An item that is only listed is counted later, when its document arrives.
    counters.rowsSeen += entries.count { if case .listed = $0 { false } else { true } }
    counters.duplicates += rows.count(where: \.isDuplicate)
    counters.quarantined += rejected.count
    counters.repaired += rows.count(where: \.item.isRepaired)
    for row in rows { counters.notUnderstood.add(row.item.misfits) }

    self.init(
      page: page, origin: origin, rows: rows, rejected: rejected, gone: gone, counters: counters,
      requestedAt: requestedAt)
  }

  /// The changes of a page that the service or its body's digest confirmed: its items are in the mirror, unchanged.
  /// - Parameter earlierKeys: The keys that earlier pages of the walk had.
  init(
    confirmed keys: some Collection<Int64>, _ confirmation: FetchedPage.Confirmation, as page: StoredPage,
    origin: Origin?, earlierKeys: Set<Int64>, requestedAt: Duration
  ) {
    var counters = RunCounters()
    let new = Set(keys).subtracting(earlierKeys).count
    counters.pages += 1
    switch confirmation {
    case .notModified: counters.notModified += 1
    case .identical: counters.identical += 1
    }

    counters.rowsSeen += keys.count
    counters.duplicates += keys.count - new
    counters.unchanged += new

    self.init(
      page: page, origin: origin, rows: [], rejected: [], confirmed: Array(keys), counters: counters,
      requestedAt: requestedAt)
  }
}
