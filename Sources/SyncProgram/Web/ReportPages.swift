import SyncCore
import SyncPostgres
import SyncWeb

/// The list of reports, and a page for each report with its parameters, a plot and files to download.
struct ReportPages: Sendable {
  let configuration: @Sendable () -> Configuration

  var list: WebPage {
    WebPage("/reports", template: "shared/reports") { _, _ in
      let groups = Reports.all.gathered { $0.source ?? "" }.sorted { ($0[0].source ?? "~") < ($1[0].source ?? "~") }
      return WebContent(
        title: "Reports",
        [
          "groups": .list(
            groups.map { reports in
              .object([
                "group": .text(reports[0].source ?? "Operation"),
                "reports": .list(
                  reports.map { report in
                    .object([
                      "reportTitle": .text(report.title.isEmpty ? report.name : report.title),
                      "reportPath": .text("/reports/\(report.name)"), "reportSummary": .text(report.summary),
                    ])
                  }),
              ])
            })
        ]
      ).printed(by: "syncctl report")
    }
  }

  /// A format of the files that a page offers. The raw value is the suffix of the file's name.
  private enum FileFormat: String, CaseIterable {
    case csv, json

    var type: String {
      switch self {
      case .csv: "text/csv"
      case .json: "application/json"
      }
    }

    var output: OutputFormat {
      switch self {
      case .csv: .csv
      case .json: .json
      }
    }
  }

  var page: WebPage {
    WebPage("/reports/:name", template: "shared/report") { [configuration] request, database in
      let word = request.parameters["name"] ?? ""
      let format = FileFormat.allCases.first { word.hasSuffix(".\($0.rawValue)") }
      let name = format.map { String(word.dropLast($0.rawValue.count + 1)) } ?? word
      guard let report = Reports.all.first(where: { $0.name == name }) else {
        throw SyncError(
          .missing, "there is no report \(Excerpt.of(name, scalars: 40))", hint: "the page Reports lists them")
      }
      let configuration = configuration()
      let values = request.query.filter { argument in report.parameters.contains { $0.name == argument.key } }
      let isComplete = report.parameters.allSatisfy { !$0.isRequired || values[$0.name] != nil }
      var found: RowSet?
      if isComplete, !request.isRefused {
        let all = try await Reports.run(report, values, within: Limits.pageStatementTimeout, in: database)
        found = request.rights.showsPersonalData ? all : all.shared(with: configuration)
      }
      if let format, let found {
        let text = Listing(found, emptyMessage: "", hasFractions: true).text(as: format.output)
        return WebContent(WebFile(name: "\(name).\(format.rawValue)", type: format.type, text: text))
      }
      return Self.content(report, values, found, request, configuration)
    }
  }

  private static func content(
    _ report: Report, _ values: [String: String], _ found: RowSet?, _ request: WebRequest,
    _ configuration: Configuration
  ) -> WebContent {
    var members: [String: WebValue?] = [
      "description": .text(report.description),
      "form": report.parameters.isEmpty
        ? nil
        : WebPath("/reports/\(report.name)").form(report.parameters.map { field($0, request.typed[$0.name]) }),
    ]
    if let found {
      members["table"] = table(found, report, values, configuration)
      members["plot"] = ReportPlot.of(report.name, found)
      members["files"] = .list(
        FileFormat.allCases.map { format in
          let file = WebPath("/reports/\(report.name).\(format.rawValue)")
          let path = report.parameters.reduce(file) { $0.with($1.name, values[$1.name]) }
          return .object(["fileText": .text(format.rawValue.uppercased()), "filePath": .text(path.text)])
        })
      members["cut"] =
        found.rows.count > Limits.reportRowsOnPage
        ? .text(
          "The first \(HumanFormat.count(Limits.reportRowsOnPage)) rows of \(HumanFormat.count(found.rows.count)). "
            + "The files have all rows.")
        : nil
    }
    let options = report.parameters.map { (name: $0.option, value: values[$0.name]) }
    return WebContent(title: report.title.isEmpty ? report.name : report.title, members)
      .printed(
        by: WebCommandLine.text(["syncctl", "report", report.name], options),
        parameters: report.parameters.map(\.name))
  }

  /// The table of a report. Titles of items link to the pages of the items.
  private static func table(
    _ found: RowSet, _ report: Report, _ values: [String: String], _ configuration: Configuration
  ) -> WebValue {
    let shown = RowSet(columns: found.columns, rows: Array(found.rows.prefix(Limits.reportRowsOnPage)))
    let itemPath = configuration.sources.first { $0.name == report.source }?.web.itemPath
    let kind = values["kind"] ?? report.parameters.first { $0.name == "kind" }?.standard
    return Listing(shown, emptyMessage: "The report has no rows.", hasFractions: true).webTable(
      HumanFormat.counted(found.rows.count, "row"),
      path: { key, row in
        switch key {
        case "title": row["mal_id"]?.integer.flatMap { id in kind.flatMap { itemPath?($0, id) } }
        case "stream": row["stream"]?.string.map { WebPath("/runs").with("stream", $0).text }
        case "first_run", "last_run": row[key]?.string.map { "/runs/\($0)" }
        default: nil
        }
      })
  }

  private static func field(_ parameter: ReportParameter, _ argument: String?) -> WebValue {
    let value = argument ?? parameter.standard ?? ""
    let words = parameter.type == .boolean ? ["true", "false"] : parameter.type == .choice ? parameter.bounds : nil
    let options = words.map { parameter.isRequired || parameter.standard != nil ? $0 : [""] + $0 }
    let isNumber = parameter.type == .integer || parameter.type == .number
    return .field(
      parameter.name, label: parameter.option.replacing("-", with: " "), value: value,
      type: isNumber ? "number" : parameter.type == .date ? "date" : "text",
      step: isNumber ? (parameter.type == .integer ? "1" : "any") : nil, options: options,
      isRequired: parameter.isRequired, help: parameter.help.isEmpty ? nil : parameter.help)
  }
}

/// The bars that a page draws above a report's table.
enum ReportPlot {
  /// The columns of bars: the labels, joined by blanks, and the number.
  private static let columns: [String: (labels: [String], number: String)] = [
    "chart-turnover": (["published_at", "country", "type"], "turnover_percent"),
    "episodes-and-score": (["type", "episodes"], "mean_score"),
    "freshness": (["source", "stream"], "age_hours"),
    "hidden-gems": (["title"], "members"),
    "movers": (["title"], "places"),
    "my-pokedex": (["generation"], "owned_percent"),
    "quarantine": (["stream", "reason"], "items"),
    "run-costs": (["source", "stream"], "requests"),
    "seasons": (["season", "year"], "mean_score"),
    "strongest-pokemon-by-type": (["type", "name"], "total"),
    "studios": (["studio"], "score"),
    "top-by-genre": (["title"], "members"),
  ]

  /// Returns the values of the partial `shared/bars`; `nil` for a report without a time or a category. A report that is
  /// not listed above is drawn if it has one text and one number.
  static func of(_ name: String, _ found: RowSet) -> WebValue? {
    guard let (labels, number) = columns[name] ?? onlyColumns(of: found) else { return nil }
    let rows = found.namedRows.compactMap { row -> (label: String, value: Double, text: String)? in
      guard let text = row[number], let value = Double(text) else { return nil }
      let label = labels.compactMap { label in
        row[label].map { label.hasSuffix("_at") ? String($0.prefix(10)) : $0 }
      }
      return (label.isEmpty ? "–" : label.joined(separator: " "), value, HumanFormat.grouped(text))
    }
    guard rows.count > 1 else { return nil }
    let caption = "\(number) by \(labels.joined(separator: " and "))".replacing("_", with: " ")
    return WebPlot.bars(rows, caption: caption)
  }

  private static func onlyColumns(of found: RowSet) -> (labels: [String], number: String)? {
    let texts = found.columns.filter { $0.type == .text }
    let numbers = found.columns.filter { [.integer, .decimal].contains($0.type) }
    guard texts.count == 1, numbers.count == 1 else { return nil }
    return ([texts[0].name], numbers[0].name)
  }
}
