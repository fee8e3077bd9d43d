import SyncCore

/// Selects the next page to request after a page failed. The failed page counts as a hole only if a later page answers.
///
/// ```
/// page 7 fails ──▶ request 8, 9, … until one page answers, and keep its answer
///              ──▶ request 7 again: page 7 answers, or it is a hole
/// ```
///
/// Without the second request for page 7, a service that restarts would leave a hole in every walk. In a stream of
/// several lists, the later page can be the first page of a later list.
struct Frontier<Answer: Sendable>: Sendable {
  /// The number of pages between the walk's position and the next page to request.
  private var lookedPast = 0
  /// The answer for a page after the position.
  private(set) var held: (page: PageAddress, answer: Answer)?
  /// Whether the held page was the first page of a later list than the position's list.
  private var isHeldOfLaterList = false
  /// The pages that failed and have not answered since.
  private var suspects: Set<PageAddress> = []

  /// The next step of the walk.
  enum Turn {
    /// Request the page `ahead` pages after the position.
    case ask(ahead: Int)
    case use(Answer)
  }

  /// Returns the page to request, or the held answer if the walk has arrived at its page.
  mutating func turn(at position: PageAddress) -> Turn {
    if let held, held.page == position {
      self.held = nil
      return .use(held.answer)
    }
    if let held, !isAhead(held.page, of: position) { self.held = nil }
    return .ask(ahead: lookedPast)
  }

  /// Whether the walk can still arrive at the held page. It cannot if it has passed the page, changed direction, or
  /// left the page's list.
  private func isAhead(_ held: PageAddress, of position: PageAddress) -> Bool {
    if isHeldOfLaterList { return held.list != position.list }
    return held.list == position.list && held.direction == position.direction && held.offset >= position.offset
  }

  /// Returns the answer if `page` is at the walk's position. Otherwise, holds the answer and returns `nil`.
  mutating func answered(_ answer: Answer, page: PageAddress, position: PageAddress) -> Answer? {
    lookedPast = 0
    if page == position {
      suspects.remove(page)
      // The walk reads the rest of this list first, and an answer for the next list would be old by then.
      if isHeldOfLaterList { held = nil }
      return answer
    }
    held = (page, answer)
    isHeldOfLaterList = page.list != position.list
    return nil
  }

  /// Drops a held page of the position's list that is not at the position.
  mutating func dropAnswers(behind position: PageAddress) {
    if let held, held.page.list == position.list, held.page != position { self.held = nil }
  }

  /// Returns true if `page` is a hole: it is at `position`, it failed before, and it failed again after a later page
  /// answered.
  mutating func failed(_ page: PageAddress, position: PageAddress, isOriginDown: Bool) -> Bool {
    if held != nil, page == position, suspects.remove(page) != nil { return true }
    suspects.insert(page)
    // If the origin is down, the breaker's probe must request the page at `position`.
    lookedPast = isOriginDown ? 0 : lookedPast + 1
    return false
  }
}
