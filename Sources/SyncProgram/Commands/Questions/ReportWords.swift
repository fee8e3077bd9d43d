import SyncPostgres

enum ReportWords {
  static func list(_ reports: [Report]) -> Listing {
    Listing(
      columns: [
        Column("name"), Column("summary", fit: .wrapped), Column("options", fit: .wrapped), Column("title"),
        Column("description"), Column("source"), Column("parameters"),
      ],
      rows: reports.map { report in
        [
          .text(report.name), .text(report.summary),
          .text(report.parameters.map { "--\($0.option)" }.joined(separator: " ")), .text(report.title),
          .text(report.description), report.source.map { .text($0) } ?? .null, .json(json(report.parameters)),
        ]
      }
    ).laidOut(hiding: ["title", "description", "source", "parameters"], leaving: ["options"])
  }

  private static func json(_ parameters: [ReportParameter]) -> String {
    let objects = Listing(
      columns: ["name", "type", "required", "default", "range", "help"].map { Column($0) },
      rows: parameters.map { parameter in
        [
          .text(parameter.option), .text(parameter.type.rawValue), .bool(parameter.isRequired),
          parameter.standard.map { .text($0) } ?? .null, parameter.range.map { .text($0) } ?? .null,
          .text(parameter.help),
        ]
      })
    return "[" + objects.text(as: .ndjson).split(separator: "\n").joined(separator: ",") + "]"
  }

  static func help(of choice: ReportChoice) -> String {
    let report = choice.report
    let overview = [report.title, report.description].filter { !$0.isEmpty }
    let options = report.parameters.map { parameter in
      let option = "--\(parameter.option) \(value(of: parameter))"
      return parameter.isRequired ? option : "[\(option)]"
    }
    let usage = ["syncctl report", choice.file ?? report.name] + options + ["[<options>]"]
    var lines = ["OVERVIEW: \(overview.first ?? report.name)", ""]
    lines += overview.dropFirst().flatMap { [$0, ""] }
    lines += ["USAGE: " + usage.joined(separator: " "), ""]
    if !report.parameters.isEmpty {
      let options = report.parameters.map { line("--\($0.option) \(value(of: $0))", words(for: $0)) }
      lines += ["PARAMETERS:"] + options + [""]
    }
    if !report.columns.isEmpty { lines += ["COLUMNS:"] + report.columns.map { line($0.name, $0.help) } + [""] }
    lines.append("Options that every report has: syncctl report --help.")
    return lines.map(TerminalText.safe).joined(separator: "\n")
  }

  private static func line(_ label: String, _ text: String) -> String {
    let width = 22
    guard label.count <= width else { return "  \(label)  \(text)" }
    return "  " + TerminalText.pad(label, to: width) + "  " + text
  }

  private static func value(of parameter: ReportParameter) -> String {
    switch parameter.type {
    case .integer: "<n>"
    case .choice: "<word>"
    case .boolean: "<true|false>"
    default: "<\(parameter.type.rawValue)>"
    }
  }

  private static func words(for parameter: ReportParameter) -> String {
    let standard = parameter.isRequired ? "required" : parameter.standard.map { "default: \($0)" }
    let notes = [standard, parameter.range].compactMap(\.self).joined(separator: "; ")
    let text = parameter.help.isEmpty || parameter.help.hasSuffix(".") ? parameter.help : parameter.help + "."
    return [text, notes.isEmpty ? "" : "(\(notes))"].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
