package import Logging
package import SyncCore
import Synchronization

/// Writes the events of runs into a log. Records name the source, the stream and the run.
///
/// Pages are logged at the level `debug`, and one page per `Limits.pageLogInterval` and stream at `info`.
package final class RunLog: Sendable {
  private struct Run {
    let id: String
    var loggedAt: Duration
  }

  private let logger: Logger
  private let clock: any SyncClock
  private let runs = Mutex<[StreamID: Run]>([:])

  /// Creates a log of runs. `clock` measures the time between two pages that are logged at `info`.
  package init(_ logger: Logger, clock: any SyncClock) {
    self.logger = logger
    self.clock = clock
  }

  /// Logs an event. It is a `RunObserver`, so runs of several streams can call it at the same time.
  package func observe(_ event: RunEvent) {
    switch event {
    case .waitingForLease(let stream, let error):
      log(.notice, stream, "\(error.message); waiting for it to end")
    case .opened(let stream, let runID, let pages):
      runs.withLock { $0[stream] = Run(id: runID, loggedAt: clock.now()) }
      log(.info, stream, pages == 0 ? "started" : "resumed after page \(pages)")
    case .page(let stream, let number, let advertised, let counters):
      let of = advertised.map { number > $0 ? "" : " of \($0)" } ?? ""
      log(level(stream), stream, "page \(number)\(of)", ["rows": "\(counters.rowsSeen)"])
    case .documents(let stream, let fetched, let count, let counters):
      log(level(stream), stream, "document \(fetched) of \(count)", ["rows": "\(counters.rowsSeen)"])
    case .waiting(let stream, .retry(let error, let delay)):
      log(.warning, stream, "\(error.message); retrying", ["pause_seconds": "\(rounded(delay))"])
    case .waiting(let stream, .permit(let reason, let delay)):
      log(.info, stream, reason, ["pause_seconds": "\(rounded(delay))"])
    case .finished(let report):
      finished(report)
      _ = runs.withLock { $0.removeValue(forKey: report.stream) }
    }
  }

  private func finished(_ report: RunReport) {
    let counters = report.counters
    var metadata: Logger.Metadata = [
      "status": "\(report.status.rawValue)", "duration_seconds": "\(rounded(report.duration))",
      "pages": "\(counters.pages)", "requests": "\(counters.requests)", "rows": "\(counters.rowsSeen)",
      "inserted": "\(counters.inserted)", "updated": "\(counters.updated)", "unchanged": "\(counters.unchanged)",
    ]
    if counters.quarantined > 0 { metadata["quarantined"] = "\(counters.quarantined)" }
    if counters.notUnderstood.count > 0 { metadata["not_understood"] = "\(counters.notUnderstood.count)" }
    if counters.vanished > 0 { metadata["vanished"] = "\(counters.vanished)" }
    let isIgnored = report.certificate?.endedBy == .ignored
    if isIgnored { metadata["ended_by"] = "ignored" }
    let level: Logger.Level =
      switch report.status {
      case .partial where isIgnored: .notice
      case .complete, .unproven, .running: .info
      case .interrupted: .notice
      case .inconsistent, .partial: .warning
      case .failed: .error
      }
    let status = report.status.rawValue
    log(level, report.stream, report.error.map { "\(status): \($0)" } ?? status, metadata)
    for text in [report.warning, counters.notUnderstood.sentence].compactMap(\.self) {
      log(.warning, report.stream, text)
    }
  }

  private func rounded(_ duration: Duration) -> Double { (duration / .milliseconds(100)).rounded() / 10 }

  private func level(_ stream: StreamID) -> Logger.Level {
    let now = clock.now()
    return runs.withLock { runs in
      guard let run = runs[stream], now - run.loggedAt >= Limits.pageLogInterval else { return .debug }
      runs[stream]?.loggedAt = now
      return .info
    }
  }

  private func log(_ level: Logger.Level, _ stream: StreamID, _ text: String, _ metadata: Logger.Metadata = [:]) {
    var metadata = metadata
    metadata["source"] = "\(stream.source.rawValue)"
    metadata["stream"] = "\(stream.name)"
    if let id = runs.withLock({ $0[stream]?.id }) { metadata["run"] = "\(id)" }
    logger.log(level: level, "\(stream): \(text)", metadata: metadata)
  }
}
