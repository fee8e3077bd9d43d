import SyncCore

/// The counts of a run, which each of its stages continues: pages, documents, lookups.
struct RunTally: Sendable {
  /// The counters of this run. They include requests whose answers were not used, but no uncommitted items.
  private(set) var counters = RunCounters()
  /// The number of committed readings of the walk, with the readings of earlier runs.
  private(set) var committed: Int
  /// The pages, holes and batches of this run. `maxPages` limits them. Pages that were fetched ahead do not count.
  private(set) var settled = 0
  /// Whether the service has answered a request of this run.
  private(set) var hasAnswer = false
  private let maxPages: Int?

  /// - Parameters:
  ///   - committed: The number of readings that earlier runs of the walk committed.
  ///   - maxPages: The limit of `settled`. `nil` means no limit.
  init(committed: Int, maxPages: Int?) {
    self.committed = committed
    self.maxPages = maxPages
  }

  /// The number of pages and batches that this run can still settle. `nil` means no limit.
  var room: Int? { maxPages.map { max(0, $0 - settled) } }

  /// Whether `maxPages` allows no further page or batch.
  var isAtLimit: Bool { room == 0 }

  /// Adds the cost of a request, also of a failed request.
  mutating func add(cost: RunCounters) { counters += cost }

  /// Adds the counters of committed readings.
  mutating func add(_ commit: Committed) {
    counters += commit.counters
    committed += commit.readings
  }

  /// Counts listed documents that are not requested, because they are younger than their TTL.
  mutating func add(fresh documents: Int) { counters.fresh += documents }

  /// Notes that the service answered a request of this run.
  mutating func noteAnswer() { hasAnswer = true }

  /// Counts a page, hole or batch towards `maxPages`.
  mutating func settle() { settled += 1 }
}
