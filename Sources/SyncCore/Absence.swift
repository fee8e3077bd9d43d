/// Defines what it means if a complete walk did not see a stored key.
package enum Absence: Sendable, Equatable {
  /// Nothing. Search results differ from call to call.
  case provesNothing
  /// The list's entry ends, but the item still exists. The guard limits how many entries can end at once.
  case endsEntry(ShrinkGuard)
  /// The item left the list because the time window moved on. All items can leave at once, so a run accepts any number
  /// of missing items, unless the window is empty or unreadable.
  case leavesWindow
  /// The item may have been removed, so its own address is requested. `publishes` is true for a list with positions.
  case questionsItem(ShrinkGuard, publishes: Bool = false)

  /// Whether a run counts the unusable items of several lists together. One bad item in a short list proves nothing.
  package var isJudgedWithOthers: Bool {
    switch self {
    case .provesNothing: true
    case .endsEntry(let rule): rule == .none
    case .leavesWindow, .questionsItem: false
    }
  }

  /// Whether a finished walk replaces a published list with positions.
  package var publishesList: Bool {
    switch self {
    case .endsEntry, .leavesWindow: true
    case .questionsItem(_, let publishes): publishes
    case .provesNothing: false
    }
  }

  /// The guard that limits missing items. `nil` if a walk can miss any number.
  package var shrinkGuard: ShrinkGuard? {
    switch self {
    case .provesNothing, .leavesWindow: nil
    case .endsEntry(let rule), .questionsItem(let rule, _): rule
    }
  }
}

/// Limits how much of a published list can disappear at once without confirmation.
package struct ShrinkGuard: Sendable, Equatable {
  /// The largest share of the published rows that can disappear, from 0 to 1.
  package let maxShare: Double
  /// Fewer missing rows than this are always accepted.
  package let minRows: Int

  /// `maxShare` is from 0 to 1. Fewer than `minRows` missing rows are always accepted.
  package init(maxShare: Double, minRows: Int) {
    self.maxShare = maxShare
    self.minRows = minRows
  }

  /// For whole lists and catalogues: refuses more than 5 % and at least 50 rows.
  package static let wholeList = ShrinkGuard(maxShare: 0.05, minRows: 50)
  /// For filtered lists: refuses more than half of the rows.
  package static let filteredList = ShrinkGuard(maxShare: 0.5, minRows: 1)

  /// Refuses nothing. It is for lists whose content can change completely, such as search results or charts.
  package static let none = ShrinkGuard(maxShare: 1, minRows: .max)

  /// Returns whether the guard stops a run that would remove `removed` of the `published` rows.
  package func refuses(removing removed: Int, of published: Int) -> Bool {
    removed >= minRows && Double(removed) > maxShare * Double(published)
  }
}
