package import SyncCore

/// Issues an origin's permits in the order of the requests. A task that is too late for its permit takes another one.
package actor RateLimiter {
  private let budget: any RateBudget
  private let clock: any SyncClock
  /// This process's own record of a pause, which the budget may not know yet.
  private var pausedUntil: Duration = .zero
  /// The delay that all permits share: the latency of a wake-up on this machine.
  private var usualLateness: Duration?
  /// Nil without an open connection.
  private var lastAnswer: Duration?
  private var connectingSince: Duration?

  private let longestWait: Duration

  package init(
    budget: any RateBudget, clock: any SyncClock, longestWait: Duration = Limits.longestPermitWait
  ) {
    self.longestWait = longestWait
    self.budget = budget
    self.clock = clock
  }

  /// Waits until the caller may send one request, and returns the wait. A cancelled wait loses its permit. Throws
  /// `.tryLater` if the budget is spent for longer than `longestWait`.
  @discardableResult
  package func permit(onWait: @Sendable (Wait) -> Void = { _ in }) async throws -> Duration {
    let waited = try await waitForPermit(onWait)
    if isDisconnected, connectingSince == nil { connectingSince = clock.now() }
    return waited
  }

  private var isDisconnected: Bool { lastAnswer.map { clock.now() - $0 > Limits.idleConnection } ?? true }

  private func waitForPermit(_ onWait: @Sendable (Wait) -> Void) async throws -> Duration {
    var stale: [Duration] = []
    var waited: Duration = .zero
    while true {
      let wait = try await budget.take()
      let due = clock.now() + wait
      if wait > longestWait { throw spent(wait, pauseLeft: try await budget.pauseLeft()) }
      if wait >= Limits.toldWait {
        let isPause = (try? await budget.pauseLeft()).map { $0 > .zero } ?? false
        onWait(.permit(reason: isPause ? Self.pausedReason : "waiting for a request slot", wait))
      }
      // Computed again, because `onWait` took time.
      if wait > .zero { try await clock.sleep(for: max(.zero, due - clock.now())) }
      waited += max(wait, .zero)
      let hasWaited = try await level(due: due) || wait > .zero
      let pause = max(hasWaited ? try await budget.pauseLeft() : .zero, pausedUntil - clock.now())
      if pause > longestWait { throw spent(pause, pauseLeft: pause) }
      if pause > .zero {
        if pause >= Limits.toldWait { onWait(.permit(reason: Self.pausedReason, pause)) }
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

  /// Must be called for each response. After its permit, a request that opens a connection arrives later than the
  /// requests that reuse the connection. Unless the slack covers this delay, another permit is taken and discarded.
  package func answered() async throws {
    let since = isDisconnected ? connectingSince : nil
    lastAnswer = clock.now()
    connectingSince = nil
    guard let since, let slack = budget.slack, clock.now() - since > slack else { return }
    _ = try await budget.take()
  }

  /// Must be called if a request got no response: the next one opens a connection.
  package func disconnected() {
    lastAnswer = nil
    connectingSince = nil
  }

  /// Pauses the callers of this process even if the budget throws.
  package func pause(for duration: Duration) async throws {
    // A wrong `Retry-After` must not stop the mirror forever.
    let pause = min(duration, Limits.longestPause)
    pausedUntil = max(pausedUntil, clock.now() + pause)
    try await budget.pause(for: pause)
  }

  private static let pausedReason = "paused by the service"

  private func spent(_ wait: Duration, pauseLeft: Duration) -> SyncError {
    let isPause = pauseLeft > longestWait
    return SyncError(
      .tryLater,
      isPause
        ? "the upstream is throttling: the next request may be sent in \(pauseLeft.wholeSeconds) s"
        : "the rate limit is used up: the next request may be sent in \(wait.wholeSeconds) s",
      hint: "run again then; the checkpoint is kept", disposition: .stopRun)
  }

  /// A permit is late if its delay exceeds the shared delay by more than the padding.
  private func isTimely(_ lateness: Duration) -> Bool {
    // The first permit has nothing to compare with, so it must be on time.
    budget.slack.map { lateness - (usualLateness ?? .zero) <= $0 } ?? true
  }

  /// Whether the delay is this machine's normal latency, because it is the same every time.
  private func isUsual(_ lateness: Duration, among stale: [Duration]) -> Bool {
    guard stale.count > Limits.stalePermits, let least = stale.min(), let slack = budget.slack else { return false }
    return lateness - least <= slack || stale.count > Limits.stalePermits * 4
  }

  /// Delays a request that is earlier than the usual delay, which decreases by at most the slack per window.
  private func level(due: Duration) async throws -> Bool {
    guard let usual = usualLateness, let slack = budget.slack else { return false }
    let lowered = usual - slack / Limits.rememberedPermits
    let early = lowered - (clock.now() - due)
    guard early > .zero else { return false }
    usualLateness = lowered
    try await clock.sleep(for: early)
    return true
  }
}

extension Duration {
  fileprivate var wholeSeconds: Int64 {
    components.seconds + (components.attoseconds > 0 ? 1 : 0)
  }
}
