import SyncCore

/// Readings that are committed together, as one.
struct PageBatch: Sendable {
  let readings: [PageCommit]
  /// The items of all of them: of one that several have, the last.
  let items: ItemList
  /// The row of each item that is counted: of one that several have, the first.
  let rows: [PageCommit.Row]
  private let latest: [Int64: PageItem]

  init(_ readings: [PageCommit]) {
    self.readings = readings
    var latest: [Int64: PageItem] = [:]
    var rows: [PageCommit.Row] = []
    for row in readings.lazy.flatMap(\.rows) where latest.updateValue(row.item, forKey: row.item.key) == nil {
      rows.append(row)
    }
    self.rows = rows
    self.latest = latest
    items = PageWriter.page(Array(latest.values))
  }

  var last: Int { readings.last?.page.number ?? 0 }

  /// What the readings add to the run's counters, except the outcomes of their items.
  var counters: RunCounters { readings.reduce(into: RunCounters()) { $0 += $1.counters } }

  /// How long ago the first of them was requested: everything written since then is newer than one of them may be.
  func age() -> Duration { readings.map { $0.age() }.max() ?? .zero }

  /// Whether the mirror has every item of a reading as the reading has it.
  ///
  /// - Parameter others: items of which the mirror has another version than `items`.
  func isStored(_ reading: PageCommit, except others: Set<Int64>) -> Bool {
    reading.rows.lazy.map(\.item).allSatisfy { item in
      let stored = latest[item.key]
      return !others.contains(item.key) && stored?.contentHash == item.contentHash
        && stored?.counterHash == item.counterHash
    }
  }
}
