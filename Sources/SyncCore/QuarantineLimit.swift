/// The limit of unusable items. If it is exceeded, the upstream's format has changed, and no item can be trusted.
package enum QuarantineLimit {
  /// Returns whether too many items are unusable: all of fewer than 10 items, more than half and at least 10, or more
  /// than 5 % and at least 50.
  ///
  /// `items` includes the unusable items. In a window (`Absence.leavesWindow`), more than half unusable items always
  /// exceed the limit, because a window has no shrink guard.
  package static func isExceeded(_ unusable: Int, of items: Int, isWindow: Bool = false) -> Bool {
    // The count is divided, because a product could overflow if a service claims a very large number of items.
    let isMoreThanHalf = unusable > items / 2
    if isWindow, isMoreThanHalf { return true }
    if items < 10 { return items > 0 && unusable >= items }
    return isMoreThanHalf && unusable >= 10 || unusable >= 50 && unusable > items / 20
  }

  /// Returns whether the limit is exceeded even if all further items up to `claimed` are usable. Returns false if the
  /// list claims no number, or no more than the `items` that were already counted.
  package static func isDecided(_ unusable: Int, of items: Int, claimed: Int?) -> Bool {
    guard let claimed, claimed > items else { return false }
    return isExceeded(unusable, of: claimed)
  }
}

/// The two numbers that `QuarantineLimit` compares. `items` includes the unusable items, and documents that were too
/// young to be fetched.
package struct ItemTally: Sendable, Equatable {
  package var unusable = 0
  package var items = 0

  package init() {}

  /// Adds the items of a run or reading.
  package mutating func add(_ counters: RunCounters) {
    unusable += counters.quarantined
    items += counters.rowsSeen + counters.fresh
  }
}
