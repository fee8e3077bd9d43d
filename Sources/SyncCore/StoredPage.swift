/// A page that a walk has read. A restarted walk replays its stored pages.
package struct StoredPage: Sendable, Equatable {
  /// The reading's position within the walk, from 1.
  package let number: Int
  /// The page's number, or in a catalogue the position of its first item. `nil` for a batch of documents or lookups.
  package let page: Int?
  /// The keys in the upstream's order, with repeats. `nil` if the page is a hole.
  package let keys: [Int64]?
  /// The number of items whose keys cannot be read.
  package let unreadable: Int
  /// For each unreadable item, the number of keys before it. Positions in the published list count these items. Items
  /// that the page before has counted are omitted. Empty for catalogues and batches, which publish no positions.
  package let unreadableAfter: [Int]
  package let claim: PageClaim
  /// The reason why the walk cannot read beyond this page. `nil` if the walk can read on.
  package let endedBy: Certificate.EndedBy?
  /// In a batch of lookups, the number of found items of the previous list.
  package let missed: Int
  /// The list of the reading, in a stream of several lists. `nil` in a stream of one list, and for a batch.
  package private(set) var list: ListReading?

  /// `number` counts from 1. `keys` is `nil` for a hole, and `page` is `nil` for a batch.
  package init(
    number: Int, page: Int?, keys: [Int64]?, unreadable: Int, unreadableAfter: [Int] = [], claim: PageClaim,
    endedBy: Certificate.EndedBy? = nil, missed: Int = 0
  ) {
    self.unreadableAfter = unreadableAfter
    self.missed = missed
    self.number = number
    self.page = page
    self.keys = keys
    self.unreadable = unreadable
    self.claim = claim
    self.endedBy = endedBy
  }

  /// Returns the reading as a reading of one of several lists.
  /// - Parameters:
  ///   - number: The reading's position within the walk of all lists, from 1.
  ///   - list: `nil` returns the reading as its list counts it.
  package func numbered(_ number: Int, of list: ListReading?) -> StoredPage {
    var page = StoredPage(
      number: number, page: page, keys: keys, unreadable: unreadable, unreadableAfter: unreadableAfter, claim: claim,
      endedBy: endedBy, missed: missed)
    page.list = list
    return page
  }

  /// Creates a page from the keys of its items, and counts the unreadable items.
  /// - Parameters:
  ///   - found: The keys of all items of the page; `nil` for an unreadable item.
  ///   - overlap: The number of items at the beginning that the page before also has.
  package init(number: Int, page: Int?, found: [Int64?], overlap: Int = 0, claim: PageClaim) {
    var keys: [Int64] = []
    var unreadableAfter: [Int] = []
    for (index, key) in found.enumerated() {
      if let key {
        keys.append(key)
      } else if index >= overlap {
        unreadableAfter.append(keys.count)
      }
    }
    self.init(
      number: number, page: page, keys: keys, unreadable: found.count - keys.count, unreadableAfter: unreadableAfter,
      claim: claim)
  }
}
