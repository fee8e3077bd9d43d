package import SyncCore

/// Issues the permits for requests to one origin. Before each request, call `permit`. After it, call `answered` if the
/// request succeeded, or `disconnected` if no response arrived.
package actor RateLimiter {
  private let budget: any RateBudget
  private let clock: any SyncClock
  private var pausedUntil: Duration = .zero
  private var usualLateness: Duration?
  /// The time of the last answer; `nil` if no connection is open.
  private var lastAnswer: Duration?
  /// The first request after `lastAnswer`: when it was sent, and its permit. `nil` once it is answered.
  private var connecting: (since: Duration, permit: RatePermit)?

  private let longestWait: Duration
  /// Formats the end of a wait for a message, such as "in 2,000 s".
  nonisolated let moment: @Sendable (Duration) -> String

  /// Creates the limiter of one origin, whose permits are in `budget`.
  /// - Parameters:
  ///   - longestWait: If a permit or a pause is further away, `permit` throws instead of waiting.
  ///   - moment: Formats the end of a wait for errors, from the time until then (default: as in "in 2,000 s").
  package init(
    budget: any RateBudget, clock: any SyncClock, longestWait: Duration = Limits.longestPermitWait,
    moment: (@Sendable (Duration) -> String)? = nil
  ) {
    self.longestWait = longestWait
    self.moment = moment ?? { "in \($0.wholeSeconds.grouped) s" }
    self.budget = budget
    self.clock = clock
  }

  /// Waits until the caller can send one request, and returns the waiting time. A task that is cancelled while it waits
  /// loses its permit. Throws `.tryLater` if the next permit or the end of a pause is more than `longestWait` away,
  /// `CancellationError`, or the error of the budget.
  /// - Parameter onWait: Called before each wait of at least `Limits.shortestReportedWait`, possibly several times.
  @discardableResult
  package func permit(onWait: @Sendable (Wait) -> Void = { _ in }) async throws -> Duration {
    let (permit, waited) = try await waitForPermit(onWait)
    if isDisconnected, connecting == nil { connecting = (clock.now(), permit) }
    return waited
  }

  private var isDisconnected: Bool { lastAnswer.map { clock.now() - $0 > Limits.idleConnection } ?? true }

  private func waitForPermit(
    _ onWait: @Sendable (Wait) -> Void
  ) async throws -> (permit: RatePermit, waited: Duration) {
    var stale: [Duration] = []
    var waited: Duration = .zero
    while true {
      let permit = try await budget.take()
      let wait = permit.wait
      let due = clock.now() + wait
      if wait > longestWait { throw spent(wait, remainingPause: try await budget.remainingPause()) }
      if wait >= Limits.shortestReportedWait {
        let isPause = (try? await budget.remainingPause()).map { $0 > .zero } ?? false
        onWait(.permit(reason: isPause ? Self.pausedReason : "waiting for a request slot", wait))
      }

      // The wait is computed again, because `onWait` took time.
      if wait > .zero { try await clock.sleep(for: max(.zero, due - clock.now())) }
      waited += max(wait, .zero)

      let hasWaited = try await level(due: due) || wait > .zero
      let pause = max(hasWaited ? try await budget.remainingPause() : .zero, pausedUntil - clock.now())
      if pause > longestWait { throw spent(pause, remainingPause: pause) }

      if pause > .zero {
        if pause >= Limits.shortestReportedWait { onWait(.permit(reason: Self.pausedReason, pause)) }
        try await budget.giveBack(permit)
        try await clock.sleep(for: pause)
        waited += pause
        continue
      }

      let lateness = clock.now() - due
      if isTimely(lateness) {
        usualLateness = min(lateness, usualLateness ?? lateness)
        return (permit, waited)
      }
      stale.append(lateness)
      if isUsual(lateness, among: stale) {
        usualLateness = stale.min()
        return (permit, waited)
      }
      try await budget.giveBack(permit)
    }
  }

  /// Records that a request succeeded. Call it after each successful request. If opening a connection was slow, the
  /// request arrived late, and the next request would follow too closely. The limiter then exchanges its permit for a
  /// later one, and throws the error of the budget if this fails.
  package func answered() async throws {
    let first = isDisconnected ? connecting : nil
    lastAnswer = clock.now()
    connecting = nil
    guard let first, let slack = budget.slack, clock.now() - first.since > slack else { return }
    // The later permit comes first, so that the windows count the request at any time. Without a later permit, the
    // request keeps its own.
    let later = try await budget.take()
    if later.time != nil { try await budget.giveBack(first.permit) }
  }

  /// Records that a request got no response, because the next request then opens a new connection. Call it instead of
  /// `answered`.
  package func disconnected() {
    lastAnswer = nil
    connecting = nil
  }

  /// Pauses all requests that share the budget, for at most `Limits.longestPause`. Never shortens an earlier pause. If
  /// the budget throws, pauses only the requests of this limiter, and throws the same error.
  package func pause(for duration: Duration) async throws {
    // A wrong `Retry-After` must not stop the mirror forever.
    let pause = min(duration, Limits.longestPause)
    pausedUntil = max(pausedUntil, clock.now() + pause)
    try await budget.pause(for: pause)
  }

  private static let pausedReason = "paused by the service"

  private func spent(_ wait: Duration, remainingPause: Duration) -> SyncError {
    let isPause = remainingPause > longestWait
    return SyncError(
      .tryLater,
      isPause
        ? "the upstream is throttling: the next request may be sent \(moment(remainingPause))"
        : "the rate limit is used up: the next request may be sent \(moment(wait))",
      hint: SyncError.resumesThen, disposition: .stopRun)
  }

  private func isTimely(_ lateness: Duration) -> Bool {
    budget.slack.map { lateness - (usualLateness ?? .zero) <= $0 } ?? true
  }

  private func isUsual(_ lateness: Duration, among stale: [Duration]) -> Bool {
    guard stale.count > Limits.stalePermits, let least = stale.min(), let slack = budget.slack else { return false }
    return lateness - least <= slack || stale.count > Limits.stalePermits * 4
  }

  /// Delays a task that woke up early, because its request would be too close to the previous request.
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
