/// The changes of a list while it is read, and the errors of its pages.
///
/// Rates count changes per page request: 0.1 is one change in ten requests, 2 are two in each.
package struct JikanDrift: Sendable, Equatable {
  /// From page `from` on, the pages from `to` on repeat. With 2 and 1, the service ignores the page number.
  package struct Loop: Sendable, Equatable {
    package var from: Int
    package var to: Int

    package init(from: Int, to: Int) { (self.from, self.to) = (from, to) }
  }

  package var insertions = 0.0
  package var removals = 0.0
  package var moves = 0.0
  /// Whether several changes can happen between two requests, so that they can hide each other from clients that read
  /// by page numbers. Otherwise the sum of the rates is at most 1.
  package var isFree = false
  package var shufflesTies = false
  package var emptyPages = 0.0
  package var shortPages = 0.0
  package var loop: Loop?
  package var totalError = 0
  package var lastPageError = 0
  package var falseEnd: Int?

  package init() {}

  /// Half of the changes are moves, a quarter each insertions and removals.
  package init(rate: Double) {
    (insertions, removals, moves) = (rate / 4, rate / 4, rate / 2)
  }
}
