/// The engine's judgement of a walk. The store can still refuse to publish, and then reports another status.
package struct WalkEnding: Sendable {
  package let status: RunStatus
  package let certificate: Certificate?
  package let counters: RunCounters
  package let error: SyncError?
  /// The number of readings that this walk has committed, earlier runs included. If the database has another number, it
  /// has lost commits, and the run fails.
  package let readings: Int
  /// True if the walk reached the end of the list or the page cap, without holes and without missing documents.
  package let publishes: Bool
  /// The numbers, from 1, of the readings whose items are published, if the walk read the list again. `nil` means all.
  package let publishedReadings: Range<Int>?
  /// Whether the next run can continue this walk.
  package let isResumable: Bool
  /// The tally that is compared with the quarantine limit. `nil` means the walk's own tally.
  package var judged: ItemTally?
  /// A sentence for the run's report. The store's own warning replaces it.
  package var warning: String?

  /// `readings` also counts the readings of earlier runs of the walk. A `publishedReadings` of `nil` means all
  /// readings.
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

  /// Returns this ending as a failure with `error`, which publishes nothing and can be resumed. `judged` and `warning`
  /// are not kept.
  package func failed(_ error: SyncError) -> WalkEnding {
    var certificate = certificate
    certificate?.fail()
    return WalkEnding(
      status: .failed, certificate: certificate, counters: counters, error: error, readings: readings,
      publishes: false, isResumable: true)
  }
}
