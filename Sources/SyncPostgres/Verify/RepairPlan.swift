import SyncCore

/// What makes the differences of a verification right again, by document.
package struct RepairPlan: Sendable {
  /// The documents of one table and space.
  struct Documents: Sendable {
    /// Columns and derived rows are made again from documents that have their hash.
    var derive: Set<Int64> = []
    /// Documents that the next run fetches and writes, whatever hash is stored.
    var fetch: Set<Int64> = []
    /// The same for counters.
    var recount: Set<Int64> = []
    /// Documents that are missing, and whose derived rows are deleted.
    var remove: Set<Int64> = []

    /// Documents for which the next run does something.
    var noted: Set<Int64> { fetch.union(recount).union(remove) }
    var all: Set<Int64> { noted.union(derive) }
  }

  private(set) var documents: [DocumentSpace: Documents] = [:]
  /// A list is published again by the next run.
  private(set) var publishes = false
  /// Differences that nothing can repair: of the history, of the ledger.
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
  /// How many documents are touched.
  package var count: Int { documents.values.reduce(0) { $0 + $1.all.count } }
}
