package import SyncCore

/// Gives out an origin's permits, first come, first served.
///
/// A permit is for a moment. Who comes too late for it, because the machine was busy or because the upstream has asked
/// for silence meanwhile, throws it away and takes another: a permit is lost, but never a limit exceeded.
package actor RateLimiter {
  private let budget: any RateBudget
  private let clock: any SyncClock
  /// What this process knows of a pause by itself. The budget may not have heard of it yet.
  private var pausedUntil: Duration = .zero
  /// What every permit is late by: what a wake-up costs on this machine. The least that was seen, until all are later.
  private var usualLateness: Duration?
  private var hasAnswer = false

  package init(budget: any RateBudget, clock: any SyncClock) {
    self.budget = budget
    self.clock = clock
  }

  /// Waits until the caller may send one request. A cancelled wait costs its permit, never a limit.
  ///
  /// - Throws: `SyncError` `.tryLater` when the budget is spent for longer than a run should wait; what the budget
  ///   throws; `CancellationError`.
  package func permit() async throws {
    var stale: [Duration] = []
    while true {
      // Nothing suspends before this call, so permits are taken in the order in which they were asked for.
      let wait = try await budget.take()
      let due = clock.now() + wait
      try await sleep(wait, due: "the next request may be sent")
      let pause = max(wait > .zero ? try await budget.pauseLeft() : .zero, pausedUntil - clock.now())
      if pause > .zero {
        try await sleep(pause, due: "the silence that the upstream asked for ends")
        continue
      }
      let lateness = clock.now() - due
      guard isStale(lateness) else { return usualLateness = min(lateness, usualLateness ?? lateness) }
      stale.append(lateness)
      if stale.count > Limits.stalePermits {
        // Not now and then, but every time: so slow is this machine by now.
        return usualLateness = stale.min()
      }
    }
  }

  /// To be told of each answer.
  ///
  /// The first request of a process makes its connection, so it arrives later after its permit than those that follow,
  /// and the n-th of them would come too close behind it. One permit more, thrown away, stands for when it arrived.
  package func answered() async throws {
    guard !hasAnswer else { return }
    hasAnswer = true
    if budget.slack != nil { _ = try await budget.take() }
  }

  /// Holds back everyone for `duration`: the upstream has said that it is too much.
  ///
  /// - Throws: what the budget throws; the tasks of this process are held back even then.
  package func pause(for duration: Duration) async throws {
    pausedUntil = max(pausedUntil, clock.now() + duration)
    try await budget.pause(for: duration)
  }

  private func sleep(_ duration: Duration, due: String) async throws {
    guard duration <= Limits.longestPermitWait else {
      throw SyncError(
        .tryLater, "the rate budget is spent: it takes \(duration.wholeSeconds) s until \(due)",
        hint: "run again after that; the checkpoint is kept", disposition: .stopRun)
    }
    if duration > .zero { try await clock.sleep(for: duration) }
  }

  /// Two permits' requests arrive too close to each other when the first of them leaves later than the second does, by
  /// more than the padding. What every request is late by alike does no harm.
  private func isStale(_ lateness: Duration) -> Bool {
    // With nothing to compare it with, the first permit has to be on time: it may be the one that is late.
    budget.slack.map { lateness - (usualLateness ?? .zero) > $0 } ?? false
  }
}

extension Duration {
  /// Rounded up.
  fileprivate var wholeSeconds: Int64 {
    components.seconds + (components.attoseconds > 0 ? 1 : 0)
  }
}
