/// The changes of a list while it is read.
///
/// Rates count changes per page request: 0.1 is one change in ten requests. Together they are at most 1.
package struct JikanDrift: Sendable, Equatable {
  package var insertions = 0.0
  package var removals = 0.0
  package var moves = 0.0
  /// The difference between the claimed total and the true one.
  package var totalError = 0

  package init() {}

  /// Half of the changes are moves, a quarter each insertions and removals.
  package init(rate: Double) {
    (insertions, removals, moves) = (rate / 4, rate / 4, rate / 2)
  }
}
