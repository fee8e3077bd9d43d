import Foundation
import Synchronization

/// Bars on a terminal, plain lines elsewhere. Drawing happens on events only, without a timer.
final class ProgressReporter: Sendable {
  private let streams: StandardStreams
  private let now: @Sendable () -> Duration
  private let state: Mutex<ProgressState>

  /// - Parameter now: a monotonic clock.
  init(streams: StandardStreams, now: @escaping @Sendable () -> Duration) {
    self.streams = streams
    self.now = now
    state = Mutex(ProgressState(mode: streams.error.canRedraw ? .bars : .lines))
  }

  func report(_ event: ProgressEvent) {
    // The lock is held while writing, so that an older block is never drawn over a newer one.
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

  /// Removes the bars; call it however the run ends.
  func finish() { state.withLock { _ in streams.draw(block: []) } }
}

struct ProgressEvent: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    /// The walk begins, or resumes after an earlier run's pages and rows.
    case started(page: Int, rows: Int)
    /// Totals of the walk.
    case pageDone(page: Int, lastPage: Int?, rows: Int)
    case documentsDone(had: Int, of: Int, rows: Int)
    case waiting(duration: Duration, end: Date, text: String)
    /// `pages`: as in the run's row; `nil` for the pages that the progress has met.
    case finished(status: String, pages: Int? = nil)
  }

  let stream: String
  let kind: Kind
}
