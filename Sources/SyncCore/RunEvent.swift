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
