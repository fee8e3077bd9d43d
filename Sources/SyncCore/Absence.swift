/// What a stream's list is, and so what it means that a complete walk did not meet a key that is in the mirror.
package enum Absence: Sendable, Equatable {
  /// A sample, for example a search: nothing.
  case provesNothing
  /// A ranking: the entry has left this list.
  case endsEntry(ShrinkGuard)
  /// A window of time, for example the current season: the window has moved on. All entries may leave at once, so only
  /// a window that is empty or unreadable is refused.
  case leavesWindow
  /// A catalogue: the item itself may have been removed, and its own address is requested.
  case questionsItem(ShrinkGuard)

  /// The list is short, and one of many: an unusable item of it says nothing. Those of all such lists of a run do.
  package var isJudgedWithOthers: Bool {
    switch self {
    case .provesNothing: true
    case .endsEntry(let rule): rule == .none
    case .leavesWindow, .questionsItem: false
    }
  }

  /// How much may disappear at once before a person has to look.
  package var shrinkGuard: ShrinkGuard? {
    switch self {
    case .provesNothing, .leavesWindow: nil
    case .endsEntry(let rule), .questionsItem(let rule): rule
    }
  }
}
