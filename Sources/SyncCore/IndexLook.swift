/// The result of asking a source for its build (the service's identifier of the version of its data) and its index (the
/// list of its streams). `status` is `.interrupted`, `.complete`, or `.failed` with an `error`.
package struct IndexLook: Sendable {
  package let source: SourceID
  /// The service's URL without credentials, as in `StreamDescription.origin`.
  package let origin: String
  /// The build that the service named. `nil` if it has none or was not asked successfully.
  package let build: String?
  /// The names of the source's streams. `nil` if the index was not needed or not read.
  package let streams: [String]?
  package let counters: RunCounters
  package let duration: Duration
  package let error: SyncError?
  package let status: RunStatus

  /// Derives `status`: `.interrupted` if `isInterrupted` is true, or else `.failed` with an `error`, or else
  /// `.complete`.
  package init(
    source: SourceID, origin: String, build: String?, streams: [String]?, counters: RunCounters, duration: Duration,
    error: SyncError?, isInterrupted: Bool = false
  ) {
    self.duration = duration
    self.source = source
    self.origin = origin
    self.build = build
    self.streams = streams
    self.counters = counters
    self.error = error
    status = isInterrupted ? .interrupted : error == nil ? .complete : .failed
  }
}
