import SyncCore

struct PageBatch: Sendable {
  let readings: [PageCommit]
  let rows: [PageCommit.Row]
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

  var counters: RunCounters { readings.reduce(into: RunCounters()) { $0 += $1.counters } }
}
