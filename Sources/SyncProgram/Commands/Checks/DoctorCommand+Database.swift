import SyncCore
import SyncEngine
import SyncPostgres

/// The checks of the embedded server, the database and the mirror.
extension DoctorCommand {
  static func checkPrograms(_ configuration: Configuration) async -> [Finding] {
    let name = "PostgreSQL"
    guard let cluster = Context(configuration: configuration).embeddedCluster else { return [] }
    do {
      return [Finding(name, try await cluster.programs())]
    } catch {
      return [Finding(name, error)]
    }
  }

  /// Checks the database and, with its rate limits, the services.
  static func checkDatabase(_ configuration: Configuration) async -> [Finding] {
    let name = "connection"
    let context = Context(configuration: configuration)
    do {
      if let cluster = context.embeddedCluster, try await cluster.status() == .notInitialized {
        return [Finding(name, "no mirror yet; syncctl run creates it", isReported: true)]
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
      findings.append(
        Finding("server", "read-only: queries work, commands that write need the primary", isReported: true))
    }

    let rights = try await WorkerRights.read(database, personal: Registry.sources.flatMap { $0.personalTables })
    findings += check(rights)
    // The next checks read the mirror. Without the rights to read, they would report the missing rights once more.
    let canRead = rights.onlyReads || rights.missing.allSatisfy { !$0.isRead }
    guard canRead else { return findings }

    findings.append(await checkSchema(database, facts, shared: configuration.database.sharedVariable))
    if findings.last?.error == nil {
      let hasAllMachines = facts.distribution?.lostMachines.isEmpty ?? true
      findings += await checkContent(database, configuration, readsDocuments: hasAllMachines)
    }
    return findings
  }

  /// Checks that the machines with the schemas of sources answer.
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
    let allRights =
      rights.isWorker
      ? "sql/roles.sql, run by the owner, grants them to syncctl_worker again"
      : "GRANT syncctl_worker TO \(rights.user) (sql/roles.sql creates that role)"
    guard !rights.onlyReads else {
      return [Finding(name, "\(rights.user) can query but not run; to allow runs: \(allRights)", isReported: true)]
    }

    let first = rights.missing[0]
    let firstText = "\(first.privilege) on \(first.object)"
    let isOnlyOne = rights.missing.count == 1
    let text = isOnlyOne ? firstText : "\(HumanFormat.count(rights.missing.count)) rights, such as \(firstText)"
    let hint = isOnlyOne ? rights.statement(first) : allRights
    return [Finding(name, SyncError(.permission, "\(rights.user) lacks \(text)", hint: hint))]
  }

  /// - Parameter shared: The variable with the database's address that other programs use, too.
  private static func checkSchema(_ database: Database, _ facts: ServerFacts, shared: String?) async -> Finding {
    do {
      let steps = try await Migrator(database).status(isForUse: true)
      let pending = steps.filter { !$0.isApplied }
      if pending.isEmpty { return Finding("schema", "version \(steps.version), up to date") }

      let hasNoMirror = pending.count == steps.count
      guard facts.mayCreateSchemas else {
        throw SyncError(
          .permission, "pending: \(pending.summary), but \(facts.user) is not allowed to create schemas",
          // Only the owner of an existing schema can change it.
          hint: hasNoMirror
            ? "GRANT CREATE ON DATABASE \(facts.database) TO \(facts.user)"
            : "let the owner run syncctl migrate, and sql/roles.sql after it")
      }
      try await Migrator(database).expectNoForeignSchema()

      let state = (hasNoMirror ? "nothing has been mirrored yet: " : "") + "\(pending.summary) pending"
      let advice = migrationAdvice(shared: hasNoMirror ? shared : nil)
      return Finding("schema", "\(state); \(advice)", isReported: true)
    } catch {
      return Finding("schema", error)
    }
  }

  /// Returns the advice that names the command which applies pending steps.
  /// - Parameter shared: The variable with the address of a database without a mirror that other programs use, too.
  ///   `syncctl run` creates no mirror there.
  private static func migrationAdvice(shared: String?) -> String {
    guard let shared else { return "syncctl run applies them" }
    return "syncctl migrate applies them (syncctl run does not, as the address is from \(shared))"
  }

  private static func checkContent(
    _ database: Database, _ configuration: Configuration, readsDocuments: Bool
  ) async -> [Finding] {
    do {
      guard try await Migrator(database).status().allSatisfy(\.isApplied) else { return [] }
      let waiting = readsDocuments ? try await StoredDocuments.rederivation(in: database).waiting() : []
      let documents = waiting.map { waiting in
        Finding("documents", "\(waiting.text); syncctl migrate reads them again", isReported: true)
      }

      let state = try await MirrorState.read(database, configuration)
      guard !state.isEmpty else {
        let emptiness = state.emptiness
        let isProblem = state.workerAbsence != nil
        return documents + [
          isProblem ? Finding("mirror", emptiness) : Finding("mirror", emptiness.description, isReported: true)
        ]
      }

      let problems = state.attention(state.standings).map { Finding($0) }
      let mirror = problems.isEmpty ? [Finding("mirror", state.summary(state.standings))] : problems
      let worker = state.hasActiveWorker ? [Finding("worker", "active")] : []
      return documents + mirror + worker
    } catch {
      return [Finding("mirror", error)]
    }
  }
}
