/// A stream that this process may write: the lease is held, the ledger has a row.
package struct OpenWalk: Sendable {
  package let runID: String
  package let walkID: Int64
  /// The fence: every write checks that the lease still has this generation.
  package let generation: Int64
  /// How long the lease lasts without being renewed; nil if it needs no heartbeat.
  package let leaseTTL: Duration?
  /// Readings committed by earlier runs of the same walk, in order; empty for a new walk.
  package let pages: [StoredPage]
  /// A person has looked at what the guard refused, and lets it happen.
  package let isConfirmed: Bool
  /// The walk that was published last, if its pages may be requested conditionally: it is of the same service, page
  /// size and mapping.
  package let basis: Int64?
  /// The walk was begun to fetch everything, whatever is known of it.
  package let isFull: Bool

  package init(
    runID: String, walkID: Int64, generation: Int64, leaseTTL: Duration?, pages: [StoredPage],
    isConfirmed: Bool = false, basis: Int64? = nil, isFull: Bool = false
  ) {
    self.basis = basis
    self.isFull = isFull
    self.runID = runID
    self.walkID = walkID
    self.generation = generation
    self.leaseTTL = leaseTTL
    self.pages = pages
    self.isConfirmed = isConfirmed
  }
}
