import SyncCore

/// The values that the pages of a chain have in common with the addresses of their next pages. They show whether each
/// page continues after the key of the last item before it.
///
/// A number alone does not show it. If the ids are 1, 2, 3, … without gaps, the 25th item has the id 25, and a service
/// that counts places also continues at 25. A number therefore counts only after a value that no count of places or
/// pages can have.
struct KeyTrail: Sendable {
  private var pages = 0
  private var unmatched = 0
  /// The unmatched pages whose next address has the number of items or pages so far.
  private var counted = 0
  private var hasOnlyTexts = true
  private var lastKey: String?
  /// Whether two pages in a row have the same value, so that the next address has it for another reason.
  private var hasConstant = false
  private var columns: [Column] = []

  /// A member of the key, over all pages.
  private struct Column: Sendable {
    private var last: (value: Int, items: Int)?
    private var step: Int?
    private var hasEqualSteps = true
    private var hasEqualSurplus = true
    private var isBeyondPositions = false

    /// Whether the values are neither equally spaced nor a count of items, or no count of places can have one of them.
    var isOfKeys: Bool { isBeyondPositions || !hasEqualSteps && !hasEqualSurplus }

    /// - Parameters:
    ///   - value: `nil` for a whole number that exceeds 64 bits.
    ///   - items: The number of items so far.
    ///   - pages: The number of pages so far.
    mutating func note(_ value: Int?, items: Int, pages: Int) {
      // A service counts places from 0 or 1, and a page has at most `itemsPerPage` items.
      guard let value, value <= pages * Limits.itemsPerPage + 1, value >= last?.value ?? 0 else {
        isBeyondPositions = true
        last = value.map { ($0, items) }
        return
      }
      defer { last = (value, items) }
      guard let last else { return }
      let new = value.subtracted(last.value)
      if let step, step != new { hasEqualSteps = false }
      step = step ?? new
      if new != items - last.items { hasEqualSurplus = false }
    }
  }

  /// Whether each page that names a next page names it by its last item.
  var isByKey: Bool {
    pages > 0 && unmatched == 0 && !hasConstant && (hasOnlyTexts || columns.contains { $0.isOfKeys })
  }

  /// Whether the next addresses count items or pages, and none of them has a key.
  var countsPositions: Bool { pages > 1 && unmatched == pages && counted == pages }

  /// Notes a page that names a next page.
  /// - Parameters:
  ///   - items: The number of items so far, with this page.
  ///   - pages: The number of pages so far, with this page.
  mutating func note(_ claim: PageClaim, items: Int, pages: Int) {
    self.pages += 1
    guard let key = claim.nextKey else {
      unmatched += 1
      counted += Self.hasCount(claim.next ?? "", of: [items, items + 1, pages, pages + 1]) ? 1 : 0
      return
    }
    hasConstant = hasConstant || key == lastKey
    lastKey = key
    let numbers = key.split(separator: "\n", omittingEmptySubsequences: false).filter(Self.isNumber)
    hasOnlyTexts = hasOnlyTexts && numbers.isEmpty
    for (index, number) in numbers.enumerated() {
      if index == columns.count { columns.append(Column()) }
      columns[index].note(Int(number), items: items, pages: pages)
    }
  }

  private static func isNumber(_ text: Substring) -> Bool {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    return !digits.isEmpty && digits.allSatisfy(\.isDigit)
  }

  /// Whether a query value, a path segment or the whole text is one of the numbers.
  private static func hasCount(_ next: String, of numbers: [Int]) -> Bool {
    next.split { "/?&=#".contains($0) }.contains { part in Int(part).map(numbers.contains) ?? false }
  }
}
