/// Each rate is the number of changes per page request. The rates sum up to at most 1.
package struct JikanDrift: Sendable, Equatable {
  package var insertions = 0.0
  package var removals = 0.0
  package var moves = 0.0
  package var totalError = 0

  package init() {}

  package init(rate: Double) {
    insertions = rate / 4
    removals = rate / 4
    moves = rate / 2
  }
}
