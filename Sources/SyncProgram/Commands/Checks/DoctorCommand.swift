import ArgumentParser
import Foundation
import SyncCore
import SyncEngine
import SyncHTTP
import SyncPostgres

struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check database, mirror, worker and services, and say what to do.",
    discussion: """
      Requests one page from each source, within the shared rate limits; --all names the addresses. A service whose \
      limit is used up, or that demands a pause, is not checked. Exits with the status of the first problem. For \
      settings, see syncctl config.

      Examples:
        syncctl doctor
        syncctl doctor --format json
      """)

  @Flag(help: "List every check.")
  var all = false

  @OptionGroup var common: CommonOptions
  @OptionGroup var output: FormatOptions

  func run() async throws {
    let streams = StandardStreams()
    let configuration = try common.configuration()
    let found = await Self.checkPrograms(configuration) + Self.checkDatabase(configuration)
    let findings = found.filter { $0.error != nil } + found.filter { $0.error == nil }
    let listing = Self.listing(findings)
    let short = listing.summarized(inPipes: true) { Self.screen(findings, width: $0) }
    try streams.printUnlessClosed(all ? listing : short, output)
    if let first = findings.compactMap(\.error).first { throw ExitStatus(value: first.code.exitStatus) }
  }

  struct Finding: Sendable {
    var line: AttentionLine
    var error: SyncError?
    var server: String?
    var isWell: Bool?
    var isTold = true

    init(_ what: String, _ text: String, isWell: Bool? = true, isTold: Bool = false) {
      line = AttentionLine(subject: what, text: text, isGrave: false)
      self.isWell = isWell
      self.isTold = isTold
    }

    init(_ line: AttentionLine) {
      self.line = line
      isWell = false
      error = SyncError(line.code, line.text, hint: line.action)
    }

    /// - Parameter isStored: Whether the pause is in the database. If not, no command can show or end the pause.
    init(_ what: String, pausedFor pause: Duration, _ rest: String = "", isStored: Bool) {
      let now = Date()
      let end = HumanFormat.clock(now + pause / .seconds(1), now: now)
      self.init(
        AttentionLine(
          subject: what, text: "paused: throttled until \(end)\(rest)", action: isStored ? "syncctl limits" : nil,
          code: .tryLater, isGrave: false))
    }

    init(_ what: String, _ error: any Error) {
      let known = SyncError(known: error) ?? SyncError(.database, Excerpt.of("\(error)"))
      // Removes the advice to run `syncctl doctor`, because the user is running this command.
      let hint = known.hint?.replacing(#/ \(syncctl doctor\)|syncctl doctor [^;]*; /#, with: "")
      let told = SyncError(known.code, known.message, hint: hint)
      line = AttentionLine(subject: what, text: told.description)
      self.error = told
      isWell = false
    }
  }

  static func screen(_ findings: [Finding], width: Int) -> [StyledLine] {
    let told = merged(findings.filter(\.isTold))
    let (problems, fine) = (told.count { $0.error != nil }, findings.count { !$0.isTold && $0.isWell != nil })
    let verdict =
      told.isEmpty
      ? StyledLine("ready", .green)
      : StyledLine(problems == 0 ? "no problems" : HumanFormat.counted(problems, "problem"), .bold)
    let count = StyledLine.Span(text: Glyphs.shown("✓ ") + HumanFormat.counted(fine, "check"), style: .green)
    return [verdict] + AttentionLine.lines(told.map(\.line), width: width)
      + (fine == 0 ? [] : [StyledLine([count, StyledLine.Span(text: "  --all lists them", style: .dim)])])
  }

  /// Returns one finding for each cause. If a service is down or paused, findings about its streams become part of the
  /// service's finding. Held streams keep their own findings.
  private static func merged(_ findings: [Finding]) -> [Finding] {
    let probes = Dictionary(
      findings.filter { $0.server != nil }.map { ($0.line.subject, $0) }, uniquingKeysWith: { first, _ in first })
    let causes = findings.gathered { finding -> [String?] in
      var line = finding.line
      if let probe = probes["upstream \(line.subject.prefix { $0 != "/" })"], let server = probe.server {
        let isPaused = probe.line.code == .tryLater
        let isSame = isPaused ? line.code == .tryLater : line.code != .guarded && line.text.contains(server)
        if isSame { line = probe.line }
      }
      return [line.text.withoutPaths, line.action, line.code == .tryLater ? line.subject : nil]
    }
    return causes.map { same in
      if same[0].line.code == .tryLater { return same[0] }
      var head = same.first { $0.server != nil } ?? same[0]
      let others = same.map(\.line.name).filter { ![$0, "upstream \($0)"].contains(head.line.name) }
      if !others.isEmpty { head.line.text += " (also \(others.joined(separator: ", ")))" }
      if head.line.action == nil { head.line.action = same.compactMap(\.line.action).first }
      return head
    }
  }

  private static func checkPrograms(_ configuration: Configuration) async -> [Finding] {
    let name = "PostgreSQL"
    guard let cluster = Context(configuration: configuration).embeddedCluster else { return [] }
    do {
      return [Finding(name, try await cluster.programs())]
    } catch {
      return [Finding(name, error)]
    }
  }

  private enum Permits {
    case shared(Database)
    /// No mirror exists yet. The checks ignore the rate limits, because no other process sends requests.
    case own
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

  static func checkDatabase(_ configuration: Configuration) async -> [Finding] {
    let name = "connection"
    let context = Context(configuration: configuration)
    do {
      if let cluster = context.embeddedCluster, try await cluster.status() == .notInitialized {
        return [Finding(name, "no mirror yet; syncctl run creates it", isTold: true)]
          + (await checkUpstreams(configuration.used(mirrored: []), .own))
      }
      return try await context.withDatabase { database in
        let findings = try await check(database, configuration)
        let isFresh = (try? await Migrator(database).status()).map { !$0.contains(where: \.isApplied) } ?? false
        let sources = configuration.used(mirrored: (try? await MirroredSources.read(database)) ?? [])
        if isFresh { return findings + (await checkUpstreams(sources, .own)) }
        if try await database.isReadOnly() { return findings + (await checkUpstreams(sources, .none)) }
        return try await database.withAnother(statementTimeout: Limits.permitStatementTimeout) { budgets in
          findings + (await checkUpstreams(sources, .shared(budgets)))
        }
      }
    } catch {
      return [Finding(name, error)] + (await checkUpstreams(configuration.used(mirrored: []), .none))
    }
  }

  private static func check(_ database: Database, _ configuration: Configuration) async throws -> [Finding] {
    let facts = try await ServerFacts.read(database)
    var findings = [
      Finding("connection", database.place),
      Finding("server", "PostgreSQL \(facts.version), encoding \(facts.encoding), user \(facts.user)"),
    ]
    if let distribution = facts.distribution { findings += check(distribution) }
    if try await database.isReadOnly() {
      findings.append(Finding("server", "read-only: queries work, commands that write need the primary", isTold: true))
    }
    let rights = try await WorkerRights.read(database, personal: Registry.sources.flatMap { $0.personalTables })
    findings += check(rights)
    guard rights.missing.isEmpty || rights.onlyReads || rights.missing.allSatisfy({ !$0.isRead }) else {
      return findings
    }
    findings.append(await checkSchema(database, facts, shared: configuration.database.sharedVariable))
    if findings.last?.error == nil {
      let hasAllMachines = facts.distribution?.lostMachines.isEmpty ?? true
      findings += await checkContent(database, configuration, readsDocuments: hasAllMachines)
    }
    return findings
  }

  static func check(_ distribution: Distribution) -> [Finding] {
    let name = "citus"
    guard !distribution.schemas.isEmpty else { return [Finding(name, "no schema is distributed")] }
    let places = distribution.schemas.map { schema in
      "\(schema.name) on \(schema.machines.isEmpty ? "no machine" : schema.machines.joined(separator: ", "))"
    }
    let lost = distribution.lostMachines.sorted().map { machine in
      let schemas = distribution.schemas.filter { $0.machines.contains(machine) }.map(\.name)
      return Finding(
        name,
        SyncError(
          .database, "\(machine) does not answer; it has \(schemas.joined(separator: ", "))",
          hint: "start PostgreSQL on that machine, or check the network; runs continue where they stopped"))
    }
    return [
      Finding(name, "distributed: \(places.joined(separator: ", ")); all other schemas are on the coordinator")
    ] + lost
  }

  private static func check(_ rights: WorkerRights) -> [Finding] {
    let name = "rights"
    guard !rights.missing.isEmpty else { return rights.held.isEmpty ? [] : [Finding(name, "all that a worker needs")] }
    let whole =
      rights.isWorker
      ? "sql/roles.sql, run by the owner, grants them to syncctl_worker again"
      : "GRANT syncctl_worker TO \(rights.user) (sql/roles.sql creates that role)"
    guard !rights.onlyReads else {
      return [Finding(name, "\(rights.user) can query but not run; to allow runs: \(whole)", isTold: true)]
    }
    let first = rights.missing[0]
    let (text, hint) =
      rights.missing.count == 1
      ? ("\(first.privilege) on \(first.object)", rights.statement(first))
      : ("\(HumanFormat.count(rights.missing.count)) rights, such as \(first.privilege) on \(first.object)", whole)
    return [Finding(name, SyncError(.permission, "\(rights.user) lacks \(text)", hint: hint))]
  }

  private static func checkSchema(_ database: Database, _ facts: ServerFacts, shared: String?) async -> Finding {
    do {
      let steps = try await Migrator(database).status(isForUse: true)
      let pending = steps.filter { !$0.isApplied }
      if pending.isEmpty { return Finding("schema", "version \(steps.version), up to date") }
      guard facts.mayCreateSchemas else {
        throw SyncError(
          .permission, "pending: \(pending.summary), but \(facts.user) is not allowed to create schemas",
          // Only the owner of an existing schema can change it.
          hint: pending.count == steps.count
            ? "GRANT CREATE ON DATABASE \(facts.database) TO \(facts.user)"
            : "let the owner run syncctl migrate, and sql/roles.sql after it")
      }
      try await Migrator(database).expectNoForeignSchema()
      let variable = pending.count == steps.count ? shared : nil
      let command = variable.map { "syncctl migrate applies them (syncctl run does not, as the address is from \($0))" }
      let text = (pending.count == steps.count ? "nothing has been mirrored yet: " : "") + "\(pending.summary) pending"
      return Finding("schema", "\(text); \(command ?? "syncctl run applies them")", isTold: true)
    } catch {
      return Finding("schema", error)
    }
  }

  private static func checkContent(
    _ database: Database, _ configuration: Configuration, readsDocuments: Bool
  ) async -> [Finding] {
    do {
      guard try await Migrator(database).status().allSatisfy(\.isApplied) else { return [] }
      let waiting = readsDocuments ? try await StoredDocuments.rederivation(in: database).waiting() : []
      let documents = waiting.map { waiting in
        Finding("documents", "\(waiting.text); syncctl migrate reads them again", isTold: true)
      }
      let state = try await MirrorState.read(database, configuration)
      guard !state.isEmpty else {
        let emptiness = state.emptiness
        let isProblem = state.workerAbsence != nil
        return documents + [
          isProblem ? Finding("mirror", emptiness) : Finding("mirror", emptiness.description, isTold: true)
        ]
      }
      let problems = state.attention(state.standings).map { Finding($0) }
      let worker = state.hasActiveWorker ? [Finding("worker", "active")] : []
      return documents + (problems.isEmpty ? [Finding("mirror", state.summary(state.standings))] : problems) + worker
    } catch {
      return [Finding("mirror", error)]
    }
  }

  private static func checkUpstreams(_ sources: [any Source], _ permits: Permits) async -> [Finding] {
    var findings: [Finding] = []
    for source in sources {
      let name = "upstream \(source.name)"
      do throws(SyncError) {
        let probe = try source.probe()
        var finding = await check(probe, permits, name)
        if finding.error != nil { finding.server = Origin.server(of: probe.request.url) }
        findings.append(finding)
      } catch {
        findings.append(Finding(name, error))
      }
    }
    return findings
  }

  private static func check(_ probe: Probe, _ permits: Permits, _ name: String) async -> Finding {
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
        var authorized: any Transport = transport
        if let tokens = probe.tokens {
          let tokenServer = Origin.server(of: tokens.url)
          let tokenBudget = permits.budget(of: tokenServer, tokenServer == server ? probe.limits : [])
          authorized = AuthorizedTransport(
            transport, tokens, requestedWith: fetcher(transport, tokenBudget ?? UnlimitedBudget()))
        }
        let fetcher = fetcher(authorized, budget)
        let outcome = await fetcher.fetch(probe.request, retries: RunRetries(), onWait: { _ in }, read: probe.read)
        switch outcome.result {
        case .answer(let text): return Finding(name, text)
        // Without a permit, nothing is known about the service. An access token that is refused is an error of it.
        case .stopped(let error as SyncError)
        where outcome.cost.requests == 0 && ![.upstream, .configuration].contains(error.code):
          return Finding(name, "not checked: \(error.message)", isWell: nil, isTold: true)
        case .exhausted(let error):
          guard case .throttled(after: let pause) = error.disposition else { throw error }
          return Finding(name, pausedFor: pause ?? Limits.throttleBase, isStored: permits.areShared)
        case .stopped(let error as SyncError) where error.hint == SyncError.resumesThen:
          throw SyncError(error.code, error.message)
        case .stopped(let error): throw error
        }
      }
    } catch {
      return Finding(name, error)
    }
  }

  private static func fetcher(_ transport: any Transport, _ budget: any RateBudget) -> Fetcher {
    let clock = SystemClock()
    return Fetcher(
      transport: transport,
      limiter: RateLimiter(budget: budget, clock: clock, longestWait: Limits.longestInteractivePermitWait),
      policy: RetryPolicy(attempts: 1), clock: clock, chance: { Double.random(in: 0..<1) })
  }

  private static func listing(_ findings: [Finding]) -> Listing {
    Listing(
      columns: [Column("check"), Column("ok"), Column("finding", fit: .wrapped)],
      rows: findings.map { found in
        [
          .text(found.line.subject), found.isWell.map { .bool($0) } ?? .null,
          .text(found.error?.description ?? found.line.text),
        ]
      })
  }
}
