import ArgumentParser
import SyncCore
import SyncPostgres

struct ReportCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Run a named SQL report; without a name, list them.",
    usage: "syncctl report [<name>] [<options>]",
    discussion: """
      Examples:
        syncctl report
        syncctl report freshness --format json
      """)

  @Argument(help: "The report's name.", completion: Completion.reports)
  var name: String?

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func listing() async throws -> Listing {
    guard let name else {
      return Listing(
        columns: [Column("name"), Column("summary", fit: .wrapped)],
        rows: Reports.all.map { [.text($0.name), .text($0.summary)] })
    }
    guard let report = Reports.all.first(where: { $0.name == name }) else {
      let near = Suggestion.nearest(to: name, among: Reports.all.map(\.name)).map { "did you mean \($0)?" }
      throw SyncError(
        .usage, "there is no report \(Excerpt.of(name, scalars: 40))", hint: near ?? "syncctl report lists them")
    }
    let rows = try await Context(configuration: try common.configuration()).withExistingMirror { database in
      try await Reports.run(report, in: database)
    }
    var listing = Listing(rows, emptyMessage: "The report has no rows.")
    listing.layout.leaving = report.spare.map { [$0] }
    return listing
  }
}
