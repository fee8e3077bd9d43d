import Foundation
import Synchronization

/// Shows the progress of a run on standard error: bars on a terminal, plain lines elsewhere.
///
/// It may be called from any task. Drawing happens on events only, so it needs no timer and stops with the work.
final class ProgressReporter: Sendable {
  private let streams: StandardStreams
  private let now: @Sendable () -> Duration
  private let state: Mutex<ProgressState>

  /// - Parameter now: a monotonic clock, counted from any fixed moment.
  init(streams: StandardStreams, now: @escaping @Sendable () -> Duration) {
    self.streams = streams
    self.now = now
    state = Mutex(ProgressState(mode: streams.error.canRedraw ? .bars : .lines))
  }

  func report(_ event: ProgressEvent) {
    // Held while writing, or an older block could be drawn over a newer one.
    state.withLock { state in
      let time = now()
      for action in state.handle(event, now: time) {
        switch action {
        case .line(let line): streams.note(line)
        case .redraw: streams.draw(block: state.block(size: streams.blockSize, now: time))
        }
      }
    }
  }

  /// Removes the bars. Must be called when the run ends, however it ends.
  func finish() { state.withLock { _ in streams.draw(block: []) } }
}

struct ProgressEvent: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    /// The walk begins, or resumes after `page` pages and `rows` rows of an earlier run.
    case started(page: Int, rows: Int)
    /// A page is committed. All figures are totals of the walk; `lastPage` is nil where it is unknown.
    case pageDone(page: Int, lastPage: Int?, rows: Int)
    case documentsDone(had: Int, of: Int, rows: Int)
    /// Nothing happens for `duration`, until `end`, which `text` names.
    case waiting(duration: Duration, end: Date, text: String)
    /// The stream is done, with the status of its run ("complete", "partial", …).
    case finished(status: String)
  }

  let stream: String
  let kind: Kind
}
