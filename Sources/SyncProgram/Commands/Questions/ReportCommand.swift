import ArgumentParser
import Foundation
import SyncCore
import SyncPostgres

struct ReportCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Run a named query, or one in your own file; without a name, list the reports.",
    usage: "syncctl report [<name>|<file.sql>] [--<parameter> <value> ...] [<options>]",
    discussion: """
      NAME --help shows a report's parameters and columns. Each report, with its default parameters, is also a \
      view in the schema report, for tools that read SQL.

      A name with a slash, or one that ends in .sql, is a file with one query, which runs in a read-only \
      transaction. Comments at the top of the file declare parameters, which the query uses as :limit; see \
      docs/sql.md. A report returns at most 100000 rows and 64 MiB.

      Examples:
        syncctl report
        syncctl report top-by-genre --help
        syncctl report top-by-genre --genre Drama --limit 5
        syncctl report movers --direction down --since 7d --format json
        syncctl report ./mine.sql --year 2024 --time-limit 5m
      """,
    // The parser's `--help` is disabled, because `report NAME --help` shows the parameters of the report.
    helpNames: [])

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("The report's name or a file, and its parameters.", valueName: "name"),
    completion: Completion.reports)
  var words: [String] = []

  @Option(help: ArgumentHelp("Time limit of the query, such as 30s or 5m (default: 60s).", valueName: "time"))
  var timeLimit: String?

  @Flag(name: .shortAndLong, help: "Show help information.")
  var help = false

  @OptionGroup var output: FormatOptions
  @OptionGroup var common: CommonOptions

  func listing() async throws -> Listing {
    guard let name = words.first else {
      if help { throw CleanExit.helpRequest(self) }
      return ReportWords.list(Reports.all)
    }
    let choice = try ReportChoice(name)
    if help { throw CleanExit.message(ReportWords.help(of: choice)) }
    let limit = try self.limit()
    let values = try choice.values(Array(words.dropFirst()))
    let report = choice.report
    let rows = try await common.context().withExistingMirror { database in
      try await Reports.run(report, values, within: limit, in: database)
    }
    let cut = choice.file == nil ? Self.titles : Set(rows.columns.map(\.name))
    var listing = Listing(rows, emptyMessage: "The report has no rows.", cut: cut, hasFractions: true)
    listing.layout.leaving = report.spare.map { [$0] }
    return listing
  }

  private static let titles: Set = ["best_title", "top_title", "most_popular", "artist", "detail"]

  private func limit() throws(SyncError) -> Duration {
    guard let timeLimit else { return Limits.statementTimeout }
    guard let limit = Duration(configured: timeLimit), (Limits.shortestReport...Limits.longestReport).contains(limit)
    else {
      throw SyncError(
        .usage, "--time-limit: \(Excerpt.of(timeLimit, scalars: 40)) is not a valid time",
        hint: "give \(Limits.shortestReport.configured) to \(Limits.longestReport.configured), e.g. 30s or 5m")
    }
    return limit
  }
}

struct ReportChoice {
  let report: Report
  let file: String?

  init(_ word: String) throws {
    guard !word.hasPrefix("-") else {
      throw SyncError(
        .usage, "the name of a report must come before \(Excerpt.of(word, scalars: 40))",
        hint: "syncctl report lists them")
    }
    guard word.contains("/") || word.hasSuffix(".sql") else {
      guard let report = Reports.all.first(where: { $0.name == word }) else {
        let near = Suggestion.nearest(to: word, among: Reports.all.map(\.name)).map { "did you mean \($0)?" }
        throw SyncError(
          .usage, "there is no report \(Excerpt.of(word, scalars: 40))", hint: near ?? "syncctl report lists them")
      }
      self.report = report
      file = nil
      return
    }
    let text = try UserFile.text(word, atMost: Limits.reportFileBytes, hint: "give a file with one query")
    report = try Report(name: word, file: text)
    file = word
  }

  func values(_ words: [String]) throws(SyncError) -> [String: String] {
    var values: [String: String] = [:]
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("--"), word.count > 2 else {
        throw SyncError(.usage, "unexpected word \(Excerpt.of(word, scalars: 40)) after \(name)", hint: known)
      }
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let option = String(parts[0])
      guard let parameter = report.parameters.first(where: { $0.option == option }) else {
        let near = Suggestion.nearest(to: option, among: report.parameters.map(\.option) + Self.options)
        throw SyncError(
          .usage, "\(name) has no parameter --\(Excerpt.of(option, scalars: 40))",
          hint: (near.map { "did you mean --\($0)? " } ?? "") + known)
      }
      let value: String
      if parts.count == 2 {
        value = String(parts[1])
      } else if parameter.type == .boolean, rest.first?.hasPrefix("--") ?? true {
        value = "true"
      } else if let next = rest.first, !next.hasPrefix("--") {
        value = next
        rest.removeFirst()
      } else {
        throw SyncError(.usage, "--\(option) needs a value", hint: parameter.expected)
      }
      guard values.updateValue(value, forKey: parameter.name) == nil else {
        throw SyncError(.usage, "--\(option) is given twice", hint: "give it once")
      }
    }
    if let missing = report.parameters.first(where: { $0.isRequired && values[$0.name] == nil }) {
      throw SyncError(.usage, "\(name) needs --\(missing.option)", hint: missing.expected)
    }
    return values
  }

  private static let options = ["format", "columns", "no-header", "config", "help", "time-limit"]

  private var name: String { Excerpt.of(file ?? "the report \(report.name)") }

  private var known: String {
    let options = report.parameters.map { "--\($0.option)" }
    return options.isEmpty ? "it has no parameters" : "known: \(options.joined(separator: ", "))"
  }
}
