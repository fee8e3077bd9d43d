import ArgumentParser
import Foundation
import SyncCore
import SyncPostgres

struct RunsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs", abstract: "Show what the runs did, and why they failed.",
    discussion: """
      Examples:
        syncctl runs --limit 5
        syncctl runs --failed --since 2d
        syncctl runs show               what the latest command did
        syncctl runs show 3f2a --format json
        syncctl runs show 3f2a --quarantine
      """, subcommands: [List.self, Show.self], defaultSubcommand: List.self)

  struct List: ListingCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the latest runs, newest first.", usage: "syncctl runs list [<options>]",
      discussion: """
        held means that a guard stopped the run, and its error needs a decision. In JSON, such a run has the status \
        failed, and held is true.

        Examples:
          syncctl runs --limit 5 --format json
          syncctl runs --failed --since 7d
        """)

    @Flag(help: "Only runs that failed, have an error, or lack pages or documents.")
    var failed = false

    @OptionGroup var choice: StreamFilterOptions

    @Option(help: ArgumentHelp("Only runs of this job.", valueName: "name"), completion: Completion.jobs)
    var job: String?

    @Option(help: ArgumentHelp("Only runs since a date, a time, or an age such as 24h, 7d or 2w.", valueName: "time"))
    var since: String?

    @OptionGroup var pages: PagedLimitOptions<TwentyRows>
    @OptionGroup var output: FormatOptions
    @OptionGroup var common: CommonOptions

    func listing() async throws -> Listing {
      let request = try pages.request()
      let configuration = try common.configuration()
      let filter = try choice.filter(configuration)
      let moment = try since.map { (word) throws(SyncError) in try Moment(word, option: "--since") }
      let page = try await Context(configuration: configuration).withExistingMirror { database in
        for name in filter.names {
          guard let error = filter.unknown(name) else { continue }
          if try await Runs.list(database, limit: 1, streams: [name]).rows.rows.isEmpty { throw error }
        }
        return try await request.read { limit, start in
          try await Runs.list(
            database, limit: limit, onlyFailed: failed, sources: filter.sources, streams: filter.names, job: job,
            since: moment, after: start)
        }
      }
      let empty = failed ? "No matching run has failed." : "No run matches; \(Registry.firstRun) starts one."
      let counters: Set<String> = failed ? ["duration_seconds", "rows_seen", "inserted", "updated"] : []
      return Listing(page.rows, emptyMessage: empty, titles: RunSummary.tableTitles)
        .paged(page, request)
        .inTables { $0.shortening("id").showingReasons }
        .laidOut(
          hiding: counters.union([
            "invocation_id", "pages", "requests", "unchanged", "duplicates", "quarantined", "held", "unavailable",
            "job",
          ]), ifEmpty: ["error"], below: "error", leaving: ["duration_seconds"], ["source"], ["rows_seen"],
          ["inserted", "updated"])
    }
  }

  struct Show: ListingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show a run with the proof that its list was complete; without an id, the latest command's runs.",
      usage: "syncctl runs show [<id>] [<options>]",
      discussion: """
        The table omits empty and zero values; the other formats have every column. If a guard stopped the run, \
        would_remove has the items that confirming it would remove; --all lists them as rows.

        Examples:
          syncctl runs show 3f2a
          syncctl runs show 3f2a --all
          syncctl runs show 3f2a --quarantine --format json
        """)

    @Argument(help: "A run's id, a command's invocation_id, or the beginning of either.")
    var id: String?

    @Flag(help: "List the items that the run could not use, and why.")
    var quarantine = false

    @Flag(help: "List the items that a run which a guard stopped would remove.")
    var all = false

    @OptionGroup var output: FormatOptions
    @OptionGroup var common: CommonOptions

    func listing() async throws -> Listing {
      if quarantine { return try await quarantined() }
      let context = try common.context()
      let (rows, held) = try await context.withExistingMirror { database in
        let rows = try await Runs.show(database, prefix: id, start: Registry.firstRun)
        return (rows, try await Self.held(rows, context.configuration, in: database))
      }
      if all {
        guard let held else {
          throw SyncError(.usage, "no guard stopped this run, so --all has nothing to list", hint: "omit --all")
        }
        return held.listing
      }
      let hints = Self.hints(rows, held, context.configuration)
      return Self.cells(rows).judged(by: held, asText: false)
        .inTables { _ in Self.table(of: rows, held).hinting(hints) }
    }

    /// Returns what a user can do after a single run; empty for several runs.
    private static func hints(_ rows: RowSet, _ held: HeldFindings?, _ configuration: Configuration) -> [String] {
      guard rows.rows.count == 1, let run = rows.namedRows.first else { return [] }
      var hints: [String] = []
      let certificate = run["certificate"].flatMap { try? JSONDecoder().decode(Certificate.self, from: Data($0.utf8)) }
      let name = StreamName(source: run["source"] ?? "", name: run["stream"] ?? "")
      if let certificate, !(certificate.holes.isEmpty && certificate.unavailable.isEmpty),
        !configuration.isOneOff(name)
      {
        let stream = name.name.shellWord
        hints += ["syncctl run --source \(name.source) --stream \(stream) requests them again"]
      }
      if let held, held.run.isConfirmable {
        hints += ["if the upstream is right: syncctl confirm \(held.run.shortID)"]
      }
      return hints
    }

    /// Returns what a single run that a guard stopped would do; `nil` for other runs.
    static func held(
      _ runs: RowSet, _ configuration: Configuration, in database: Database
    ) async throws -> HeldFindings? {
      guard runs.rows.count == 1, let run = runs.namedRows.first, run.isTrue("held"), let id = run["id"] else {
        return nil
      }
      return try await HeldFindings.read(id, configuration, in: database)
    }

    private func quarantined() async throws -> Listing {
      let rows = try await common.context().withExistingMirror { database in
        try await Runs.quarantine(database, prefix: id)
      }
      return Self.table(ofQuarantine: rows, hiding: ["excerpt", "first_at"])
    }

    private static func cells(_ runs: RowSet) -> Listing {
      let titles = runs.rows.count == 1 ? ["certificate": "proof"] : RunSummary.tableTitles
      return Listing(runs, emptyMessage: "No run yet.", titles: titles)
    }

    static func table(of runs: RowSet, _ held: HeldFindings? = nil) -> Listing {
      let words = cells(runs).withCertificateInWords.showingReasons.judged(by: held, asText: true)
      return runs.rows.count == 1 ? words.reasonFirst.turned : words.asInvocation
    }

    static func table(ofQuarantine items: RowSet, hiding hidden: Set<String>) -> Listing {
      Listing(
        items, emptyMessage: "The run could use all items.", titles: ["first_at": "first met", "last_at": "last met"]
      ).laidOut(hiding: hidden)
    }
  }
}

extension Listing {
  func shortening(_ key: String) -> Listing {
    mapping(key) { cell in if case .text(let id) = cell { .text(String(id.prefix(8))) } else { cell } }
  }

  var showingReasons: Listing {
    mapping("status", beside: "held") { status, held in held == .bool(true) ? .text("held") : status }
      .mapping("error", beside: "unavailable") { error, unavailable in
        guard case .int(let count) = unavailable, count > 0, error == .null else { return error }
        return .text("unavailable pages or documents: \(count)")
      }
  }

  fileprivate var withCertificateInWords: Listing {
    mapping("certificate", beside: "held") { cell, held in
      guard case .json(let json) = cell,
        let certificate = try? JSONDecoder().decode(Certificate.self, from: Data(json.utf8))
      else { return cell }
      return .text(CertificateText(certificate: certificate, isHeld: held == .bool(true)).sentence)
    }
  }

  /// Adds the items that a held run would remove, and what confirming the run does.
  fileprivate func judged(by held: HeldFindings?, asText: Bool) -> Listing {
    guard let held, rows.count == 1 else { return self }
    let items = asText ? held.summary.map { Cell.text($0) } ?? .null : .json(held.json)
    return with(Column("confirming", fit: .wrapped), [.text(held.consequence)], after: "error")
      .with(Column("would_remove", title: "would remove", fit: .wrapped), [items], after: "error")
  }

  fileprivate var reasonFirst: Listing {
    let reasons = ["status", "error", "would_remove", "confirming", "warning", "certificate", "not_understood"]
    let others = columns.map(\.key).filter { !reasons.contains($0) && $0 != "held" }
    let told = (reasons + others).filter(tells).joined(separator: ",")
    return ColumnChoice(argument: told).flatMap { try? choosing($0) } ?? self
  }

  fileprivate var asInvocation: Listing {
    var shown: Set<String> = ["id", "stream", "status", "rows_seen", "inserted", "updated", "certificate"]
    for name in ["error", "warning", "quarantined", "not_understood", "vanished"] where tells(name) {
      shown.insert(name)
    }
    if values(of: "source").contains(where: { $0 != values(of: "source").first }) { shown.insert("source") }
    return shortening("id").laidOut(
      hiding: Set(columns.map(\.key)).subtracting(shown), below: "error", leaving: ["rows_seen"], ["updated"],
      ["inserted"], tells("error") ? ["certificate"] : [])
  }
}
