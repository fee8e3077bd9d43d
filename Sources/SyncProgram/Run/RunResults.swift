package import SyncCore
import SyncPostgres

/// The reports and errors of a run's streams.
///
/// If a worker takes over a job's run, `earlier` has the streams that ended before.
package struct RunResults: Sendable {
  package var reports: [RunReport] = []
  var earlier: [StreamID: Runs.Ended] = [:]
  /// Errors of streams that did not run, for example because their lease is held, and errors of whole sources.
  package var refusals: [(stream: StreamID?, error: SyncError)] = []

  var isStopped: Bool { !stops.isEmpty }
  /// Whether no source can continue, because the database, the schema or the disk failed.
  var isOver: Bool { stops.contains { $0.code != .upstream && $0.code != .tryLater } }

  var errors: [SyncError] { reports.compactMap(\.error) + refusals.map { $0.error } }

  var isFresh: Bool {
    let all = reports.map(\.isFresh) + earlier.values.filter(\.status.isEnd).map(\.isFresh)
    return refusals.isEmpty && !all.isEmpty && !all.contains(false)
  }

  private var stops: [SyncError] { errors.filter { $0.disposition == .stopRun } + repeatedRefusals }

  /// The errors of streams that a source's service refused with the same answer as an earlier stream of the source.
  private var repeatedRefusals: [SyncError] {
    var earlier: [SourceID: Set<[UInt8]>] = [:]
    let ofStreams =
      reports.map { ($0.stream.source, $0.error) } + refusals.map { ($0.stream?.source, Optional($0.error)) }
    return ofStreams.compactMap { source, error in
      guard let source, let error, case .refused(let answer) = error.disposition else { return nil }
      return earlier[source, default: []].insert(answer).inserted ? nil : error
    }
  }

  /// Adds the results of another source. An error that both have in the same words, such as a failed database, is
  /// kept once.
  mutating func add(_ other: RunResults) {
    reports += other.reports
    let known = Set(refusals.map { $0.error.message })
    refusals += other.refusals.filter { !known.contains($0.error.message) }
  }
}
