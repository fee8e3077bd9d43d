import SyncCore

struct Paging: Equatable {
  /// From 1; nil for one that continues another.
  let page: Int?
  /// Rows per page; nil for everything on one.
  let size: Int?

  private static let terminalSize = 10
  private static let mostRows = 100_000

  /// A terminal gets pages; a pipe gets everything, unless a page or its size is given.
  init(page: Int?, size: Int?, continues: Bool = false, isTerminal: Bool) throws(SyncError) {
    if let page, !(1...Self.mostRows).contains(page) {
      throw SyncError(.usage, "--page \(page) is out of bounds", hint: "give 1 or more")
    }
    if let size, !(1...Self.mostRows).contains(size) {
      throw SyncError(.usage, "--page-size \(size) is out of bounds", hint: "give 1 to \(Self.mostRows)")
    }
    self.page = continues ? nil : page ?? 1
    self.size = size ?? (page != nil || continues || isTerminal ? Self.terminalSize : nil)
  }

  var offset: Int { ((page ?? 1) - 1) * (size ?? 0) }
  var limit: Int { size ?? Self.mostRows }

  func pages(of total: Int) -> Int {
    guard let size, total > 0 else { return 1 }
    return (total + size - 1) / size
  }

  func check(total: Int) throws(SyncError) {
    let last = pages(of: total)
    guard let page, page > last, total > 0 else { return }
    throw SyncError(
      .missing,
      "there is no page \(HumanFormat.count(page)): \(HumanFormat.counted(total, "result")) are on "
        + HumanFormat.counted(last, "page"),
      hint: "--page \(last) shows the last of them")
  }

  /// Which page it is; nil if there is no other, and for one that continues another.
  func remark(total: Int) -> String? {
    let last = pages(of: total)
    guard let page, last > 1 else { return nil }
    return "page \(HumanFormat.count(page)) of \(HumanFormat.count(last)), \(HumanFormat.counted(total, "result"))"
  }
}
