/// What a run tells those who watch it.
package enum RunEvent: Sendable {
  /// Another process is at work on the stream; told once.
  case waitingForLease(StreamID, SyncError)
  /// A row of the ledger stands for it from now on.
  case opened(StreamID, runID: String, resumedPages: Int)
  case page(StreamID, number: Int, advertised: Int?, counters: RunCounters)
  /// A batch of documents is committed; figures of the whole walk.
  case documents(StreamID, had: Int, of: Int, counters: RunCounters)
  case retrying(StreamID, SyncError, after: Duration)
  case finished(RunReport)
}

package typealias RunObserver = @Sendable (RunEvent) -> Void
