import Synchronization

final class ProgressReporter: Sendable {
  private let streams: StandardStreams
  private let now: @Sendable () -> Duration
  private let state: Mutex<ProgressState>

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

  /// Removes the bars. Call it after every run, even if the run fails.
  func finish() { state.withLock { _ in streams.draw(block: []) } }
}
