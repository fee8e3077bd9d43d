import SyncCore

/// Readings of a walk that are stored nowhere, which the statements about it have to be told: those of a dry run.
struct UnstoredReadings {
  /// Of its pages.
  var keys: [Int64] = []
  /// Items that would be live besides those of the mirror.
  var added = 0
  var counters = RunCounters()
  /// An item without a readable key was met.
  var hasUnreadable = false
}
