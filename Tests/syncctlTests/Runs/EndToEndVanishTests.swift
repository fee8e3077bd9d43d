import Foundation
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
        #expect(words.contains("60 of 240") && words.hasSuffix("syncctl confirm \(id.prefix(8))"), "\(words)")
        #expect(run["held"] == .bool(true))
        let failed = try await world.mirror.rows("runs", "--failed", "--stream", stream, "--since", "1h")
        #expect(failed.count == 2 && failed.first?["id"]?.text == id && failed.first?["error"]?.text == words)
        #expect(failed.allSatisfy { $0["status"] == .string("failed") && $0["held"] == .bool(true) })
        let table = try await world.mirror.syncctl("runs", "--failed")
        #expect(table.standardOutput.contains("  held  "))
        #expect(table.standardOutput.contains("syncctl confirm \(id.prefix(8))"))
        let shown = try await world.mirror.syncctl("runs", "show", id)
        let lines = shown.standardOutput.split(separator: "\n").dropFirst()
        #expect(lines.first?.contains("held") == true && lines.dropFirst().first?.hasPrefix("error") == true)
        #expect(shown.standardOutput.contains("held by a guard: ") && !shown.standardOutput.contains("quarantined"))
        try await world.expectJudgeable(id, gone, asksService: stream == "anime-catalog")
        let standing = try await world.mirror.rows("status", "--failed")
        #expect(standing.map { $0["state"] } == [.string("held")] && standing.first?["stream"]?.text == stream)
        #expect(standing.first?["action"]?.text == "syncctl confirm \(id.prefix(8))", "\(standing)")
        let screen = try await world.mirror.succeed("status").standardOutput
        #expect(screen.hasPrefix("1 of 2 streams needs attention\n✗ jikan/\(stream)  held: "), "\(screen)")
        let plain = try await world.mirror.with(["LC_ALL": "C"]).succeed("status").standardOutput
        #expect(plain.hasPrefix("1 of 2 streams needs attention\nx jikan/\(stream)  held: "), "\(plain)")
        #expect(plain.contains("\nok jikan 1") && plain.utf8.allSatisfy { $0 < 0x80 }, "\(plain)")

        try await world.expectHeldSignals()

        let result = try await world.mirror.syncctl("confirm", String(id.prefix(8)), "--format", "json")
        let confirmed = try #require(try world.mirror.runs(result)[stream], "\(result.standardError)")
        #expect(result.end == .exit(0) && confirmed["status"] == .string("complete"), "\(result.standardError)")
        #expect(confirmed["vanished"]?.int == (stream == "anime-catalog" ? 60 : 0))
        #expect(try await world.vanished() == (stream == "anime-catalog" ? gone : []))
        let listed = try await world.mirror.sql("SELECT count(*) FROM jikan.ranking WHERE kind = 'anime'")
        #expect(listed == (stream == "top-anime" ? "180" : "240"))

        let again = try await world.mirror.syncctl("run", "--stream", stream, "--confirm-vanish", id)
        again.expectFailure(64, naming: "out of date", isQuiet: false)
        try await world.mirror.succeed("health", "--stream", stream, "--strict")
        let whole = try await world.mirror.sql("SELECT id FROM sync.run WHERE status = 'complete' LIMIT 1")
        try await world.mirror.syncctl("confirm", whole).expectFailure(64, naming: "was not stopped by the guard")
        try await world.mirror.syncctl("runs", "show", whole, "--all").expectFailure(64, naming: "no guard stopped")
      }
    }

    @Test("a weekday without anime is held until a person confirms it, and then no more")
    func emptyWeekday() async throws {
      try await VanishingWorld.with(items: 30) { world in
        let stream = "schedules:monday"
        let items = try HandmadeList.numbered(1...5).items.joined(separator: ",")
        let monday = #"{"pagination": {"last_visible_page": 1, "has_next_page": false}, "data": [\#(items)]}"#
        world.disturb { $0.path == "/v4/schedules" ? .json(monday) : nil }
        try await world.mirror.succeed("run", "--stream", stream)
        world.disturb { $0.path == "/v4/schedules" ? .emptyPage(total: 0) : nil }
        let held = try await world.mirror.syncctl("run", "--stream", stream)
        held.expectFailure(86, naming: "the list is empty", isQuiet: false)
        let printed = #/syncctl (confirm [0-9a-f]{8})$/#.anchorsMatchLineEndings()
        let command = try #require(held.standardError.firstMatch(of: printed))
        let shown = try await world.mirror.syncctl("runs", "show", String(command.output.1.suffix(8)))
        #expect(shown.standardOutput.contains("confirming publishes"), "\(shown.standardOutput)")
        try await world.mirror.succeed(command.output.1.split(separator: " ").map(String.init))
        #expect(try await world.mirror.sql("SELECT entries FROM sync.publication WHERE list = '\(stream)'") == "0")
        try await world.mirror.succeed("run", "--stream", stream)
      }
    }

    @Test(
      "a terminal asks before it confirms, and anything but yes changes nothing",
      .enabled(if: Terminals.hasScript, "script(1) is not installed"))
    func asksOnATerminal() async throws {
      try await VanishingWorld.with(items: 240) { world in
        world.jikan.remove(.anime, Set(world.jikan.ids(.anime)[100..<160]))
        let run = try await world.expectNothingGone(running: "top-anime", exit: 86, status: "failed")
        let id = try #require(run["id"]?.text).prefix(8)
        for (answer, listed) in [("", "240"), ("n", "240"), ("y", "180")] {
          let session = try await world.mirror.shell(
            "printf '%s\\n' '\(answer)' | script -qec \"$0 confirm \(id)\" /dev/null")
          #expect(session.standardOutput.contains("continue? [y/N]"), "\(session.standardOutput)")
          #expect(session.standardOutput.contains("nothing was changed") == (answer != "y"))
          #expect(try await world.mirror.sql("SELECT count(*) FROM jikan.ranking") == listed)
        }
      }
    }
  }
}

struct VanishingWorld: Sendable {
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

  /// The held run lists the items that would go, and says what confirming it does.
  func expectJudgeable(_ id: String, _ gone: Set<Int>, asksService: Bool) async throws {
    let run = try #require(try await mirror.rows("runs", "show", id).first)
    let items = try #require(run["would_remove"]?.array)
    #expect(Set(items.compactMap { $0["id"]?.int }) == gone)
    #expect(items.allSatisfy { $0["title"]?.text != nil })
    let members = items.compactMap { $0["members"]?.int }
    #expect(members.count == items.count && members == members.sorted(by: >), "the best known come first")
    let words = try #require(run["confirming"]?.text)
    let meaning = asksService ? "asks the service for each of the 60" : "publishes the list without these 60 entries"
    #expect(words.contains(meaning), "\(words)")
    let shown = try await mirror.succeed("runs", "show", id)
    for part in ["60 items: ", "and 54 more", "by type: ", meaning] {
      #expect(shown.standardOutput.contains(part), "\(part): \(shown.standardOutput)")
    }
    #expect(shown.standardError.hasSuffix("if the upstream is right: syncctl confirm \(id.prefix(8))\n"))
    #expect(try await mirror.rows("runs", "show", id, "--all") == items)
  }

  /// A held stream is a signal in health and in metrics, but stays fresh.
  func expectHeldSignals() async throws {
    let health = ["health", "--source", "jikan"]
    let lenient = try await mirror.succeed(health)
    #expect(lenient.standardError.contains("is held by a guard"), "\(lenient.standardError)")
    let strict = try await mirror.syncctl(health + ["--strict"])
    #expect(strict.end == .exit(86), "\(strict.standardError)")
    let file = "\(mirror.home.path)/syncctl.prom"
    try await mirror.succeed("run", "--stream", "top-manga", "--metrics-file", file)
    let metrics = try String(contentsOfFile: file, encoding: .utf8)
    #expect(metrics.contains(#"syncctl_streams{source="jikan",state="held"} 1"#), "\(metrics)")
    #expect(metrics.contains(#"syncctl_streams{source="jikan",state="failed"} 0"#), "\(metrics)")
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
