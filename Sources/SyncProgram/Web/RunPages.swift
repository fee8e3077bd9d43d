import Foundation
import LibPQ
import SyncCore
import SyncPostgres
import SyncWeb

/// The pages of runs and of their unusable items.
struct RunPages: Sendable {
  let configuration: @Sendable () -> Configuration
  let confirmations: Confirmations

  var pages: [WebPage] { [list, run, quarantine] }

  // MARK: The list

  private static let parameters = ["source", "stream", "job", "failed", "since", "page"]

  private var list: WebPage {
    WebPage("/runs", template: "shared/runs") { [configuration] request, database in
      let configuration = configuration()
      let limit = Limits.runsOnListPage
      let page = try request.page()
      let filter = try Filter(request)
      let streams = try await filter.visible(to: request, configuration, in: database)
      var found = ListPage(all: RowSet(columns: [], rows: [], total: 0))
      if let streams {
        found = try await Runs.list(
          database, limit: limit, onlyFailed: filter.onlyFailed, sources: filter.sources, streams: streams,
          job: filter.job, since: filter.since, after: .offset(try request.offset(limit: limit)))
      }
      let rows = request.rights.showsPersonalData ? found.rows : found.rows.shared(with: configuration)
      let strips = try await Self.strips(database, configuration, request.rights)
      let jobs = try await CompletionWords.jobs.read(in: database)
      return WebContent(
        title: "Runs",
        [
          "form": filter.path.form([
            .field(
              "source", label: "source", value: request.typed["source"] ?? "", options: [""] + Registry.names,
              names: ["": "all"]),
            .field("stream", label: "stream", value: request.typed["stream"] ?? ""),
            .field("job", label: "job", value: request.typed["job"] ?? "", options: [""] + jobs, names: ["": "all"]),
            .field(
              "failed", label: "runs", value: request.typed["failed"] ?? "", options: ["", "true"],
              names: ["": "all", "true": "with a problem"]),
            .field("since", label: "since", value: request.typed["since"] ?? "", help: "such as 7d or 2026-11-21"),
          ]),
          "chips": .list(filter.chips), "hasChips": .flag(!filter.chips.isEmpty), "strips": .list(strips),
          "hasStrips": .flag(!strips.isEmpty && filter.chips.isEmpty && page == 1),
          "runs": Self.table(rows, caption: found.total.map { HumanFormat.counted($0, "run") } ?? "Runs"),
          "pager": found.total.flatMap {
            filter.path.pager(page: page, shown: rows.rows.count, limit: limit, total: $0)
          },
        ]
      ).printed(by: filter.command(page: page), parameters: Self.parameters)
    }
  }

  /// Returns the table of runs, with links to their pages.
  static func table(_ rows: RowSet, caption: String) -> WebValue {
    Listing(rows, emptyMessage: "No run matches; \(Registry.firstRun) starts one.", titles: RunSummary.tableTitles)
      .showingReasons.laidOut(hiding: hidden, ifEmpty: ["error", "job"])
      .webTable(
        caption,
        path: { key, row in
          switch key {
          case "stream": row["id"]?.string.map { "/runs/\($0)" }
          case "job": row["job"]?.string.map { WebPath("/runs").with("job", $0).text }
          default: nil
          }
        })
  }

  private static let hidden: Set<String> = [
    "id", "invocation_id", "pages", "requests", "unchanged", "duplicates", "quarantined", "held", "unavailable",
  ]

  /// Returns the strips of all jobs and of all sources with runs of commands.
  static func strips(
    _ database: Database, _ configuration: Configuration, _ rights: WebRights
  ) async throws -> [WebValue] {
    let jobs = try await Runs.recentOfJobs(database, limit: Limits.squaresOfStrip)
    let all = try await Runs.recent(database, limit: Limits.runsOfStrips)
    let runs = rights.showsPersonalData ? all : all.shared(with: configuration)
    let now = Int64(Date().timeIntervalSince1970)
    let strips = RunStrip.jobs(jobs) + RunStrip.sources(runs, most: Limits.squaresOfStrip)
    return strips.map { $0.value(now: now) }
  }

  // MARK: A run

  private var run: WebPage {
    WebPage("/runs/:id", template: "shared/run") { [configuration, confirmations] request, database in
      let id = request.parameters["id"] ?? ""
      var rows = try await Runs.show(database, prefix: id, start: Registry.firstRun)
      if !request.rights.showsPersonalData {
        let all = rows.rows.count
        rows = rows.shared(with: configuration())
        guard rows.rows.count == all else { throw Runs.unknown(id) }
      }
      let isOne = rows.rows.count == 1
      let run = isOne ? rows.namedRows.first : nil
      let name = run.map { "\($0["source"] ?? "")/\($0["stream"] ?? "")" } ?? "\(rows.rows.count) streams"
      let items = try await Runs.quarantine(of: rows, in: database)
      let held = try await RunsCommand.Show.held(rows, configuration(), in: database)
      let progress = request.rights.showsPersonalData ? held.flatMap { confirmations.state(of: $0.run.id) } : nil
      var isRunning = run?["status"] == "running"
      var notice: String?
      var isOver = false
      switch progress {
      case .running?:
        isRunning = true
        notice = "The confirmation is under way."
      case .ended(let problem)?:
        isOver = problem == nil
        notice = problem.map { "The confirmation ended: \($0)" } ?? "The run was confirmed."
      case nil: break
      }
      let canConfirm = held?.run.isConfirmable == true && request.operation.isAllowed && progress == nil
      return WebContent(
        title: "Run of \(name)",
        [
          "verdict": progress == nil ? run.map(Self.verdict) : nil,
          "runFacts": isOne ? .object(["facts": RunsCommand.Show.table(of: rows, held).webFacts]) : nil,
          "run": isOne
            ? nil
            : RunsCommand.Show.table(of: rows, held).webTable(
              "Runs of the command",
              path: { key, row in key == "id" ? row["id"]?.string.map { "/runs/\($0)" } : nil }),
          "progress": .text(orNil: notice),
          "command": held.flatMap { held in
            held.run.isConfirmable && !isOver ? .text("syncctl confirm \(held.run.shortID)") : nil
          },
          "confirmPath": canConfirm ? held.map { .text(OperationPages.confirmation(of: $0.run.id).path) } : nil,
          "remedy": held?.run.isConfirmable == true ? .text(orNil: request.operation.remedy) : nil,
          "leaving": held.flatMap { held in
            held.items.rows.isEmpty ? nil : held.listing.webTable("Items that the list would lose")
          },
          "runsPath": run.map {
            .text(WebPath("/runs").with("source", $0["source"]).with("stream", $0["stream"]).text)
          },
          "quarantine": RunsCommand.Show.table(ofQuarantine: items, hiding: ["first_at"])
            .webTable("Items that could not be used"),
        ], refreshes: isRunning
      ).printed(by: "syncctl runs show \(id.prefix(8))")
    }
  }

  /// Returns the run's end in a sentence, and whether all is well. Neither `isWell` nor `isBad` is set for a run that
  /// goes on.
  private static func verdict(_ run: NamedRow) -> WebValue {
    let status = run.isTrue("held") ? "held" : run["status"] ?? ""
    let counts = [("new", run.int("inserted")), ("changed", run.int("updated"))].compactMap { word, count in
      count.flatMap { $0 > 0 ? "\(HumanFormat.count($0)) \(word)" : nil }
    }
    let rows = HumanFormat.counted(run.int("rows_seen") ?? 0, "row")
    let reason = run["error"] ?? run["warning"] ?? ([rows] + counts).joined(separator: ", ")
    let isWell = RunStatus(rawValue: status)?.isWhole == true
    return .object([
      "verdictText": .text("\(status): \(reason)"), "isWell": .flag(isWell),
      "isBad": .flag(!isWell && status != RunStatus.running.rawValue),
    ])
  }

  // MARK: Quarantine

  private var quarantine: WebPage {
    WebPage("/quarantine", template: "shared/quarantine") { [configuration] request, database in
      let limit = Limits.runsOnListPage
      let page = try request.page()
      let filter = try Filter(request)
      let reason = request.query["reason"]
      let all = try await Runs.quarantineReasons(database)
      let reasons = (request.rights.showsPersonalData ? all : all.shared(with: configuration())).namedRows
      let words = reasons.compactMap { $0["reason"] }.distinct().sorted()
      let streams = try await filter.visible(to: request, configuration(), in: database)
      var rows = RowSet(columns: [], rows: [], total: 0)
      if let streams {
        rows = try await Runs.quarantined(
          database, limit: limit, sources: filter.sources, streams: streams, reason: reason,
          offset: try request.offset(limit: limit))
        if !request.rights.showsPersonalData { rows = rows.shared(with: configuration()) }
      }
      let path = WebPath("/quarantine").with("source", request.query["source"])
        .with("stream", request.query["stream"]).with("reason", reason)
      return WebContent(
        title: "Quarantine",
        [
          "form": path.form([
            .field(
              "source", label: "source", value: request.typed["source"] ?? "", options: [""] + Registry.names,
              names: ["": "all"]),
            .field("stream", label: "stream", value: request.typed["stream"] ?? ""),
            .field(
              "reason", label: "reason", value: request.typed["reason"] ?? "", options: [""] + words,
              names: ["": "all"]),
          ]),
          "items": Self.table(rows),
          "pager": rows.total.flatMap { path.pager(page: page, shown: rows.rows.count, limit: limit, total: $0) },
        ]
      ).printed(
        by: WebCommandLine.text(
          ["syncctl", "report", "quarantine"], [(name: "source", value: request.query["source"])]),
        parameters: ["source", "stream", "reason", "page"])
    }
  }

  private static func table(_ rows: RowSet) -> WebValue {
    let titles = rows.namedRows.map { $0["excerpt"].flatMap(QuarantinedTitle.read).map { Cell.text($0) } ?? .null }
    let listing = Listing(
      rows, emptyMessage: "No item is in quarantine.",
      titles: ["first_at": "first met", "last_at": "last met", "count": "times"])
    let named = rows.columns.isEmpty ? listing : listing.with(Column("title", fit: .title), titles, after: "item")
    return named.laidOut(hiding: ["run_id", "excerpt", "first_at"], ifEmpty: ["title"]).webTable(
      rows.total.map { HumanFormat.counted($0, "item") } ?? "Items",
      path: { key, row in
        switch key {
        case "last_at": row["run_id"]?.string.map { "/runs/\($0)" }
        case "stream": row["stream"]?.string.map { WebPath("/quarantine").with("stream", $0).text }
        default: nil
        }
      })
  }

  // MARK: Filters

  /// The parameters of a page of runs, with the names of the options of `syncctl runs`.
  private struct Filter {
    let sources: [String]
    let streams: [String]
    let job: String?
    let onlyFailed: Bool
    let since: Moment?
    private let sinceText: String?

    /// - Throws: `SyncError` `.usage` for an unknown source, or for a time that is not one.
    init(_ request: WebRequest) throws(SyncError) {
      sources = request.all("source").distinct()
      for name in sources { _ = try Registry.source(name) }
      streams = request.all("stream").distinct()
      job = request.query["job"]
      switch request.query["failed"] {
      case nil, "false": onlyFailed = false
      case "true": onlyFailed = true
      case .some(let word): throw SyncError.unknown("value of failed", word, ["true", "false"])
      }
      sinceText = request.query["since"]
      since = try sinceText.map { (word) throws(SyncError) in try Moment(word, option: "since") }
    }

    /// The path with all parameters except the page.
    var path: WebPath {
      var path = WebPath("/runs")
      for source in sources { path = path.adding("source", source) }
      for stream in streams { path = path.adding("stream", stream) }
      return path.with("job", job).with("failed", onlyFailed ? "true" : nil).with("since", sinceText)
    }

    var chips: [WebValue] {
      sources.map { path.chip("source", $0, $0) } + streams.map { path.chip("stream", $0, $0) }
        + (job.map { [path.chip("job", $0, "job \($0)")] } ?? [])
        + (onlyFailed ? [path.chip("failed", "true", "with a problem")] : [])
        + (sinceText.map { [path.chip("since", $0, "since \($0)")] } ?? [])
    }

    func command(page: Int) -> String {
      let options: [(name: String, value: String?)] =
        sources.map { (name: "source", value: $0) } + streams.map { (name: "stream", value: $0) } + [
          (name: "job", value: job), (name: "failed", value: onlyFailed ? "" : nil), (name: "since", value: sinceText),
          (name: "page", value: page > 1 ? "\(page)" : nil),
        ]
      return WebCommandLine.text(["syncctl", "runs"], options)
    }

    /// Returns the streams that the query selects; empty for all streams, and `nil` for none. Other machines do not see
    /// one-off searches, so the caller also omits their rows, which are of streams without a state.
    func visible(
      to request: WebRequest, _ configuration: Configuration, in database: Database
    ) async throws -> [String]? {
      guard !request.rights.showsPersonalData else { return streams }
      guard streams.isEmpty else {
        let chosen = streams.filter { stream in
          !configuration.sources.contains { configuration.isOneOff(StreamName(source: $0.name, name: stream)) }
        }
        return chosen.isEmpty ? nil : chosen
      }
      let known = try await Runs.status(database).shared(with: configuration)
      return known.namedRows.compactMap { $0["stream"] }.distinct()
    }
  }
}

/// The title of an item in quarantine.
enum QuarantinedTitle {
  /// Returns the first title or name in the beginning of an item's JSON; `nil` without one. The JSON can be cut off and
  /// invalid, because it could not be stored.
  static func read(_ json: String) -> String? {
    let pattern = /"(?:title|name|trackName|collectionName|full_name)"\s*:\s*("(?:[^"\\]|\\.)+")/
    guard let match = json.firstMatch(of: pattern) else { return nil }
    return try? JSONDecoder().decode(String.self, from: Data(match.output.1.utf8))
  }
}
