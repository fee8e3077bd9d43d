/// How much of a published list may disappear at once (design: entities > 5 % and ≥ 50 rows, a filtered list > 50 %).
package struct ShrinkGuard: Sendable, Equatable {
  package let maxShare: Double
  package let minRows: Int

  package init(maxShare: Double, minRows: Int) {
    self.maxShare = maxShare
    self.minRows = minRows
  }

  package static let wholeList = ShrinkGuard(maxShare: 0.05, minRows: 50)
  package static let filteredList = ShrinkGuard(maxShare: 0.5, minRows: 1)

  /// For what may be another one every time: the answers to a question, a chart.
  package static let none = ShrinkGuard(maxShare: 1, minRows: .max)

  /// Whether a person has to look before `removed` of `published` entries go.
  package func refuses(removing removed: Int, of published: Int) -> Bool {
    removed >= minRows && Double(removed) > maxShare * Double(published)
  }
}
