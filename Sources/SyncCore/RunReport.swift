/// The result of one run of a stream.
package struct RunReport: Sendable {
  /// The run's id in the ledger (`sync.run.id`).
  package let id: String
  package let stream: StreamID
  package let status: RunStatus
  package let counters: RunCounters
  /// The WAL that all sessions of the cluster wrote during the run.
  package let walBytes: Int
  package let duration: Duration
  package let certificate: Certificate?
  package let error: SyncError?
  /// A sentence for the user about a run that did not fail. `nil` if nothing is remarkable.
  package let warning: String?
  /// Whether the run made the stream fresh: it read the list to the end, without missing pages or documents, or ended
  /// at an ignored answer (`Certificate.isFresh`). Health checks and heartbeats depend on it.
  package let isFresh: Bool

  /// Whether a safety guard stopped the run, so that a user must confirm it.
  package var isHeld: Bool { error?.code == .guarded }

  /// Creates a report. `walBytes` can include bytes that other sessions wrote. If `isFresh` is `nil`, it is derived
  /// from `status` and `certificate`.
  package init(
    id: String, stream: StreamID, status: RunStatus, counters: RunCounters, walBytes: Int, duration: Duration,
    certificate: Certificate?, error: SyncError?, warning: String? = nil, isFresh: Bool? = nil
  ) {
    self.isFresh = isFresh ?? Self.isFresh(status, certificate)
    self.warning = warning
    self.id = id
    self.stream = stream
    self.status = status
    self.counters = counters
    self.walBytes = walBytes
    self.duration = duration
    self.certificate = certificate
    self.error = error
  }

  /// Returns whether a run with this status and certificate makes its stream fresh. The walk must have reached the end
  /// (`RunStatus.isEnd`), or an ignored answer. Without a certificate, the status must be `.complete` or `.unproven`.
  package static func isFresh(_ status: RunStatus, _ certificate: Certificate?) -> Bool {
    let isIgnored = status == .partial && certificate?.endedBy == .ignored
    return (status.isEnd || isIgnored) && (certificate?.isFresh ?? status.isWhole)
  }
}
