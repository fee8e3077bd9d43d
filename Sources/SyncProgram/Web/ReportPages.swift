import SyncCore
import SyncPostgres
import SyncWeb

struct ReportPages: Sendable {
  let configuration: @Sendable () -> Configuration

  var list: WebPage {
    WebPage("/reports", template: "shared/reports") { _, _ in
      let rows = Reports.all.map { report -> [Cell] in [.text(report.name), .text(report.title), .text(report.summary)]
      }
      let listing = Listing(columns: [Column("name"), Column("title"), Column("summary")], rows: rows)
      return WebContent(
        title: "Reports",
        [
          "reports": listing.webTable(
            "Reports", path: { key, row in key == "name" ? row["name"]?.string.map { "/reports/\($0)" } : nil })
        ])
    }
  }

  var page: WebPage {
    WebPage("/reports/:name", template: "shared/report") { [configuration] request, database in
      let name = request.parameters["name"] ?? ""
      guard let report = Reports.all.first(where: { $0.name == name }) else {
        throw SyncError(
          .missing, "there is no report \(Excerpt.of(name, scalars: 40))", hint: "the page Reports lists them")
      }
      let values = request.query.filter { argument in report.parameters.contains { $0.name == argument.key } }
      var members: [String: WebValue?] = [
        "description": .text(report.description),
        "form": report.parameters.isEmpty
          ? nil : WebPath("/reports/\(report.name)").form(report.parameters.map { Self.field($0, values[$0.name]) }),
      ]
      if report.parameters.allSatisfy({ !$0.isRequired || values[$0.name] != nil }) {
        do {
          let all = try await Reports.run(report, values, within: Limits.pageStatementTimeout, in: database)
          let found = request.rights.showsPersonalData ? all : all.shared(with: configuration())
          members["table"] = Self.table(found)
          members["plot"] = Self.plot(found)
          members["cut"] =
            found.rows.count > Limits.reportRowsOnPage
            ? .text(
              "The first \(HumanFormat.count(Limits.reportRowsOnPage)) rows of \(HumanFormat.count(found.rows.count)).")
            : nil
        } catch let error as SyncError where error.code == .usage {
          members["complaint"] = .text(error.description)
        }
      }
      return WebContent(title: report.title.isEmpty ? report.name : report.title, members)
    }
  }

  private static func table(_ found: RowSet) -> WebValue {
    let shown = RowSet(columns: found.columns, rows: Array(found.rows.prefix(Limits.reportRowsOnPage)))
    return Listing(shown, emptyMessage: "The report has no rows.", hasFractions: true)
      .webTable(HumanFormat.counted(found.rows.count, "row"))
  }

  private static func plot(_ found: RowSet) -> WebValue? {
    let columns = found.columns.indices
    let texts = columns.filter { found.columns[$0].type == .text }
    let numbers = columns.filter { [.integer, .decimal].contains(found.columns[$0].type) }
    guard texts.count == 1, numbers.count == 1 else { return nil }
    let rows = found.rows.compactMap { row -> (label: String, value: Double, text: String)? in
      guard let text = row[numbers[0]], let value = Double(text) else { return nil }
      return (row[texts[0]] ?? "–", value, text)
    }
    let caption = "\(found.columns[numbers[0]].name) by \(found.columns[texts[0]].name)".replacing("_", with: " ")
    return WebPlot.bars(rows, caption: caption)
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
