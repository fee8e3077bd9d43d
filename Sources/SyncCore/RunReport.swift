/// The state of a run in the ledger. The raw value is part of the public contract. `running` is the only state that is
/// not final.
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
  /// An error ended the run. `RunReport.error` has the reason.
  case failed
  /// The run was cancelled, for example by a signal. It can be resumed.
  case interrupted

  /// Whether the walk reached the end of the list.
  package var isEnd: Bool { isWhole || self == .inconsistent }

  /// Whether the walk reached the end of the list without a sign that an item is missing.
  package var isWhole: Bool { self == .complete || self == .unproven }
}

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
  /// Whether the run made the stream fresh. Health checks and heartbeats depend on it.
  package let isFresh: Bool

  /// Whether a safety guard stopped the run, so that a user must confirm it.
  package var isHeld: Bool { error?.code == .guarded }

  /// If `isFresh` is `nil`, it is derived from `status` and `certificate`.
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

  /// Returns whether a run with this status and certificate makes its stream fresh. Without a certificate, the status
  /// alone decides.
  package static func isFresh(_ status: RunStatus, _ certificate: Certificate?) -> Bool {
    status.isEnd && (certificate?.isFresh ?? status.isWhole)
  }
}

/// The counters of a run, or of a part of a run.
///
/// Every item has exactly one outcome: `rowsSeen = inserted + updated + unchanged + duplicates + quarantined`.
package struct RunCounters: Sendable, Equatable {
  /// Pages that were read to their end, answered with 304, or found identical.
  package var pages = 0
  package var requests = 0
  /// Requests that repeated a failed request.
  package var retries = 0
  /// Responses with the status 304.
  package var notModified = 0
  /// Pages that were not parsed, because their body was the same as in the previous walk.
  package var identical = 0
  /// Items that arrived with their documents, or on an unchanged page. Items that a page only lists are counted when
  /// their documents arrive.
  package var rowsSeen = 0
  package var inserted = 0
  /// Items whose stored version was replaced.
  package var updated = 0
  /// The number of updated items whose document changed, not only its counters.
  package var documentsUpdated = 0
  /// Items whose stored version equals the arrived version.
  package var unchanged = 0
  /// Items whose key an earlier item of the walk already had.
  package var duplicates = 0
  /// Items that could not be stored.
  package var quarantined = 0
  /// Items whose document was changed so that `jsonb` can store it (`PageItem.isRepaired`).
  package var repaired = 0
  /// Values that fit no column.
  package var notUnderstood = MisfitTally()
  /// Items that were marked as removed.
  package var vanished = 0
  /// Listed documents that were not fetched because they are younger than their TTL.
  package var fresh = 0
  /// Bytes of the bodies of responses, decompressed.
  package var bytes = 0
  /// Requests that waited for a permit.
  package var permitsWaited = 0
  /// The total time that requests waited for permits.
  package var waited: Duration = .zero

  package init() {}

  /// Adds every counter. A new counter must be added here too.
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

/// A step of a run, for progress bars, logs and metrics. A stream's run begins with `opened` and ends with `finished`.
/// The run of a source's index has no `opened`. `counters` are the run's counters so far.
package enum RunEvent: Sendable {
  /// Another run holds the stream's lease, and this run waits for it. The error names the holder.
  case waitingForLease(StreamID, SyncError)
  /// The run has the lease. `resumedPages` is the number of pages that earlier runs of the walk have committed.
  case opened(StreamID, runID: String, resumedPages: Int)
  /// A page was committed. `advertised` is the number of pages that the list claims to have.
  case page(StreamID, number: Int, advertised: Int?, counters: RunCounters)
  /// Documents were committed: `fetched` of the `of` listed documents have been fetched.
  case documents(StreamID, fetched: Int, of: Int, counters: RunCounters)
  /// A request waits before it is sent.
  case waiting(StreamID, Wait)
  case finished(RunReport)
}

/// The reason and the length of a wait.
package enum Wait: Sendable {
  /// The request failed with this error and is repeated after the pause.
  case retry(SyncError, Duration)
  /// The rate limit or a pause of the origin delays the request. `reason` is a phrase for the user.
  case permit(reason: String, Duration)
}

/// Receives the events of runs. Runs of several streams call it at the same time, so it must not block.
package typealias RunObserver = @Sendable (RunEvent) -> Void
