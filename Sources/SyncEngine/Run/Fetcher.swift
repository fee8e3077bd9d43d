package import SyncCore
import Synchronization

package struct Fetcher: Sendable {
  private let transport: any Transport
  private let limiter: RateLimiter
  private let policy: RetryPolicy
  private let clock: any SyncClock
  private let waiting: any SyncClock
  private let chance: Chance
  private let health = OriginHealth()

  /// `clock` is for request times, and `waiting` is for pauses. They differ only in a replay, which does not wait.
  package init(
    transport: any Transport, limiter: RateLimiter, policy: RetryPolicy = RetryPolicy(), clock: any SyncClock,
    waiting: (any SyncClock)? = nil, chance: @escaping Chance
  ) {
    (self.transport, self.limiter, self.policy, self.clock) = (transport, limiter, policy, clock)
    self.waiting = waiting ?? clock
    self.chance = chance
  }

  package var isGivenUp: Bool { health.isGivenUp }

  package enum Result<Answer: Sendable>: Sendable {
    case answer(Answer)
    /// All attempts failed. Another page can still succeed, unless the origin is down.
    case exhausted(SyncError)
    case stopped(any Error)
  }

  package struct Outcome<Answer: Sendable>: Sendable {
    package let result: Result<Answer>
    package let cost: RunCounters
    package let askedAt: Duration
    package let isOriginDown: Bool
    let reservation: ByteReservation?

    package var answer: Answer? {
      if case .answer(let answer) = result { answer } else { nil }
    }

    func costing(_ cost: RunCounters) -> Outcome {
      Outcome(result: result, cost: cost, askedAt: askedAt, isOriginDown: isOriginDown, reservation: reservation)
    }
  }

  /// Returns errors instead of throwing them, so that the cost of a failed request is counted.
  package func fetch<Answer: Sendable>(
    _ request: UpstreamRequest, retries: RunRetries, onWait: @Sendable (Wait) -> Void,
    read: @Sendable (UpstreamResponse, UpstreamRequest) throws -> Answer
  ) async -> Outcome<Answer> {
    var cost = RunCounters()
    var askedAt = clock.now()
    var reservation: ByteReservation?
    let result: Result<Answer>
    do {
      let isProbe = try await passBreaker(onWait)
      result = await attempts(
        request, isProbe ? 1 : policy.attempts, retries, &cost, &askedAt, &reservation, onWait, read)
      health.report(result, now: waiting.now())
    } catch {
      result = .stopped(error)
    }
    return Outcome(
      result: result, cost: cost, askedAt: askedAt, isOriginDown: !health.isWell, reservation: reservation)
  }

  package func fetch(
    _ address: PageAddress, of stream: any PagedStream, known: KnownPage? = nil, retries: RunRetries,
    onWait: @Sendable (Wait) -> Void
  ) async -> Outcome<FetchedPage> {
    do throws(SyncError) {
      try stream.check(address)
    } catch {
      return Outcome(
        result: .stopped(error), cost: RunCounters(), askedAt: clock.now(), isOriginDown: false, reservation: nil)
    }
    var request = stream.request(address)
    let known = known?.withoutSecretValidators(request.additions.mask)
    // In a chain, only a strong validator covers the next page's address.
    let isStrong = known?.validators?.etag.map { !$0.hasPrefix("W/") } ?? false
    let isUsable = request.body == nil && !stream.namesNextInHeader && (stream.description.method != .chain || isStrong)
    request.validators = isUsable ? known?.validators : nil
    return await fetch(request, retries: retries, onWait: onWait) { response, request in
      if let known, response.status == 304 { return FetchedPage(known, .notModified) }
      let digest = PageDigest.of(
        response.body, link: stream.namesNextInHeader ? response.headers["link"] : nil,
        mappingVersion: stream.description.mappingVersion
      )
      if let known, known.digest == digest, (200..<300).contains(response.status) {
        return FetchedPage(known, .identical, validators: response.validators)
      }
      return FetchedPage(
        try stream.read(response, to: request),
        PageCommit.Origin(address: address, validators: response.validators, digest: digest),
        build: stream.lookup?.build(of: response))
    }
  }

  private func passBreaker(_ onWait: @Sendable (Wait) -> Void) async throws -> Bool {
    while true {
      switch health.admit(now: waiting.now()) {
      case .go(let isProbe): return isProbe
      case .refused: throw health.lastError
      case .wait(let pause):
        onWait(.retry(health.lastError, pause))
        try await waiting.sleep(for: pause)
      }
    }
  }

  private func attempts<Answer: Sendable>(
    _ request: UpstreamRequest, _ limit: Int, _ retries: RunRetries, _ cost: inout RunCounters,
    _ askedAt: inout Duration, _ reservation: inout ByteReservation?, _ onWait: @Sendable (Wait) -> Void,
    _ read: @Sendable (UpstreamResponse, UpstreamRequest) throws -> Answer
  ) async -> Result<Answer> {
    var request = request
    var toldPause = false
    while true {
      do {
        try await transport.prepare()
      } catch {
        return .stopped(error)
      }
      do {
        let waited = try await toldPause ? limiter.permit() : limiter.permit(onWait: onWait)
        cost.permitsWaited += waited > .zero ? 1 : 0
        cost.waited += waited
        cost.requests += 1
        retries.countRequest()
        askedAt = clock.now()
        let response = try await answer(to: request)
        cost.bytes += response.body.count
        if let pause = response.limitPause { try await limiter.pause(for: pause) }
        let answer = try read(response, request)
        // `read` runs before `answered`, because an error of `read` must pause the other clients without delay.
        try await limiter.answered()
        reservation = response.reservation
        return .answer(answer)
      } catch let error as SyncError {
        do {
          guard let delay = try await prepareRetry(after: error, attempt: cost.requests, limit, retries, onWait) else {
            return .exhausted(error.afterTrying(cost.requests))
          }
          cost.retries += 1
          toldPause = delay.isForAll
          request = request.next
        } catch {
          return .stopped(error)
        }
      } catch {
        return .stopped(error)
      }
    }
  }

  private func answer(to request: UpstreamRequest) async throws -> UpstreamResponse {
    do {
      return try await transport.fetch(request)
    } catch {
      await limiter.disconnected()
      throw error
    }
  }

  /// Returns `nil` after the last attempt. Throws if another attempt cannot help.
  private func prepareRetry(
    after error: SyncError, attempt: Int, _ limit: Int, _ retries: RunRetries, _ onWait: @Sendable (Wait) -> Void
  ) async throws -> RetryPolicy.Delay? {
    guard let delay = policy.delay(attempt: attempt, disposition: error.disposition, chance: chance()) else {
      throw error
    }
    // The origin is paused first, because other clients of the origin must wait even if this request gives up.
    if delay.isForAll { try await limiter.pause(for: delay.duration) }
    guard delay.duration <= Limits.retryAfterCap else { throw error.allowing(limiter.moment(delay.duration)) }
    guard attempt < limit else { return nil }
    guard retries.spend() else { throw error.withoutRetries(retries) }
    onWait(.retry(error, delay.duration))
    // A delay for all clients needs no sleep here, because the limiter delays the next permit.
    if !delay.isForAll { try await waiting.sleep(for: delay.duration) }
    return delay
  }
}

private final class OriginHealth: Sendable {
  private struct State {
    var breaker = Breaker()
    var lastError = SyncError(.upstream, "the service is down")
  }

  private let state = Mutex(State())

  var isGivenUp: Bool { state.withLock { $0.breaker.isGivenUp } }
  var isWell: Bool { state.withLock { $0.breaker.isClosed } }
  var lastError: SyncError { state.withLock { $0.lastError } }

  func admit(now: Duration) -> Breaker.Admission { state.withLock { $0.breaker.admit(now: now) } }

  func report<Answer>(_ result: Fetcher.Result<Answer>, now: Duration) {
    state.withLock { state in
      switch result {
      case .answer: state.breaker.answered()
      case .exhausted(let error):
        state.breaker.failed(now: now)
        state.lastError = error
      case .stopped(let error):
        // A service that refuses a request is up. A cancelled or unsent request proves nothing about the service.
        let isRefusal = (error as? SyncError)?.code == .upstream
        if isRefusal { state.breaker.answered() } else { state.breaker.cancelled(now: now) }
      }
    }
  }
}

extension SyncError {
  fileprivate func allowing(_ moment: String) -> SyncError {
    SyncError(.tryLater, "\(message); it allows the next request \(moment)", hint: SyncError.resumesThen)
  }

  fileprivate func afterTrying(_ attempts: Int) -> SyncError {
    let told = attempts == 1 ? message : "\(message) (tried \(attempts) times)"
    guard case .throttled = disposition else { return SyncError(code, told, hint: hint) }
    return SyncError(code, told, hint: hint, disposition: disposition)
  }

  fileprivate func withoutRetries(_ run: RunRetries) -> SyncError {
    let (requests, retries) = run.spent
    return SyncError(
      .tryLater,
      "the service fails too often: all \(retries) retries for \(requests) requests are used; last error: \(message)",
      hint: "run again later; it resumes after the last committed page")
  }
}
