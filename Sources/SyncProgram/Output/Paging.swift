import SyncCore

/// Which part of an answer is printed, and what is said of the rest.
struct Paging: Equatable {
  /// From 1.
  let page: Int
  /// Rows of a page; nil for everything on one.
  let size: Int?

  private static let terminalSize = 10
  private static let mostRows = 100_000

  /// A terminal gets pages; what is piped gets everything, unless a page or its size is asked for.
  ///
  /// - Throws: `SyncError` `.usage` for a page before the first, or a size out of bounds.
  init(page: Int?, size: Int?, isTerminal: Bool) throws(SyncError) {
    if let page, !(1...Self.mostRows).contains(page) {
      throw SyncError(.usage, "--page \(page) is out of bounds", hint: "give 1 or more")
    }
    if let size, !(1...Self.mostRows).contains(size) {
      throw SyncError(.usage, "--page-size \(size) is out of bounds", hint: "give 1 to \(Self.mostRows)")
    }
    self.page = page ?? 1
    self.size = size ?? (page != nil || isTerminal ? Self.terminalSize : nil)
  }

  /// Rows that stand before it.
  var offset: Int { (page - 1) * (size ?? 0) }
  /// Rows that it has at most.
  var limit: Int { size ?? Self.mostRows }

  /// How many pages so many rows make; one even without rows.
  func pages(of total: Int) -> Int {
    guard let size, total > 0 else { return 1 }
    return (total + size - 1) / size
  }

  /// - Throws: `SyncError` `.missing` if there are rows, and none on this page.
  func check(total: Int) throws(SyncError) {
    let last = pages(of: total)
    guard page > last, total > 0 else { return }
    throw SyncError(
      .missing, "there is no page \(HumanFormat.count(page)): \(Self.results(total)) are on \(Self.pages(last))",
      hint: "--page \(last) shows the last of them")
  }

  /// What a person should know of the other pages; nil if there is no other.
  func remark(total: Int) -> String? {
    let last = pages(of: total)
    guard last > 1 else { return nil }
    let next = page < last ? "; --page \(page + 1) shows the next" : ""
    return "page \(HumanFormat.count(page)) of \(HumanFormat.count(last)), \(Self.results(total))\(next)"
  }

  private static func results(_ count: Int) -> String {
    count == 1 ? "1 result" : "\(HumanFormat.count(count)) results"
  }

  private static func pages(_ count: Int) -> String {
    count == 1 ? "1 page" : "\(HumanFormat.count(count)) pages"
  }
}
