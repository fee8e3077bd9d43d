import SyncCore

/// Pages that were read and whose commit is not confirmed, in the order of their readings. The writer takes all that
/// wait: at the pace of a public service one page, more where the service is faster than the database.
struct CommitQueue {
  private struct Entry {
    let commit: PageCommit
    let bytes: Int
    let reservation: ByteReservation?

    /// The items that its commit may write; none of a page that is the one that was known.
    var keys: [Int64] { commit.origin?.known == nil ? commit.page.keys ?? [] : [] }
  }

  private var entries: [Entry] = []
  /// How many of them, from the first on, are in the transaction that is under way.
  private var underWay = 0

  /// Whether one more page may be fetched: what waits for the database is bounded, and always one page at least.
  var hasRoom: Bool {
    entries.count < Limits.pagesPerCommit && entries.reduce(0) { $0 + $1.bytes } < Limits.pageBytesPerCommit
  }

  func mayWrite(_ key: Int64) -> Bool { entries.contains { $0.keys.contains(key) } }

  mutating func add(_ commit: PageCommit, reservation: ByteReservation?) {
    entries.append(
      Entry(
        commit: commit, bytes: commit.rows.reduce(0) { $0 + $1.item.document.count }, reservation: reservation))
  }

  /// The pages of the next transaction; nil while one is under way. They leave what they would leave one by one: a page
  /// with rejected items is the last, because the walk may end there, and another version of an item waits.
  mutating func next() -> [PageCommit]? {
    guard underWay == 0, !entries.isEmpty else { return nil }
    var items: [Int64: PageItem] = [:]
    for commit in entries.lazy.map(\.commit) {
      let isOther = commit.rows.lazy.map(\.item).contains { items[$0.key]?.isSameVersion(as: $0) == false }
      if isOther { break }
      for row in commit.rows { items[row.item.key] = row.item }
      underWay += 1
      if !commit.rejected.isEmpty { break }
    }
    return entries[..<underWay].map(\.commit)
  }

  /// Drops the first pages, which are committed, and returns the items that they may have written.
  @discardableResult
  mutating func committed(_ count: Int) -> [Int64] {
    let keys = entries[..<count].flatMap(\.keys)
    entries[..<count].forEach { $0.reservation?.release() }
    entries.removeFirst(count)
    underWay = 0
    return keys
  }

  mutating func drop() {
    entries.forEach { $0.reservation?.release() }
    entries = []
    underWay = 0
  }
}
