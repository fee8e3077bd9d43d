package enum RunStatus: String, Sendable, Codable {
  case running
  case complete
  /// The list moved and did not settle, or held fewer items than it claimed.
  case inconsistent
  /// Holes, a page cap, or `--max-pages`.
  case partial
  case failed
  case interrupted

  package var isEnd: Bool { self == .complete || self == .inconsistent }
}

package struct RunReport: Sendable {
  package let id: String
  package let stream: StreamID
  package let status: RunStatus
  package let counters: RunCounters
  /// Distance of the cluster's WAL position during the run; on a shared server others' writes are in it.
  package let walBytes: Int
  package let duration: Duration
  package let certificate: Certificate?
  package let error: SyncError?
  /// What a person should know of a run that ended well.
  package let warning: String?
  /// The mirror has the stream as it was at the end of the run: see `Certificate.isFresh`.
  package let isFresh: Bool

  /// - Parameter isFresh: nil for what status and certificate say.
  package init(
    id: String, stream: StreamID, status: RunStatus, counters: RunCounters, walBytes: Int, duration: Duration,
    certificate: Certificate?, error: SyncError?, warning: String? = nil, isFresh: Bool? = nil
  ) {
    self.isFresh = isFresh ?? Self.isFresh(status, certificate)
    (self.warning, self.id, self.stream, self.status, self.counters) = (warning, id, stream, status, counters)
    (self.walBytes, self.duration, self.certificate, self.error) = (walBytes, duration, certificate, error)
  }

  package static func isFresh(_ status: RunStatus, _ certificate: Certificate?) -> Bool {
    status.isEnd && (certificate?.isFresh ?? (status == .complete))
  }
}

/// The numbers of a run. One item has one outcome:
/// `rowsSeen = inserted + updated + unchanged + duplicates + quarantined`.
package struct RunCounters: Sendable, Equatable {
  package var pages = 0
  package var requests = 0
  package var retries = 0
  package var notModified = 0
  /// Pages that came and were byte for byte those of the walk before, so that nobody read them.
  package var identical = 0
  package var rowsSeen = 0
  package var inserted = 0
  package var updated = 0
  /// Those of `updated` in which more than the counters changed.
  package var documentsUpdated = 0
  package var unchanged = 0
  package var duplicates = 0
  package var quarantined = 0
  /// Items of which something had to be replaced or dropped (NUL, lone surrogates, duplicate names); they have an
  /// outcome as all others.
  package var repaired = 0
  /// Members that did not fit their columns, of items with any outcome.
  package var notUnderstood = MisfitTally()
  package var vanished = 0
  /// Documents that the list names and that were not fetched: they are younger than their time to live.
  package var fresh = 0
  package var bytes = 0
  /// Requests that had to wait for a permit, and for how long in all.
  package var permitsWaited = 0
  package var waited: Duration = .zero

  package init() {}

  package static func += (sum: inout RunCounters, other: RunCounters) {
    let numbers: [WritableKeyPath<RunCounters, Int>] = [
      \.pages, \.requests, \.retries, \.notModified, \.identical, \.rowsSeen, \.inserted, \.updated,
      \.documentsUpdated, \.unchanged, \.duplicates, \.quarantined, \.repaired, \.vanished, \.fresh, \.bytes,
      \.permitsWaited,
    ]
    for number in numbers { sum[keyPath: number] += other[keyPath: number] }
    sum.notUnderstood += other.notUnderstood
    sum.waited += other.waited
  }
}

package enum RunEvent: Sendable {
  /// Another process is at work on the stream; told once.
  case waitingForLease(StreamID, SyncError)
  /// A row of the ledger stands for it from now on.
  case opened(StreamID, runID: String, resumedPages: Int)
  case page(StreamID, number: Int, advertised: Int?, counters: RunCounters)
  /// A batch of documents is committed; figures of the whole walk.
  case documents(StreamID, had: Int, of: Int, counters: RunCounters)
  case waiting(StreamID, Wait)
  case finished(RunReport)
}

package enum Wait: Sendable {
  case retry(SyncError, Duration)
  /// The rate limits, or a pause that the service demands, permit none before. The reason says that it waits.
  case permit(reason: String, Duration)
}

package typealias RunObserver = @Sendable (RunEvent) -> Void
