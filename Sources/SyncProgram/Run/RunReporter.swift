import Foundation
import Logging
import SyncCore

/// The destination of a run's notes, warnings and errors: standard error, or the log of a worker.
package struct Announcer: Sendable {
  let note: @Sendable (String) -> Void
  let warn: @Sendable (String) -> Void
  let fail: @Sendable (_ message: String, _ hint: String?) -> Void

  /// Creates a destination that prints to standard error.
  package init(_ streams: StandardStreams) {
    note = { streams.note($0) }
    warn = { streams.warn($0) }
    fail = { streams.fail($0, hint: $1) }
  }

  /// Creates a destination for warnings and errors only.
  init(warning said: @escaping @Sendable (String) -> Void) {
    note = { _ in }
    warn = said
    fail = { message, hint in said("\(message)\(hint.map { "; " + $0 } ?? "")") }
  }

  init(_ log: Logger, level: Logger.Level = .info) {
    note = { log.log(level: level, "\($0)") }
    warn = { log.warning("\($0)") }
    fail = { message, hint in log.error("\(message)\(hint.map { "; " + $0 } ?? "")") }
  }
}

struct RunReporter: Sendable {
  let announcer: Announcer
  let observe: RunObserver
  var metered: @Sendable (any Transport) -> any Transport = { $0 }
  /// The progress that a waiting user sees; `nil` without one.
  var progress: ProgressReporter?
}

extension RunReporter {
  init(_ streams: StandardStreams, _ progress: ProgressReporter, namesSources: Bool) {
    let name: @Sendable (StreamID) -> String = { namesSources ? $0.description : $0.name }
    self.init(
      announcer: Announcer(streams),
      observe: { event in
        switch event {
        case .waitingForLease(_, let error): streams.note("\(error.message); waiting for it to end …")
        case .opened(let stream, _, let pages) where pages > 0:
          streams.note("\(name(stream)): resumes where an earlier run ended; --full starts from scratch")
        default: break
        }
        ProgressEvent(event, at: Date()).map(progress.report)
      }, progress: progress)
  }
}

extension ProgressEvent {
  private static func withoutAddress(_ message: String) -> String {
    String(message.trimmingPrefix(#/https?:\S+ /#))
  }

  private init(_ stream: StreamID, _ step: Step) {
    self.init(source: stream.source, stream: stream.name, step: step)
  }

  init?(_ event: RunEvent, at time: Date) {
    switch event {
    case .waitingForLease: return nil
    case .opened(let stream, _, let pages): self.init(stream, .started(page: pages))
    case .page(let stream, let number, let advertised, let counters):
      self.init(
        stream,
        .pageDone(page: number, lastPage: advertised, rows: counters.rowsSeen, requests: counters.requests))
    case .documents(let stream, let fetched, let count, let counters):
      self.init(
        stream,
        .documentsDone(fetched: fetched, of: count, rows: counters.rowsSeen, requests: counters.requests))
    case .waiting(let stream, let wait):
      let duration: Duration =
        switch wait {
        case .retry(_, let delay), .permit(_, let delay): delay
        }
      let end = time + duration / .seconds(1)
      let clock = HumanFormat.clock(end, now: time, hasSeconds: duration < .seconds(60))
      let text =
        switch wait {
        case .retry(let error, _): "waiting until \(clock): \(Self.withoutAddress(error.message))"
        case .permit(let reason, _): "\(reason) until \(clock)"
        }
      self.init(stream, .waiting(duration: duration, end: end, text: text))
    case .finished(let report):
      let status = report.isHeld ? "held" : report.status.rawValue
      let counters = report.counters
      self.init(report.stream, .finished(status: status, pages: counters.pages, requests: counters.requests))
    }
  }
}
