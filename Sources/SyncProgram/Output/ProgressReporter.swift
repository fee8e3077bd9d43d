import SyncCore
import Synchronization

/// Draws the progress of a run's sources on standard error, as bars or as lines.
final class ProgressReporter: Sendable {
  private let streams: StandardStreams
  private let now: @Sendable () -> Duration
  private let state: Mutex<ProgressState>

  /// - Parameter namesSources: Whether the lines of ended streams contain the source.
  init(streams: StandardStreams, namesSources: Bool, now: @escaping @Sendable () -> Duration) {
    self.streams = streams
    self.now = now
    state = Mutex(ProgressState(mode: streams.error.canRedraw ? .bars : .lines, namesSources: namesSources))
  }

  /// Gives the progress of a source its plan.
  func begin(_ plan: ProgressPlan) { state.withLock { $0.begin(plan, now: now()) } }

  /// Removes the bar of a source whose run has ended.
  func end(_ source: SourceID) {
    state.withLock { state in
      state.end(source)
      streams.draw(block: state.block(size: streams.blockSize, now: now()))
    }
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

  /// Removes the bars. Call it after every run, even if the run fails.
  func finish() { state.withLock { _ in streams.draw(block: []) } }
}
