/// A run that holds its stream's lease, and the walk that it continues or begins.
package struct OpenWalk: Sendable {
  package let runID: String
  package let walkID: Int64
  /// The fencing token. It increases each time a process takes the lease.
  package let generation: Int64
  /// The lease ends after this time without a renewal. `nil` if the lease needs no heartbeat.
  package let leaseTTL: Duration?
  /// The readings that earlier runs of this walk committed. In a stream of several lists, only batches and the readings
  /// of the list that is not read to its end.
  package let pages: [StoredPage]
  /// The lists that earlier runs of this walk read to their ends. `nil` in a stream of one list.
  package let endedLists: EndedLists?
  /// Whether the user has confirmed what a guard stopped.
  package let isConfirmed: Bool
  /// The id of the last published walk. `nil` if its pages cannot be requested conditionally.
  package let basis: Int64?
  /// Whether the walk ignores TTLs and validators (`--full`).
  package let isFull: Bool
  /// The items that the previous walk found on several pages.
  package let repeats: ListedRepeats
  /// The database's time at the run's start, in microseconds since 1970.
  package let databaseTime: Int64
  /// The time of the engine's clock at `databaseTime`.
  package var openedAt = Duration.zero

  /// `pages` are in the order of their numbers. `databaseTime` is in microseconds since 1970. The engine sets
  /// `openedAt` afterwards.
  package init(
    runID: String, walkID: Int64, generation: Int64, leaseTTL: Duration?, pages: [StoredPage],
    endedLists: EndedLists? = nil, isConfirmed: Bool = false, basis: Int64? = nil, isFull: Bool = false,
    repeats: ListedRepeats = [:], databaseTime: Int64
  ) {
    self.endedLists = endedLists
    self.repeats = repeats
    self.basis = basis
    self.isFull = isFull
    self.runID = runID
    self.walkID = walkID
    self.generation = generation
    self.leaseTTL = leaseTTL
    self.pages = pages
    self.isConfirmed = isConfirmed
    self.databaseTime = databaseTime
  }

  /// Returns the database's time, in microseconds since 1970, at a time of the engine's clock. The database's clock is
  /// read once per run, so that a change of the clock does not change the order of request times.
  package func requestTime(_ time: Duration) -> Int64 {
    databaseTime + Int64((time - openedAt) / .microseconds(1))
  }
}

/// The lists that a walk has read to their ends, in a stream of several lists.
package struct EndedLists: Sendable {
  package let names: Set<String>
  package let tally: ListTally

  package init(names: Set<String> = [], tally: ListTally = ListTally()) {
    self.names = names
    self.tally = tally
  }
}

extension OpenWalk {
  /// The number of readings that earlier runs of this walk committed.
  package var readings: Int { pages.count + (endedLists?.tally.readings ?? 0) }
}
