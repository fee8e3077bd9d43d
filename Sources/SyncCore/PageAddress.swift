/// The part of a list that a request asks for: `size` items from the position `offset`.
///
/// A service that counts pages gets `page` and `size`, so `offset` is a multiple of `size`. A service that counts
/// positions gets `offset` and `size`. The part can contain fewer items than `size`.
package struct PageAddress: Sendable, Hashable {
  /// The direction in which a walk reads. A catalogue past its page cap is read backward from its end.
  package enum Direction: Sendable, Hashable {
    case forward
    case backward
  }

  /// The number of the page, from 1. If `offset` is no multiple of `size`, the number of the page with that position.
  package let page: Int
  /// The number of requested items.
  package let size: Int
  package let direction: Direction
  /// In a chain, the address or cursor that the page before named. `nil` for page 1.
  package let next: String?
  /// The position of the first item, from 0.
  package let offset: Int
  /// The name of the list, in a stream of several lists (`StreamDescription.lists`). `nil` in a stream of one list.
  package private(set) var list: String?

  /// Creates the address of a page, for a service that counts pages, or for a chain. `page` counts from 1.
  package init(page: Int, size: Int, direction: Direction = .forward, next: String? = nil) {
    self.page = page
    self.size = size
    self.direction = direction
    self.next = next
    offset = (page - 1) * size
  }

  /// Creates the address of a part, for a service that counts positions.
  ///
  /// - Parameter offset: The position of the first item, from 0.
  package init(offset: Int, size: Int) {
    page = offset / max(size, 1) + 1
    self.size = size
    direction = .forward
    next = nil
    self.offset = offset
  }

  /// Returns the same part of another list of the stream.
  package func of(list: String?) -> PageAddress {
    var address = self
    address.list = list
    return address
  }

  /// The stored form, without the list: `12x25`, `12x25-` for `backward`, or `@280x25` for an offset that is no
  /// multiple of the size.
  package var text: String {
    if offset != (page - 1) * size { return "@\(offset)x\(size)" }
    return "\(page)x\(size)\(direction == .backward ? "-" : "")"
  }

  /// Reads the stored form. Returns `nil` for other texts.
  package init?(text: String, next: String? = nil) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    if parts[0].hasPrefix("@") {
      guard let offset = Int(parts[0].dropFirst()), offset >= 0, let size = Int(parts[1]), size > 0 else { return nil }
      self.init(offset: offset, size: size)
      return
    }
    guard let page = Int(parts[0]), page > 0 else { return nil }
    let isBackward = parts[1].hasSuffix("-")
    guard let size = Int(isBackward ? parts[1].dropLast() : parts[1]), size > 0 else { return nil }
    self.init(page: page, size: size, direction: isBackward ? .backward : .forward, next: next)
  }
}
