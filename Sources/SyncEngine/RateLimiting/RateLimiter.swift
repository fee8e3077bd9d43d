package import SyncCore

/// Gives out an origin's permits, in the order in which they were asked for.
///
/// A permit is for a moment. Who comes too late for it, because the machine was busy or because the upstream has asked
/// for silence meanwhile, throws it away and takes another: a permit is lost, but no limit exceeded.
package actor RateLimiter {
  private let budget: any RateBudget
  private let clock: any SyncClock
  /// What this process knows of a pause by itself. The budget may not have heard of it yet.
  private var pausedUntil: Duration = .zero
  /// What every permit is late by: what a wake-up costs on this machine.
  private var usualLateness: Duration?
  /// Nil when the next request has to make a connection.
  private var lastAnswer: Duration?
  /// When the request that makes a connection got its permit.
  private var connectingSince: Duration?

  private let longestWait: Duration

  /// - Parameter longestWait: who would have to wait for longer is told so.
  package init(
    budget: any RateBudget, clock: any SyncClock, longestWait: Duration = Limits.longestPermitWait
  ) {
    self.longestWait = longestWait
    self.budget = budget
    self.clock = clock
  }

  /// Waits until the caller may send one request. A cancelled wait costs its permit, never a limit.
  ///
  /// - Returns: how long it had to wait.
  /// - Throws: `SyncError` `.tryLater` when the budget is spent for longer than a run should wait; what the budget
  ///   throws; `CancellationError`.
  @discardableResult
  package func permit() async throws -> Duration {
    let waited = try await waitForPermit()
    if isDisconnected, connectingSince == nil { connectingSince = clock.now() }
    return waited
  }

  private var isDisconnected: Bool { lastAnswer.map { clock.now() - $0 > Limits.idleConnection } ?? true }

  private func waitForPermit() async throws -> Duration {
    var stale: [Duration] = []
    var waited: Duration = .zero
    while true {
      let wait = try await budget.take()
      let due = clock.now() + wait
      if wait > longestWait { throw spent(wait, pauseLeft: try await budget.pauseLeft()) }
      if wait > .zero { try await clock.sleep(for: wait) }
      waited += max(wait, .zero)
      let hasWaited = try await level(due: due) || wait > .zero
      let pause = max(hasWaited ? try await budget.pauseLeft() : .zero, pausedUntil - clock.now())
      if pause > longestWait { throw spent(pause, pauseLeft: pause) }
      if pause > .zero {
        try await clock.sleep(for: pause)
        waited += pause
        continue
      }
      let lateness = clock.now() - due
      if isTimely(lateness) {
        usualLateness = min(lateness, usualLateness ?? lateness)
        return waited
      }
      stale.append(lateness)
      if isUsual(lateness, among: stale) {
        usualLateness = stale.min()
        return waited
      }
    }
  }

  /// To be told of each answer.
  ///
  /// A request that makes its connection arrives later after its permit than those that follow on it, and the n-th of
  /// them would come too close behind it. One permit more, thrown away, stands for when it arrived; unless the answer
  /// itself came so soon that the padding makes up for it, as it does where a window is a minute long.
  package func answered() async throws {
    let since = isDisconnected ? connectingSince : nil
    lastAnswer = clock.now()
    connectingSince = nil
    guard let since, let slack = budget.slack, clock.now() - since > slack else { return }
    _ = try await budget.take()
  }

  /// To be told when a request found no answer: the next one makes a connection.
  package func disconnected() {
    lastAnswer = nil
    connectingSince = nil
  }

  /// Holds back everyone for `duration`, a day at most: the upstream has said that it is too much.
  ///
  /// - Throws: what the budget throws; the tasks of this process are held back even then.
  package func pause(for duration: Duration) async throws {
    // What an upstream says in a fault of its own must not end the mirror for ever.
    let pause = min(duration, Limits.longestPause)
    pausedUntil = max(pausedUntil, clock.now() + pause)
    try await budget.pause(for: pause)
  }

  private func spent(_ wait: Duration, pauseLeft: Duration) -> SyncError {
    let isPause = pauseLeft > longestWait
    return SyncError(
      .tryLater,
      isPause
        ? "the upstream has asked for silence, which lasts another \(pauseLeft.wholeSeconds) s"
        : "the rate budget is spent: it takes \(wait.wholeSeconds) s until the next request may be sent",
      hint: "run again after that; the checkpoint is kept", disposition: .stopRun)
  }

  /// Two permits' requests arrive too close to each other when the first of them leaves later than the second does, by
  /// more than the padding. What every request is late by alike does no harm.
  private func isTimely(_ lateness: Duration) -> Bool {
    // With nothing to compare it with, the first permit has to be on time: it may be the one that is late.
    budget.slack.map { lateness - (usualLateness ?? .zero) <= $0 } ?? true
  }

  /// Not late now and then, but every time, and alike: so slow is this machine by now. One that is late by another time
  /// each time gets its request through in the end, too.
  private func isUsual(_ lateness: Duration, among stale: [Duration]) -> Bool {
    guard stale.count > Limits.stalePermits, let least = stale.min(), let slack = budget.slack else { return false }
    return lateness - least <= slack || stale.count > Limits.stalePermits * 4
  }

  /// Holds a request that is earlier than those before it: it would come too close behind them. What is usual falls so
  /// slowly that over all permits of a window it is no more than the slack.
  ///
  /// - Returns: whether it had to be held.
  private func level(due: Duration) async throws -> Bool {
    guard let usual = usualLateness, let slack = budget.slack else { return false }
    let lowered = usual - slack / SlidingWindows.exactRequests
    let early = lowered - (clock.now() - due)
    guard early > .zero else { return false }
    usualLateness = lowered
    try await clock.sleep(for: early)
    return true
  }
}

extension Duration {
  /// Rounded up.
  fileprivate var wholeSeconds: Int64 {
    components.seconds + (components.attoseconds > 0 ? 1 : 0)
  }
}
