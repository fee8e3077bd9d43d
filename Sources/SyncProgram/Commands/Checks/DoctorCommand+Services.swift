import SyncCore
import SyncEngine
import SyncHTTP
import SyncPostgres

/// The checks of the services.
extension DoctorCommand {
  /// The rate limits that requests of checks keep.
  enum Permits {
    /// The limits that all processes share through the database.
    case shared(Database)
    /// No mirror exists yet. The checks ignore the rate limits, because no other process sends requests.
    case own
    /// No limits are known, so no request is sent.
    case none

    var areShared: Bool { if case .shared = self { true } else { false } }

    /// - Returns: `nil` if no request can be sent.
    func budget(of server: String, _ limits: [RateWindow]) -> (any RateBudget)? {
      switch self {
      case .shared(let database): PostgresRateBudget(database, origin: server, windows: limits)
      case .own: UnlimitedBudget()
      case .none: nil
      }
    }
  }

  /// Requests one page of each source.
  static func checkUpstreams(_ sources: [any Source], _ permits: Permits) async -> [Finding] {
    var findings: [Finding] = []
    for source in sources {
      let name = "upstream \(source.name)"
      do throws(SyncError) {
        let probe = try source.probe()
        var finding = await check(probe, permits, name: name)
        if finding.error != nil { finding.server = Origin.server(of: probe.request.url) }
        findings.append(finding)
      } catch {
        findings.append(Finding(name, error))
      }
    }
    return findings
  }

  private static func check(_ probe: Probe, _ permits: Permits, name: String) async -> Finding {
    let server = Origin.server(of: probe.request.url)
    guard let budget = permits.budget(of: server, probe.limits) else {
      return Finding(name, "not checked: the rate limits are in the database", isWell: nil)
    }
    do {
      let pause = try await budget.remainingPause()
      if pause > .zero { return Finding(name, pausedFor: pause, "; no request was sent", isStored: true) }
      return try await HTTPTransport.with(
        userAgent: Version.userAgent, proxies: .current(), deadline: Limits.inquiryDeadline
      ) { transport in
        let authorized = authorized(transport, for: probe, permits: permits)
        return try await request(
          probe, with: fetcher(authorized, budget), permits: permits, name: name)
      }
    } catch {
      return Finding(name, error)
    }
  }

  /// Returns the transport that adds access tokens if the service needs them.
  private static func authorized(
    _ transport: any Transport, for probe: Probe, permits: Permits
  ) -> any Transport {
    guard let tokens = probe.tokens else { return transport }
    let tokenServer = Origin.server(of: tokens.url)
    let isSameServer = tokenServer == Origin.server(of: probe.request.url)
    let tokenBudget = permits.budget(of: tokenServer, isSameServer ? probe.limits : []) ?? UnlimitedBudget()
    return AuthorizedTransport(transport, tokens, requestedWith: fetcher(transport, tokenBudget))
  }

  /// Sends the request of the probe once.
  /// - Parameter name: The subject of the finding.
  /// - Throws: The error of the service or of the database.
  private static func request(
    _ probe: Probe, with fetcher: Fetcher, permits: Permits, name: String
  ) async throws -> Finding {
    let outcome = await fetcher.fetch(probe.request, retries: RunRetries(), onWait: { _ in }, read: probe.read)
    switch outcome.result {
    case .answer(let text): return Finding(name, text)
    // Without a permit, nothing is known about the service. An access token that is refused is an error of it.
    case .stopped(let error as SyncError)
    where outcome.cost.requests == 0 && ![.upstream, .configuration].contains(error.code):
      return Finding(name, "not checked: \(error.message)", isWell: nil, isReported: true)
    case .exhausted(let error):
      guard case .throttled(after: let pause) = error.disposition else { throw error }
      return Finding(name, pausedFor: pause ?? Limits.throttleBase, isStored: permits.areShared)
    case .stopped(let error as SyncError) where error.hint == SyncError.resumesThen:
      throw SyncError(error.code, error.message)
    case .stopped(let error): throw error
    }
  }

  /// Returns a fetcher that tries once and waits only briefly for a permit.
  private static func fetcher(_ transport: any Transport, _ budget: any RateBudget) -> Fetcher {
    let clock = SystemClock()
    return Fetcher(
      transport: transport,
      limiter: RateLimiter(budget: budget, clock: clock, longestWait: Limits.longestInteractivePermitWait),
      policy: RetryPolicy(attempts: 1), clock: clock, chance: { Double.random(in: 0..<1) })
  }
}
