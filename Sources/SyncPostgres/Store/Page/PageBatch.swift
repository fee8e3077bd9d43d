import SyncCore

/// Readings that are committed together, as one.
struct PageBatch: Sendable {
  let readings: [PageCommit]
  /// One for each item: of one that several readings have, the first, which is the one that is counted.
  let rows: [PageCommit.Row]
  /// The items of the rows. Each has the time of the last request that it answered: it is the same in all readings.
  let items: ItemList

  init(_ readings: [PageCommit], of walk: OpenWalk) {
    var times: [Int64: Int64] = [:]
    var rows: [PageCommit.Row] = []
    for reading in readings {
      for row in reading.rows {
        let time = walk.requestTime(row.requestedAt ?? reading.requestedAt)
        if times[row.item.key] == nil { rows.append(row) }
        times[row.item.key] = max(times[row.item.key] ?? time, time)
      }
    }
    self.readings = readings
    self.rows = rows
    items = PageWriter.page(rows.map(\.item), times)
  }

  var last: Int { readings.last?.page.number ?? 0 }

  /// What the readings add to the run's counters, except the outcomes of their items.
  var counters: RunCounters { readings.reduce(into: RunCounters()) { $0 += $1.counters } }
}
