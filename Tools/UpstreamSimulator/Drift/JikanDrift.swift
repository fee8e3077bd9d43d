/// How a list changes while it is walked, and what is wrong with its pages.
///
/// The rates of changes count for each request of a page, before it is answered: 0.1 is one change in ten requests, 2
/// are two in each. Lookups of single items change nothing.
package struct JikanDrift: Sendable, Equatable {
  /// Pages from `from` on answer with the rows of page `to` and of those after it, again and again. From 2 to 1 the
  /// service ignores the page.
  package struct Loop: Sendable, Equatable {
    package var from: Int
    package var to: Int

    package init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  package var insertions = 0.0
  package var removals = 0.0
  package var moves = 0.0
  /// Several changes may happen between two requests, so that a removal and an insertion, or two moves, may hide each
  /// other from every client that reads by page numbers. Otherwise it is one at most, and the rates together are 1 at
  /// most.
  package var isFree = false
  package var shufflesTies = false
  package var emptyPages = 0.0
  package var shortPages = 0.0
  package var loop: Loop?
  package var totalError = 0
  package var lastPageError = 0
  package var falseEnd: Int?

  package init() {}

  /// A list that changes in this share of requests: half of the changes are moves, a quarter each insertions and
  /// removals.
  package init(rate: Double) {
    insertions = rate / 4
    removals = rate / 4
    moves = rate / 2
  }
}
