import SyncCore

/// Readings that are committed together, as one.
struct PageBatch: Sendable {
  let readings: [PageCommit]
  /// One for each item: of one that several readings have, the first, which is the one that is counted.
  let rows: [PageCommit.Row]
  /// The items of the rows.
  let items: ItemList

  init(_ readings: [PageCommit]) {
    var keys: Set<Int64> = []
    self.readings = readings
    rows = readings.flatMap(\.rows).filter { keys.insert($0.item.key).inserted }
    items = PageWriter.page(rows.map(\.item))
  }

  var last: Int { readings.last?.page.number ?? 0 }

  /// What the readings add to the run's counters, except the outcomes of their items.
  var counters: RunCounters { readings.reduce(into: RunCounters()) { $0 += $1.counters } }

  /// How long ago the first of them was requested: everything written since then is newer than one of them may be.
  func age() -> Duration { readings.map { $0.age() }.max() ?? .zero }
}
