/// The database's part of a walk: leases, the pages that were read, the mirror's rows, and the ledger.
///
/// A run calls `open` once, then `cachedPages`, `renew`, `commit`, `fresh` and `missing` as it needs them, and `finish`
/// at its end. `renew`, `commit` and `finish` fail if another process has taken over the lease.
package protocol WalkStore: Sendable {
  /// Takes the stream's lease, creates a run in the ledger, and resumes the stream's unfinished walk unless `fresh` is
  /// true. `confirmed` is a prefix of the id of a run that the guard stopped. This run's walk is resumed at any age.
  /// Throws `.leaseHeld` with the holder's name, `.missing` if no run has this id, or `.usage` if the run cannot be
  /// confirmed.
  func open(_ stream: StreamDescription, fresh: Bool, confirming confirmed: String?) async throws -> OpenWalk

  /// Examines the next `limit` readings of the walk `basis`. Returns the pages that can be requested conditionally, and
  /// the last examined reading, or `nil` if no reading was left.
  func cachedPages(
    in walk: OpenWalk, stream: StreamDescription, after reading: Int, limit: Int
  ) async throws -> (pages: [CachedPage], last: Int?)

  /// Extends the lease by its TTL. Throws `.tryLater` if another process has taken over the lease.
  func renew(_ walk: OpenWalk, stream: StreamDescription) async throws

  /// Commits consecutive readings in one transaction. Only the last reading is allowed to have rejected items. If
  /// several readings have the same item, its content must be the same. `counters` are the run's counters before the
  /// commit. If the database refuses an item, only the first reading is committed. Throws `.tryLater` if another
  /// process has taken over the lease, or if the database has lost commits of this run.
  func commit(
    _ readings: [PageCommit], after counters: RunCounters, of walk: OpenWalk, stream: StreamDescription
  ) async throws -> Committed

  /// Returns the keys of documents that earlier walks of the same service and mapping fetched within the TTL.
  func fresh(_ keys: [Int64], in walk: OpenWalk, stream: StreamDescription) async throws -> Set<Int64>

  /// Returns the live items that a walk which reached the end did not see. Throws `.guarded` if too many are missing.
  func missing(in walk: OpenWalk, stream: StreamDescription) async throws -> [MissingItem]

  /// Closes the run, publishes the list if `ending` says so, and releases the lease. The run fails with `.guarded` if
  /// publishing would remove more than the guard allows, and with `.tryLater` if the database has lost readings of the
  /// walk. Throws `.tryLater` if another process has taken over the lease.
  func finish(_ walk: OpenWalk, stream: StreamDescription, ending: WalkEnding) async throws -> RunReport
}

/// The result of a commit. `readings` is the number of readings that were committed, from the first one on. `counters`
/// are the counters that they add to the run.
package struct Committed: Sendable {
  package let readings: Int
  package let counters: RunCounters
  /// A sentence for the run's report, for example about a column that most items lack.
  package let warning: String?

  /// `readings` counts the committed readings from the first one on, and `counters` are what they add to the run.
  package init(readings: Int, counters: RunCounters, warning: String? = nil) {
    self.readings = readings
    self.counters = counters
    self.warning = warning
  }
}
