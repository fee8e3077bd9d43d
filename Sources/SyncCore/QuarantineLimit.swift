/// How many items of a list or an endpoint may be unusable. Beyond that the upstream has changed its shape, and what is
/// left is no copy of it.
package enum QuarantineLimit {
  /// More than half and at least 10; all, of fewer than 10; or more than 5 % and at least 50. Of a window, which is
  /// short and which no shrink guard protects, more than half, however few.
  package static func isExceeded(_ unusable: Int, of items: Int, isWindow: Bool = false) -> Bool {
    // No product: a service may claim any number of items.
    let isMoreThanHalf = unusable > items / 2
    if isWindow, isMoreThanHalf { return true }
    if items < 10 { return items > 0 && unusable >= items }
    return isMoreThanHalf && unusable >= 10 || unusable >= 50 && unusable > items / 20
  }

  /// Whether the limit will be exceeded at the end of a walk, though all that is left of it is usable.
  ///
  /// - Parameter claimed: how many items the list says that it has; nil, or a number that was reached, bounds nothing.
  package static func isDecided(_ unusable: Int, of items: Int, claimed: Int?) -> Bool {
    guard let claimed, claimed > items else { return false }
    return isExceeded(unusable, of: claimed)
  }
}

/// Items that were met, and how many of them could not be used.
package struct ItemTally: Sendable, Equatable {
  package var unusable = 0
  package var items = 0

  package init() {}

  package mutating func add(_ counters: RunCounters) {
    unusable += counters.quarantined
    items += counters.rowsSeen + counters.fresh
  }
}
