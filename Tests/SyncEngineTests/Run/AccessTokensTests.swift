import SyncCore
import SyncEngine
import SyncTestKit
import Synchronization
import Testing

@Suite("Access tokens")
struct AccessTokensTests {
  /// A service that gives tokens (`token-1`, `token-2`, …) and refuses requests without a valid one.
  private final class Service: Transport, TokenGrant {
    private struct State {
      var events: [String] = []
      var issued = 0
      var valid: Set<String> = []
      var failure: SyncError?
    }

    let url = "https://login.example/token"
    let lifetime: Duration
    let gate: Gate?
    private let acceptsTokens: Bool
    private let state = Mutex(State())

    init(lifetime: Duration = .seconds(3600), acceptsTokens: Bool = true, gate: Gate? = nil) {
      self.lifetime = lifetime
      self.acceptsTokens = acceptsTokens
      self.gate = gate
    }

    var events: [String] { state.withLock { $0.events } }

    func revokeAll() { state.withLock { $0.valid = [] } }

    func fail(with error: SyncError?) { state.withLock { $0.failure = error } }

    func token(from fetcher: Fetcher) async throws -> AccessToken {
      await gate?.pass()
      try Task.checkCancellation()
      return try state.withLock { state in
        state.issued += 1
        state.events.append("token-\(state.issued)")
        if let failure = state.failure { throw failure }
        if acceptsTokens { state.valid.insert("Bearer token-\(state.issued)") }
        return AccessToken("token-\(state.issued)", lifetime: lifetime)
      }
    }

    func fetch(_ request: UpstreamRequest) async throws -> UpstreamResponse {
      state.withLock { state in
        let sent = request.additions.headers["Authorization"] ?? ""
        let status = state.valid.contains(sent) ? 200 : 401
        state.events.append("\(status) \(sent)")
        return UpstreamResponse(status: status, headers: [:], body: [])
      }
    }
  }

  /// A budget that tells when a permit is taken, and moves the clock by `wait` first.
  private struct ToldBudget: RateBudget {
    let clock: ManualClock
    let wait: Duration
    let told: @Sendable () -> Void

    var slack: Duration? { nil }

    func take() async throws -> RatePermit {
      told()
      return RatePermit(wait: wait, time: nil)
    }
    func giveBack(_ permit: RatePermit) async throws {}
    func pause(for duration: Duration) async throws {}
    func remainingPause() async throws -> Duration { .zero }
  }

  private let clock = ManualClock(isAutomatic: true)
  private let secrets = LearnedSecrets()

  private func transport(_ service: Service) -> (AuthorizedTransport, AccessTokens) {
    let tokens = AccessTokens(service, secrets: secrets, clock: clock)
    return (AuthorizedTransport(service, tokens, requestedWith: .forTests(service, clock: clock)), tokens)
  }

  private var request: UpstreamRequest {
    var request = UpstreamRequest(url: "https://api.example/items")
    request.additions.headers["Authorization"] = "Bearer {access_token}"
    return request
  }

  private func fetch(_ fetcher: Fetcher) async -> String {
    let outcome = await fetcher.fetch(request, retries: RunRetries(), onWait: { _ in }) { response, _ in
      guard response.status != 401 else { throw SyncError(.upstream, "refused", disposition: .stopRun) }
      return "\(response.status)"
    }
    switch outcome.result {
    case .answer(let text): return text
    case .exhausted(let error): return "exhausted: \(error.message)"
    case .stopped(let error): return "stopped: \((error as? SyncError)?.message ?? "\(error)")"
    }
  }

  @Test("one request serves all that wait, and its error reaches all of them")
  func shared() async throws {
    let gate = Gate()
    let service = Service(gate: gate)
    let (transport, _) = transport(service)
    func all() async -> [Bool] {
      await withTaskGroup(of: Bool.self) { group in
        for _ in 1...20 { group.addTask { (try? await transport.prepare()) != nil } }
        gate.open()
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
    service.fail(with: SyncError(.upstream, "down"))
    #expect(await all().contains(true) == false)
    let failures = service.events.count
    service.fail(with: nil)
    #expect(await all().contains(false) == false)
    // Callers that begin after a failed request begin another one.
    #expect(failures >= 1 && service.events.count == failures + 1)
  }

  @Test("callers that wait at the same time share one request")
  func simultaneous() async throws {
    let gate = Gate()
    let service = Service(gate: gate)
    let (transport, _) = transport(service)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...20 { group.addTask { try await transport.prepare() } }
      try await waitUntil("the request for a token") { gate.arrivals > 0 }
      gate.open()
      try await group.waitForAll()
    }
    #expect(service.events == ["token-1"])
  }

  @Test(
    "a token is renewed before it expires, but not much earlier",
    arguments: [(3600, 3539, 3540), (1800, 1739, 1740), (60, 53, 54), (1, 0, 1)])
  func renewal(lifetime: Int, kept: Int, renewed: Int) async throws {
    let service = Service(lifetime: .seconds(lifetime))
    let (transport, _) = transport(service)
    try await transport.prepare()
    clock.set(.seconds(kept))
    try await transport.prepare()
    #expect(service.events == ["token-1"])
    clock.set(.seconds(renewed))
    try await transport.prepare()
    #expect(service.events == ["token-1", "token-2"])
  }

  @Test("a token is obtained before the permit, so that a request is sent at once with its permit")
  func order() async throws {
    let service = Service()
    let (transport, _) = transport(service)
    let permits = Mutex<[Int]>([])
    let budget = ToldBudget(clock: clock, wait: .zero) { permits.withLock { $0.append(service.events.count) } }
    let fetcher = Fetcher(
      transport: transport, limiter: RateLimiter(budget: budget, clock: clock), clock: clock, chance: { 0.5 })
    #expect(await fetch(fetcher) == "200")
    #expect(service.events == ["token-1", "200 Bearer token-1"])
    // One event, the token's, came before the permit.
    #expect(permits.withLock { $0 } == [1])
  }

  @Test("a token that the service no longer accepts is replaced once, and the request is sent again with a permit")
  func revoked() async throws {
    let service = Service()
    let (transport, _) = transport(service)
    let permits = Mutex(0)
    let budget = ToldBudget(clock: clock, wait: .zero) { permits.withLock { $0 += 1 } }
    let fetcher = Fetcher(
      transport: transport, limiter: RateLimiter(budget: budget, clock: clock), clock: clock, chance: { 0.5 })
    #expect(await fetch(fetcher) == "200")
    service.revokeAll()
    #expect(await fetch(fetcher) == "200")
    #expect(
      service.events == [
        "token-1", "200 Bearer token-1", "401 Bearer token-1", "token-2", "200 Bearer token-2",
      ])
    #expect(permits.withLock { $0 } == 3)
  }

  @Test("401 for a new token is a refusal: no further token is requested")
  func refused() async throws {
    let service = Service(acceptsTokens: false)
    let (transport, _) = transport(service)
    let fetcher = Fetcher.forTests(transport, clock: clock)
    #expect(await fetch(fetcher) == "stopped: refused")
    #expect(service.events == ["token-1", "401 Bearer token-1"])
  }

  @Test("a token that expired while its first request waited for a permit is replaced")
  func expiredBeforeUse() async throws {
    let service = Service(lifetime: .seconds(30))
    let (transport, _) = transport(service)
    let fetcher = Fetcher(
      transport: transport,
      limiter: RateLimiter(
        budget: ToldBudget(clock: clock, wait: .seconds(40)) { if service.events.count == 1 { service.revokeAll() } },
        clock: clock), clock: clock, chance: { 0.5 })
    #expect(await fetch(fetcher) == "200")
    #expect(service.events == ["token-1", "401 Bearer token-1", "token-2", "200 Bearer token-2"])
  }

  @Test("a cancelled caller does not cancel the request of the others; the last one does")
  func cancelled() async throws {
    let gate = Gate()
    let service = Service(gate: gate)
    let (transport, tokens) = transport(service)
    let first = Task { try await transport.prepare() }
    try await waitUntil("the request for a token") { gate.arrivals > 0 }
    let second = Task { try await transport.prepare() }
    try await waitUntil("two callers") { await tokens.waiting == 2 }
    second.cancel()
    try await waitUntil("one caller") { await tokens.waiting == 1 }
    gate.open()
    try await first.value
    #expect(service.events == ["token-1"])

    let closed = Gate()
    let other = Service(gate: closed)
    let (otherTransport, otherTokens) = self.transport(other)
    let only = Task { try await otherTransport.prepare() }
    try await waitUntil("the request for a token") { closed.arrivals > 0 }
    only.cancel()
    try await waitUntil("no caller") { await otherTokens.waiting == 0 }
    closed.open()
    await #expect(throws: CancellationError.self) { try await only.value }
    #expect(other.events.isEmpty)
    // The next caller gets a token.
    try await otherTransport.prepare()
    #expect(other.events == ["token-1"])
  }

  @Test("the masks of all requests find each token, but not the part that all JSON Web Tokens share")
  func masks() async throws {
    let service = Service()
    let (transport, _) = transport(service)
    let mask = SecretMask(learned: secrets)
    #expect(mask.isEmpty && mask.masking("token-1") == "token-1")
    try await transport.prepare()
    #expect(!mask.isEmpty && mask.masking("a token-1 b") == "a *** b")
    let header = "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9"
    secrets.learn(["\(header).eyJhdWQiOiJhYmMiLCJleHAiOjF9.c2lnbmF0dXJl"])
    #expect(mask.masking("\(header).eyJhdWQiOiJhYmMiLCJleHAiOjF9.c2lnbmF0dXJl") == "\(header).***")
    #expect(mask.masking("\(header).eyJjdXJzb3IiOjEyM30.Zm9v", .document) == "\(header).eyJjdXJzb3IiOjEyM30.Zm9v")
  }
}
