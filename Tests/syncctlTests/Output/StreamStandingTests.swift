import Foundation
import SyncCore
import Synchronization
import Testing

@testable import SyncPostgres
@testable import SyncProgram

@Suite("How streams are doing, and the screens that say it", .boundSources)
struct StreamStandingTests {
  private static let now = 1_795_000_000.0
  private static let guarded =
    "jikan/anime-catalog: 504 of 2,004 items of the mirror were not in the catalogue; none of them was marked"

  private static let throttled =
    "the upstream is throttling: the next request may be sent at 14:43 UTC; \(SyncError.resumesThen)"

  /// - Parameter staleIn: The seconds until the stream is stale; `nil` for a stream that was never complete.
  private static func standing(
    _ source: String, _ name: String, staleIn: Double? = 3600, _ status: RunStatus = .complete, error: String? = nil,
    isHeld: Bool = false, isConfirmable: Bool = false, pausedFor: Double? = nil, jobError: String? = nil
  ) -> StreamStanding {
    let run = (id: "349710e7-0000", status: status, isHeld: isHeld, isConfirmable: isConfirmable, error: error)
    let stored = MirrorFigures.Stream(
      source: source, name: name, wholeAt: nil, age: nil, entries: nil, pausedUntil: pausedFor.map { now + $0 },
      lastRun: run)
    let stream = StreamDeadlines.Stream(
      name: StreamName(source: source, name: name), job: "daily", stored: stored, staleAt: staleIn.map { now + $0 },
      jobError: jobError)
    return StreamStanding(stream, now: now)
  }

  private static func clock(_ seconds: Double) -> String {
    let now = Date(timeIntervalSince1970: now)
    return HumanFormat.clock(now + seconds, now: now)
  }

  private static func text(_ lines: [StyledLine]) -> [String] { lines.map { TerminalText.trimmed($0.text) } }

  @Test("without its cause, a standing has its state and its command", arguments: [true, false])
  func withoutReason(isHeld: Bool) {
    let full = Self.standing("jikan", "top-anime", .failed, error: "the database of ann failed", isHeld: isHeld)
    let line = full.withoutReason.line
    #expect(full.line.text.contains("ann") && line.text == (isHeld ? "held" : "failed") && line.action == full.action)
  }

  @Test("a stream is held, failed, paused, late or on time, with the reason and the command")
  func rule() {
    let run = "syncctl run --source jikan --stream top-anime"
    let (show, limits) = ("syncctl runs show 349710e7", "syncctl limits")
    let pause = "throttled until \(Self.clock(2000))"
    func top(
      _ status: RunStatus = .complete, staleIn: Double? = 3600, error: String? = nil, pausedFor: Double? = nil,
      jobError: String? = nil
    ) -> StreamStanding {
      Self.standing(
        "jikan", "top-anime", staleIn: staleIn, status, error: error, pausedFor: pausedFor, jobError: jobError)
    }
    let cases: [(StreamStanding, String?, String?, String?)] = [
      (top(), "on time", nil, nil), (top(staleIn: .infinity), nil, nil, nil),
      (top(pausedFor: 2000), "on time", nil, nil), (top(staleIn: -450), "late", "late 7 min", run),
      (top(staleIn: -7200, jobError: "no route; try later"), "late", "late 2 h: no route", run),
      (top(.partial, staleIn: nil), "late", "never complete", run),
      (top(.failed, error: "jikan/top-anime: it broke; look"), "failed", "it broke", show),
      (top(.partial, error: "unavailable pages or documents: 2"), "failed", "unavailable pages or documents: 2", show),
      (top(.partial), "on time", nil, nil),
      (top(.failed, error: Self.throttled), "failed", "throttled; the pause has ended", run),
      (
        top(.failed, error: "the rate limit is used up; \(SyncError.resumesThen)"), "failed",
        "the rate limit is used up", run
      ),
      (top(.failed, staleIn: -450, error: "it broke; look", pausedFor: 2000), "failed", "it broke", show),
      (top(.failed, error: "https://j.example/ answered 429; wait", pausedFor: 2000), "paused", pause, limits),
      (top(staleIn: -450, jobError: Self.throttled), "late", "late 7 min", run),
      (top(.failed, staleIn: -450, error: Self.throttled, pausedFor: 2000), "paused", pause, limits),
      (top(staleIn: -450, pausedFor: 90_000), "paused", "throttled until \(Self.clock(90_000))", limits),
      (
        Self.standing("jikan", "anime-catalog", .failed, error: Self.guarded, isHeld: true, isConfirmable: true),
        "held", "504 of 2,004 items of the mirror were not in the catalogue",
        "syncctl confirm 349710e7"
      ),
      (
        Self.standing(
          "jikan", "top-anime", .failed, error: "99 of 100 items lack rank \(LostColumns.symptom); none was written",
          isHeld: true, isConfirmable: true),
        "held", "99 of 100 items lack rank \(LostColumns.symptom)", show
      ),
      (
        Self.standing("jikan", "genres", .failed, error: "x", isHeld: true, pausedFor: 2000), "held", "x",
        "\(show) --quarantine"
      ),
    ]
    for (standing, word, reason, action) in cases {
      #expect(standing.word == word && standing.reason == reason && standing.action == action, "\(standing)")
    }
  }

  @Test("a job of a source without known streams is late after its first time, and is named by its source")
  func neverRun() throws {
    let configuration = try load([:], yaml: "jobs: [{ name: pokedex, source: pokeapi, schedule: every 1d }]")
    func promised(
      _ daysAgo: Double?, streams: [MirrorFigures.Stream] = [], failed: [MirrorFigures.Stream] = []
    ) -> [StreamStanding] {
      let job = daysAgo.map { days in
        MirrorFigures.Job(
          name: "pokedex", lag: 0, isRunning: false, lastSuccessAt: nil, isPaused: false,
          registeredAt: Self.now - days * 86_400, error: nil)
      }
      let figures = MirrorFigures(now: Self.now, streams: streams, jobs: [job].compactMap(\.self), verified: [])
      return StreamDeadlines(configuration, figures, failedIndexes: failed).streams.map {
        StreamStanding($0, now: Self.now)
      }
    }
    func stored(_ name: String, _ error: String?) throws -> MirrorFigures.Stream {
      try #require(Self.standing("pokeapi", name, error == nil ? .complete : .failed, error: error).stream.stored)
    }
    let late = promised(5).map(\.line)
    #expect(late.map(\.subject) == ["pokeapi"] && late.first?.action == "syncctl run --source pokeapi", "\(late)")
    #expect(late.first?.text.hasPrefix("late ") == true && promised(5).allSatisfy { $0.stream.isStale(at: Self.now) })
    #expect(promised(nil).map(\.reason) == ["never complete"] && promised(0).isEmpty)
    let known = try stored("type", nil)
    #expect(promised(5, streams: [known]).map(\.name.name) == ["type"])
    let index = try stored("index", "it broke")
    let failed = promised(5, failed: [index]).map(\.line)
    #expect(failed.map(\.subject) == ["pokeapi/index"] && failed.first?.text == "failed: it broke", "\(failed)")
  }

  private static var mixed: [StreamStanding] {
    let down = (1...48).map { number in
      standing("pokeapi", "stream-\(number)", .failed, error: "https://p.example/api/v2/\(number)/ answered 503; later")
    }
    let charts = ["us", "de"].map { standing("itunes", "chart:\($0)", staleIn: -600, pausedFor: 2000) }
    let held = standing("jikan", "anime-catalog", .failed, error: guarded, isHeld: true, isConfirmable: true)
    return charts + [held, standing("jikan", "top-anime"), standing("jikan", "top-manga", staleIn: -450)] + down
  }

  @Test("a screen begins with a verdict and has a line for each cause, the worst first")
  func screen() {
    let problems = StreamStanding.attention(Self.mixed)
    let summary = StreamStanding.summary(Self.mixed, hasJobs: true)
    let lines = Self.text(StatusCommand.screen(summary, problems, Self.mixed, width: 120))
    #expect(
      lines == [
        "52 of 53 streams need attention",
        "✗ jikan/anime-catalog  held: 504 of 2,004 items of the mirror were not in the catalogue"
          + "  → syncctl confirm 349710e7",
        "✗ pokeapi              48 streams failed: https://p.example/api/v2/1/ answered 503",
        "    → syncctl status --source pokeapi --failed",
        "! itunes               paused: throttled until \(Self.clock(2000))  → syncctl limits",
        "! jikan/top-manga      late 7 min  → syncctl run --source jikan --stream top-manga",
        "✓ jikan 1  --all lists them",
      ])
    #expect(problems.map(\.code.exitStatus) == [86, 1, 75, 1])
  }

  @Test("a screen fits its terminal, except commands, which stay whole", arguments: [60, 80, 120])
  func widths(width: Int) {
    let problems = StreamStanding.attention(Self.mixed) + Self.mixed.map(\.line)
    let summary = StreamStanding.summary(Self.mixed.filter(\.isOnTime), hasJobs: false)
    for line in StatusCommand.screen(summary, problems, Self.mixed, width: width) {
      let isCommand = line.text.hasPrefix("    → ")
      #expect(isCommand || TerminalText.displayWidth(line.text) <= width, "\(line.text)")
    }
  }

  @Test("a pause is one line for its source, whatever it made late; a long command breaks before an option")
  func pauses() {
    let well = [Self.standing("jikan", "a", pausedFor: 2000), Self.standing("pokeapi", "c")]
    let late = [Self.standing("jikan", "b", staleIn: -1, pausedFor: 2000)]
    let failed = [Self.standing("jikan", "c", .failed, error: Self.throttled, pausedFor: 1000)]
    for standings in [well, late, failed + late, well + late + failed] {
      #expect(
        StreamStanding.attention(standings) == [
          AttentionLine(
            subject: "jikan", text: "paused: throttled until \(Self.clock(2000))", action: "syncctl limits",
            code: .tryLater, isGrave: false)
        ])
    }
    let over = ["a", "b"].map { Self.standing("itunes", $0, .failed, error: Self.throttled) }
    let action = StreamStanding.attention(over).map { "\($0.text) \($0.action ?? "")" }
    #expect(action == ["2 streams failed: throttled; the pause has ended syncctl run --source itunes"])
    let wide = Self.standing("jikan", "anime-catalog", staleIn: -450).line
    #expect(
      Self.text(AttentionLine.lines([wide], width: 50)) == [
        "! jikan/anime-catalog  late 7 min", #"    → syncctl run --source jikan \"#, "        --stream anime-catalog",
      ])
  }

  @Test func verdicts() {
    let well = [Self.standing("jikan", "a"), Self.standing("jikan", "b")]
    #expect(StreamStanding.summary(well, hasJobs: true) == "2 streams on time")
    #expect(StreamStanding.summary(well, hasJobs: true, hasWorker: false) == "no worker, 2 streams on time")
    let others = well + [Self.standing("jikan", "d", staleIn: .infinity)]
    #expect(StreamStanding.summary(others, hasJobs: true) == "2 streams on time, 1 without a job")
    #expect(StreamStanding.summary(well, hasJobs: false).hasPrefix("2 streams, none failed; without jobs"))
    let late = [Self.standing("jikan", "c", staleIn: -1)]
    #expect(StreamStanding.summary(well + late, hasJobs: true) == "1 of 3 streams needs attention")
    let both = StreamStanding.summary(well + late, hasJobs: true, hasWorker: false)
    #expect(both == "1 of 3 streams needs attention, and no worker runs")
  }

  @Test("doctor has a line for each cause, is ready only if nothing is left to say, and never names itself")
  func doctor() {
    typealias Finding = DoctorCommand.Finding
    func screen(_ findings: [Finding]) -> [String] { Self.text(DoctorCommand.screen(findings, width: 120)) }
    #expect(screen([Finding("server", "PostgreSQL 15")]) == ["ready", "✓ 1 check  --all lists them"])
    let empty = Finding("connection", "no mirror yet; syncctl run creates it", isReported: true)
    #expect(screen([empty]) == ["no problems", "! connection  no mirror yet; syncctl run creates it"])
    let schemas = [Distribution.Schema("jikan", on: ["db2:5432"]), Distribution.Schema("pokeapi", on: ["db3:5432"])]
    func told(_ distribution: Distribution) -> [String] { DoctorCommand.check(distribution).map(\.line.text) }
    let places = "distributed: jikan on db2:5432, pokeapi on db3:5432; all other schemas are on the coordinator"
    #expect(told(Distribution(schemas)) == [places])
    #expect(told(Distribution([])) == ["no schema is distributed"])
    let lost = told(Distribution(schemas, lostMachines: ["db3:5432"]))
    #expect(lost[0] == places && lost[1].hasPrefix("db3:5432 does not answer; it has pokeapi"))
    let away = SyncError(.database, "it is away", hint: "check that it is up (syncctl doctor)")
    #expect(
      screen([Finding("PostgreSQL", away), Finding("connection", away)]) == [
        "1 problem", "✗ PostgreSQL  it is away; check that it is up (also connection)",
      ])

    let unstored = Finding("upstream jikan", pausedFor: .seconds(70), isStored: false)
    #expect(unstored.line.text.hasPrefix("paused: throttled until ") && unstored.line.action == nil)
    #expect(unstored.error?.code.exitStatus == 75 && unstored.error?.hint == nil)

    let late = Self.standing("pokeapi", "type", staleIn: -450)
    let streams = StreamStanding.attention(Self.mixed + [late]).map { Finding($0) }
    let down = SyncError(.upstream, "https://p.example: cannot connect", hint: "look")
    var probes = ["jikan", "pokeapi"].map { Finding("upstream \($0)", down) }
    for place in probes.indices { probes[place].server = "https://p.example" }
    var pause = Finding(
      AttentionLine(subject: "upstream itunes", text: "paused: throttled until 11:40 UTC", code: .tryLater))
    pause.server = "https://i.example"
    let lines = screen(streams + probes + [pause])
    #expect(lines.first == "5 problems")
    for text in [
      "https://p.example: cannot connect; look (also 48 streams of pokeapi, upstream pokeapi)",
      "    → syncctl status --source pokeapi --failed",
      "itunes               paused: throttled until \(Self.clock(2000))  → syncctl limits", "syncctl confirm 349710e7",
      "late 7 min  → syncctl run --source jikan --stream top-manga",
      "late 7 min  → syncctl run --source pokeapi --stream type",
    ] { #expect(lines.count { $0.hasSuffix(text) } == 1, "\(text): \(lines)") }
  }

  @Test("a screen is drawn every two seconds until it is cancelled")
  func repeating() async {
    let clock = ClockThatEnds()
    await #expect(throws: CancellationError.self) {
      try await StatusCommand.repeating(every: .seconds(2), on: clock) { clock.drawings.withLock { $0 += 1 } }
    }
    #expect(clock.drawings.withLock { $0 } == 3)
    #expect(clock.sleeps.withLock { $0 } == [.seconds(2), .seconds(2), .seconds(2)])
  }
}

private final class ClockThatEnds: SyncClock {
  let drawings = Mutex(0)
  let sleeps = Mutex<[Duration]>([])

  func now() -> Duration { .zero }

  func sleep(for duration: Duration) async throws {
    let count = sleeps.withLock { sleeps in
      sleeps.append(duration)
      return sleeps.count
    }
    if count == 3 { throw CancellationError() }
  }
}
