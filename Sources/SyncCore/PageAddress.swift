/// Which page of a list is asked for: what goes into `page=`, `limit=` and, for a catalogue, `sort=`.
package struct PageAddress: Sendable, Hashable {
  package enum Direction: Sendable, Hashable {
    case forward
    /// The same list from its other end.
    case backward
  }

  /// From 1.
  package let page: Int
  /// Items asked for.
  package let size: Int
  package let direction: Direction

  package init(page: Int, size: Int, direction: Direction = .forward) {
    self.page = page
    self.size = size
    self.direction = direction
  }

  /// Items before the page.
  package var offset: Int { (page - 1) * size }
}
