import Logging
import SyncCore

/// To whom words are said that are no data: a person at a terminal, or a log.
package struct Announcer: Sendable {
  let note: @Sendable (String) -> Void
  let warn: @Sendable (String) -> Void
  let fail: @Sendable (_ message: String, _ hint: String?) -> Void

  package init(_ streams: StandardStreams) {
    note = { streams.note($0) }
    warn = { streams.warn($0) }
    fail = { streams.fail($0, hint: $1) }
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
  /// Stands before the network, to count what is asked of it.
  var metered: @Sendable (any Transport) -> any Transport = { $0 }
}

extension RunReporter {
  init(_ streams: StandardStreams, _ progress: ProgressReporter) {
    self.init(
      announcer: Announcer(streams),
      observe: { event in
        switch event {
        case .waitingForLease(_, let error): streams.note("\(error.message); waiting for its end …")
        case .opened(let stream, _, let pages) where pages > 0:
          streams.note("\(stream.name): resumes where an earlier run ended; --full starts from scratch")
        default: break
        }
        ProgressEvent(event).map(progress.report)
      })
  }
}

extension ProgressEvent {
  /// What happened, without where: a line of a bar has little room, and the address is that of the stream.
  private static func withoutAddress(_ message: String) -> String {
    String(message.trimmingPrefix(#/https?:\S+ /#))
  }

  init?(_ event: RunEvent) {
    switch event {
    case .waitingForLease: return nil
    case .opened(let stream, _, let pages): self.init(stream: stream.name, kind: .started(page: pages, rows: 0))
    case .page(let stream, let number, let advertised, let counters):
      self.init(stream: stream.name, kind: .pageDone(page: number, lastPage: advertised, rows: counters.rowsSeen))
    case .documents(let stream, let had, let count, let counters):
      self.init(stream: stream.name, kind: .documentsDone(had: had, of: count, rows: counters.rowsSeen))
    case .waiting(let stream, .retry(let error, let delay)):
      self.init(stream: stream.name, kind: .waiting(duration: delay, reason: Self.withoutAddress(error.message)))
    case .waiting(let stream, .permit(let reason, let delay)):
      self.init(stream: stream.name, kind: .waiting(duration: delay, reason: reason))
    case .finished(let report): self.init(stream: report.stream.name, kind: .finished(status: report.status.rawValue))
    }
  }
}
