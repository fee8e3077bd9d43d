/// Which page of a list is requested: what goes into `page=`, `limit=` and, for a catalogue, `sort=`.
package struct PageAddress: Sendable, Hashable {
  package enum Direction: Sendable, Hashable {
    case forward
    /// The same list from its other end.
    case backward
  }

  /// From 1.
  package let page: Int
  /// Items requested.
  package let size: Int
  package let direction: Direction

  package init(page: Int, size: Int, direction: Direction = .forward) {
    self.page = page
    self.size = size
    self.direction = direction
  }

  /// As it is kept with a page: `12x25`, or `12x25-` from the other end.
  package var text: String { "\(page)x\(size)\(direction == .backward ? "-" : "")" }

  /// Nil if it is no address.
  package init?(text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let page = Int(parts[0]), page > 0 else { return nil }
    let isBackward = parts[1].hasSuffix("-")
    guard let size = Int(isBackward ? parts[1].dropLast() : parts[1]), size > 0 else { return nil }
    self.init(page: page, size: size, direction: isBackward ? .backward : .forward)
  }

  /// Items before the page.
  package var offset: Int { (page - 1) * size }
}
