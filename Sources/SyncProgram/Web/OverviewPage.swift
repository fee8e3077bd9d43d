import SyncCore
import SyncPostgres
import SyncWeb

struct OverviewPage: Sendable {
  let configuration: @Sendable () -> Configuration
  let cachedNews = WebCache<[WebNews]>()

  var page: WebPage {
    WebPage("/", template: "shared/overview", isShared: true) { request, database in
      try await content(of: database, request.rights)
    }
  }

  private func content(of database: Database, _ rights: WebRights) async throws -> WebContent {
    let (configuration, isPrivate) = (configuration(), rights.showsPersonalData)
    let shown: (RowSet) -> RowSet = { isPrivate ? $0 : $0.shared(with: configuration) }
    let state = try await MirrorState.read(database, configuration)
    let standings =
      isPrivate ? state.standings : state.standings.filter { !configuration.isOneOff($0.name) }.map(\.withoutReason)

    let walks = try await walks(shown(try await Runs.running(database)), database, configuration)
    let jobs = JobsCommand.List.listing(
      shown(try await Jobs.list(database)), configuration.jobs, at: try await Jobs.now(in: database))
    let limits = try await LimitsCommand.List.listing(of: database, configuration)

    let quarantine = Listing(
      shown(try await Runs.quarantineReasons(database)), emptyMessage: "No item is in quarantine.",
      titles: ["last_at": "last seen"]
    ).laidOut(hiding: ["run_id"])

    let streams = isPrivate ? [] : standings.map(\.name.name)
    let runs = Listing(
      shown(try await Runs.list(database, limit: Limits.runsOnPage, streams: streams).rows),
      emptyMessage: "No run yet; \(Registry.firstRun) starts one.", titles: RunSummary.tableTitles)

    let news = try await news(database, configuration, rights)
    let problems = state.attention(standings)
    let summary = state.isEmpty ? "nothing is mirrored yet" : state.summary(standings)

    return WebContent(
      title: "State",
      [
        "verdict": .text(summary), "isWell": .flag(problems.isEmpty), "problems": .list(problems.map(\.webValue)),
        "hasProblems": .flag(!problems.isEmpty), "start": state.isEmpty ? .text(Registry.firstRun) : nil,
        "walks": walks.rows.isEmpty ? nil : walks.webTable("Runs under way", path: Self.run("stream", "id")),
        "streams": .list(Self.streams(standings)), "news": .list(news.map(\.webValue)),
        "newsNotes": .list(news.flatMap(\.notes).distinct().map { .text($0) }), "hasNews": .flag(!news.isEmpty),
        "jobs": jobs.webTable("Jobs", path: Self.run("error", "run_id")),
        "limits": limits.webTable("Rate limits in use"),
        "quarantine": quarantine.webTable("Quarantine", path: Self.run("reason", "run_id")),
        "runs": runs.showingReasons.laidOut(hiding: Self.hidden, ifEmpty: ["error"])
          .webTable("Last runs", path: Self.run("stream", "id")),
      ], refreshes: !walks.rows.isEmpty)
  }

  private static let hidden: Set<String> = [
    "id", "invocation_id", "pages", "requests", "unchanged", "duplicates", "quarantined", "held", "unavailable", "job",
  ]

  private static func run(_ column: String, _ id: String) -> (String, Listing.WebRow) -> String? {
    { key, row in key == column ? row[id]?.string.map { "/runs/\($0)" } : nil }
  }

  private static func streams(_ standings: [StreamStanding]) -> [WebValue] {
    standings.gathered(by: \.name.source).map { same in
      let rows = same.map { standing -> [Cell] in
        let (stored, last) = (standing.stream.stored, standing.stream.stored?.lastRun)
        return [
          .text(standing.name.name), standing.word.map { .text($0) } ?? .null,
          stored?.wholeAt.map { JobTime.cell(Duration(clamping: $0).components.seconds) } ?? .null,
          stored?.entries.map { .int(Int64($0)) } ?? .null,
          last.map { .text($0.isHeld ? "held" : $0.status.rawValue) } ?? .null, last.map { .text($0.id) } ?? .null,
        ]
      }
      let table = Listing(
        columns: [
          Column("stream"), Column("state"), Column("last_complete_at", title: "complete"), Column("entries"),
          Column("last_run", title: "last run"), Column("run_id"),
        ], rows: rows
      ).laidOut(hiding: ["run_id"]).webTable("Streams of \(same[0].name.source)", path: run("last_run", "run_id"))
      let problems = same.count { !$0.isOnTime }
      let group = "\(same[0].name.source): \(HumanFormat.counted(same.count, "stream"))"
      return .object([
        "group": .text(problems == 0 ? group : "\(group), \(HumanFormat.count(problems)) with problems"),
        "isOpen": .flag(problems > 0 || same.count <= Limits.streamsInOpenGroup), "table": table,
      ])
    }
  }

  private func walks(_ runs: RowSet, _ database: Database, _ configuration: Configuration) async throws -> Listing {
    let running = runs.namedRows
    var remainingRequests: [String: Int] = [:]
    for rows in running.gathered(by: { $0["source"] ?? "" }) {
      guard let source = rows[0]["source"] else { continue }
      let costs = try await Runs.costs(
        of: rows.compactMap { $0["stream"] }, of: SourceID(rawValue: source),
        resumedWithin: configuration.runs.resumeWithin.value, in: database)
      for (stream, count) in costs { remainingRequests["\(source)/\(stream)"] = count }
    }

    let rows = running.map { row -> [Cell] in
      let name = "\(row["source"] ?? "")/\(row["stream"] ?? "")"
      let (requests, seconds) = (row.int("requests") ?? 0, row["seconds"].flatMap { Double($0) } ?? 0)
      let rate = seconds > 0 ? Double(requests) / seconds : 0
      let time = remainingRequests[name].flatMap { rate > 0 ? Duration(clamping: Double($0) / rate) : nil }
      return [
        .text(name), .text(row["id"] ?? ""), row["started_at"].map { .time($0) } ?? .null,
        row.int("pages").map { .int(Int64($0)) } ?? .null, row.int("rows_seen").map { .int(Int64($0)) } ?? .null,
        .literal(HumanFormat.rate(rate)), time.map { .text("about \(HumanFormat.estimate($0))") } ?? .null,
      ]
    }

    return Listing(
      columns: [
        Column("stream"), Column("id"), Column("started_at", title: "started"), Column("pages"),
        Column("rows_seen", title: "rows"), Column("requests_per_second", title: "requests/s"),
        Column("time_left", title: "time left"),
      ], rows: rows
    ).laidOut(hiding: ["id"])
  }

  private func news(
    _ database: Database, _ configuration: Configuration, _ rights: WebRights
  ) async throws -> [WebNews] {
    var news: [WebNews] = []
    for source in configuration.sources {
      let all = try await cachedNews.value(of: source.name, for: rights, life: Limits.newsLife) {
        try await source.web.news(database)
      }
      news += all.prefix(Limits.newsOfSource)
    }
    return news
  }
}

extension WebNews {
  fileprivate var webValue: WebValue {
    .object(of: ["newsText": .text(text), "newsPath": .text(orNil: path), "newsDetail": .text(detail)])
  }
}

extension AttentionLine {
  fileprivate var webValue: WebValue {
    let run = action?.firstMatch(of: /^syncctl (?:runs show|confirm) ([0-9a-f-]+)/).map { String($0.output.1) }
    return .object(of: [
      "subject": .text(subject), "problem": .text(text), "command": action.map { .text($0) },
      "runPath": run.map { .text("/runs/\($0)") }, "isGrave": .flag(isGrave),
    ])
  }
}
