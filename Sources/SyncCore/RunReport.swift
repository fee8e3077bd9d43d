package enum RunStatus: String, Sendable, Codable {
  case running
  case complete
  /// The walk reached the end without a sign that an item is missing, but also without evidence that none was removed
  /// while the walk read the list (`Certificate.Evidence`). Apart from the word, the run is like a complete run.
  case unproven
  /// The list kept changing during the walk, or contained fewer items than it claimed.
  case inconsistent
  /// Pages are missing, for example because of holes, a page cap, or `--max-pages`.
  case partial
  case failed
  case interrupted

  /// Whether the walk reached the end of the list.
  package var isEnd: Bool { isWhole || self == .inconsistent }

  /// Whether the walk reached the end of the list without a sign that an item is missing.
  package var isWhole: Bool { self == .complete || self == .unproven }
}

package struct RunReport: Sendable {
  package let id: String
  package let stream: StreamID
  package let status: RunStatus
  package let counters: RunCounters
  /// The WAL that all sessions of the cluster wrote during the run.
  package let walBytes: Int
  package let duration: Duration
  package let certificate: Certificate?
  package let error: SyncError?
  package let warning: String?
  package let isFresh: Bool

  package var isHeld: Bool { error?.code == .guarded }

  /// If `isFresh` is `nil`, it is derived from `status` and `certificate`.
  package init(
    id: String, stream: StreamID, status: RunStatus, counters: RunCounters, walBytes: Int, duration: Duration,
    certificate: Certificate?, error: SyncError?, warning: String? = nil, isFresh: Bool? = nil
  ) {
    self.isFresh = isFresh ?? Self.isFresh(status, certificate)
    (self.warning, self.id, self.stream, self.status, self.counters) = (warning, id, stream, status, counters)
    (self.walBytes, self.duration, self.certificate, self.error) = (walBytes, duration, certificate, error)
  }

  package static func isFresh(_ status: RunStatus, _ certificate: Certificate?) -> Bool {
    status.isEnd && (certificate?.isFresh ?? status.isWhole)
  }
}

/// Every item has exactly one outcome: `rowsSeen = inserted + updated + unchanged + duplicates + quarantined`.
package struct RunCounters: Sendable, Equatable {
  package var pages = 0
  package var requests = 0
  package var retries = 0
  package var notModified = 0
  /// Pages that were not parsed, because their body was the same as in the previous walk.
  package var identical = 0
  package var rowsSeen = 0
  package var inserted = 0
  package var updated = 0
  /// The number of updated items whose document changed, not only its counters.
  package var documentsUpdated = 0
  package var unchanged = 0
  package var duplicates = 0
  package var quarantined = 0
  package var repaired = 0
  package var notUnderstood = MisfitTally()
  package var vanished = 0
  /// Listed documents that were not fetched because they are younger than their TTL.
  package var fresh = 0
  package var bytes = 0
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
  case waitingForLease(StreamID, SyncError)
  case opened(StreamID, runID: String, resumedPages: Int)
  case page(StreamID, number: Int, advertised: Int?, counters: RunCounters)
  case documents(StreamID, had: Int, of: Int, counters: RunCounters)
  case waiting(StreamID, Wait)
  case finished(RunReport)
}

package enum Wait: Sendable {
  case retry(SyncError, Duration)
  case permit(reason: String, Duration)
}

package typealias RunObserver = @Sendable (RunEvent) -> Void
