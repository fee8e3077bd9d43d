import Foundation
import SyncCore
import SyncEngine
import SyncPostgres
import SyncWeb

/// The first page: problems with the means against them, then what is new, then the operation of the mirror.
struct OverviewPage: Sendable {
  let configuration: @Sendable () -> Configuration
  private let cachedNews = WebCache<[WebNews]>()
  private let cachedDays = WebCache<WebToday?>()
  private let cachedChanges = WebCache<[WebValue]>()

  init(configuration: @escaping @Sendable () -> Configuration) { self.configuration = configuration }

  var page: WebPage {
    WebPage("/", template: "shared/overview", isShared: true) { request, database in
      try await content(of: database, request)
    }
  }

  private func content(of database: Database, _ request: WebRequest) async throws -> WebContent {
    let (configuration, rights) = (configuration(), request.rights)
    let isPrivate = rights.showsPersonalData
    let shown: (RowSet) -> RowSet = { isPrivate ? $0 : $0.shared(with: configuration) }
    let state = try await MirrorState.read(database, configuration)
    let standings =
      isPrivate ? state.standings : state.standings.filter { !configuration.isOneOff($0.name) }.map(\.withoutReason)
    let problems = state.attention(standings)
    let walks = try await walks(shown(try await Runs.running(database)), database, configuration)
    let news = try await news(database, configuration, rights)
    let days = try await days(request, database, configuration)
    var favorites: [WebValue] = []
    if isPrivate {
      favorites = try await cachedChanges.value(of: "favorites", for: rights, life: Limits.newsLife) {
        try await Self.favoriteChanges(database, configuration)
      }
    }

    var values: [String: WebValue?] = [
      "verdict": .text(Self.verdict(state, standings, problems, configuration)), "isWell": .flag(problems.isEmpty),
      "problems": .list(problems.prefix(Limits.problemsOnPage).map { Self.value($0, state, request) }),
      "hasProblems": .flag(!problems.isEmpty), "start": state.isEmpty ? .text(Registry.firstRun) : nil,
      "walks": walks.rows.isEmpty ? nil : walks.webTable("Runs under way", path: Self.run("stream", "id")),
      "news": .list(news.map(\.webValue)), "hasNews": .flag(!news.isEmpty),
      "newsNotes": .list(news.flatMap(\.notes).distinct().map { .text($0) }), "days": .list(days),
      "favoriteChanges": .list(favorites), "hasFavoriteChanges": .flag(!favorites.isEmpty),
      "hasDigest": .flag(!news.isEmpty || !favorites.isEmpty), "streams": .list(Self.streams(standings)),
    ]
    let rest = problems.count - Limits.problemsOnPage
    if rest > 0 { values["rest"] = .text("\(HumanFormat.counted(rest, "further problem"))") }
    for (name, value) in try await operation(database, state, standings, request, shown) { values[name] = value }
    return WebContent(title: "State", values, refreshes: !walks.rows.isEmpty).printed(by: "syncctl status")
  }

  // MARK: What is wrong

  private static func verdict(
    _ state: MirrorState, _ standings: [StreamStanding], _ problems: [AttentionLine], _ configuration: Configuration
  ) -> String {
    if state.isEmpty { return "nothing is mirrored yet" }
    let summary = state.summary(standings)
    guard problems.isEmpty else { return summary }
    guard let next = next(configuration, state.figures) else { return "All well, \(summary)" }
    let now = Date(timeIntervalSince1970: state.figures.now)
    let time = HumanFormat.clock(Date(timeIntervalSince1970: TimeInterval(next.at)), now: now)
    return "All well, \(HumanFormat.counted(standings.count, "stream")), next \(next.job) at \(time)"
  }

  /// The job that runs next, with its time in seconds since 1970; `nil` without a job that is not paused.
  static func next(_ configuration: Configuration, _ figures: MirrorFigures) -> (job: String, at: Int64)? {
    let paused = Set(figures.jobs.filter(\.isPaused).map(\.name))
    let times = configuration.jobs.filter { !paused.contains($0.name) }.compactMap { job in
      job.scheduled.schedule.next(after: Int64(figures.now), in: job.scheduled.zone).map { (job: job.name, at: $0) }
    }
    return times.min { ($0.at, $0.job) < ($1.at, $1.job) }
  }

  private static func value(_ line: AttentionLine, _ state: MirrorState, _ request: WebRequest) -> WebValue {
    let command = line.action ?? ""
    let words = command.firstMatch(of: /^syncctl (runs show|confirm) ([0-9a-f-]+)/)?.output
    let run = words.map { String($0.2) }
    var actions: [(text: String, path: String)] = []
    if request.operation.isAllowed {
      if let run, words?.1 == "confirm" { actions.append(OperationPages.confirmation(of: run)) }
      if line.code == .tryLater { actions.append(OperationPages.endOfPause(of: line.subject)) }
      if let job = line.job, line.code == .missing, state.hasActiveWorker {
        actions.append(OperationPages.trigger(ofJob: job))
      }
    }
    return .object(of: [
      "subject": .text(line.name), "problem": .text(line.text), "command": line.action.map { .text($0) },
      "runPath": run.map { .text("/runs/\($0)") }, "isGrave": .flag(line.isGrave), "actions": .actions(actions),
    ])
  }

  // MARK: What is new

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

  /// The lists of the present day, of each source that has one.
  private func days(
    _ request: WebRequest, _ database: Database, _ configuration: Configuration
  ) async throws -> [WebValue] {
    var days: [WebValue] = []
    for source in configuration.sources {
      let today = try await cachedDays.value(of: source.name, for: request.rights, life: Limits.newsLife) {
        try await source.web.today(database)
      }
      guard let today, !today.items.isEmpty else { continue }
      let items = today.items.prefix(Limits.todayOnPage).map { $0.value(request) }
      days.append(
        .object(of: [
          "dayTitle": .text(today.title), "items": .list(items), "itemsStyle": "lines day",
          "dayRest": today.rest.map {
            .object(of: ["dayRestText": .text($0.text), "dayRestPath": .text(orNil: $0.path)])
          },
        ]))
    }
    return days
  }

  private static let week = Moment.ago(.seconds(7 * 86_400))

  private static func favoriteChanges(
    _ database: Database, _ configuration: Configuration
  ) async throws -> [WebValue] {
    let parts = Dictionary(configuration.sources.map { ($0.name, $0.web) }, uniquingKeysWith: { first, _ in first })
    let rows = try await Favorites.changes(since: week, nil, in: database).namedRows
    let changes = rows.gathered { [$0["source"], $0["kind"], $0["id"], $0["what"]] }.map { $0[0] }
    return changes.prefix(Limits.favoriteChangesOnPage).map { row in
      let change = FavoriteChange(row)
      let title = row["title"] ?? "\(row["kind"] ?? "") \(row["id"] ?? "")"
      let path = parts[row["source"] ?? ""].flatMap { part in
        row["id"].flatMap { Int64($0) }.flatMap { part.itemPath(row["kind"] ?? "", $0) }
      }
      return .object(of: [
        "newsText": .text(WebNews.shortened(title)), "newsLanguage": .text(orNil: WebLanguage.ofScript(title)),
        "newsPath": .text(orNil: path),
        "newsMark": .text(orNil: change.mark), "isClimb": .flag(change.isClimb), "newsDetail": .text(change.text),
      ])
    }
  }

  // MARK: Operation

  private func operation(
    _ database: Database, _ state: MirrorState, _ standings: [StreamStanding], _ request: WebRequest,
    _ shown: (RowSet) -> RowSet
  ) async throws -> [String: WebValue?] {
    let (configuration, canOperate) = (configuration(), request.operation.isAllowed)
    let jobRows = shown(try await Jobs.list(database))
    let now = try await Jobs.now(in: database)
    let jobs = JobsCommand.List.listing(jobRows, configuration.jobs, at: now)
    let paused = jobRows.namedRows.count { $0["state"] == "paused" }
    let states = Dictionary(
      jobRows.namedRows.map { ($0["job"] ?? "", $0["state"]) }, uniquingKeysWith: { first, _ in first })

    let limits = try await LimitsCommand.List.listing(of: database, configuration)
    let pauses = limits.values(of: "paused_until").count { $0 != .null }

    let reasons = shown(try await Runs.quarantineReasons(database))
    let quarantine = Listing(reasons, emptyMessage: "No item is in quarantine.", titles: ["last_at": "last seen"])
      .laidOut(hiding: ["run_id"])
    let items = reasons.namedRows.reduce(0) { $0 + ($1.int("items") ?? 0) }

    let streams = request.rights.showsPersonalData ? [] : standings.map(\.name.name)
    let runs = shown(try await Runs.list(database, limit: Limits.runsOnPage, streams: streams).rows)
    let strips = try await RunPages.strips(database, configuration, request.rights)

    return [
      "remedy": .text(orNil: request.operation.remedy), "strips": .list(strips), "hasStrips": .flag(!strips.isEmpty),
      "jobsTitle": .text(Self.title("Jobs", jobs.rows.count, paused, "paused")),
      "jobs": jobs.webTable(
        "Jobs", path: Self.run("error", "run_id"),
        actions: { row in
          guard canOperate, let name = row["job"]?.string else { return [] }
          return OperationPages.links(ofJob: name, state: states[name] ?? nil)
        }),
      "limitsTitle": .text(Self.title("Rate limits in use", limits.rows.count, pauses, "paused")),
      "limits": limits.webTable(
        "Rate limits in use",
        actions: { row in
          guard canOperate, row["paused_until"] != .null, let source = row["source"]?.string else { return [] }
          return [OperationPages.endOfPause(of: source)]
        }),
      "quarantineTitle": .text("Quarantine: \(HumanFormat.counted(items, "item"))"),
      "quarantine": quarantine.webTable(
        "Quarantine",
        path: { key, row in
          key == "reason" ? row["reason"]?.string.map { WebPath("/quarantine").with("reason", $0).text } : nil
        }),
      "runs": RunPages.table(runs, caption: "Last runs"),
    ]
  }

  private static func title(_ name: String, _ count: Int, _ problems: Int, _ word: String) -> String {
    "\(name): \(HumanFormat.count(count))" + (problems > 0 ? ", \(HumanFormat.count(problems)) \(word)" : "")
  }

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
      let source = same[0].name.source
      let table = Listing(
        columns: [
          Column("stream"), Column("state"), Column("last_complete_at", title: "complete"), Column("entries"),
          Column("last_run", title: "last run"), Column("run_id"),
        ], rows: rows
      ).laidOut(hiding: ["run_id"]).webTable(
        "Streams of \(source)",
        path: { key, row in
          switch key {
          case "last_run": row["run_id"]?.string.map { "/runs/\($0)" }
          case "stream":
            row["stream"]?.string.map { WebPath("/runs").with("source", source).with("stream", $0).text }
          default: nil
          }
        })
      let problems = same.count { !$0.isOnTime }
      let group = "\(source): \(HumanFormat.counted(same.count, "stream"))"
      return .object([
        "group": .text(problems == 0 ? group : "\(group), \(HumanFormat.count(problems)) with problems"),
        "table": table,
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
}

extension WebNews {
  private static let longestTitle = 70

  /// Returns the beginning of a long title, so that the list stays short on phones.
  fileprivate static func shortened(_ title: String) -> String {
    title.count > longestTitle ? "\(title.prefix(longestTitle))…" : title
  }

  fileprivate var webValue: WebValue {
    // Details of movements begin with their mark, such as `▲ 3, now 5 of the top anime`.
    let mark = detail.prefixMatch(of: /[▲▼] [0-9]{1,3}(?:,[0-9]{3})*/).map { String($0.output) }
    let rest = detail.dropFirst(mark?.count ?? 0).drop { $0 == "," || $0 == " " }
    return .object(of: [
      "newsText": .text(Self.shortened(text)), "newsLanguage": .text(orNil: WebLanguage.ofScript(text)),
      "newsPath": .text(orNil: path), "newsMark": .text(orNil: mark),
      "isClimb": .flag(detail.hasPrefix("▲")), "newsDetail": .text(String(rest)),
    ])
  }
}

/// A change of a favorite, from a row of `favorite_changes.sql`.
struct FavoriteChange: Sendable, Equatable {
  /// The difference with its direction, such as `▲ 3`; `nil` if the change has no direction.
  let mark: String?
  /// Whether the change is a gain, such as a better rank or a higher score.
  let isClimb: Bool
  let text: String

  init(_ row: NamedRow) {
    let what = row["what"] ?? ""
    let values = [row["before"], row["after"]].map { $0.flatMap { Double($0) } }
    let list = row["list"].map { " in \($0)" } ?? ""
    guard let before = values[0], let after = values[1], before != after else {
      let words = [
        "left": "left the list", "entered": "entered the list", "returned": "returned to the list",
        "vanished": "removed upstream", "unread": "not read",
      ]
      mark = nil
      isClimb = ["entered", "returned", "mirrored"].contains(what)
      text = (words[what] ?? what) + list
      return
    }
    // A smaller rank is better. Prices and scores show their direction.
    let isRank = ["rank", "position"].contains(what)
    let grows = after > before
    let size = (after - before).magnitude
    let amount = isRank ? HumanFormat.count(Int(size)) : HumanFormat.twoDecimals("\((size * 100).rounded() / 100)")
    mark = "\(grows != isRank ? "▲" : "▼") \(amount)"
    isClimb = grows != isRank
    text = "\(what) \(row["before"] ?? "") → \(row["after"] ?? "")\(list)"
  }
}
