import SyncCore

/// Selects the next page to request when pages fail. A failed page is a hole only if the service as a whole works.
///
/// ```
/// page 7 fails ──▶ ask 8, 9, … until one answers, and keep that answer
///              ──▶ ask 7 again: it answers, or it is a hole
/// ```
///
/// Without the second request, a restarting service would leave a hole in every walk.
struct Frontier<Answer> {
  private var lookedPast = 0
  private(set) var held: (page: PageAddress, answer: Answer)?
  private var suspects: Set<PageAddress> = []

  enum Turn {
    case ask(ahead: Int)
    case use(Answer)
  }

  /// `position` is the first page that is not settled.
  mutating func turn(at position: PageAddress) -> Turn {
    if let held, held.page == position {
      self.held = nil
      return .use(held.answer)
    }
    // The walk will not reach the held page.
    if let held, held.page.direction != position.direction || held.page.offset < position.offset { self.held = nil }
    return .ask(ahead: lookedPast)
  }

  mutating func answered(_ answer: Answer, page: PageAddress, position: PageAddress) -> Answer? {
    lookedPast = 0
    if page == position {
      suspects.remove(page)
      return answer
    }
    held = (page, answer)
    return nil
  }

  /// Whether the page at the position is a hole: it failed again after a later page answered.
  mutating func failed(_ page: PageAddress, position: PageAddress, isOriginDown: Bool) -> Bool {
    if held != nil, page == position, suspects.remove(page) != nil { return true }
    suspects.insert(page)
    // The breaker's probe requests the first failed page.
    lookedPast = isOriginDown ? 0 : lookedPast + 1
    return false
  }
}
