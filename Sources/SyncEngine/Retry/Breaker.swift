import SyncCore

/// Decides whether requests to an origin are allowed, as a state machine without I/O.
///
/// ```
///           too many failures in a row          the pause is over
///   closed ──────────────────────────▶ open ──────────────────────▶ probing
///     ▲                                  ▲                            │  │
///     │ answered                         └────────── failed ──────────┘  │
///     └──────────────────────────────────────────────── answered ────────┘
///
///   open for the third time ──▶ given up
/// ```
///
/// A failure is a request whose attempts all failed. A permanent error, such as a 404, counts as an answer.
package struct Breaker: Sendable, Equatable {
  private enum BreakerState: Equatable {
    case closed(failures: Int)
    case open(until: Duration)
    case probing
    case givenUp
  }

  /// The answer to a request that wants to begin.
  ///
  /// - `go`: The request can begin. `isProbe` is true for the only request that tests a service after a pause.
  /// - `wait`: The caller must ask again after this time.
  /// - `refused`: No request to the origin is allowed any more.
  package enum Admission: Sendable, Equatable {
    case go(isProbe: Bool)
    case wait(Duration)
    case refused
  }

  private var state = BreakerState.closed(failures: 0)
  private var openings = 0

  package init() {}

  /// Decides whether a request can begin. If the result is `go`, the caller must report the end of the request with
  /// `answered`, `failed` or `cancelled`. `now` is a time of any clock, the same for all calls.
  package mutating func admit(now: Duration) -> Admission {
    switch state {
    case .closed: return .go(isProbe: false)
    case .givenUp: return .refused
    case .probing: return .wait(Limits.backoffBase)
    case .open(let until):
      guard now >= until else { return .wait(until - now) }
      state = .probing
      return .go(isProbe: true)
    }
  }

  /// Records that the service answered a request that `admit` let through. The state becomes `closed`, unless it is
  /// `given up`.
  package mutating func answered() {
    if state != .givenUp { state = .closed(failures: 0) }
  }

  /// Records that all attempts of a request failed. `now` is the time of the clock that `admit` uses.
  package mutating func failed(now: Duration) {
    switch state {
    case .closed(let failures) where failures + 1 < Limits.failuresThatOpen:
      state = .closed(failures: failures + 1)
    case .closed, .probing:
      openings += 1
      state = openings < Limits.breakerOpenings ? .open(until: now + Limits.breakerPause) : .givenUp
    case .open, .givenUp: break
    }
  }

  /// Records that a request ended without a result. If it was the probe, the next request is a probe at once. `now` is
  /// the time of the clock that `admit` uses.
  package mutating func cancelled(now: Duration) {
    if state == .probing { state = .open(until: now) }
  }

  /// Whether requests are allowed and none of them is a probe.
  package var isClosed: Bool { if case .closed = state { true } else { false } }

  /// Whether no request will be allowed any more.
  package var isGivenUp: Bool { state == .givenUp }
}
