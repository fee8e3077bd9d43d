import ArgumentParser
import Foundation
import SyncCore
import SyncPostgres

struct StatusCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show how fresh every stream of the mirror is.",
    discussion: """
      Example:
        syncctl status --format json
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var output: FormatOptions

  func listing() async throws -> Listing {
    let rows = try await common.context().withExistingMirror { database in try await Runs.status(database) }
    let listing = Listing(
      rows, emptyMessage: "Nothing has been mirrored yet: syncctl run starts it.",
      titles: ["last_complete_at": "complete", "resumes_after_page": "resumes after", "verified_at": "verified"])
    return listing.laidOut(
      hiding: Set(listing.tells("quarantined") ? [] : ["quarantined"]).union(
        ["last_consistent_at", "started_at", "rows_seen", "inserted", "updated", "unchanged", "provider", "origin"]),
      ifEmpty: ["verified_at", "differences"],
      leaving: ["verified_at"], ["resumes_after_page"], ["entries"], ["source"])
  }
}

struct RunsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs", abstract: "Show the ledger of runs.",
    discussion: """
      Examples:
        syncctl runs --limit 5
        syncctl runs show               what the latest command did
        syncctl runs show 3f2a --format json
        syncctl runs show 3f2a --quarantine
      """,
    subcommands: [List.self, Show.self], defaultSubcommand: List.self)

  struct List: ListingCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the latest runs, newest first.", usage: "syncctl runs list [<options>]",
      discussion: """
        Example:
          syncctl runs --limit 5 --format json
        """)

    @Option(help: ArgumentHelp("How many runs; 0 for all.", valueName: "n"))
    var limit = 20

    @OptionGroup var output: FormatOptions
    @OptionGroup var common: CommonOptions

    func listing() async throws -> Listing {
      let limit = try Bounds.limit(limit)
      let rows = try await common.context().withExistingMirror { database in
        try await Runs.list(database, limit: limit)
      }
      return Listing(rows, emptyMessage: "No run yet: syncctl run starts one.", titles: RunSummary.tableTitles)
        .withShortIDs(as: output.shape).laidOut(
          hiding: ["invocation_id", "pages", "requests", "unchanged", "duplicates", "quarantined"],
          leaving: ["duration_seconds"], ["source"], ["rows_seen"], ["inserted", "updated"])
    }
  }

  struct Show: ListingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show a run with its certificate; without an id all runs of the latest command.",
      usage: "syncctl runs show [<id>] [<options>]",
      discussion: """
        Examples:
          syncctl runs show 3f2a
          syncctl runs show 3f2a --quarantine --format json
        """)

    @Argument(help: "The id of a run, or of a command (invocation_id), or enough of its beginning.")
    var id: String?

    @Flag(help: "List the items that the run could not use, and why.")
    var quarantine = false

    @OptionGroup var output: FormatOptions
    @OptionGroup var common: CommonOptions

    func listing() async throws -> Listing {
      if quarantine { return try await quarantined() }
      let rows = try await common.context().withExistingMirror { database in try await Runs.show(database, prefix: id) }
      let isOne = rows.rows.count == 1
      let listing = Listing(rows, emptyMessage: "No run yet.", titles: isOne ? [:] : RunSummary.tableTitles)
      guard output.shape == .table else { return listing }
      return isOne ? listing.withCertificateInWords.turned : listing.withCertificateInWords.asInvocation
    }

    private func quarantined() async throws -> Listing {
      let rows = try await common.context().withExistingMirror { database in
        try await Runs.quarantine(database, prefix: id)
      }
      // The beginning of the item is far too long for a line.
      return Listing(
        rows, emptyMessage: "The run met no item that it could not use.",
        titles: ["first_at": "first met", "last_at": "last met"]
      ).laidOut(hiding: ["excerpt", "first_at"])
    }
  }
}

extension Listing {
  fileprivate func withShortIDs(as format: OutputFormat) -> Listing {
    guard format == .table else { return self }
    return mapping("id") { cell in if case .text(let id) = cell { .text(String(id.prefix(8))) } else { cell } }
  }

  fileprivate var withCertificateInWords: Listing {
    mapping("certificate") { cell in
      guard case .json(let json) = cell,
        let certificate = try? JSONDecoder().decode(Certificate.self, from: Data(json.utf8))
      else { return cell }
      return .text(CertificateText(certificate: certificate).sentence)
    }
  }

  fileprivate var asInvocation: Listing {
    var shown: Set<String> = ["id", "stream", "status", "rows_seen", "inserted", "updated", "certificate"]
    for name in ["error", "warning", "quarantined", "not_understood", "vanished"] where tells(name) {
      shown.insert(name)
    }
    if values(of: "source").contains(where: { $0 != values(of: "source").first }) { shown.insert("source") }
    return withShortIDs(as: .table).laidOut(
      hiding: Set(columns.map(\.key)).subtracting(shown), leaving: ["rows_seen"], ["updated"], ["inserted"],
      tells("error") ? ["certificate"] : [])
  }

  fileprivate func tells(_ key: String) -> Bool { values(of: key).contains { ![.null, .int(0)].contains($0) } }

  private func values(of key: String) -> [Cell] {
    guard let place = columns.firstIndex(where: { $0.key == key }) else { return [] }
    return rows.map { $0[place] }
  }

  /// One line per column, for a listing of one row that is too wide to be read across.
  var turned: Listing {
    let values = rows.first ?? []
    return Listing(
      columns: [Column("field"), Column("value", alignment: .leading, fit: .wrapped, isExact: true)],
      rows: zip(columns, values).map { [.text($0.title), $1] }, emptyMessage: emptyMessage)
  }
}

enum Bounds {
  /// - Returns: nil for 0, which stands for all.
  static func limit(_ value: Int, option: String = "--limit") throws(SyncError) -> Int? {
    guard (0...100_000).contains(value) else {
      throw SyncError(.usage, "\(option) \(value) is out of bounds", hint: "give 1 to 100000, or 0 for all")
    }
    return value == 0 ? nil : value
  }
}
