import SyncTestKit
import Testing
import UpstreamSimulator

extension EndToEnd {
  @Suite struct Vanishing {
    private static let streams = ["anime-catalog", "top-anime"]

    @Test("An empty first page, half a list, a page that keeps failing, the first page only", arguments: streams)
    func provesNothing(stream: String) async throws {
      try await VanishingWorld.with(items: 120) { world in
        world.disturb { $0.page == 1 && $0.isList ? .emptyPage(total: 120) : nil }
        try await world.expectNothingGone(running: stream, exit: 69, status: "failed")
        world.disturb { $0.isList ? .emptyPage(total: 0) : nil }
        try await world.expectNothingGone(running: stream, exit: 86, status: "failed")

        let half = world.twin(of: 60)
        world.disturb { $0.isList ? await half.answer($0) : nil }
        try await world.expectNothingGone(running: stream, exit: 86, status: "failed")
        // The list lacks a quarter of its items, but its total is still 120, so no item is marked as vanished.
        let most = world.twin(of: 90)
        most.drift.totalError = 30
        world.disturb { $0.isList ? await most.answer($0) : nil }
        try await world.expectNothingGone(
          running: stream, exit: 0, status: "inconsistent", publishes: stream == "top-anime")
        #expect(world.lookups.isEmpty)

        world.jikan.remove(.anime, [world.jikan.ids(.anime)[50]])
        world.disturb { $0.isList && $0.covers(60) ? SimulatedAnswer(status: 500) : nil }
        try await world.expectNothingGone(running: stream, exit: 1, status: "partial")
        world.disturb { _ in nil }
        try await world.expectNothingGone(running: stream, "--max-pages", "1", exit: 0, status: "partial")
      }
    }

    @Test("More than the guard allows: nothing changes until a person confirms it", arguments: streams)
    func guarded(stream: String) async throws {
      try await VanishingWorld.with(items: 240) { world in
        let gone = Set(world.jikan.ids(.anime)[100..<160])
        world.jikan.remove(.anime, gone)
        var run = JSONValue.null
        for _ in 1...2 {
          run = try await world.expectNothingGone(running: stream, exit: 86, status: "failed")
          #expect(world.lookups.isEmpty)
        }
        let id = try #require(run["id"]?.text)
        let words = try #require(run["error"]?.text)
        #expect(words.contains("60 of 240") && words.contains("--confirm-vanish \(id.prefix(8))"), "\(words)")
        #expect(run["held"] == .bool(true))
        let failed = try await world.mirror.rows("runs", "--failed", "--stream", stream, "--since", "1h")
        #expect(failed.count == 2 && failed.first?["id"]?.text == id && failed.first?["error"]?.text == words)
        #expect(failed.allSatisfy { $0["status"] == .string("failed") && $0["held"] == .bool(true) })
        let table = try await world.mirror.syncctl("runs", "--failed")
        #expect(table.standardOutput.contains("  held  "))
        #expect(table.standardOutput.contains("--confirm-vanish \(id.prefix(8))"))
        let shown = try await world.mirror.syncctl("runs", "show", id)
        let lines = shown.standardOutput.split(separator: "\n").dropFirst()
        #expect(lines.first?.contains("held") == true && lines.dropFirst().first?.hasPrefix("error") == true)
        #expect(shown.standardOutput.contains("held by a guard: ") && !shown.standardOutput.contains("quarantined"))
        let standing = try await world.mirror.rows("status", "--failed")
        #expect(standing.map { $0["state"] } == [.string("held")] && standing.first?["stream"]?.text == stream)
        #expect(standing.first?["action"]?.text?.hasSuffix("--confirm-vanish \(id.prefix(8))") == true, "\(standing)")
        let screen = try await world.mirror.succeed("status").standardOutput
        #expect(screen.hasPrefix("1 of 2 streams needs attention\n✗ jikan/\(stream)  held: "), "\(screen)")
        let plain = try await world.mirror.with(["LC_ALL": "C"]).succeed("status").standardOutput
        #expect(plain.hasPrefix("1 of 2 streams needs attention\nx jikan/\(stream)  held: "), "\(plain)")
        #expect(plain.contains("\nok jikan 1") && plain.utf8.allSatisfy { $0 < 0x80 }, "\(plain)")

        let (result, confirmed) = try await world.run(stream, "--confirm-vanish", String(id.prefix(13)))
        #expect(result.end == .exit(0) && confirmed["status"] == .string("complete"), "\(result.standardError)")
        #expect(confirmed["vanished"]?.int == (stream == "anime-catalog" ? 60 : 0))
        #expect(try await world.vanished() == (stream == "anime-catalog" ? gone : []))
        let listed = try await world.mirror.sql("SELECT count(*) FROM jikan.ranking")
        #expect(listed == (stream == "top-anime" ? "180" : "240"))

        let again = try await world.mirror.syncctl("run", "--stream", stream, "--confirm-vanish", id)
        again.expectFailure(64, naming: "out of date", isQuiet: false)
      }
    }
  }
}

private struct VanishingWorld: Sendable {
  typealias Disturbance = @Sendable (SimulatedRequest) async -> SimulatedAnswer?

  let mirror: Mirror
  let jikan: DriftingJikan
  let settings: JikanSettings
  private let server: SimulatorServer
  private let disturbance: Changing<Disturbance>
  private let requestsBefore: Int

  static func with(items: Int, _ body: (VanishingWorld) async throws -> Void) async throws {
    var settings = JikanSettings(items: items)
    settings.repeats = 0
    let jikan = DriftingJikan(settings)
    let disturbance = Changing<Disturbance>({ _ in nil })
    let upstream = ScriptedUpstream { request in
      if let answer = await disturbance.value(request) { return answer }
      return await jikan.answer(request)
    }
    try await Mirror.with(upstream) { mirror, server in
      let result = try await mirror.syncctl("run", "--stream", "anime-catalog", "--stream", "top-anime")
      try #require(result.end == .exit(0), "\(result.standardError)")
      try #require(try await mirror.sql("SELECT count(*) FROM jikan.anime WHERE vanished_at IS NULL") == "\(items)")
      try await body(
        VanishingWorld(
          mirror: mirror, jikan: jikan, settings: settings, server: server, disturbance: disturbance,
          requestsBefore: server.history.count))
    }
  }

  func twin(of items: Int) -> DriftingJikan {
    var fewer = settings
    fewer.animeItems = items
    return DriftingJikan(fewer)
  }

  func disturb(_ body: @escaping Disturbance) { disturbance.value = body }

  func run(_ stream: String, _ arguments: String...) async throws -> (ProgramResult, JSONValue) {
    try await run(stream, arguments)
  }

  private func run(_ stream: String, _ arguments: [String]) async throws -> (ProgramResult, JSONValue) {
    let result = try await mirror.syncctl(["run", "--stream", stream, "--format", "json"] + arguments)
    return (result, try #require(try mirror.runs(result)[stream], "\(result.standardError)"))
  }

  /// - Parameter publishes: Whether the list is published. A walk without holes publishes even an inconsistent list.
  @discardableResult
  func expectNothingGone(
    running stream: String, _ arguments: String..., exit: Int32, status: String, publishes: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> JSONValue {
    let before = publishes ? "" : try await mirror.contents()
    let (result, run) = try await run(stream, arguments)
    #expect(result.end == .exit(exit), "\(result.standardError)", sourceLocation: sourceLocation)
    #expect(run["status"] == .string(status), "\(run)", sourceLocation: sourceLocation)
    let ending = "\(stream): \(exit == 86 ? "held" : status)"
    #expect(result.standardError.contains(ending), "\(result.standardError)", sourceLocation: sourceLocation)
    #expect(run["vanished"]?.int == 0, sourceLocation: sourceLocation)
    #expect(try await vanished().isEmpty, sourceLocation: sourceLocation)
    if !publishes { #expect(try await mirror.contents() == before, sourceLocation: sourceLocation) }
    return run
  }

  func vanished() async throws -> Set<Int> {
    let rows = try await mirror.sql("SELECT mal_id FROM jikan.anime WHERE vanished_at IS NOT NULL")
    return Set(rows.split(separator: "\n").compactMap { Int($0) })
  }

  var lookups: Set<Int> {
    Set(
      server.history.records.dropFirst(requestsBefore).compactMap { record in
        record.path.hasPrefix("/v4/anime/") ? Int(record.path.dropFirst("/v4/anime/".count)) : nil
      })
  }
}

extension SimulatedRequest {
  fileprivate var isList: Bool { path == "/v4/anime" || path == "/v4/top/anime" }

  fileprivate func covers(_ place: Int) -> Bool {
    let pair = query.split(separator: "&").first { $0.hasPrefix("limit=") }
    let limit = pair.flatMap { Int($0.dropFirst("limit=".count)) } ?? 25
    return ((page - 1) * limit..<page * limit).contains(place)
  }
}

extension SimulatedAnswer {
  fileprivate static func emptyPage(total: Int) -> SimulatedAnswer {
    .json(
      """
      {"pagination": {"last_visible_page": \(max(1, (total + 24) / 25)), "has_next_page": \(total > 25), \
      "current_page": 1, "items": {"count": 0, "total": \(total), "per_page": 25}}, "data": []}
      """)
  }
}
