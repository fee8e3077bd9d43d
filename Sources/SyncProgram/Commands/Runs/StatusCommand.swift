import ArgumentParser
import SyncCore
import SyncPostgres

struct StatusCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show whether the mirror is fresh, and what needs attention.",
    discussion: """
      A stream is "on time", "late" (its job's time has passed, and no run has completed it since), "failed", \
      "held" (a guard stopped its last run, which needs a decision) or "paused" (its service demands a pause, see \
      syncctl limits). Streams without a job are never late.

      Examples:
        syncctl status
        syncctl status --failed --format json
        syncctl status --watch
      """)

  @OptionGroup var choice: StreamFilterOptions

  @Flag(help: "List every stream.")
  var all = false

  @Flag(help: "List only the streams that need attention, each with a remedy.")
  var failed = false

  @Flag(help: "Refresh the display every two seconds, until Ctrl-C.")
  var watch = false

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let streams = StandardStreams()
    guard watch else { return try streams.print(try await listing(), output) }
    guard streams.output.canRedraw, output.isOpen else {
      throw SyncError(.usage, "--watch works only on a terminal and without --format", hint: "omit one of them")
    }
    let terminal = StandardStreams(output: streams.output, error: streams.error)
    _ = try await Signals.stopping(onFirst: {}) {
      try await withMirror { database, configuration in
        try await Self.repeating(every: .seconds(2), on: SystemClock()) {
          let listing = try await listing(of: database, configuration)
          try terminal.clear()
          try terminal.print(listing, output)
        }
      }
    }
  }

  static func repeating(every pause: Duration, on clock: any SyncClock, _ draw: () async throws -> Void) async throws {
    while true {
      try await draw()
      try await clock.sleep(for: pause)
    }
  }

  func listing() async throws -> Listing { try await withMirror(listing) }

  private func withMirror<R: Sendable>(_ body: (Database, Configuration) async throws -> R) async throws -> R {
    let configuration = try common.configuration()
    return try await Context(configuration: configuration).withExistingMirror { try await body($0, configuration) }
  }

  private func listing(of database: Database, _ configuration: Configuration) async throws -> Listing {
    let filter = try choice.filter(configuration)
    let state = try await MirrorState.read(database, configuration)
    let asked = state.standings.filter { filter.includes($0.name) }
    let standings = failed ? asked.filter { !$0.isOnTime } : asked
    for name in filter.names where !state.standings.contains(where: { $0.name.name == name }) {
      throw filter.neverRun(name)
    }
    let stored = try await Runs.status(database)
    let known = Dictionary(
      zip(stored.namedRows, stored.rows).map { named, row in
        (StreamName(source: named["source"] ?? "", name: named["stream"] ?? ""), row)
      }, uniquingKeysWith: { first, _ in first })
    let rows = standings.compactMap { standing -> [String?]? in
      let own = [
        "source": standing.name.source, "stream": standing.name.name,
        "last_run": standing.stream.stored?.lastRun?.status.rawValue,
      ]
      // The query has no row for a stream that never ran. Such a stream is listed only if it needs attention.
      let isListed = !standing.isOnTime && !state.isEmpty
      let row = known[standing.name] ?? (isListed ? stored.columns.map { own[$0.name] ?? nil } : nil)
      return row.map { $0 + [standing.word, standing.reason, standing.action] }
    }
    let columns = stored.columns + ["state", "reason", "action"].map { RowSet.Column(name: $0, type: .text) }
    let emptiness = state.emptiness.description
    var listing = Listing(
      RowSet(columns: columns, rows: rows),
      emptyMessage: failed && !state.isEmpty
        ? "No stream needs attention." : "\(emptiness.prefix(1).uppercased())\(emptiness.dropFirst()).",
      titles: ["last_complete_at": "complete", "resumes_after_page": "resumes after", "verified_at": "verified"])
    listing = listing.laidOut(
      hiding: Set(listing.tells("quarantined") ? [] : ["quarantined"]).union([
        "last_consistent_at", "started_at", "rows_seen", "inserted", "updated", "unchanged", "provider", "origin",
        "reason", "action",
      ]),
      ifEmpty: ["verified_at", "differences"],
      leaving: ["verified_at"], ["resumes_after_page"], ["entries"], ["source"], ["consistent"], ["differences"],
      ["last_run"], ["last_complete_at"])
    listing = listing.inTables { $0.mapping("last_run", beside: "state") { $1 == .text("held") ? $1 : $0 } }
    if all { return listing }
    let problems = failed ? standings.map(\.line) : state.attention(standings)
    return listing.summarized(inPipes: true) { Self.screen(state.summary(asked), problems, standings, width: $0) }
  }

  static func screen(
    _ verdict: String, _ problems: [AttentionLine], _ standings: [StreamStanding], width: Int
  ) -> [StyledLine] {
    let groups = standings.filter(\.isOnTime).gathered(by: \.name.source)
    let counts = groups.flatMap { group in
      [
        StyledLine.Span(text: Glyphs.shown("✓ "), style: .green),
        StyledLine.Span(text: "\(group[0].name.source) \(HumanFormat.count(group.count))  "),
      ]
    }
    let hint = StyledLine.Span(text: "--all lists them", style: .dim)
    let fits = StyledLine(counts + [hint]).text.count <= width
    return TextLayout.wrap(verdict, to: width).map { StyledLine($0, .bold) }
      + AttentionLine.lines(problems, width: width)
      + (groups.isEmpty ? [] : fits ? [StyledLine(counts + [hint])] : [StyledLine(counts), StyledLine([hint])])
  }
}
