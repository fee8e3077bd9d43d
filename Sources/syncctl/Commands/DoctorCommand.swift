import ArgumentParser
import SyncCore
import SyncHTTP
import SyncPostgres
import SyncSources

struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check configuration, database, schema and upstream, and say what to do.",
    discussion: """
      Asks each upstream for one page. Exits with the status of the first fault.

      Example:
        syncctl doctor --format json
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var output: FormatOptions

  func run() async throws {
    let streams = StandardStreams()
    let configuration = try common.configuration()
    var findings = configuration.shown.map { Finding($0.name, "\($0.value), from \($0.origin)") }
    findings += await Self.checkDatabase(configuration)
    findings.append(await Self.checkJikan(configuration))
    findings.append(await Self.checkPokeAPI(configuration))
    findings.append(await Self.checkITunes(configuration))
    try streams.printUnlessClosed(Self.listing(findings), as: output.format)
    if let first = findings.compactMap(\.error).first { throw ExitStatus(value: first.code.exitStatus) }
  }

  /// One thing that was looked at.
  struct Finding {
    let what: String
    let text: String
    let error: SyncError?

    init(_ what: String, _ text: String) {
      self.what = what
      self.text = text
      error = nil
    }

    init(_ what: String, _ error: any Error) {
      let known = (error as? SyncError) ?? SyncError(.database, Excerpt.of("\(error)"))
      self.what = what
      text = known.description
      self.error = known
    }
  }

  private static func checkDatabase(_ configuration: Configuration) async -> [Finding] {
    do {
      return try await Context(configuration: configuration).withDatabase { database in
        let facts = try await ServerFacts.read(database)
        var findings = [
          Finding("connection", database.place),
          Finding("server", "PostgreSQL \(facts.version), encoding \(facts.encoding), user \(facts.user)"),
        ]
        let rights = try await WorkerRights.read(database)
        findings += check(rights)
        // The rest is read from tables that such a role cannot read.
        guard rights.missing.allSatisfy({ !$0.isRead }) else { return findings }
        findings.append(await checkSchema(database, facts, shared: configuration.database.sharedVariable))
        if findings.last?.error == nil { findings += await checkDocuments(database) }
        return findings
      }
    } catch {
      return [Finding("connection", error)]
    }
  }

  /// One finding for each right that a run would miss. Nothing to say of a mirror that is still to come.
  private static func check(_ rights: WorkerRights) -> [Finding] {
    let name = "rights"
    guard !rights.missing.isEmpty else {
      return rights.held.isEmpty ? [] : [Finding(name, "all that a worker needs")]
    }
    let whole =
      rights.isWorker
      ? "sql/roles.sql, run by the owner, gives them to syncctl_worker anew"
      : "GRANT syncctl_worker TO \(rights.user) (sql/roles.sql makes that role)"
    guard !rights.onlyReads else {
      return [Finding(name, "\(rights.user) can ask but not run; if it is to run: \(whole)")]
    }
    let findings = rights.missing.map { right in
      Finding(
        name,
        SyncError(
          .permission, "\(rights.user) lacks \(right.privilege) on \(right.object)", hint: rights.statement(right)))
    }
    guard findings.count > 1 else { return findings }
    return findings + [Finding(name, "all at once: \(whole)")]
  }

  /// - Parameter shared: the variable with the address, if other programs read it, too.
  private static func checkSchema(_ database: Database, _ facts: ServerFacts, shared: String?) async -> Finding {
    do {
      let steps = try await Migrator(database).status()
      let pending = steps.filter { !$0.isApplied }
      if pending.isEmpty { return Finding("schema", "version \(steps.last?.version ?? 0), up to date") }
      guard facts.mayCreateSchemas else {
        throw SyncError(
          .permission, "\(pending.count) migrations are pending and \(facts.user) may not create schemas",
          // In a schema that is there, only its owner can change what others may only use.
          hint: pending.count == steps.count
            ? "GRANT CREATE ON DATABASE \(facts.database) TO \(facts.user)"
            : "let the owner run syncctl migrate, and sql/roles.sql after it")
      }
      try await Migrator(database).expectNoForeignSchema()
      let variable = pending.count == steps.count ? shared : nil
      let command = variable.map { "syncctl migrate applies them (syncctl run does not, as the address is from \($0))" }
      return Finding("schema", "\(pending.count) migrations pending; \(command ?? "syncctl run applies them")")
    } catch {
      return Finding("schema", error)
    }
  }

  /// Nothing to say of a mirror whose schema is still to come, or whose documents are all of this version.
  private static func checkDocuments(_ database: Database) async -> [Finding] {
    do {
      guard try await Migrator(database).status().allSatisfy(\.isApplied) else { return [] }
      return try await StoredDocuments.rederivation(in: database).waiting().map { waiting in
        Finding("documents", "\(waiting.text); syncctl migrate reads them anew")
      }
    } catch {
      return [Finding("documents", error)]
    }
  }

  private static func checkPokeAPI(_ configuration: Configuration) async -> Finding {
    let name = "upstream pokeapi"
    do {
      let source = PokeAPI(baseURL: configuration.pokeapi.baseURL.value)
      return try await HTTPTransport.with(userAgent: Version.userAgent, deadline: .seconds(15)) { transport in
        let request = source.indexRequest
        let streams = try source.streams(try await transport.fetch(request), to: request)
        return Finding(name, "pokeapi at \(source.origin) answers, \(streams.count) streams")
      }
    } catch {
      return Finding(name, error)
    }
  }

  /// A chart and not a search: those have twenty requests a minute for everybody on this network.
  private static func checkITunes(_ configuration: Configuration) async -> Finding {
    let name = "upstream itunes"
    do {
      let chart = try ITunesChart(limit: 10)
      let stream = ITunesStream(chart, baseURL: configuration.itunes.chartsBaseURL.value)
      let request = stream.request(PageAddress(page: 1, size: stream.description.pageSize))
      return try await HTTPTransport.with(userAgent: Version.userAgent, deadline: .seconds(15)) { transport in
        guard case .page(let page) = try stream.read(try await transport.fetch(request), to: request) else {
          throw SyncError(.upstream, "\(request.url) answered 404", hint: "check the base URL (syncctl config)")
        }
        return Finding(name, "charts at \(stream.description.origin) answer, \(page.entries.count) entries")
      }
    } catch {
      return Finding(name, error)
    }
  }

  private static func checkJikan(_ configuration: Configuration) async -> Finding {
    let jikan = configuration.jikan
    let name = "upstream jikan"
    do {
      let stream = JikanStream(
        .top(JikanTopList(kind: .anime)), provider: jikan.provider.value, baseURL: jikan.baseURL.value)
      let request = stream.request(PageAddress(page: 1, size: stream.description.pageSize))
      return try await HTTPTransport.with(userAgent: Version.userAgent, deadline: .seconds(15)) { transport in
        let response = try await transport.fetch(request)
        guard case .page(let page) = try stream.read(response, to: request) else {
          throw SyncError(.upstream, "\(request.url) answered 404", hint: "check the base URL (syncctl config)")
        }
        let total = page.claim.total.map { "claims \(HumanFormat.count($0)) anime" } ?? "claims no total"
        return Finding(name, "\(jikan.provider.value.rawValue) at \(jikan.baseURL.value) answers, \(total)")
      }
    } catch {
      return Finding(name, error)
    }
  }

  private static func listing(_ findings: [Finding]) -> Listing {
    Listing(
      columns: [Column("check"), Column("ok"), Column("finding")],
      rows: findings.map { [.text($0.what), .bool($0.error == nil), .text($0.text)] })
  }
}
