/// How a walk ended, for the ledger.
package struct WalkEnding: Sendable {
  package let status: RunStatus
  package let certificate: Certificate?
  package let counters: RunCounters
  package let error: SyncError?
  /// Readings of the walk whose commit was confirmed, in all its runs.
  package let readings: Int
  /// The walk saw the end of the list without a hole: what it saw is published.
  package let publishes: Bool
  /// The readings that it is published from; nil for all.
  package let publishedReadings: Range<Int>?
  /// A later run may resume this walk.
  package let isResumable: Bool

  package init(
    status: RunStatus, certificate: Certificate?, counters: RunCounters, error: SyncError?, readings: Int,
    publishes: Bool, publishedReadings: Range<Int>? = nil, isResumable: Bool
  ) {
    self.readings = readings
    self.publishedReadings = publishedReadings
    self.status = status
    self.certificate = certificate
    self.counters = counters
    self.error = error
    self.publishes = publishes
    self.isResumable = isResumable
  }

  /// The same walk if it ends with this error instead: nothing is published, and the next run resumes it.
  package func failed(_ error: SyncError) -> WalkEnding {
    var certificate = certificate
    certificate?.complete = false
    certificate?.endedBy = .failed
    return WalkEnding(
      status: .failed, certificate: certificate, counters: counters, error: error, readings: readings,
      publishes: false, isResumable: true)
  }
}
