import SyncCore

/// The readings that were read and are not committed yet, in order. At most one transaction is under way at a time.
struct CommitQueue: Sendable {
  /// A reading that waits for its commit or is being committed.
  private struct Entry {
    let commit: PageCommit
    let bytes: Int
    let reservation: ByteReservation?

    var keys: [Int64] { commit.origin?.cachedReading == nil ? commit.page.keys ?? [] : [] }
  }

  private var entries: [Entry] = []
  private var underWay = 0

  /// Whether the transaction that `next()` returned has no result yet.
  var isCommitting: Bool { underWay > 0 }

  /// Whether another page can be requested. The next page is expected to be as large as the last one. Otherwise, a page
  /// of 3 MiB and the body of the next one would be in memory beside the messages of the transaction.
  var hasRoom: Bool {
    guard let last = entries.last else { return true }
    let bytes = entries.reduce(0) { $0 + $1.bytes }
    return entries.count < Limits.pagesPerCommit && bytes + last.bytes <= Limits.pageBytesPerCommit
  }

  /// Whether a reading in the queue can change the item. Pages that the service confirmed change nothing.
  func mayWrite(_ key: Int64) -> Bool { entries.contains { $0.keys.contains(key) } }

  /// Adds the next reading. Its memory stays reserved until `committed` or `drop`.
  mutating func add(_ commit: PageCommit, reservation: ByteReservation?) {
    entries.append(
      Entry(commit: commit, bytes: commit.rows.reduce(0) { $0 + $1.item.document.count }, reservation: reservation))
  }

  /// Returns the pages of the next transaction. The stored rows must be the same as with one transaction per page. So a
  /// page with rejected items is the last one, and a page with another version of an item waits.
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

  /// Removes the first `count` readings after their commit, which ends the transaction that is under way.
  /// - Returns: The keys of the items that the commit can have changed.
  @discardableResult
  mutating func committed(_ count: Int) -> [Int64] {
    let keys = entries[..<count].flatMap(\.keys)
    entries[..<count].forEach { $0.reservation?.release() }
    entries.removeFirst(count)
    underWay = 0
    return keys
  }

  /// Removes all readings, for example because their commit failed.
  mutating func drop() { committed(entries.count) }
}
