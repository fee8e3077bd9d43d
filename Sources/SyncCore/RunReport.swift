/// How a run of one stream ended.
package enum RunStatus: String, Sendable, Codable {
  case running
  case complete
  /// The list moved and did not settle, or held fewer items than it claimed.
  case inconsistent
  /// Holes, a page cap, or `--max-pages`.
  case partial
  case failed
  case interrupted

  /// The list was walked to its end, and published.
  package var isEnd: Bool { self == .complete || self == .inconsistent }
}

/// One run of one stream, as the ledger keeps it.
package struct RunReport: Sendable {
  package let id: String
  package let stream: StreamID
  package let status: RunStatus
  package let counters: RunCounters
  /// Distance of the cluster's WAL position during the run; on a shared server others' writes are in it.
  package let walBytes: Int
  package let duration: Duration
  package let certificate: Certificate?
  /// What the run ended with, if not well.
  package let error: SyncError?
  /// What a person should know of a run that ended well.
  package let warning: String?

  package init(
    id: String, stream: StreamID, status: RunStatus, counters: RunCounters, walBytes: Int, duration: Duration,
    certificate: Certificate?, error: SyncError?, warning: String? = nil
  ) {
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
}
