import ArgumentParser
import SyncCore
import SyncPostgres

struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Run a named SQL report; without a name, list them.",
    usage: "syncctl report [<name>] [<options>]",
    discussion: """
      Examples:
        syncctl report
        syncctl report freshness --format json
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var output: FormatOptions

  @Argument(help: "The report's name.")
  var name: String?

  func run() async throws {
    guard let name else {
      let listing = Listing(
        columns: [Column("name"), Column("summary", isFlexible: true)],
        rows: Reports.all.map { [.text($0.name), .text($0.summary)] })
      return try StandardStreams().print(listing, as: output.format)
    }
    guard let report = Reports.all.first(where: { $0.name == name }) else {
      let near = Suggestion.nearest(to: name, among: Reports.all.map(\.name)).map { "did you mean \($0)?" }
      throw SyncError(
        .usage, "there is no report \(Excerpt.of(name, scalars: 40))", hint: near ?? "syncctl report lists them")
    }
    let rows = try await Context(configuration: try common.configuration()).withExistingMirror { database in
      try await Reports.run(report, in: database)
    }
    try StandardStreams().print(Listing(rows, emptyMessage: "The report has no rows."), as: output.format)
  }
}
