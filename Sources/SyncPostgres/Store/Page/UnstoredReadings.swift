import SyncCore

struct UnstoredReadings {
  var keys: [Int64] = []
  var added = 0
  var counters = RunCounters()
  var hasUnreadable = false
  var claimedTotal: Int?
  /// The detail of an item that the dry run would reject. `nil` if it would reject none.
  var rejection: String?
}
