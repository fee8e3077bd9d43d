/// Items that a list shows on several pages, each with its neighbours wherever it is.
///
/// Those of two walks are equal if the list itself has an item twice. An item that was met twice because it moved is
/// somewhere else the next time.
package typealias ListedRepeats = [Int64: [ListedPlace]]

/// A place of an item in a list, by its neighbours; nil at the ends of the list.
package struct ListedPlace: Sendable, Equatable {
  package let before: Int64?
  package let after: Int64?

  package init(before: Int64?, after: Int64?) {
    self.before = before
    self.after = after
  }
}
