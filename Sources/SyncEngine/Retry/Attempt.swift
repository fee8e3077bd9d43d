import SyncCore

/// A request with its retries, as a state machine without I/O. It decides what follows each failed attempt.
///
/// The caller carries out each action of `next()` and then calls `next()` again. After `send`, it first calls `sent` if
/// the request was sent, and then `answered` or `failed`. After `answered`, `exhausted` or `stopped`, it is done.
///
/// ```
///   ready ──send──▶ sent ──answered──▶ done
///                    ▲ │
///                    │ └──failed──▶ failed ──pauseOrigin──▶ paused
///                  send                │                       │
///                    │                 ├───────────────────────┤
///                 delayed ◀────wait────┘                       └──▶ exhausted, stopped
/// ```
struct Attempt {
  /// A step for the caller.
  enum Action {
    /// Take a permit and send the request.
    /// - `reportsWait`: Whether the user should see a wait for the permit. False after a pause that `wait` reported.
    case send(UpstreamRequest, reportsWait: Bool)
    /// Pause all requests to the origin, also those of other processes.
    case pauseOrigin(Duration)
    /// Report the error and wait. A delay for all requests needs no sleep, because it delays the next permit.
    case wait(after: SyncError, RetryPolicy.Delay)
    /// All attempts failed. Another request can still succeed.
    case exhausted(SyncError)
    /// Another attempt cannot help, or is not allowed.
    case stopped(SyncError)
  }

  private enum Phase {
    case ready
    case sent
    case failed(SyncError)
    case paused(SyncError, RetryPolicy.Delay)
    case delayed(RetryPolicy.Delay)
    case done
  }

  private let limit: Int
  private let policy: RetryPolicy
  private let retries: RunRetries
  private let chance: Chance
  private let moment: @Sendable (Duration) -> String

  private var phase = Phase.ready
  private var request: UpstreamRequest
  /// The requests, retries, bytes and waits up to now.
  private(set) var cost = RunCounters()
  /// The time of the last request, by the engine's clock. `nil` if none was sent.
  private(set) var requestedAt: Duration?
  /// The memory that the answer's body occupies. `nil` for a small body.
  private(set) var reservation: ByteReservation?

  /// - Parameters:
  ///   - limit: How often the request can be sent.
  ///   - retries: The retries of the run, which each retry uses up.
  ///   - moment: Formats the end of a wait for a message, such as "in 2,000 s".
  init(
    _ request: UpstreamRequest, limit: Int, policy: RetryPolicy, retries: RunRetries, chance: @escaping Chance,
    moment: @escaping @Sendable (Duration) -> String
  ) {
    self.request = request
    self.limit = limit
    self.policy = policy
    self.retries = retries
    self.chance = chance
    self.moment = moment
  }

  /// Returns the next action. After `send`, the caller must have reported the result.
  mutating func next() -> Action {
    switch phase {
    case .ready:
      phase = .sent
      return .send(request, reportsWait: true)

    case .failed(let error):
      let delay = policy.delay(attempt: cost.requests, disposition: error.disposition, chance: chance())
      guard let delay else { return stop(error) }
      guard delay.isForAll else { return retry(after: error, delay) }
      // The origin is paused first, because other clients of the origin must wait even if this request gives up.
      phase = .paused(error, delay)
      return .pauseOrigin(delay.duration)

    case .paused(let error, let delay):
      return retry(after: error, delay)

    case .delayed(let delay):
      cost.retries += 1
      request = request.next
      phase = .sent
      return .send(request, reportsWait: !delay.isForAll)

    case .sent, .done:
      // `Fetcher` reports the result of each action before it asks for the next one, so no answer can cause this.
      preconditionFailure("an attempt must have a result before the next action")
    }
  }

  /// - Parameters:
  ///   - time: The time of the engine's clock when the request is sent.
  ///   - waited: The wait for the permit.
  mutating func sent(at time: Duration, afterWaiting waited: Duration) {
    cost.permitsWaited += waited > .zero ? 1 : 0
    cost.waited += waited
    cost.requests += 1
    retries.countRequest()
    requestedAt = time
  }

  /// Counts the bytes of a response, before it is known whether it can be read.
  mutating func received(_ response: UpstreamResponse) { cost.bytes += response.body.count }

  /// Ends the request with an answer that could be read. The attempt then owns the answer's reserved memory.
  mutating func answered(_ response: UpstreamResponse) {
    reservation = response.reservation
    phase = .done
  }

  /// Records that a permit, the request or reading its answer failed. The error's disposition decides whether it is
  /// retried.
  mutating func failed(_ error: SyncError) { phase = .failed(error) }

  /// Returns a wait, unless the delay is too long, or the attempts or the run's retries are used up.
  private mutating func retry(after error: SyncError, _ delay: RetryPolicy.Delay) -> Action {
    guard delay.duration <= Limits.retryAfterCap else { return stop(error.allowing(moment(delay.duration))) }
    guard cost.requests < limit else {
      phase = .done
      return .exhausted(error.afterTrying(cost.requests))
    }
    guard retries.spend() else { return stop(error.withoutRetries(retries)) }
    phase = .delayed(delay)
    return .wait(after: error, delay)
  }

  private mutating func stop(_ error: SyncError) -> Action {
    phase = .done
    return .stopped(error)
  }
}

extension SyncError {
  fileprivate func allowing(_ moment: String) -> SyncError {
    SyncError(.tryLater, "\(message); it allows the next request \(moment)", hint: SyncError.resumesThen)
  }

  fileprivate func afterTrying(_ attempts: Int) -> SyncError {
    let text = attempts == 1 ? message : "\(message) (tried \(attempts) times)"
    guard case .throttled = disposition else { return SyncError(code, text, hint: hint) }
    return SyncError(code, text, hint: hint, disposition: disposition)
  }

  fileprivate func withoutRetries(_ run: RunRetries) -> SyncError {
    let (requests, retries) = run.spent
    return SyncError(
      .tryLater,
      "the service fails too often: all \(retries) retries for \(requests) requests are used; last error: \(message)",
      hint: "run again later; it resumes after the last committed page")
  }
}
