package import SyncCore
import Synchronization

/// Sends the requests to one origin, within its rate limits, with retries and a circuit breaker.
///
/// Copies of a fetcher share the circuit breaker, so a service that is down stops the requests of all streams of a run.
package struct Fetcher: Sendable {
  private let transport: any Transport
  private let limiter: RateLimiter
  private let policy: RetryPolicy
  private let clock: any SyncClock
  private let chance: Chance
  private let health = OriginHealth()

  /// Creates a fetcher for the origin that `limiter` limits. Sends nothing yet.
  /// - Parameters:
  ///   - policy: The number of attempts of each request, and the delays between them.
  ///   - clock: The clock of request times and pauses.
  ///   - chance: Returns random numbers in 0 ..< 1 for the delays of retries.
  package init(
    transport: any Transport, limiter: RateLimiter, policy: RetryPolicy = RetryPolicy(), clock: any SyncClock,
    chance: @escaping Chance
  ) {
    self.transport = transport
    self.limiter = limiter
    self.policy = policy
    self.clock = clock
    self.chance = chance
  }

  /// Whether the circuit breaker refuses all further requests.
  package var isGivenUp: Bool { health.isGivenUp }

  /// The end of a request.
  ///
  /// - `answer`: The service answered, and the answer could be read.
  /// - `stopped`: Another attempt cannot help or is not allowed, or the task was cancelled (`CancellationError`).
  package enum Result<Answer: Sendable>: Sendable {
    case answer(Answer)
    /// All attempts failed. Another page can still succeed, unless the origin is down.
    case exhausted(SyncError)
    case stopped(any Error)
  }

  /// The end of a request with its cost, also if the request failed.
  package struct Report<Answer: Sendable>: Sendable {
    package let result: Result<Answer>
    /// The requests, retries, bytes and waits of all attempts. Items are not counted here.
    package let cost: RunCounters
    /// The time of the last attempt by the engine's clock, or of the call if nothing was sent.
    package let requestedAt: Duration
    /// Whether the circuit breaker was not closed after the request.
    package let isOriginDown: Bool
    /// The memory that the answer's body occupies, until `release` or the end of the last reference. `nil` for a small
    /// body and for a failed request.
    let reservation: ByteReservation?

    /// The answer, or `nil` if the request failed.
    package var answer: Answer? {
      if case .answer(let answer) = result { answer } else { nil }
    }

    /// Returns the same end of a request with another cost, for example the cost of several requests.
    func costing(_ cost: RunCounters) -> Report {
      Report(result: result, cost: cost, requestedAt: requestedAt, isOriginDown: isOriginDown, reservation: reservation)
    }
  }

  /// Sends a request until it is answered, and reads the answer. Waits for permits, pauses and delays of retries.
  ///
  /// Returns errors instead of throwing them, so that the cost of a failed request is counted.
  /// - Parameters:
  ///   - retries: The retries of the whole run, which this request may use.
  ///   - onWait: Called before each retry, each pause of the circuit breaker and each longer wait for a permit.
  ///   - read: Reads a response of any status, once for each response. The disposition of its `SyncError` decides about
  ///     a retry. Any other error ends the request.
  package func fetch<Answer: Sendable>(
    _ request: UpstreamRequest, retries: RunRetries, onWait: @Sendable (Wait) -> Void,
    read: @Sendable (UpstreamResponse, UpstreamRequest) throws -> Answer
  ) async -> Report<Answer> {
    let startedAt = clock.now()
    do {
      let isProbe = try await passBreaker(onWait)
      var attempt = Attempt(
        request, limit: isProbe ? 1 : policy.attempts, policy: policy, retries: retries, chance: chance,
        moment: limiter.moment)

      let result = await carryOut(&attempt, onWait: onWait, read: read)
      health.report(result, now: clock.now())
      return Report(
        result: result, cost: attempt.cost, requestedAt: attempt.requestedAt ?? startedAt, isOriginDown: !health.isWell,
        reservation: attempt.reservation)
    } catch {
      return Report(
        result: .stopped(error), cost: RunCounters(), requestedAt: startedAt, isOriginDown: !health.isWell,
        reservation: nil)
    }
  }

  /// Fetches a page of a list, conditionally if the stored version of the page permits this.
  ///
  /// Returns errors like the other `fetch`. Sends nothing if the stream rejects the address.
  /// - Parameter cached: The stored version of the page. A page with its digest or a 304 is returned as confirmed.
  package func fetch(
    _ address: PageAddress, of stream: any PagedStream, cached: CachedPage? = nil, retries: RunRetries,
    onWait: @Sendable (Wait) -> Void
  ) async -> Report<FetchedPage> {
    do throws(SyncError) {
      try stream.check(address)
    } catch {
      return Report(
        result: .stopped(error), cost: RunCounters(), requestedAt: clock.now(), isOriginDown: false, reservation: nil)
    }

    var request = stream.request(address)
    let cached = cached?.withoutSecretValidators(request.additions.mask)
    // In a chain, only a strong validator covers the next page's address.
    let isStrong = cached?.validators?.etag.map { !$0.hasPrefix("W/") } ?? false
    let isUsable = request.body == nil && !stream.namesNextInHeader && (stream.description.method != .chain || isStrong)
    request.validators = isUsable ? cached?.validators : nil

    return await fetch(request, retries: retries, onWait: onWait) { response, request in
      if let cached, response.status == 304 { return FetchedPage(cached, .notModified) }

      let digest = PageDigest.of(
        response.body, link: stream.namesNextInHeader ? response.headers["link"] : nil,
        mappingVersion: stream.description.mappingVersion
      )
      if let cached, cached.digest == digest, (200..<300).contains(response.status), !stream.mustRead(response) {
        return FetchedPage(cached, .identical, validators: response.validators)
      }

      return FetchedPage(
        try stream.read(response, to: request),
        PageCommit.Origin(address: address, validators: response.validators, digest: digest),
        build: stream.lookup?.build(of: response))
    }
  }

  /// Waits until the circuit breaker admits a request.
  /// - Returns: Whether the request is the probe, which is sent only once.
  /// - Throws: The last error of the service if the breaker gave up, or `CancellationError`.
  private func passBreaker(_ onWait: @Sendable (Wait) -> Void) async throws -> Bool {
    while true {
      switch health.admit(now: clock.now()) {
      case .go(let isProbe): return isProbe
      case .refused: throw health.lastError
      case .wait(let pause):
        onWait(.retry(health.lastError, pause))
        try await clock.sleep(for: pause)
      }
    }
  }

  /// Carries out the actions of `attempt` until the request is answered or given up.
  private func carryOut<Answer: Sendable>(
    _ attempt: inout Attempt, onWait: @Sendable (Wait) -> Void,
    read: @Sendable (UpstreamResponse, UpstreamRequest) throws -> Answer
  ) async -> Result<Answer> {
    do {
      while true {
        switch attempt.next() {
        case .send(let request, let reportsWait):
          try await transport.prepare()
          do {
            let waited = try await reportsWait ? limiter.permit(onWait: onWait) : limiter.permit()
            return .answer(try await send(request, &attempt, afterWaiting: waited, read: read))
          } catch let error as SyncError {
            attempt.failed(error)
          }
        case .pauseOrigin(let duration):
          try await limiter.pause(for: duration)
        case .wait(after: let error, let delay):
          onWait(.retry(error, delay.duration))
          if !delay.isForAll { try await clock.sleep(for: delay.duration) }
        case .exhausted(let error):
          return .exhausted(error)
        case .stopped(let error):
          return .stopped(error)
        }
      }
    } catch {
      return .stopped(error)
    }
  }

  /// Sends the request once and reads the answer. The caller has waited for a permit.
  private func send<Answer: Sendable>(
    _ request: UpstreamRequest, _ attempt: inout Attempt, afterWaiting waited: Duration,
    read: @Sendable (UpstreamResponse, UpstreamRequest) throws -> Answer
  ) async throws -> Answer {
    attempt.sent(at: clock.now(), afterWaiting: waited)

    let response = try await answer(to: request)
    attempt.received(response)
    if let pause = response.limitPause { try await limiter.pause(for: pause) }

    let answer = try read(response, request)
    // `read` runs before `answered`, because an error of `read` must pause the other clients without delay.
    try await limiter.answered()
    attempt.answered(response)
    return answer
  }

  /// Sends a request, and tells the limiter if no response arrived.
  private func answer(to request: UpstreamRequest) async throws -> UpstreamResponse {
    do {
      return try await transport.fetch(request)
    } catch {
      await limiter.disconnected()
      throw error
    }
  }
}

/// The circuit breaker of an origin, with the error of the last request whose attempts all failed.
private final class OriginHealth: Sendable {
  private struct FailureRecord {
    var breaker = Breaker()
    var lastError = SyncError(.upstream, "the service is down")
  }

  private let record = Mutex(FailureRecord())

  var isGivenUp: Bool { record.withLock { $0.breaker.isGivenUp } }
  var isWell: Bool { record.withLock { $0.breaker.isClosed } }
  var lastError: SyncError { record.withLock { $0.lastError } }

  func admit(now: Duration) -> Breaker.Admission { record.withLock { $0.breaker.admit(now: now) } }

  /// Records the result of a request that `admit` let through. `now` is from the clock that `admit` uses.
  func report<Answer>(_ result: Fetcher.Result<Answer>, now: Duration) {
    record.withLock { record in
      switch result {
      case .answer: record.breaker.answered()
      case .exhausted(let error):
        record.breaker.failed(now: now)
        record.lastError = error
      case .stopped(let error):
        // A service that refuses a request is up. A cancelled or unsent request proves nothing about the service.
        let isRefusal = (error as? SyncError)?.code == .upstream
        if isRefusal { record.breaker.answered() } else { record.breaker.cancelled(now: now) }
      }
    }
  }
}
