import Foundation
import PostgresTestKit
import SyncTestKit
import Testing
import UpstreamSimulator

@testable import PokeAPISource

/// Tests of the built program: one process per command, a real database, an upstream on loopback.
@Suite(.timeLimit(.minutes(10)), .boundSources) enum EndToEnd {}

struct Mirror: Sendable {
  let program: ProgramUnderTest
  let server: ThrowawayPostgres
  let database: TestDatabase
  let home: TemporaryFolder
  var environment: [String: String] = [:]

  enum Start {
    case migrated
    /// An empty database if the role under test can migrate it, otherwise a migrated database.
    case unmigrated
    /// An empty database, even if the role under test cannot migrate.
    case empty
    /// A copy of the database with this name.
    case copy(of: String)
  }

  static func make(_ start: Start = .migrated) async throws -> Mirror {
    let server = try await ThrowawayPostgres.shared()
    let database =
      switch start {
      case .migrated: try await server.makeProductDatabase()
      case .unmigrated: try await server.makeUnmigratedDatabase()
      case .empty: try await server.makeDatabase()
      case .copy(let name): try await server.makeDatabase(template: name)
      }
    return try on(server, database)
  }

  static func on(_ server: ThrowawayPostgres, _ database: TestDatabase) throws -> Mirror {
    Mirror(
      program: try ProgramUnderTest.named("syncctl"), server: server, database: database, home: try TemporaryFolder())
  }

  @discardableResult
  static func with<R>(
    _ upstream: some SimulatedUpstream, chaos: Chaos = .none, start: Start = .migrated,
    _ body: (Mirror, SimulatorServer) async throws -> R
  ) async throws -> R {
    let fresh = try await make(start)
    let result = try await SimulatorServer.withServer(upstream, chaos: chaos) { server in
      try await body(fresh.with(upstream: server.baseURL), server)
    }
    try await fresh.server.drop(fresh.database)
    return result
  }

  /// Returns a mirror with a copy of the database. No session may use the database during the copy.
  func copy() async throws -> Mirror {
    try Mirror.on(server, try await server.makeDatabase(template: database.name)).with(environment)
  }

  func with(upstream baseURL: String) -> Mirror {
    with([
      "SYNCCTL_JIKAN_PROVIDER": "jikan", "SYNCCTL_JIKAN_BASE_URL": baseURL + "/v4",
      "SYNCCTL_POKEAPI_BASE_URL": baseURL + "/api/v2", "SYNCCTL_ITUNES_BASE_URL": baseURL,
    ])
  }

  /// A mirror whose commands connect as the database's owner, who can migrate and change favorites.
  var asOwner: Mirror { with(["SYNCCTL_DATABASE_URL": database.url]) }

  func with(_ variables: [String: String]) -> Mirror {
    var mirror = self
    mirror.environment.merge(variables) { $1 }
    return mirror
  }

  var wholeEnvironment: [String: String] {
    // Nothing listens on port 9, so a test without an upstream sends no request to the real services.
    [
      "HOME": home.path, "TERM": "dumb", "SYNCCTL_DATABASE_URL": database.productURL,
      "SYNCCTL_POKEAPI_BASE_URL": "http://127.0.0.1:9/api/v2", "SYNCCTL_ITUNES_BASE_URL": "http://127.0.0.1:9",
    ]
    .merging(ThrowawayFolders.environment.filter { $0.key == "SYNCCTL_PG_BINDIR" }) { $1 }
    .merging(environment) { $1 }
  }

  func syncctl(
    _ arguments: String..., while body: (RunningProgram) async throws -> Void = { _ in }
  ) async throws -> ProgramResult {
    try await syncctl(arguments, while: body)
  }

  func syncctl(
    _ arguments: [String], while body: (RunningProgram) async throws -> Void = { _ in }
  ) async throws -> ProgramResult {
    try await program.run(arguments, environment: wholeEnvironment, in: home.path, while: body)
  }

  @discardableResult
  func succeed(
    _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> ProgramResult {
    try await succeed(arguments, sourceLocation: sourceLocation)
  }

  @discardableResult
  func succeed(
    _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> ProgramResult {
    let result = try await syncctl(arguments)
    #expect(result.end == .exit(0), "\(arguments): \(result.standardError)", sourceLocation: sourceLocation)
    return result
  }

  func rows(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> [JSONValue] {
    try await rows(arguments, sourceLocation: sourceLocation)
  }

  func rows(_ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation) async throws -> [JSONValue] {
    let result = try await succeed(arguments + ["--format", "json"], sourceLocation: sourceLocation)
    return try #require(try JSONValue(result.standardOutput).array, sourceLocation: sourceLocation)
  }

  /// Runs a shell command. `$0` is the program.
  func shell(_ line: String) async throws -> ProgramResult {
    try await ProgramUnderTest(path: "/bin/sh").run(
      ["-c", line, program.path], environment: wholeEnvironment, in: home.path)
  }

  func runs(_ result: ProgramResult) throws -> [String: JSONValue] {
    let summary = try JSONValue(result.standardOutput)
    let runs = try #require(summary["runs"]?.array)
    return Dictionary(runs.map { ($0["stream"]?.text ?? "", $0) }, uniquingKeysWith: { first, _ in first })
  }

  func sql(_ statement: String) async throws -> String {
    try await server.sql(statement, database: database.name).trimmingCharacters(in: .newlines)
  }

  func objects(_ query: String) async throws -> [JSONValue] {
    let text = try await sql("SET timezone = 'UTC'; SELECT coalesce(json_agg(q), '[]') FROM (\(query)) q")
    return try #require(try JSONValue(text).array)
  }

  /// Digests of all mirrored data without times. Mirrors with the same content have equal digests.
  func contents() async throws -> String {
    try await sql(
      """
      SELECT 'media', md5(string_agg(
        (to_jsonb(m) - '{first_seen_at,changed_at,requested_at}'::text[])::text,
        E'\\n' ORDER BY kind, mal_id)) FROM jikan.media m
      UNION ALL SELECT 'counters', md5(string_agg(
        (to_jsonb(c) - '{changed_at,requested_at}'::text[])::text,
        E'\\n' ORDER BY kind, mal_id)) FROM jikan.media_counters c
      UNION ALL SELECT 'ranking', md5(string_agg(r::text, E'\\n' ORDER BY r)) FROM jikan.ranking r
      UNION ALL SELECT 'links', md5(string_agg(l::text, E'\\n' ORDER BY l)) FROM jikan.media_links l
      UNION ALL SELECT 'titles', md5(string_agg(t::text, E'\\n' ORDER BY t)) FROM jikan.media_title t
      UNION ALL SELECT 'sizes', concat_ws(' ', (SELECT count(*) FROM jikan.media), (SELECT count(*) FROM jikan.ranking))
      -- Parallel workers of PostgreSQL can return the rows of a large mirror in any order.
      ORDER BY 1
      """)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test if the code under test has the role `SYNCCTL_TEST_ROLE` instead of the owner.
  static func ownersAlone(_ matter: String) -> Self {
    .enabled(if: ProductRole.name == nil, "the owner alone \(matter)")
  }
}

extension ProgramResult {
  func expectFailure(
    _ status: Int32, naming words: String..., isQuiet: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(end == .exit(status), "\(standardError)", sourceLocation: sourceLocation)
    #expect(errorLines.count == 1, "\(standardError)", sourceLocation: sourceLocation)
    for word in words {
      #expect(errorLines.joined().contains(word), "\(standardError)", sourceLocation: sourceLocation)
    }
    #expect(errorLines.allSatisfy { $0.contains("; ") }, "no remedy: \(standardError)", sourceLocation: sourceLocation)
    #expect(PrintedCommands.faults(in: standardError) == [], sourceLocation: sourceLocation)
    if isQuiet { #expect(standardOutput.isEmpty, sourceLocation: sourceLocation) }
    for trace in ["Fatal error", "Stack dump", "PostgresError(", "SyncError(", ".swift:"] {
      #expect(!standardError.contains(trace), "\(standardError)", sourceLocation: sourceLocation)
    }
  }
}
