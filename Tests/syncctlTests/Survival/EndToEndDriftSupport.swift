import LibPQ
import SyncCore
import SyncEngine
import SyncHTTP
import SyncPostgres
import SyncTestKit
import UpstreamSimulator

@testable import JikanSource
@testable import SyncProgram

/// The parts of syncctl in this process, composed like in `run`: a real database and a real socket, without starting a
/// program for each of thousands of runs.
struct InProcessMirror: Sendable {
  let database: Database
  let fetcher: Fetcher
  private let owner: TestDatabase
  let baseURL: String
  private let clock: SystemClock

  /// Runs `body` with a mirror of the upstream in a new database.
  static func with<R: Sendable>(
    _ upstream: some SimulatedUpstream, _ body: (InProcessMirror) async throws -> R
  ) async throws -> R {
    let server = try await ThrowawayPostgres.shared()
    let made = try await server.makeProductDatabase()
    let result = try await SimulatorServer.withServer(upstream) { simulator in
      try await Database.with(made.productSettings, applicationName: "syncctl-test") { database in
        try await HTTPTransport.with(userAgent: "syncctl-test") { transport in
          let clock = SystemClock()
          let limiter = RateLimiter(budget: LocalRateBudget(windows: [], clock: clock), clock: clock)
          let fetcher = Fetcher(transport: transport, limiter: limiter, clock: clock, chance: { 0 })
          return try await body(
            InProcessMirror(
              database: database, fetcher: fetcher, owner: made, baseURL: simulator.baseURL + "/v4", clock: clock))
        }
      }
    }
    try await server.drop(made)
    return result
  }

  /// A new walk of the list, from its first page.
  func run(_ list: JikanList) async throws -> RunReport {
    let stream = JikanStream(list, provider: .jikan, baseURL: baseURL)
    let run = StreamRun(
      stream: stream, fetcher: fetcher, store: PostgresWalkStore(database), clock: clock, observer: { _ in })
    var options = StreamRun.Options()
    options.isFull = true
    return try await run.run(options)
  }

  func ids(_ query: SQL) async throws -> Set<Int> {
    try await database.read { connection in Set(try connection.query(query).map { Int(try $0.int(0) ?? 0) }) }
  }

  /// Removes everything except the schema.
  func clear() async throws {
    try await Database.with(owner.settings, applicationName: "owner") { database in
      try await database.write { connection in
        _ = try connection.query(
          """
          TRUNCATE sync.walk, sync.walk_page, sync.run, sync.stream_state, sync.quarantine, sync.publication,
            jikan.media, jikan.media_counters, jikan.ranking, jikan.ranking_history, jikan.ranking_publication CASCADE
          """)
      }
    }
  }
}

/// The changes of a list during a walk, chosen by a seed.
struct DriftScenario: Sendable, CustomStringConvertible {
  /// Changes that page numbers can show, changes that they cannot, and wrong pages in addition.
  enum Nature: String, CaseIterable, Sendable {
    case single
    case ties
    case free
    case faulty
  }

  let seed: UInt64
  let nature: Nature
  private(set) var settings: JikanSettings
  private(set) var drift: JikanDrift

  init(seed: UInt64, rate: Double) {
    var generator = SeededGenerator(seed: seed)
    func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }
    self.seed = seed
    let natures: [Nature] = [.single, .single, .ties, .free, .faulty]
    nature = natures.randomElement(using: &generator) ?? .single
    settings = JikanSettings(items: Int.random(in: 20...200, using: &generator))
    settings.mangaItems = 0
    settings.seed = seed
    settings.repeats = 0
    settings.pastTheEnd = one(in: 2) ? .empty : .notFound
    // Low enough that the catalogue must be read from both ends, and high enough that they meet.
    if one(in: 3) { settings.pageCap = settings.animeItems / 25 * 2 / 3 + 2 }
    drift = JikanDrift(rate: rate)
    switch nature {
    case .single: break
    case .ties: drift.shufflesTies = true
    case .free:
      drift.isFree = true
      // Enough insertions for gaps between overlapping pages.
      drift.insertions *= 20
      drift.removals *= 20
    case .faulty:
      settings.repeats = one(in: 2) ? 0.02 : 0
      settings.repeatsAcross = one(in: 4) ? 0.02 : 0
      drift.emptyPages = one(in: 3) ? 0.05 : 0
      drift.shortPages = one(in: 3) ? 0.05 : 0
      if one(in: 4) { drift.loop = JikanDrift.Loop(from: Int.random(in: 2...9, using: &generator), to: 1) }
      drift.totalError = one(in: 4) ? Int.random(in: 1...30, using: &generator) : 0
      drift.lastPageError = one(in: 4) ? Int.random(in: -2...3, using: &generator) : 0
      drift.falseEnd = one(in: 4) ? Int.random(in: 1...9, using: &generator) : nil
    }
  }

  var description: String { "seed \(seed), \(nature), \(settings.animeItems) items, \(drift)" }
}
