/// The items that are on several pages of a list, by key, with their neighbours on each page.
package typealias ListedRepeats = [Int64: [ListedNeighbors]]

/// The keys before and after an item on a page. `nil` at the page's edge.
package struct ListedNeighbors: Sendable, Equatable {
  package let before: Int64?
  package let after: Int64?

  package init(before: Int64?, after: Int64?) {
    self.before = before
    self.after = after
  }
}
