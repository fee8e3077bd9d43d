import SyncCore

/// Consecutive readings of a walk that one transaction writes.
///
/// If several readings have an item, the item is written once: as the first reading has it, which has the same content
/// as the others, with the time of the latest request.
struct PageBatch: Sendable {
  let readings: [PageCommit]
  /// The items of all readings, each key once, in the order of the readings.
  let rows: [PageCommit.Row]
  /// The items of `rows` in the order of their keys, with the times of their requests.
  let items: ItemList
  /// The number of rows that were omitted although their readings do not know of the other reading of the item. The
  /// walk forgets the keys of a list that has ended, so an item of two lists is new in each.
  private let repeats: Int

  init(_ readings: [PageCommit], of walk: OpenWalk) {
    var times: [Int64: Int64] = [:]
    var rows: [PageCommit.Row] = []
    var repeats = 0
    for reading in readings {
      for row in reading.rows {
        let time = walk.requestTime(row.requestedAt ?? reading.requestedAt)
        if times[row.item.key] == nil {
          rows.append(row)
        } else if !row.isDuplicate {
          repeats += 1
        }
        times[row.item.key] = max(times[row.item.key] ?? time, time)
      }
    }
    self.readings = readings
    self.rows = rows
    self.repeats = repeats
    items = PageWriter.page(rows.map(\.item), times)
  }

  /// The number of the last reading; 0 without readings.
  var last: Int { readings.last?.page.number ?? 0 }

  /// The sum of the readings' counters, without the counts that the write determines.
  var counters: RunCounters {
    var sum = readings.reduce(into: RunCounters()) { $0 += $1.counters }
    sum.duplicates += repeats
    return sum
  }
}
