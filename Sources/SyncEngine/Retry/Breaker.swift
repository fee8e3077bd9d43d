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
  private enum State: Equatable {
    case closed(failures: Int)
    case open(until: Duration)
    case probing
    case givenUp
  }

  package enum Admission: Sendable, Equatable {
    case go(isProbe: Bool)
    case wait(Duration)
    case refused
  }

  private var state = State.closed(failures: 0)
  private var openings = 0

  package init() {}

  /// If the result is `go`, the caller must report the result of the request.
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

  package mutating func answered() {
    if state != .givenUp { state = .closed(failures: 0) }
  }

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

  package mutating func cancelled(now: Duration) {
    if state == .probing { state = .open(until: now) }
  }

  package var isClosed: Bool { if case .closed = state { true } else { false } }

  package var isGivenUp: Bool { state == .givenUp }
}
