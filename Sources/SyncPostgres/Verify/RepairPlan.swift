import SyncCore

/// The items to repair, grouped by document space, and whether the lists must be published again.
///
/// `lasting` is the number of differences that cannot be repaired; `isEmpty` and `count` ignore them. `count` is the
/// number of items.
package struct RepairPlan: Sendable {
  struct Documents: Sendable {
    var derive: Set<Int64> = []
    var fetch: Set<Int64> = []
    var recount: Set<Int64> = []
    var remove: Set<Int64> = []

    var noted: Set<Int64> { fetch.union(recount).union(remove) }
    var all: Set<Int64> { noted.union(derive) }
  }

  private(set) var documents: [DocumentSpace: Documents] = [:]
  private(set) var publishes = false
  package private(set) var lasting = 0

  mutating func add(_ difference: MirrorDifference, in space: DocumentSpace?) {
    switch (difference.remedy, difference.item, space) {
    case (.derive, let item?, let space?): documents[space, default: Documents()].derive.insert(item)
    case (.fetch, let item?, let space?): documents[space, default: Documents()].fetch.insert(item)
    case (.recount, let item?, let space?): documents[space, default: Documents()].recount.insert(item)
    case (.remove, let item?, let space?): documents[space, default: Documents()].remove.insert(item)
    case (.publish, _, _): publishes = true
    default: lasting += 1
    }
  }

  package var isEmpty: Bool { documents.isEmpty && !publishes }
  package var count: Int { documents.values.reduce(0) { $0 + $1.all.count } }
}
